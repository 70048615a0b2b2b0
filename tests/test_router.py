"""Router: decisions, their reasons, saving and loading."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from routing.corpus.readers import WordReader
from routing.errors import RunError, SettingsError
from routing.handover import Calibration
from routing.models.bayes import BayesModel
from routing.records import Email
from routing.router import Router, build_model
from routing.settings import Settings
from routing.text.vocabulary import Vocabulary

WORDS = ("<padding>", "<unknown>", "the", "parcel", "money", "came", "back", "never", "charger")
EMAILS = [
    Email(id="a", source="box#1", subject="Re: Parcel", text="The parcel never came"),
    Email(id="b", text="money back", auto_reply=True),
    Email(id="c", text=""),
    Email(id="d", error="no message"),
    Email(id="e", text="the charger came but never the parcel qwx qwx qwx"),
]
KINDS: dict[str, dict[str, Any]] = {
    "bayes": {"kind": "bayes", "ngrams": 2},
    "lstm": {"kind": "recurrent", "hidden": 7, "embedding": 6, "piece_buckets": 40},
    "gru normed": {
        "kind": "recurrent",
        "cell": "gru",
        "hidden": 7,
        "embedding": 6,
        "layer_norm": "recurrence",
        "pooling": "attention+max",
    },
    "transformer": {"kind": "transformer", "embedding": 8, "heads": 2, "feedforward": 5},
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def router(kind: str, calibration: Calibration | None = None) -> Router:
    settings = Settings.model_validate({"model": KINDS[kind]})
    buckets = KINDS[kind].get("piece_buckets", 0)
    reader = WordReader(Vocabulary(WORDS, buckets), placeholders=True, max_tokens=20)
    routes = ["delivery", "refunds"]
    if kind == "bayes":
        model: Any = BayesModel(ngrams=2).fit([["parcel", "came"], ["money", "back"]], [0, 1])
    else:
        torch.manual_seed(0)
        model = build_model(settings.model, reader=reader, routes=len(routes))
    return Router(
        settings=settings, routes=routes, reader=reader, model=model, calibration=calibration
    )


@every_kind
def test_a_saved_router_decides_the_same(kind: str, tmp_path: Path) -> None:
    first = router(kind, Calibration(temperature=0.7, thresholds={"refunds": 0.9}))
    first.save(tmp_path)
    again = Router.load(tmp_path)
    assert again.decide(EMAILS) == first.decide(EMAILS)
    assert again.settings == first.settings
    assert again.calibration == first.calibration


@every_kind
def test_a_run_holds_nothing_pickled(kind: str, tmp_path: Path) -> None:
    router(kind).save(tmp_path)
    assert {file.suffix for file in tmp_path.iterdir()} == {".json", ".yaml", ".safetensors"}


@every_kind
def test_company_changes_no_probability(kind: str) -> None:
    decider = router(kind)
    emails = [email for email in EMAILS if email.error is None]
    alone = np.concatenate([decider.probabilities([email]) for email in emails])
    assert np.abs(alone - decider.probabilities(emails)).max() < 1e-5
    small = decider.logits(emails, batch_tokens=1)
    assert np.abs(small - decider.logits(emails)).max() < 1e-5


def test_decisions_keep_order_and_what_they_are_about() -> None:
    found = router("bayes").decide(EMAILS)
    assert [decision.id for decision in found] == list("abcde")
    first = found[0]
    assert (first.source, first.subject, first.route) == ("box#1", "Re: Parcel", "delivery")
    assert first.probability == max(first.probabilities.values())
    assert sum(first.probabilities.values()) == pytest.approx(1)
    assert [decision.auto_reply for decision in found] == [False, True, False, False, False]


def test_an_unreadable_email_gets_its_error_and_no_route() -> None:
    unread = router("bayes").decide(EMAILS)[3]
    assert (unread.route, unread.probability, dict(unread.probabilities)) == (None, None, {})
    assert (unread.decision, unread.error) == ("review", "no message")
    assert unread.review_reason == "the message could not be read"


def test_a_reviewed_email_keeps_its_route() -> None:
    reviewed = router("bayes", Calibration(thresholds={"delivery": 1.01})).decide(EMAILS)[0]
    assert reviewed.decision == "review"
    assert reviewed.route == "delivery"
    assert reviewed.review_reason is not None and "is below 1.01" in reviewed.review_reason


def test_words_and_their_shares_reach_the_hand_over() -> None:
    strict = Calibration(max_unknown_share=0.2, max_gibberish_share=0.2)
    reasons = [decision.review_reason for decision in router("bayes", strict).decide(EMAILS)]
    assert reasons[:3] == [None, None, "the e-mail has no words"]
    assert reasons[4] == "40% of the words look like no language"


@pytest.mark.parametrize(
    ("text", "unknown", "gibberish"),
    [
        ("the parcel came", 0, 0),
        ("the parcels came", 1 / 3, 0),  # a kin of known words
        ("the qwxzt came", 1 / 3, 1 / 3),
        ("order 12345 came", 1 / 2, 1 / 2),
        ("", 0, 0),
    ],
)
def test_wording_tells_unknown_words_from_gibberish(
    text: str, unknown: float, gibberish: float
) -> None:
    wording = router("bayes").reader.wording(Email(id="1", text=text))
    assert wording.unknown_share == pytest.approx(unknown)
    assert wording.gibberish_share == pytest.approx(gibberish)


def test_no_emails_give_no_decisions() -> None:
    assert router("lstm").decide([]) == []
    assert router("bayes").decide([]) == []


def test_long_emails_are_cut_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    decider = router("lstm")
    long = Email(id="long", text="parcel " * 30)
    with caplog.at_level("WARNING"):
        found = decider.logits([long])
    assert "e-mail long: 10 of 30 tokens were left out; raise text.max_tokens (now 20)" in (
        caplog.text
    )
    assert np.allclose(found, decider.logits([replace(long, text="parcel " * 20)]))


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is no run folder: it holds no settings\.yaml; fit one"):
        Router.load(tmp_path)


@every_kind
def test_a_device_that_is_not_there_is_no_fault_of_the_run(tmp_path: Path, kind: str) -> None:
    router(kind).save(tmp_path)
    with pytest.raises(SettingsError, match="--device cuda:99: torch cannot use it on this"):
        Router.load(tmp_path, device="cuda:99")


@pytest.mark.parametrize(
    "file", ["routes.json", "vocabulary.json", "model.safetensors", "calibration.json"]
)
@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_damaged_run_is_named(tmp_path: Path, file: str, damage: str) -> None:
    router("lstm").save(tmp_path)
    if damage == "missing":
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes((tmp_path / file).read_bytes()[:20])
    with pytest.raises(RunError, match=r"cannot be loaded: .*; fit it again"):
        Router.load(tmp_path)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("settings.yaml", "model: {kind: 'lstm"),
        ("settings.yaml", "- model"),
        ("calibration.json", '{"temperature": 1.0, "mood": 2}'),
        ("calibration.json", "[1.0]"),
        ("vocabulary.json", "[]"),
    ],
)
def test_a_run_with_other_contents_is_named(tmp_path: Path, file: str, text: str) -> None:
    router("lstm").save(tmp_path)
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"cannot be loaded: .*; fit it again"):
        Router.load(tmp_path)


def test_a_run_that_writes_notes_is_no_router(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("model: {kind: note}\n", encoding="utf-8")
    with pytest.raises(RunError, match=r"writes case notes and decides on no route.*--notes"):
        Router.load(tmp_path)


def test_a_run_of_another_version_is_refused(tmp_path: Path) -> None:
    router("transformer").save(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    name = "blocks.0.attention.out.bias"
    save_file({**weights, name: torch.zeros(3)}, tmp_path / "model.safetensors")
    with pytest.raises(RunError, match=rf"cannot be loaded: .*{name}.*; fit it again") as caught:
        Router.load(tmp_path)
    assert "\n" not in str(caught.value)


def test_an_older_calibration_is_read_with_what_it_lacks_left_open(tmp_path: Path) -> None:
    router("bayes").save(tmp_path)
    (tmp_path / "calibration.json").write_text(json.dumps({"temperature": 2.0}))
    assert Router.load(tmp_path).calibration == Calibration(temperature=2.0)


def test_a_kind_without_a_neural_model_is_named() -> None:
    settings = Settings.model_validate({"model": {"kind": "note"}})
    with pytest.raises(RunError, match=r"model\.kind 'note' has no neural model; choose another"):
        build_model(settings.model, reader=router("lstm").reader, routes=2)


@pytest.mark.parametrize("kind", ["bayes", "lstm"])
def test_forgetting_words_changes_no_decision(kind: str) -> None:
    plain, forgetful = router(kind), router(kind)
    forgetful.reader.lexicon.max_words = 3
    for _ in range(2):
        assert forgetful.decide(EMAILS[::-1]) == plain.decide(EMAILS[::-1])
        assert forgetful.decide(EMAILS) == plain.decide(EMAILS)


def test_counted_words_give_the_same_logits_as_their_rows() -> None:
    model = BayesModel().fit([["parcel", "came"], ["money", "back", "the"]], [0, 1])
    reader = WordReader(Vocabulary(WORDS, 0), placeholders=True, max_tokens=9)
    counting = Router(settings=Settings(), routes=["a", "b"], reader=reader, model=model)
    emails = [email for email in EMAILS if email.error is None]
    for some in (emails, emails[::-1], emails[2:3], []):
        assert np.array_equal(counting._read(some)[0], counting.logits(some))
