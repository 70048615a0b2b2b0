"""The quick look at a body never passes one in which something would be cut."""

from random import Random

import pytest

from routing.mail import trim
from routing.mail.footers import BANNER_HINTS, DISCLAIMER_HINTS, MOBILE
from routing.mail.phrases import FORWARDED, LABELS, OLDER, WROTE, WROTE_PARTS
from routing.mail.plain import _is_plain, is_plain
from routing.mail.signatures import FUSED_STARTS
from tests.mail.mutations import public_folder

TALK = "the parcel came|where is it?|thank you|Regards,|Ann|no: not yet|> well|a - b|no @ all"
HEADS = (
    "On 2 May 2024 Ann <ann@example.com> wrote:|----- Original Message -----|--|> quoted"
    "|Begin forwarded message:|-----BEGIN PGP SIGNATURE-----|_______________|Sent from my phone"
    "|Caution: this e-mail came from outside your organisation|is that right?Sent from my iPhone"
    "|This e-mail is confidential and intended for the addressee.|if you received this in error"
    "|notify the sender|Please consider the environment before you print this"
    "|2. mai 2024 kl. 10:18 skrev Ann|**On 2 May 2024 Ann wrote**|(sent from my iPad)"
)


def is_whole(body: str) -> bool:
    """Return whether the long way leaves ``body`` as it is."""
    lines = trim.Lines.of(body)
    warnings = trim._cut_older(lines, ())
    trim.cut_signatures(lines)
    return not lines.removals() and not warnings


def drawn_bodies() -> list[str]:
    """Return bodies of everyday lines and of lines that give older messages and the like away."""
    rng = Random(5)
    labels = [f"{label.title()}: 2 May 2024, ann@example.com" for label in LABELS]
    telling = [*HEADS.split("|"), *labels]
    telling += [
        f"On 2 May 2024 our Ann Example {verb}{mark}" for verb in WROTE for mark in ("", ":")
    ]
    telling += [f"{start} iPhone" for start in (*MOBILE, *FUSED_STARTS)]
    telling += [f"this e-mail, {hint}, is so" for hint in (*DISCLAIMER_HINTS, *BANNER_HINTS)]
    telling += ["|", f"On 2024-05-02 a{'*' * 25}wrote", "[EXT]"]
    bodies = []
    for _ in range(20_000):
        lines = rng.choices(TALK.split("|"), k=rng.randint(1, 4))
        for _ in range(rng.randint(0, 3)):
            lines.insert(rng.randint(0, len(lines)), rng.choice(telling))
        bodies.append(rng.choice(["\n", "\n\n", " \n"]).join(lines))
    return bodies


def test_what_is_plain_is_left_whole() -> None:
    bodies = drawn_bodies()
    plain = [body for body in bodies if is_plain(body)]
    assert 0.1 < len(plain) / len(bodies) < 0.9
    assert [body for body in plain if not is_whole(body)] == []


def test_the_look_at_words_alone_agrees_with_the_look_at_lines() -> None:
    telling = [f"{word.title()}{end}" for word in (*FORWARDED, *OLDER, *LABELS) for end in ":：."]
    telling += [*MOBILE, *FUSED_STARTS, *WROTE, *WROTE_PARTS, *DISCLAIMER_HINTS, *BANNER_HINTS]
    telling += [
        "fr:om : x",
        "a" * 61,
        "wrote" + "x" * 70,
        ":",
        "a:",
        "12:30",
        "Case 4: a kettle",
        "*",
    ]
    rng = Random(8)
    bodies = drawn_bodies()
    for word in telling:
        edge, blank = rng.choice(["", "*", "(", "- ", "x", "\u200e"]), rng.choice(["", " ", "\n"])
        for text in (word, word.upper()):
            bodies += [
                f"{edge}{text}{blank}",
                f"well {edge}{text} then",
                f"a\n{blank}{edge}{text} b",
            ]
    for body in bodies:
        assert is_plain(body) == _is_plain(body, body.lower()), body


def test_what_is_plain_in_published_mail_is_left_whole() -> None:
    if (folder := public_folder()) is None:
        pytest.skip("ROUTING_PUBLIC_DATA names no folder with the published mail")
    files = [path for path in folder.rglob("*") if path.is_file()]
    texts = [path.read_text(encoding="utf-8", errors="replace")[:20_000] for path in files]
    bodies = [part for text in texts for part in (text, *text.split("\n\n"))]
    assert [body for body in bodies if is_plain(body) and not is_whole(body)] == []


@pytest.mark.parametrize(
    "body",
    [
        "Hello\nwhen you print this label the barcode is cut off.",
        "Hello\nI got this message about a parcel in error.",
        "Hello\nThe courier says it was sent in error.\nShall I contact the sender?",
    ],
)
def test_news_that_sounds_like_a_disclaimer_stays(body: str) -> None:
    assert is_whole(body)


@pytest.mark.parametrize("body", ["|\n[EXT]\nhi", f"a\nOn 2024-05-02 a{'*' * 25}wrote\nb"])
def test_rare_marks_get_a_closer_look(body: str) -> None:
    assert not is_plain(body) and not is_whole(body)


def test_everyday_mail_is_plain() -> None:
    assert is_plain("Hello,\n\nthe parcel came on Friday - the kettle did not.\n\nThank you\nAnn")
