from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from routing.corpus.pairs import pair_emails, read_pairs
from routing.corpus.sources import load_splits
from routing.corpus.suites import read_cards
from routing.errors import CorpusError, SettingsError
from routing.evaluation.predictions import Facts
from routing.records import Email, LabelledEmail
from routing.router import Router
from routing.settings import Settings
from routing.training.contestants import (
    Entrant,
    describe,
    enter_controls,
    enter_run,
    find_entrants,
    fit_config,
)
from routing.training.run import fit_run
from routing.training.trials import (
    SHUFFLE,
    Suite,
    bag_digest,
    check_routes,
    check_seen,
    compare_routers,
    enter_router,
    measure_speed,
    pair_suite,
    predict,
    probe_suite,
    read_suite,
    run_trial,
    run_trials,
    standard_suites,
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run of naive Bayes on a file of pairs beside it."""
    folder = tmp_path_factory.mktemp("runs")
    lines = [
        f'{{"id": "p{i}", "phenomenon": "owed", "refunds": "The box {i} came but not the lamp.", '
        f'"delivery": "The lamp {i} came but not the box."}}\n'
        for i in range(20)
    ]
    (folder / "pairs.jsonl").write_text("".join(lines), encoding="utf-8")
    config = f"model: {{kind: bayes}}\ndata: {{train: {folder / 'pairs.jsonl'}, test_share: 0}}\n"
    (folder / "counter.yaml").write_text(config, encoding="utf-8")
    fit_config(folder / "counter.yaml", "counter", seeds=2, folder=folder, say=lambda _: None)
    return folder


@pytest.fixture(scope="module")
def entrant(runs: Path) -> Entrant:
    return Entrant("counter", 0, next(runs.glob("counter-seed0-*")))


@pytest.fixture(scope="module")
def emails(runs: Path) -> list[LabelledEmail]:
    return pair_emails(read_pairs(runs / "pairs.jsonl")[:3])


def test_predictions_name_the_email_its_pair_and_what_is_right(
    entrant: Entrant, emails: list[LabelledEmail]
) -> None:
    router = Router.load(entrant.folder)
    found = predict(router, emails)
    assert [(p.id, p.pair, p.phenomenon, p.route) for p in found[:2]] == [
        ("p0/refunds", "p0", "owed", "refunds"),
        ("p0/delivery", "p0", "owed", "delivery"),
    ]
    chances = router.probabilities([item.email for item in emails])
    said = np.array([[p.probabilities[route] for route in router.routes] for p in found])
    assert said == pytest.approx(chances, abs=1e-6)
    assert {p.decision for p in found} <= {"auto", "review"}


def test_members_of_an_exact_pair_share_a_bag(emails: list[LabelledEmail]) -> None:
    first, second, third = (bag_digest(item.email) for item in emails[:3])
    assert first == second != third
    assert bag_digest(Email("1", text="a b, b")) == bag_digest(Email("2", text="B b a!"))


def test_counting_survives_every_shuffle(entrant: Entrant, emails: list[LabelledEmail]) -> None:
    trial = run_trial(enter_run(entrant), Suite("s", emails), disorders=SHUFFLE)
    for item in trial.predictions:
        assert item.changed["shuffled"] == pytest.approx(item.probabilities, abs=1e-6)


def test_an_email_that_a_disorder_leaves_alone_has_no_changed_prediction(
    entrant: Entrant,
) -> None:
    suite = Suite("s", [LabelledEmail(Email("1", text="hello"), "refunds")])
    trial = run_trial(enter_run(entrant), suite, disorders=SHUFFLE)
    assert trial.predictions[0].changed == {}


def test_auto_replies_count_as_held_back(entrant: Entrant) -> None:
    reply = LabelledEmail(Email("1", text="The box came but not the lamp.", auto_reply=True), "")
    assert predict(Router.load(entrant.folder), [reply])[0].decision == "review"


def test_facts_tell_kind_size_and_training(entrant: Entrant) -> None:
    facts = enter_run(entrant).facts
    assert (facts.kind, facts.training_emails, facts.history) == ("counting", 36, ())
    assert facts.parameters > 20
    assert facts.size_bytes == 8 * facts.parameters


def test_a_neural_run_has_a_history(
    tmp_path: Path, tiny: Callable[..., Settings], pairs_file: str
) -> None:
    settings = tiny(data={"train": pairs_file, "validation_share": 0.2, "test_share": 0})
    router = fit_run(settings, folder=tmp_path / "run", progress=False).router
    facts = describe(router, "tiny", folder=tmp_path / "run")
    assert (facts.kind, [epoch.epoch for epoch in facts.history]) == ("neural", [1, 2])
    assert facts.history[0].val_loss is not None
    suite = read_suite(pairs_file, settings)
    comparison = compare_routers({"tiny": router}, [suite])
    assert comparison.suites[0].pairs == 41
    assert comparison.suites[0].results[0].phenomena.keys() == {"role_swap"}


def test_controls_learn_from_the_emails_of_the_run(entrant: Entrant, runs: Path) -> None:
    entry = enter_controls([entrant])
    assert [c.facts.router for c in entry.contestants] == ["ngram_logistic", "tfidf_svm"]
    assert {c.facts.training_emails for c in entry.contestants} == {36}
    assert entry.notes == ()
    suite = read_suite(runs / "pairs.jsonl", Settings())
    for contestant in entry.contestants:
        trial = run_trial(contestant, suite)
        assert np.mean([item.right for item in trial.predictions]) > 0.95
        assert {item.decision for item in trial.predictions} == {""}


def test_controls_are_skipped_when_the_training_emails_are_gone(
    entrant: Entrant, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    text = f"model: {{kind: bayes}}\ndata: {{train: {tmp_path / 'gone.csv'}}}\n"
    (run / "settings.yaml").write_text(text, encoding="utf-8")
    entry = enter_controls([Entrant("mine", 0, run)])
    assert entry.contestants == ()
    assert "There are no controls: the training e-mails of mine are gone" in entry.notes[0]


def test_a_note_says_when_the_training_emails_have_changed(runs: Path, entrant: Entrant) -> None:
    file = runs / "pairs.jsonl"
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace("lamp", "vase"), encoding="utf-8")
    try:
        notes = enter_controls([entrant]).notes
    finally:
        file.write_text(before, encoding="utf-8")
    assert "The training e-mails of counter have changed since it was fitted" in notes[0]


def test_a_note_says_when_runs_learned_from_different_emails(
    runs: Path, entrant: Entrant, tmp_path: Path
) -> None:
    (tmp_path / "settings.yaml").write_text("model: {kind: bayes}\n", encoding="utf-8")
    notes = enter_controls([entrant, Entrant("other", 0, tmp_path)]).notes
    assert notes == (
        "The controls learned from the training e-mails of counter; other learned from others.",
    )


def test_a_config_is_fitted_once_for_each_seed(runs: Path) -> None:
    said: list[str] = []
    config = runs / "counter.yaml"
    found = fit_config(config, "counter", seeds=3, folder=runs, say=said.append)
    assert [entrant.seed for entrant in found] == [0, 1, 2]
    assert len(said) == 1 and "fitting counter, seed 2" in said[0]


def test_names_that_clash_become_paths(runs: Path) -> None:
    run, other = runs / "a" / "x", runs / "b" / "x"
    for folder in (run, other):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.yaml").write_text("", encoding="utf-8")
    found = find_entrants([run, other, runs / "counter.yaml"])
    assert [name for _, name in found] == [str(run), str(other), "counter"]


def test_what_is_neither_run_nor_config_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"is neither a run folder nor a YAML config: give e.g"):
        find_entrants([tmp_path / "nothing"])


def test_suites_are_read_from_labelled_files(tmp_path: Path) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("id,text,route\n1,hello there,a\n2,good day,b\n3,no route,\n", encoding="utf-8")
    suite = read_suite(file, Settings())
    assert (suite.name, [item.route for item in suite.emails]) == ("mail", ["a", "b"])


def test_a_file_without_routes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("id,text,route\n1,hello,\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"mail.csv holds no e-mail with a route: give pairs or"):
        read_suite(file, Settings())


def test_a_router_for_other_routes_is_refused(emails: list[LabelledEmail]) -> None:
    with pytest.raises(CorpusError, match=r"r knows none of the routes of s \(delivery, refunds\)"):
        check_routes({"r": ["billing"]}, [Suite("s", emails)])


def test_a_note_says_which_routes_are_unknown(emails: list[LabelledEmail]) -> None:
    notes = check_routes({"r": ["refunds", "billing"]}, [Suite("s", emails), probe_suite()])
    assert notes == ["On s, r does not know delivery."]


def test_a_note_says_when_emails_were_learned_from(emails: list[LabelledEmail]) -> None:
    trained_on = frozenset({(emails[0].email.subject, emails[0].email.text)})
    (note,) = check_seen([Suite("s", emails)], trained_on)
    assert note.startswith("1 of the 6 e-mails of s are among those that routers learned from")
    assert check_seen([Suite("s", emails[1:])], trained_on) == []


def test_speed_is_measured_on_the_suite(entrant: Entrant, emails: list[LabelledEmail]) -> None:
    facts = measure_speed(enter_run(entrant), Suite("s", emails))
    assert facts.emails_per_second is not None
    assert facts.emails_per_second > 0
    assert replace(facts, emails_per_second=None) == enter_run(entrant).facts


def test_probes_are_tried_without_disorders(entrant: Entrant) -> None:
    (trial,) = run_trials([enter_run(entrant)], [probe_suite()])
    assert all(item.changed == {} for item in trial.predictions)


def test_standard_suites_are_the_cards_and_know_distances() -> None:
    suites = standard_suites(pairs=3)
    assert [suite.name for suite in suites] == list(read_cards())
    assert {len(suite.emails) for suite in suites} == {6}
    far = next(suite for suite in suites if suite.name == "long_distance")
    assert min(far.distances.values()) >= 50


def test_a_pair_keeps_its_distance_in_predictions(entrant: Entrant, runs: Path) -> None:
    pairs = [replace(pair, distance=7) for pair in read_pairs(runs / "pairs.jsonl")[:1]]
    trial = run_trial(enter_router(Router.load(entrant.folder), Facts("r", 0, "neural")),
                      pair_suite("s", pairs))  # fmt: skip
    assert [item.distance for item in trial.predictions] == [7, 7]


def test_splits_named_by_the_run_are_those_it_learned_from(entrant: Entrant) -> None:
    assert len(load_splits(Router.load(entrant.folder).settings).train) == 36
