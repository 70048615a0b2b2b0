"""Fit a writer of case notes: e-mails of the grammar with their notes -> NoteWriter in a folder."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import lightning

from routing.corpus.cartwise import make_noted_emails, split_subject
from routing.corpus.readers import WordReader
from routing.errors import SettingsError
from routing.models.recurrent import RecurrentModel
from routing.notes import SPECIALS, NoteWriter, build_note_model, note_tokens
from routing.records import Email, LabelledEmail
from routing.settings import NoteSettings, Settings
from routing.text.tokens import token_texts
from routing.text.vocabulary import Vocabulary, build_vocabulary, vector_words
from routing.training.checkpoint import Checkpoints, StoppedError, read_weights
from routing.training.folder import check_folder, check_same_data, start_folder
from routing.training.history import History
from routing.training.note_encoder import load_encoder
from routing.training.trainer import make_trainer, quiet, stop_on_interrupt
from routing.training.vectors import start_words, vectors_file
from routing.training.writing import NoteData, NotedEmail, NoteModule

_EXAMPLE = "`missing: charger · came: parcel · order: <order>`"
_MOST_VALIDATED = 1000
"""E-mails that are validated on at most: each is written out after every epoch."""


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
    settings: Settings,
    *,
    folder: Path,
    resume: bool = False,
    progress: bool = False,
    command: Sequence[str] = (),
) -> FittedNotes:
    """Return the writer fitted on the built-in corpus; saved in ``folder``.

    Raises:
        RunError: a run that cannot be resumed.
        SettingsError: own e-mails, which have no notes, an encoder that the writer cannot start
            from, or a folder that cannot be written.
        TrainingError: the loss exploded.
        KeyboardInterrupt: stopped by Ctrl-C; the message says how to go on.
    """
    check_folder(folder, settings)
    if settings.data.train is not None:
        raise SettingsError(
            f"data.train {settings.data.train}: case notes are learned from the built-in corpus, "
            "whose notes are known; leave it out"
        )
    if not resume:
        load_encoder(settings)  # what is wrong with it is said before anything is made
    corpus = settings.corpus
    held_out = min(_MOST_VALIDATED, 2 * round(settings.data.validation_share * corpus.pairs))
    train, validation = (
        noted_emails(count=count, seed=seed, noise=corpus.noise)
        for count, seed in ((2 * corpus.pairs, corpus.seed), (max(2, held_out), corpus.seed + 1))
    )
    return fit_writer(
        settings,
        train=train,
        validation=validation,
        folder=folder,
        resume=resume,
        progress=progress,
        command=command,
    )


def fit_writer(
    settings: Settings,
    *,
    train: Sequence[NotedEmail],
    validation: Sequence[NotedEmail],
    folder: Path,
    resume: bool = False,
    progress: bool = True,
    command: Sequence[str] = (),
) -> FittedNotes:
    """Return a writer trained on ``train`` with the weights best on ``validation``.

    Raises what ``fit_notes`` raises.
    """
    started = time.perf_counter()
    lightning.seed_everything(settings.train.seed, verbose=False)
    splits = {"train": _as_labelled(train), "validation": _as_labelled(validation)}
    if resume:
        check_same_data(folder, settings, splits)
    writer = start_writer(settings, train)
    if not resume:
        start_folder(folder, settings, splits=splits, command=command)
    checkpoints = Checkpoints(folder, steps=settings.train.checkpoint_steps)
    history = History(folder / "history.csv")
    data = NoteData(writer, train=train, validation=validation)
    _train(data, folder=folder, checkpoints=checkpoints, history=history, progress=progress)
    writer.model.load_state_dict(read_weights(checkpoints.best))
    writer.model.eval()
    writer.save(folder)
    score = float(checkpoints.state_dict()["best_score"][0])
    seconds = time.perf_counter() - started + history.seconds_before
    fitted = FittedNotes(writer, score, len(train), seconds)
    finish_notes(folder, fitted)
    return fitted


def _train(
    data: NoteData, *, folder: Path, checkpoints: Checkpoints, history: History, progress: bool
) -> None:
    """Train the writer of ``data``, from the last checkpoint in ``folder`` where there is one."""
    settings = data.writer.settings
    module = NoteModule(data.writer.model.train(), settings.train, steps=data.steps())
    known = checkpoints.last if checkpoints.last.is_file() else None
    callbacks = [checkpoints, history]
    try:
        with quiet(), stop_on_interrupt(checkpoints):
            trainer = make_trainer(settings, folder=folder, callbacks=callbacks, progress=progress)
            trainer.fit(module, data, ckpt_path=known, weights_only=True)
    except StoppedError:
        raise KeyboardInterrupt(f"go on with: python -m routing.fit --resume {folder}") from None


def _as_labelled(items: Sequence[NotedEmail]) -> list[LabelledEmail]:
    """Return e-mails whose route is their note, for the fingerprint of the data."""
    return [LabelledEmail(item.email, route=" ".join(item.words)) for item in items]


def finish_notes(folder: Path, fitted: FittedNotes) -> None:
    """Write MODEL_CARD.md and, as the last file of a finished run, metrics.json."""
    settings = fitted.writer.settings
    model = ", ".join(f"{name} {value}" for name, value in settings.model.model_dump().items())
    card = (
        "# Writer of case notes\n\n"
        f"Writes for the team what is missing, what came and what is wanted: {_EXAMPLE}.\n\n"
        f"- Trained on: Cartwise, {settings.corpus.pairs} pairs of the grammar; "
        f"{fitted.emails} e-mails, seed {settings.train.seed}.\n"
        f"- Model: {model}.\n"
        f"- Started from: {settings.train.encoder or 'nothing learned'}.\n"
        f"- Validation: {fitted.exact_match:.1%} of the notes right word for word.\n"
        f"- Training took {fitted.seconds:.0f} seconds.\n\n"
        "A hint for a person who has the e-mail beside it, never the ground of a decision: a note\n"
        "may name the wrong thing as missing. It says nothing sensible of e-mails about other\n"
        "matters. Where it looked is not why it wrote.\n"
    )
    (folder / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    metrics = {
        "validation_exact_match": fitted.exact_match,
        "training_emails": fitted.emails,
        "training_seconds": fitted.seconds,
    }
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1), encoding="utf-8")


def start_writer(settings: Settings, train: Sequence[NotedEmail]) -> NoteWriter:
    """Return an untrained writer that knows the words of ``train`` and of ``text.vectors``.

    With ``train.encoder`` it reads as that router does.
    """
    assert isinstance(settings.model, NoteSettings)
    note_words = find_note_words(
        [item.words for item in train],
        min_count=settings.text.min_count,
        copy=settings.model.attention,
    )
    router = load_encoder(settings)
    if router is not None:
        assert isinstance(router.reader, WordReader) and isinstance(router.model, RecurrentModel)
        reader = router.reader
        model = build_note_model(settings, reader=reader, words=note_words)
        model.vectors.load_state_dict(router.model.vectors.state_dict())
        model.encoder.load_state_dict(router.model.layers[0].state_dict())
    else:
        reader = _make_reader(settings, train)
        model = build_note_model(settings, reader=reader, words=note_words)
        if settings.text.vectors is not None:
            start_words(model.vectors, reader.vocabulary.words, settings.text.vectors)
    return NoteWriter(settings=settings, reader=reader, words=note_words, model=model)


def _make_reader(settings: Settings, train: Sequence[NotedEmail]) -> WordReader:
    """Return the reader that knows the words of ``train`` and of ``text.vectors``."""
    assert isinstance(settings.model, NoteSettings)
    text, buckets = settings.text, settings.model.piece_buckets
    vocabulary = build_vocabulary(
        (token_texts(item.email, placeholders=text.placeholders) for item in train),
        min_count=text.min_count,
        max_words=text.max_words,
        piece_buckets=buckets,
    )
    if text.vectors is not None:
        known = vector_words(vectors_file(text.vectors))
        words = (*vocabulary.words, *(word for word in known if word not in vocabulary))
        vocabulary = Vocabulary(words[: 2 + text.max_words], buckets)
    return WordReader(vocabulary, placeholders=text.placeholders, max_tokens=text.max_tokens)
