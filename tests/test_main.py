"""``python -m routing``."""

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
