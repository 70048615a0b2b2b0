"""Ids made unique, in eight bytes for each e-mail seen."""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

_MERGE = 100_000


def id_hashes(ids: Sequence[str]) -> Hashes:
    """Return a 64-bit hash of each id (N,), the same in every process."""
    data = b"".join(blake2b(id.encode("utf-8", "replace"), digest_size=8).digest() for id in ids)
    return np.frombuffer(data, np.uint64)


class Names:
    """The ids of one source: a second ``x`` is called ``x (2)``, as the mail room does."""

    def __init__(self) -> None:
        self._sorted: Hashes = np.zeros(0, np.uint64)
        self._recent: set[int] = set()
        self._repeats: Counter[int] = Counter()

    def add(self, hashes: Hashes) -> list[int]:
        """Note ids as seen; return for each one which occurrence of it this is, from 1."""
        old = self._seen_before(hashes)
        found = []
        for value, known in zip(hashes.tolist(), old.tolist(), strict=True):
            if known or value in self._recent:
                self._repeats[value] += 1
                found.append(self._repeats[value] + 1)
            else:
                self._recent.add(value)
                found.append(1)
        if len(self._recent) > _MERGE:
            self._merge()
        return found

    def _seen_before(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        if not len(self._sorted):
            return np.zeros(len(hashes), bool)
        places = np.searchsorted(self._sorted, hashes).clip(max=len(self._sorted) - 1)
        found: npt.NDArray[np.bool_] = self._sorted[places] == hashes
        return found

    def _merge(self) -> None:
        recent = np.fromiter(self._recent, np.uint64, len(self._recent))
        self._sorted = np.sort(np.concatenate([self._sorted, recent]))
        self._recent.clear()
