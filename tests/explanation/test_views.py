"""The explanation as JSON and in the terminal."""

import json
from dataclasses import replace

from rich.console import Console

from routing.explanation.faithfulness import measure_faithfulness
from routing.explanation.inspection import explain_email
from routing.explanation.records import Explanation, Figure
from routing.explanation.schema import error_line, explanation_line
from routing.explanation.terminal import explanation_view, figure_text
from routing.mail import email_from_text
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import REFUNDS

KEYS = [
    "id",
    "source",
    "subject",
    "route",
    "probability",
    "probabilities",
    "decision",
    "review_reason",
    "auto_reply",
    "error",
    "against",
    "logit_difference",
    "prior",
    "tokens",
    "methods",
    "completeness",
    "terms",
    "gates",
    "faithfulness",
    "order",
    "removals",
    "notes",
    "case_note",
]


def shown(explanation: Explanation) -> str:
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(explanation_view(explanation))
    return console.export_text()


def test_the_line_keeps_its_schema(lstm: Router, email: Email) -> None:
    line = explanation_line(explain_email(lstm, email))
    row = json.loads(line)
    assert "\n" not in line
    assert list(row) == KEYS
    assert row["route"] == "refunds"
    assert row["against"] == "delivery"
    assert list(row["tokens"][0]) == ["text", "start", "end", "part"]
    assert list(row["methods"]) == ["integrated_gradients", "occlusion", "attention"]
    assert list(row["methods"]["attention"]) == ["signed", "values", "note", "verdict"]
    assert len(row["methods"]["attention"]["values"]) == len(row["tokens"])
    assert list(row["completeness"]) == ["difference", "gap", "share", "steps", "within"]
    assert list(row["faithfulness"]) == ["email", "model"]
    assert list(row["order"]) == ["note", "tried", "budget", "change"]
    assert row["order"]["change"]["before"] == REFUNDS
    assert list(row["gates"][1]) == ["layer", "direction", "gate", "kept"]
    assert row["gates"][1]["direction"] == "backwards"


def test_an_unreadable_email_has_the_same_keys_and_its_error() -> None:
    row = json.loads(error_line(Email(id="x", error="empty file")))
    assert list(row) == KEYS
    assert row["error"] == "empty file"
    assert row["route"] is None
    assert row["methods"] == {}


def test_naive_bayes_lists_its_terms(bayes: Router) -> None:
    row = json.loads(explanation_line(explain_email(bayes, Email(id="x", text="late parcel"))))
    total = sum(term["log_odds"] for term in row["terms"]) + row["prior"]
    assert abs(total - row["logit_difference"]) < 1e-9
    assert row["completeness"] is None
    assert row["order"]["change"] is None


def test_the_terminal_shows_route_words_checks_and_order(lstm: Router, email: Email) -> None:
    checks = measure_faithfulness(lstm, [email, email], rankings=2)
    text = shown(explain_email(lstm, email, model_checks=checks))
    for part in (
        "refunds",
        "not delivery",
        "integrated gradients: for refunds",
        "attention (where it looked, not why)",
        "sum to the logit difference",
        "forget gate, layer 1 backwards: forgets most at",
        "Faithfulness on this e-mail",
        "over 2 e-mails",
        "“parcel” and “charger” change places",
        "the charger arrived but never the parcel",
        "a model that counts words scores them alike",
    ):
        assert part in text, part


def test_the_terminal_shows_naive_bayes_adding_up(bayes: Router) -> None:
    text = shown(explain_email(bayes, Email(id="x", text="late parcel")))
    assert "2 known terms give" in text
    assert "naive Bayes only counts them" in text


def test_the_terminal_takes_markup_in_an_email_as_text(bayes: Router) -> None:
    email = email_from_text("[red]late[/red] [/] parcel \\[", id="x", subject="[bold]x")
    text = shown(explain_email(bayes, email))
    assert "[red]late[/red] [/] parcel" in text


def test_figures_read_with_their_interval_where_they_have_one() -> None:
    assert figure_text(Figure(0.314, 0.25, 0.36)) == "0.31 (0.25 to 0.36)"
    assert figure_text(Figure(0.5, 0.5, 0.5)) == "0.50"
    assert figure_text(None) == "–"


def test_naive_bayes_saying_otherwise_is_told(lstm: Router, bayes: Router, email: Email) -> None:
    found = explain_email(lstm, email, baseline=bayes)
    assert found.order is not None
    assert found.order.change is not None
    assert found.order.change.baseline is not None
    assert "gives both versions the same score" in shown(found)
    other = replace(found.order.change.baseline, same=False, route_after="refunds")
    change = replace(found.order.change, baseline=other)
    text = shown(replace(found, order=replace(found.order, change=change)))
    assert "Naive Bayes says" in text
