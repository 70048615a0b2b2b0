"""The pairs written by hand: a stable tenth is held out, the rest may be trained on."""

import hashlib

from routing.corpus.pairs import read_pairs
from routing.corpus.places import data_folder
from routing.errors import CorpusError
from routing.records import Pair

HELD_OUT_SHARE = 10


def written_pairs(split: str = "train") -> list[Pair]:
    """Return the written pairs of a split: ``train`` (nine tenths) or ``held_out``.

    A pair is held out by a hash of its id, so it stays where it is when others are added.

    Raises:
        CorpusError: another split, no written pairs, or a line that is not a pair.
    """
    if split not in ("train", "held_out"):
        raise CorpusError(f"split {split!r} does not exist: choose train or held_out")
    files = sorted((data_folder() / "written").glob("*.jsonl"))
    if not files:
        raise CorpusError(f"{data_folder() / 'written'} has no *.jsonl: restore the written pairs")
    pairs = (pair for file in files for pair in read_pairs(file))
    return [pair for pair in pairs if is_held_out(pair.id) == (split == "held_out")]


def is_held_out(pair_id: str) -> bool:
    """Whether a written pair of this id is kept from training."""
    digest = hashlib.sha256(pair_id.encode()).digest()
    return int.from_bytes(digest[:4]) % HELD_OUT_SHARE == 0
