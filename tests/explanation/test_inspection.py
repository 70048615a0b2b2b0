import json
import re
from pathlib import Path

import pytest
import torch

from routing.errors import EmailError, SettingsError, SourceError
from routing.explanation.attention import embed_email, embed_texts
from routing.explanation.inspection import explain_email, pick_emails
from routing.explanation.schema import explanation_line
from routing.explanation.second_look import second_look_note
from routing.explanation.variants import Asked
from routing.flags import load_settings
from routing.models.recurrent import RecurrentModel
from routing.models.second_look import doubtful_swap, read_twice_with
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import REFUNDS, WORDS, additive_router, train


def test_an_unreadable_email_is_not_explained(lstm: Router) -> None:
    with pytest.raises(EmailError, match="mail-9 cannot be explained: empty file"):
        explain_email(lstm, Email(id="mail-9", error="empty file"))


@pytest.mark.parametrize("against", ["returns", "refunds"])
def test_a_route_that_it_cannot_be_set_against_is_refused(
    lstm: Router, email: Email, against: str
) -> None:
    with pytest.raises(SettingsError, match=f"set against '{against}': give one of delivery"):
        explain_email(lstm, email, against=against)


def test_the_decision_is_the_routers_own(lstm: Router, email: Email) -> None:
    assert explain_email(lstm, email).decision == lstm.decide([email])[0]


@pytest.mark.parametrize("name", ["lstm", "transformer", "bayes"])
def test_an_email_without_words_is_explained_by_a_note(
    name: str, request: pytest.FixtureRequest
) -> None:
    found = explain_email(request.getfixturevalue(name), Email(id="x"))
    assert found.attributions == ()
    assert found.notes[0].startswith("The e-mail has no words")
    assert json.loads(explanation_line(found))["methods"] == {}


@pytest.mark.parametrize("text", ["late", "!", "\n", "zzz"])
def test_an_email_of_one_token_is_explained(transformer: Router, text: str) -> None:
    found = explain_email(transformer, Email(id="x", text=text))
    assert len(found.tokens) == 1
    assert found.checks is not None


def test_no_order_is_looked_for_without_a_budget(lstm: Router, email: Email) -> None:
    assert explain_email(lstm, email, budget=0).order is None


def test_what_is_not_read_is_told(lstm: Router) -> None:
    found = explain_email(lstm, Email(id="x", text="the parcel " * 400), budget=0)
    assert "Only the first 600 tokens are read." in found.notes


def test_a_run_without_measured_faithfulness_is_told(lstm: Router, email: Email) -> None:
    assert "one e-mail says little of a model" in explain_email(lstm, email).notes[-1]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "mail.jsonl"
    lines = [json.dumps({"id": f"m{n}", "text": "the parcel"}) for n in range(7)]
    file.write_text("\n".join(lines))
    return file


def test_the_first_the_named_or_every_email_is_picked(lstm: Router, rows: Path) -> None:
    assert [email.id for email in pick_emails(lstm, rows)] == ["m0"]
    assert [email.id for email in pick_emails(lstm, rows, id="m3")] == ["m3"]
    assert len(list(pick_emails(lstm, rows, every=True))) == 7


def test_the_columns_of_rows_are_those_of_the_training(tmp_path: Path) -> None:
    settings = load_settings(flags={"data": {"train": "mail.csv", "text_column": "anliegen"}})
    router = additive_router({"parcel": 1.0})
    router.settings = settings
    (tmp_path / "mail.csv").write_text("subject,anliegen,text\norder,the parcel,old\n")
    (email,) = pick_emails(router, tmp_path / "mail.csv")
    assert (email.subject, email.text) == ("order", "the parcel")


def test_an_unknown_id_is_told_with_those_there_are(lstm: Router, rows: Path) -> None:
    with pytest.raises(SourceError, match=r"no e-mail has the id 'm9' in .*; it holds m0, m1.*, …"):
        list(pick_emails(lstm, rows, id="m9"))


def test_a_source_without_emails_is_told(lstm: Router, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no e-mail; give a file with at least one"):
        list(pick_emails(lstm, tmp_path))


@pytest.fixture(scope="module")
def twice() -> Router:
    torch.manual_seed(0)
    sizes = {"embedding": 6, "hidden": 7, "layers": 1, "dropout": 0.0}
    return train(RecurrentModel(words=len(WORDS), routes=2, second_look=100.0, **sizes))


def test_integrated_gradients_are_of_both_readings(twice: Router) -> None:
    email = Email(id="m", text=REFUNDS, body=REFUNDS)
    explanation = explain_email(twice, email, rankings=2, budget=0)
    asked = Asked(twice, email)
    swap = doubtful_swap(twice.model, *embed_email(asked))
    start, lengths = embed_texts(asked, ["<unknown>"] * len(asked))
    with torch.inference_mode():
        base = read_twice_with(twice.model, start, lengths, swap)[0].numpy()
        once = twice.model.read(*embed_email(asked))[0][0].numpy()
    chosen = twice.routes.index(explanation.route)
    lead = float(base[chosen] - base[1 - chosen])
    assert explanation.completeness is not None
    assert explanation.completeness.share < 0.05
    found = explanation.completeness.difference + lead
    assert found == pytest.approx(explanation.logit_difference, abs=1e-4)
    assert found != pytest.approx(float(once[chosen] - once[1 - chosen]), abs=1e-2)


@pytest.mark.parametrize(
    ("subject", "text", "quotes"),
    [
        ("Charger", REFUNDS, r"“(.+)” and “(.+)”"),
        ("hello", "", "“hello” and the end of the subject"),
        ("", "never\n\nplease", "(“never”|a line break) and (“please”|a line break)"),
    ],
)
def test_a_second_look_is_told(twice: Router, subject: str, text: str, quotes: str) -> None:
    email = Email(id="m", subject=subject, text=text, body=text)
    note = second_look_note(Asked(twice, email), email)
    assert note is not None
    share = r"\((refunds|delivery) \d+%\)"
    found = re.match(
        rf"In doubt after reading it once {share}, the router read the e-mail again with {quotes} "
        rf"swapped {share}\. .* the less sure that was: (refunds|delivery) \d+%\.",
        note,
    )
    assert found is not None
    decision = twice.decide([email])[0]
    assert f"{decision.route} {decision.probability:.0%}. Attention" in note
    for words in re.findall("“(.+?)”", note):
        assert words in f"{subject} {text}"


def test_an_email_read_once_has_no_note_of_a_second_look(lstm: Router, email: Email) -> None:
    explanation = explain_email(lstm, email, rankings=2, budget=0)
    assert not any("read the e-mail again" in note for note in explanation.notes)
