"""Word vectors taken from a pretrained encoder, for the models trained from scratch.

Each word goes through the encoder alone; principal components bring the vectors down to the
width that the small model wants. The file is GloVe's text format, which ``text.vectors`` reads.

Shape letters: V words, E embedding, H hidden.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from routing.corpus.pieces import PieceReader
from routing.errors import SettingsError
from routing.models.pretrained import PretrainedModel
from routing.records import Email
from routing.router import Router

Floats = npt.NDArray[np.float32]

SPREAD = 0.5
"""Standard deviation of the numbers written: that of fresh word vectors."""


def write_vectors(router: Router, words: Sequence[str], *, width: int, file: Path) -> int:
    """Write a line of ``width`` numbers for each word, as GloVe does; return how many.

    Marks and placeholders (``<order>``) mean nothing to the encoder and are left out, and so is
    what is no single token of the file (blanks inside).

    Raises SettingsError when the router has no pretrained encoder, or for fewer words or hidden
    units than ``width``.
    """
    plain = [word for word in words if not word.startswith("<") and len(word.split()) == 1]
    vectors = reduce_width(encode_words(router, plain), width=width)
    with file.open("w", encoding="utf-8") as stream:
        for word, vector in zip(plain, vectors, strict=True):
            stream.write(f"{word} {' '.join(f'{number:.5f}' for number in vector)}\n")
    return len(plain)


def encode_words(router: Router, words: Sequence[str], *, batch_words: int = 512) -> Floats:
    """Return what the router's encoder makes of each word alone (V, H).

    Raises SettingsError when the router has no pretrained encoder.
    """
    model, reader = router.model, router.reader
    if not isinstance(model, PretrainedModel) or not isinstance(reader, PieceReader):
        raise SettingsError(
            "word vectors come from a pretrained encoder, "
            f"this run is {router.settings.model.kind}: give a run of model.kind pretrained"
        )
    found = []
    with torch.inference_mode():
        for start in range(0, len(words), batch_words):
            emails = [Email(word, text=word) for word in words[start : start + batch_words]]
            batch = reader.batch([reader.rows(email) for email in emails])
            embedded = model.embed(batch.token_ids, batch.word_ids, batch.piece_ids)
            found.append(model.pool(embedded, batch.lengths)[0].float().cpu().numpy())
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
