"""``python -m routing``: the commands, one example each."""

import sys

EXAMPLES = {
    "fit": "python -m routing.fit --config configs/lstm.yaml",
    "score": "python -m routing.score runs/lstm inbox/ --output decisions.jsonl",
    "explain": "python -m routing.explain runs/lstm message.eml --html why.html",
    "compare": "python -m routing.compare runs/naive_bayes runs/lstm --on pairs.jsonl",
    "generate": "python -m routing.generate --pairs 3",
    "export": "python -m routing.export runs/lstm --onnx router.onnx",
}
"""Command -> an example of its use."""


def main(arguments: list[str] | None = None) -> int:
    """Print the commands; return 0, or 2 when more is asked for."""
    asked = sys.argv[1:] if arguments is None else arguments
    if asked and not {"-h", "--help"} & set(asked):
        command = asked[0] if asked[0] in EXAMPLES else "<command>"
        print(f"routing: {asked[0]}: call python -m routing.{command}", file=sys.stderr)
        return 2
    print("Routing of support e-mail that understands word order and can show its reasons.\n")
    for name, example in EXAMPLES.items():
        print(f"  {name:9} {example}")
    print("\nEach explains its options: python -m routing.<command> --help")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
