"""NoteWriter: e-mails in, case notes out; saved to and loaded from a run folder.

Shape letters: B e-mails, T tokens, N note words, U distinct words of a batch.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import yaml
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from routing.corpus.batches import Batch
from routing.corpus.readers import WordReader
from routing.errors import RunError
from routing.models.note import END, PADDING, UNKNOWN, NoteModel
from routing.records import Email
from routing.settings import NoteSettings, Settings
from routing.text.tokens import token_texts

_VALUES = (ValueError, KeyError, TypeError, AttributeError)
_DAMAGE = (OSError, RuntimeError, SafetensorError, yaml.YAMLError, *_VALUES)
"""What reading a damaged run folder, or one of another version, ends in."""

SPECIALS = ("<padding>", "<end>", "<unknown>")
"""The first words of notes, in the order of their numbers."""


@dataclass(frozen=True, slots=True)
class CaseNote:
    """A note for the team, and where each of its words comes from.

    Attributes:
        words: of the note, e.g. ``missing:``, ``charger``, ``·``, ``order:``, ``<order>``.
        tokens: of the e-mail that were read.
        looks: for each word of the note the weight of each token; the weights of a word sum
            to 1, or are all 0 without attention.
    """

    words: tuple[str, ...]
    tokens: tuple[str, ...]
    looks: tuple[tuple[float, ...], ...]

    def line(self) -> str:
        """Return the note as one line."""
        return " ".join(self.words)


class NoteWriter:
    """Writes case notes, whole: reader, words of notes, model.

    Args:
        settings: as trained with; ``settings.model`` are NoteSettings.
        reader: e-mails -> numbers.
        words: of notes, the first three SPECIALS.
        model: numbers -> notes.
    """

    def __init__(
        self, *, settings: Settings, reader: WordReader, words: Sequence[str], model: NoteModel
    ) -> None:
        assert isinstance(settings.model, NoteSettings)
        self.settings = settings
        self.beam = settings.model.beam
        self.max_words = settings.model.max_note_tokens
        self.reader = reader
        self.words = tuple(words)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.model = model
        model.eval()

    def write(self, emails: Sequence[Email], *, batch_emails: int = 64) -> list[CaseNote]:
        """Return the case note of each e-mail, in order."""
        texts = [tuple(self.reader.texts(email)) or ("<unknown>",) for email in emails]
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        notes: dict[int, CaseNote] = {}
        for first in range(0, len(order), batch_emails):
            places = order[first : first + batch_emails]
            found = self._write([texts[place] for place in places])
            notes.update(zip(places, found, strict=True))
        return [notes[place] for place in range(len(texts))]

    def _write(self, texts: Sequence[tuple[str, ...]]) -> list[CaseNote]:
        device = next(self.model.parameters()).device
        batch = self.reader.token_batch(texts)
        rows = name_rows(batch, texts)
        written, looks = self.model.write(
            *batch.to(device).inputs(),
            row_words=self.row_words(rows).to(device),
            beam=self.beam,
            max_words=self.max_words,
        )
        names = [*self.words, *rows]
        return [
            _case_note(names, tokens, numbers.tolist(), look)
            for tokens, numbers, look in zip(texts, written, looks, strict=True)
        ]

    def row_words(self, rows: Sequence[str]) -> Tensor:
        """Return the word of notes (U,) that each row of a batch is, UNKNOWN where it is none."""
        return torch.tensor([self.numbers.get(word, UNKNOWN) for word in rows])

    def save(self, folder: Path | str) -> None:
        """Write the run folder's settings, vocabularies and weights."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        settings = yaml.safe_dump(self.settings.model_dump(mode="json"), sort_keys=False)
        (folder / "settings.yaml").write_text(settings, encoding="utf-8")
        text = json.dumps(self.words, ensure_ascii=False)
        (folder / "note_words.json").write_text(text, encoding="utf-8")
        self.reader.save(folder)
        save_file(self.model.state_dict(), folder / "model.safetensors")

    @classmethod
    def load(cls, folder: Path | str, *, device: str = "cpu") -> "NoteWriter":
        """Return the writer of a run folder, on ``device``.

        Raises RunError when the folder holds no whole run of ``model.kind note``.
        """
        folder = Path(folder)
        if not (folder / "note_words.json").is_file():
            raise RunError(
                f"{folder} writes no notes: it holds no note_words.json; "
                "fit one with --model.kind note"
            )
        try:
            text = (folder / "settings.yaml").read_text(encoding="utf-8")
            settings = Settings.model_validate(yaml.safe_load(text))
            words = json.loads((folder / "note_words.json").read_text(encoding="utf-8"))
            reader = WordReader.load(folder)
            model = build_note_model(settings, reader=reader, words=words)
            model.load_state_dict(load_file(folder / "model.safetensors", device=device))
        except _DAMAGE as error:
            what = " ".join(str(error).split())
            raise RunError(f"run {folder} cannot be loaded: {what}; fit it again") from error
        model.to(device)
        return cls(settings=settings, reader=reader, words=words, model=model)


def build_note_model(settings: Settings, *, reader: WordReader, words: Sequence[str]) -> NoteModel:
    """Return a fresh model for what ``reader`` reads and the words of notes."""
    assert isinstance(settings.model, NoteSettings)
    arguments = settings.model.model_dump(exclude={"kind", "beam", "max_note_tokens"})
    return NoteModel(words=len(reader.vocabulary), note_words=len(words), **arguments)


def note_tokens(line: str) -> tuple[str, ...]:
    """Return the words of a note's line: its keys whole, its values as e-mails are cut."""
    words: list[str] = []
    for fact in line.split(" · "):
        key, _, value = fact.partition(": ")
        words += ["·"] if words else []
        words += [f"{key}:", *([value] if key == "order" else token_texts(Email("", text=value)))]
    return tuple(words)


def name_rows(batch: Batch, texts: Sequence[Sequence[str]]) -> list[str]:
    """Return the word (U,) of each row of the word table that a batch of ``texts`` got."""
    names = [SPECIALS[PADDING]] * len(batch.word_ids)
    for rows, tokens in zip(batch.token_ids.tolist(), texts, strict=True):
        for row, token in zip(rows, tokens, strict=False):
            names[row] = token
    return names


def _case_note(
    names: Sequence[str], tokens: tuple[str, ...], numbers: Sequence[int], looks: Tensor
) -> CaseNote:
    count = numbers.index(END) if END in numbers else len(numbers)
    return CaseNote(
        words=tuple(names[number] for number in numbers[:count]),
        tokens=tokens,
        looks=tuple(tuple(row) for row in looks[:count, : len(tokens)].tolist()),
    )
