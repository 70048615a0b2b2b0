"""``python -m routing.export``: a trained router's model as an ONNX file."""

import argparse
import sys
from pathlib import Path

from routing.errors import RoutingError

EPILOG = """examples:
  python -m routing.export runs/lstm --onnx lstm.onnx

The graph takes token_ids (B, T), lengths (B,), word_ids (U,) and piece_ids (U, P), all int64, of
any sizes, and gives logits (B, R). Divided by the temperature in the run's calibration.json, their
softmax over the routes of routes.json gives the probabilities.
"""


def main(arguments: list[str] | None = None) -> int:
    """Export as the command line says; return 0, or 2 on wrong use."""
    parser = argparse.ArgumentParser(
        prog="python -m routing.export",
        description="Write the model of a run as ONNX and check that it says the same.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="run folder of a trained router")
    parser.add_argument("--onnx", type=Path, required=True, metavar="FILE", help="file to write")
    options = parser.parse_args(arguments)
    try:
        return _export(options)
    except RoutingError as error:
        print(f"routing.export: {error}", file=sys.stderr)
        return 2


def _export(options: argparse.Namespace) -> int:
    from routing.router import Router
    from routing.scoring.onnx_file import export_onnx, largest_difference

    router = Router.load(options.run)
    export_onnx(router, options.onnx)
    difference = largest_difference(router, options.onnx)
    size = options.onnx.stat().st_size / 1e6
    print(f"{options.onnx}: {size:.1f} MB; probabilities differ by at most {difference:.1e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
