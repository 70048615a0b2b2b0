"""``python -m routing.export``: a trained router's model as ONNX, its word vectors."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from routing.errors import RoutingError

if TYPE_CHECKING:
    from routing.router import Router

NARROWEST = 3
"""Numbers in a word vector; torchtext takes lines of fewer for headers."""

EPILOG = """examples:
  python -m routing.export runs/lstm --onnx lstm.onnx
  python -m routing.export runs/minilm --vectors words.txt
  python -m routing.fit --config configs/lstm.yaml --text.vectors words.txt

The graph takes token_ids (B, T), lengths (B,), word_ids (U,) and piece_ids (U, P), all int64, of
any sizes, and gives logits (B, R). Divided by the temperature in the run's calibration.json, their
softmax over the routes of routes.json gives the probabilities.

Word vectors are those of every word of the e-mails that the run learned from, in GloVe's text
format: as its encoder reads the word alone or, in a run without one, as they were learned.
"""


def main(arguments: list[str] | None = None) -> int:
    """Export as the command line says; return 0, 2 on wrong use, 130 when stopped by Ctrl-C."""
    options = _parse(arguments)
    try:
        return _export(options)
    except RoutingError as error:
        print(f"routing.export: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nrouting.export: stopped", file=sys.stderr)
        return 130


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m routing.export",
        description="Write the model of a run as ONNX and check that it says the same, or its "
        "word vectors.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="run folder of a trained router")
    parser.add_argument("--onnx", type=Path, metavar="FILE", help="write the model as ONNX")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="write word vectors")
    parser.add_argument(
        "--width", type=int, default=128, metavar="E", help="numbers in a word vector (128)"
    )
    options = parser.parse_args(arguments)
    if not options.onnx and not options.vectors:
        parser.error("nothing to write: give --onnx FILE, --vectors FILE or both")
    if options.width < NARROWEST:
        parser.error(f"--width {options.width}: give a number of {NARROWEST} or more")
    return options


def _export(options: argparse.Namespace) -> int:
    from routing.router import Router

    router = Router.load(options.run)
    if options.onnx:
        _export_onnx(router, options.onnx)
    if options.vectors:
        _export_vectors(router, options.vectors, width=options.width)
    return 0


def _export_onnx(router: "Router", file: Path) -> None:
    from routing.scoring.onnx_file import export_onnx, largest_difference

    export_onnx(router, file)
    difference = largest_difference(router, file)
    size = file.stat().st_size / 1e6
    print(f"{file}: {size:.1f} MB; probabilities differ by at most {difference:.1e}")


def _export_vectors(router: "Router", file: Path, *, width: int) -> None:
    from routing.training.vectors import words_of_training, write_vectors

    words = words_of_training(router.settings)
    count = write_vectors(router, words, width=width, file=file)
    print(f"{file}: {count:,} words of {width} numbers each; take them with --text.vectors {file}")


if __name__ == "__main__":
    sys.exit(main())
