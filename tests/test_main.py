"""``python -m routing``, and what all commands do alike."""

import importlib

import pytest

from routing.__main__ import EXAMPLES, main


def test_every_command_is_shown_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name:9} {example}\n" in shown for name, example in EXAMPLES.items())


@pytest.mark.parametrize(
    ("asked", "remedy"),
    [("score", "python -m routing.score"), ("scroe", "python -m routing.<command>")],
)
def test_a_command_after_a_blank_is_wrong_use(
    asked: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([asked, "mail/", "--output", "x.csv"]) == 2
    assert capsys.readouterr() == ("", f"routing: {asked}: call {remedy}\n")


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("explain", ["runs/lstm", "mail.eml"]),
        ("export", ["runs/lstm", "--onnx", "lstm.onnx"]),
        ("generate", []),
        ("score", ["runs/lstm", "mail.eml", "--output", "nowhere.jsonl"]),
    ],
)
def test_ctrl_c_is_one_line(
    command: str,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    module = importlib.import_module(f"routing.{command}")
    monkeypatch.setattr(module, f"_{command}", stop)
    assert module.main(arguments) == 130
    assert capsys.readouterr().err.lstrip("\n") == f"routing.{command}: stopped\n"
