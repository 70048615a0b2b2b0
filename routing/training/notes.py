"""Fit a writer of case notes: e-mails of the grammar with their notes -> NoteWriter in a folder."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import lightning

from routing.corpus.cartwise import make_noted_emails, split_subject
from routing.corpus.readers import WordReader
from routing.errors import RunError, SettingsError
from routing.notes import SPECIALS, NoteWriter, build_note_model, note_tokens
from routing.records import Email
from routing.settings import NoteSettings, Settings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary
from routing.training.checkpoint import Checkpoints, read_weights
from routing.training.history import History
from routing.training.trainer import make_trainer, quiet
from routing.training.writing import NoteData, NotedEmail, NoteModule


@dataclass(frozen=True, slots=True)
class FittedNotes:
    """What a fit gives.

    Attributes:
        writer: trained.
        exact_match: share of validation e-mails whose note was written word for word.
        emails: learned from.
        seconds: that it took.
    """

    writer: NoteWriter
    exact_match: float
    emails: int
    seconds: float

    def line(self) -> str:
        """Return it in one line."""
        return (
            f"note, {self.emails} e-mails, {self.seconds:.0f} s, "
            f"validation notes right word for word {self.exact_match:.1%}"
        )


def noted_emails(
    *, count: int, seed: int, suite: str = "train", noise: float | None = None
) -> list[NotedEmail]:
    """Return e-mails of the grammar with their notes, ``count`` at most.

    Left out are e-mails that do not say what their note says (about one in seven: the grammar
    notes ``money`` where the customer writes ``refunded``).
    """
    made = make_noted_emails(count=count, seed=seed, suite=suite, noise=noise)
    found = []
    for number, (text, note) in enumerate(made):
        subject, body = split_subject(text)
        email = Email(f"{suite}-{seed}-{number}", subject=subject, text=body, body=body)
        item = NotedEmail(email, note_tokens(note.line()))
        if says(email, item.words):
            found.append(item)
    return found


def says(email: Email, words: Sequence[str]) -> bool:
    """Return whether every word of a note but its frame stands in the e-mail."""
    there = {*token_texts(email), "·", "none", "<order>"}
    return all(word in there or word.endswith(":") for word in words)


def find_note_words(notes: Sequence[Sequence[str]], *, min_count: int, copy: bool) -> list[str]:
    """Return the words of notes: the frame alone where the rest is copied, else all frequent ones.

    A word that could be copied is not learned, so that words unseen in training are no exception.
    """
    counts = Counter(word for words in notes for word in words)
    kept = [word for word, count in counts.most_common() if count >= min_count]
    if copy:
        kept = [word for word in kept if word.endswith(":") or word in ("·", "none", "<order>")]
    return [*SPECIALS, *kept]


def fit_notes(
    settings: Settings, *, folder: Path, resume: bool = False, progress: bool = False
) -> FittedNotes:
    """Return the writer fitted on the built-in corpus; saved in ``folder``.

    Raises:
        RunError: asked to resume, which runs of this kind cannot.
        SettingsError: own e-mails, which have no notes, or another model kind.
        TrainingError: the loss exploded.
    """
    if resume:
        raise RunError(f"{folder} writes notes and cannot be resumed: fit it again")
    if settings.data.train is not None:
        raise SettingsError(
            f"data.train {settings.data.train}: case notes are learned from the built-in corpus, "
            "whose notes are known; leave it out"
        )
    corpus = settings.corpus
    made = noted_emails(count=2 * corpus.pairs, seed=corpus.seed, noise=corpus.noise)
    first = max(1, round(settings.data.validation_share * len(made)))
    return fit_writer(
        settings, train=made[first:], validation=made[:first], folder=folder, progress=progress
    )


def fit_writer(
    settings: Settings,
    *,
    train: Sequence[NotedEmail],
    validation: Sequence[NotedEmail],
    folder: Path,
    progress: bool = True,
) -> FittedNotes:
    """Return a writer trained on ``train`` with the weights best on ``validation``."""
    started = time.perf_counter()
    lightning.seed_everything(settings.train.seed, verbose=False)
    writer = start_writer(settings, train)
    checkpoints = Checkpoints(folder, steps=1_000_000)
    folder.mkdir(parents=True, exist_ok=True)
    with quiet():
        trainer = make_trainer(
            settings,
            folder=folder,
            callbacks=[checkpoints, History(folder / "history.csv")],
            progress=progress,
        )
        data = NoteData(writer, train=train, validation=validation)
        module = NoteModule(writer.model, settings.train, steps=data.steps())
        writer.model.train()
        trainer.fit(module, data)
    writer.model.load_state_dict(read_weights(checkpoints.best))
    writer.model.eval()
    writer.save(folder)
    score = float(checkpoints.state_dict()["best_score"][0])
    return FittedNotes(writer, score, len(train), time.perf_counter() - started)


def start_writer(settings: Settings, train: Sequence[NotedEmail]) -> NoteWriter:
    """Return an untrained writer that knows the words of ``train``."""
    assert isinstance(settings.model, NoteSettings)
    text = settings.text
    vocabulary = build_vocabulary(
        (token_texts(item.email, placeholders=text.placeholders) for item in train),
        min_count=text.min_count,
        max_words=text.max_words,
    )
    reader = WordReader(vocabulary, placeholders=text.placeholders, max_tokens=text.max_tokens)
    words = find_note_words(
        [item.words for item in train], min_count=text.min_count, copy=settings.model.attention
    )
    model = build_note_model(settings, reader=reader, words=words)
    return NoteWriter(settings=settings, reader=reader, words=words, model=model)
