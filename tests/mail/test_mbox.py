"""An mbox is cut at real separators only."""

import io

import pytest

from routing.mail.mbox import is_mbox, mbox_messages

DATED = "From ann@example.com Mon Mar  4 16:18:00 2024\n"
ONE, TWO = "Subject: one\n\nFirst.\n", "Subject: two\n\nSecond.\n"


def cut(text: str, max_bytes: int = 10_000) -> list[str]:
    return [data.decode() for data in mbox_messages(io.BytesIO(text.encode()), max_bytes=max_bytes)]


@pytest.mark.parametrize(
    "text",
    [
        DATED + ONE + "\n" + DATED + TWO,
        "\ufeff" + DATED + ONE + "\n" + DATED + TWO,
        DATED + ONE + DATED + TWO,
        "From -\n" + ONE + "\nFrom -\n" + TWO,
        "From ann\n" + ONE + "\n\nFrom bob\n" + TWO,
        "\n" + DATED + ONE + DATED + TWO,
        (DATED + ONE + "\n" + DATED + TWO).replace("\n", "\r\n"),
        DATED + ONE + "From ann@example.com 2024-03-04 16:18\n" + TWO,
    ],
)
def test_messages_are_parted(text: str) -> None:
    found = [data.replace("\r", "").strip() for data in cut(text)]
    assert found == [ONE.strip(), TWO.strip()]


@pytest.mark.parametrize(
    "line",
    [
        "From what I read it is lost.",
        "From 2024 on I shall pay.",
        "From here at 10:30 nobody rang.",
    ],
)
def test_line_that_starts_like_a_separator_parts_nothing(line: str) -> None:
    (message,) = cut(f"{DATED}{ONE}{line}\n\n{line}\nand so on\n")
    assert message.count(line) == 2


def test_escaped_lines_are_unescaped_once() -> None:
    (message,) = cut(f"{DATED}{ONE}>From me\n>>From you\n> From a quote\n")
    assert message.endswith("From me\n>From you\n> From a quote\n")


def test_last_line_may_start_like_a_separator() -> None:
    assert cut(f"{DATED}{ONE}\nFrom me")[0].endswith("\nFrom me")


def test_message_longer_than_the_limit_is_cut_short() -> None:
    (message, second) = cut(DATED + ONE + "x" * 200_000 + "\n" + DATED + TWO, max_bytes=100)
    assert 100 < len(message) <= 100 + 65_536
    assert second == TWO


def test_long_line_is_no_new_line_where_it_is_cut() -> None:
    text = "x" * 65_536 + DATED
    assert len(cut(f"{DATED}{ONE}{text}")) == 1


def test_empty_messages_are_left_out() -> None:
    assert cut(DATED + "\n" + DATED + TWO) == [TWO]


@pytest.mark.parametrize(
    ("head", "right"),
    [
        ("From ann\nSubject: a", True),
        ("From -\r\nSubject: a", True),
        ("From ann@example.com Mon\nSubject: a", True),
        ("\ufeff\n" + DATED + "Subject: a", True),
        ("From: ann\nSubject: a", False),
        ("From the beginning this was wrong.\nOrder: 17", False),
        ("From 10:30 on 4 March 2024\nI waited.", False),
        ("From Address,Subject,Body\na@b.c,Kettle,It leaks.", False),
    ],
)
def test_mbox_is_known_by_its_first_lines(head: str, right: bool) -> None:
    assert is_mbox(head.encode()) is right
