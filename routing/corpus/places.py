"""Where the corpus lies: ``data/cartwise`` of a checkout, or what an installation put in place."""

import sys
from pathlib import Path

from routing.errors import CorpusError


def data_folder() -> Path:
    """Return the folder with the grammar and the written pairs.

    Raises:
        CorpusError: it is neither in the checkout nor in the environment.
    """
    checkout = Path(__file__).resolve().parents[2] / "data" / "cartwise"
    installed = Path(sys.prefix) / "share" / "routing" / "cartwise"
    for folder in (checkout, installed):
        if (folder / "things.yaml").is_file():
            return folder
    raise CorpusError(
        f"the Cartwise corpus is neither in {checkout} nor in {installed}: "
        "install from a checkout (pip install -e .) or copy data/cartwise there"
    )
