"""Word vectors taken from a trained router, for the models trained from scratch.

A pretrained encoder reads each word alone; the other neural models have vectors of words already.
Principal components bring them to the width that the next model wants. The file is GloVe's text
format, which ``text.vectors`` reads; ``text.vectors cartwise`` is the one that lies with the
corpus.

Shape letters: V words, E embedding, H hidden.
"""

import gzip
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from routing.corpus.places import data_folder
from routing.corpus.sources import load_splits
from routing.errors import SettingsError
from routing.models.bayes import BayesModel
from routing.models.pretrained import PretrainedModel
from routing.models.recurrent import RecurrentModel
from routing.models.transformer import TransformerModel
from routing.models.words import WordVectors
from routing.records import Email
from routing.router import Router
from routing.settings import Settings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary, read_vectors

Floats = npt.NDArray[np.float32]

SPREAD = 0.5
"""Standard deviation of the numbers written: that of fresh word vectors."""

CARTWISE = Path("cartwise")
"""Names the vectors of the corpus, ``vectors.txt.gz`` in its folder."""


def vectors_file(source: Path) -> Path:
    """Return the file that ``text.vectors`` names."""
    return data_folder() / "vectors.txt.gz" if source == CARTWISE else source


def vectors_digest(settings: Settings) -> str | None:
    """Return the SHA-256 of the file that ``text.vectors`` names, None where there is none."""
    source = settings.text.vectors
    if source is None or not (file := vectors_file(source)).is_file():
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()


def start_words(vectors: WordVectors, words: Sequence[str], source: Path) -> None:
    """Start the vectors of ``words`` from those that ``source`` has; the others stay as they are.

    The numbers of ``cartwise`` are principal components: a narrower model takes the first ones.

    Raises SettingsError for a file that does not fit the model or holds no vectors.
    """
    shipped = source == CARTWISE
    found = read_vectors(vectors_file(source), words)  # (V, E)
    width = vectors.words.embedding_dim
    wide = found.shape[1]
    if wide < width or (wide > width and not shipped):
        fitting = f"{wide} or less" if shipped else f"{wide}"
        raise SettingsError(
            f"text.vectors {source} are {wide} wide and model.embedding is {width}: "
            f"set model.embedding to {fitting}, or --text.vectors null to do without"
        )
    vectors.start_from(torch.from_numpy(found[:, :width]))


def words_of_training(settings: Settings) -> tuple[str, ...]:
    """Return every word of the training e-mails that the settings name, the commonest first.

    Without ``data.train`` these are the e-mails of the Cartwise corpus. Raises what reading
    labelled e-mails raises.
    """
    emails = load_splits(settings).train
    tokens = (token_texts(e.email, placeholders=settings.text.placeholders) for e in emails)
    words = build_vocabulary(tokens, min_count=1, max_words=settings.text.max_words).words
    return tuple(word for word in words if not word.startswith("<"))


def write_vectors(router: Router, words: Sequence[str], *, width: int, file: Path) -> int:
    """Write a line of ``width`` numbers for each word, as GloVe does; return how many.

    A file whose name ends in ``.gz`` is compressed, to the same bytes every time, its numbers cut
    to two decimals (they spread by SPREAD). Placeholders (``<order>``) mean nothing to the encoder
    and are left out, and so is what is no single token of the file (blanks inside).

    Raises SettingsError when the router only counts words, for fewer words or numbers of a word
    than ``width``, and for a file that cannot be written.
    """
    plain = [word for word in words if not word.startswith("<") and len(word.split()) == 1]
    vectors = reduce_width(encode_words(router, plain), width=width)
    zipped = file.suffix == ".gz"
    digits = 2 if zipped else 5
    lines = (
        f"{word} {' '.join(f'{number:.{digits}f}' for number in vector)}\n"
        for word, vector in zip(plain, vectors, strict=True)
    )
    text = "".join(lines).encode()
    try:
        file.write_bytes(gzip.compress(text, mtime=0) if zipped else text)
    except OSError as error:
        raise SettingsError(
            f"cannot write word vectors into {file} ({error.strerror}): name a file in a folder "
            "that exists"
        ) from error
    return len(plain)


def encode_words(router: Router, words: Sequence[str], *, batch_words: int = 512) -> Floats:
    """Return what the router makes of each word alone (V, H).

    Of a pretrained encoder that is what its head would read, else the vector that the word has
    (that of its character n-grams in it).

    Raises SettingsError when the router only counts words.
    """
    model, reader = router.model, router.reader
    if isinstance(model, BayesModel):
        raise SettingsError(
            f"this run is {router.settings.model.kind}, which has no word vectors: give a run of "
            "another model.kind"
        )
    found = []
    with torch.inference_mode():
        for start in range(0, len(words), batch_words):
            part = words[start : start + batch_words]
            if isinstance(model, PretrainedModel):
                emails = [Email(word, text=word) for word in part]
                batch = reader.batch([reader.rows(email) for email in emails])
                embedded = model.embed(batch.token_ids, batch.word_ids, batch.piece_ids)
                vectors = model.pool(embedded, batch.lengths)[0]
            else:
                assert isinstance(model, RecurrentModel | TransformerModel)
                batch = reader.token_batch([part])
                vectors = model.vectors(batch.token_ids, batch.word_ids, batch.piece_ids)[0]
            found.append(vectors.float().cpu().numpy())
    return np.concatenate(found) if found else np.zeros((0, 0), np.float32)


def reduce_width(vectors: Floats, *, width: int) -> Floats:
    """Return the first ``width`` principal components of vectors (V, H), scaled alike (V, E).

    Raises SettingsError for fewer than ``width`` vectors or numbers in each.
    """
    if min(vectors.shape) < width:
        raise SettingsError(
            f"{vectors.shape[0]} words of {vectors.shape[1]} numbers have no {width} principal "
            "components: take a narrower width or more words"
        )
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    reduced = centred @ directions[:width].T  # (V, E)
    result: Floats = (reduced * (SPREAD / reduced.std())).astype(np.float32)
    return result
