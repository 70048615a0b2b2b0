"""E-mails with their order disturbed, and mail that belongs to no route.

A disorder keeps the words of an e-mail and puts them in another order, line breaks lost; the
same e-mail is always disturbed the same way. A counter of words
decides as before; what a router loses is the part of its skill that needs order.
"""

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from routing.mail import email_from_bytes, email_from_text
from routing.records import Email, LabelledEmail
from routing.text.tokens import SUBJECT_END, tokenize

Disorder = Callable[[Email], Email]

_BEFORE_NOUN = frozenset(
    ("a", "an", "the", "my", "our", "your", "his", "her", "their", "no", "any")
)
_NEGATIONS = frozenset(("not", "n't", "never", "no", "nor", "neither", "without", "nothing"))
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n+|$)")


def shuffle_words(email: Email) -> Email:
    """Return the e-mail with the words of its subject, and those of its text, in random order."""
    draw = _draw(email, "words")
    subject, text = _words(email, "subject"), _words(email, "text")
    draw.shuffle(subject)
    draw.shuffle(text)
    return _rewrite(email, " ".join(subject), " ".join(text))


def shuffle_sentences(email: Email) -> Email:
    """Return the e-mail with its sentences and lines in random order, each left whole."""
    sentences = [found.strip() for found in _SENTENCE.findall(email.text) if found.strip()]
    _draw(email, "sentences").shuffle(sentences)
    return _rewrite(email, email.subject, " ".join(sentences))


def swap_nouns(email: Email) -> Email:
    """Return the e-mail with two of its things swapped: words after ``the``, ``my``, ``a`` ….

    The same e-mail when it names fewer than two things so.
    """
    words = _words(email, "text")
    lower = [word.lower().strip(".,;:!?\"'()") for word in words]
    places = [
        i for i in range(1, len(words)) if lower[i - 1] in _BEFORE_NOUN and lower[i].isalpha()
    ]
    pairs = [(i, j) for i in places for j in places if i < j and lower[i] != lower[j]]
    if not pairs:
        return email
    first, second = _draw(email, "nouns").choice(pairs)
    words[first], words[second] = (
        _replace_letters(words[first], lower[second]),
        _replace_letters(words[second], lower[first]),
    )
    return _rewrite(email, email.subject, " ".join(words))


def move_negation(email: Email) -> Email:
    """Return the e-mail with one of its negations before another word.

    The same e-mail when it denies nothing.
    """
    texts = [email.text[t.start : t.end] for t in tokenize(email) if t.part == "text"]
    places = [i for i, text in enumerate(texts) if text.lower() in _NEGATIONS]
    if not places or len(texts) < 3:
        return email
    draw = _draw(email, "negation")
    negation = texts.pop(place := draw.choice(places))
    others = [i for i in range(len(texts)) if abs(i - place) > 1 and texts[i][0].isalpha()]
    if not others:
        return email
    texts.insert(draw.choice(others), negation)
    return _rewrite(email, email.subject, " ".join(texts))


DISORDERS: dict[str, Disorder] = {
    "shuffled": shuffle_words,
    "sentences": shuffle_sentences,
    "nouns": swap_nouns,
    "negation": move_negation,
}
"""Every disorder by name; ``shuffled`` is part of every comparison, all of them of an audit."""


def _draw(email: Email, name: str) -> random.Random:
    key = f"{name}\0{email.subject}\0{email.text}".encode("utf-8", "surrogatepass")
    return random.Random(hashlib.blake2b(key, digest_size=8).digest())


def _words(email: Email, part: str) -> list[str]:
    """Return the words with the punctuation that touches them; placeholders stay whole."""
    source = email.subject if part == "subject" else email.text
    words: list[str] = []
    end = -1
    for token in tokenize(email):
        if (
            token.part != part
            or token.text == SUBJECT_END
            or not source[token.start : token.end].strip()
        ):
            continue
        piece = source[token.start : token.end]
        if words and token.start == end:
            words[-1] += piece
        else:
            words.append(piece)
        end = token.end
    return words


def _replace_letters(word: str, letters: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda _: letters, word, count=1)


def _rewrite(email: Email, subject: str, text: str) -> Email:
    return replace(email, subject=subject, text=text, body=text, removals=())


_PROBES: dict[str, Sequence[str]] = {
    "empty": ("", " \n \n", "?", "."),
    "gibberish": (
        "asdf jkl; qwer uiop zxcv nm,.",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.",
        "xkq 77 vvb plomf grint zzt, oonk drabble frus!",
        "0x3f 9a 11 7e 00 ff c3 28 a1",
    ),
    "other language": (
        "Guten Tag, mein Paket ist seit drei Wochen unterwegs und niemand weiß, wo es ist.",
        "Bonjour, le colis est arrivé mais la housse manque. Je voudrais être remboursée.",
        "Hola, ayer llegó la caja pero estaba vacía. ¿Qué hago?",
        "Dzień dobry, proszę o zwrot pieniędzy za zamówienie, którego nie otrzymałam.",
        "荷物は届きましたが、充電器が入っていませんでした。",
    ),
    "newsletter": (
        "Subject: 20% off everything this weekend\n\nHello friend, our autumn sale starts today. "
        "Browse new lamps, rugs and chairs. View in browser. Unsubscribe at any time.",
        "Subject: The Monday digest\n\nThis week: five recipes for squash, an interview with a "
        "glass blower, and what our readers said about tea. Manage your preferences here.",
    ),
    "other matter": (
        "Hello, I would like to apply for the position of warehouse assistant. My CV is attached.",
        "Could you tell me whether the oak table can be varnished, and with what?",
        "I cannot log in: the page says that my password has expired.",
        "Please find attached our invoice for cleaning your offices in March.",
    ),
}

_AUTO_REPLIES = (
    b"From: Ana <ana@example.com>\nSubject: Automatic reply: your order\n"
    b"Auto-Submitted: auto-replied\n\nI am out of the office until Monday 12 May.\n",
    b"From: MAILER-DAEMON@example.com\nSubject: Undelivered Mail Returned to Sender\n"
    b"Auto-Submitted: auto-replied\n\nYour message could not be delivered: mailbox full.\n",
)


def out_of_scope() -> list[LabelledEmail]:
    """Return mail that belongs to no route; its kind stands in ``phenomenon``."""
    probes = [
        LabelledEmail(email_from_text(text, id=f"{kind} {number}"), route="", phenomenon=kind)
        for kind, texts in _PROBES.items()
        for number, text in enumerate(texts, 1)
    ]
    replies = [
        LabelledEmail(
            email_from_bytes(message, id=f"auto-reply {number}"), route="", phenomenon="auto-reply"
        )
        for number, message in enumerate(_AUTO_REPLIES, 1)
    ]
    return probes + replies
