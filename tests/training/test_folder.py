"""What a run folder holds and says."""

import json

import pytest

from routing.errors import RunError, SettingsError
from routing.records import Email, LabelledEmail
from routing.router import Router
from routing.settings import Settings, TextSettings
from routing.training.checkpoint import read_checkpoint
from routing.training.folder import (
    Metrics,
    check_same_data,
    describe_split,
    git_commit,
    start_folder,
    write_card,
)
from routing.training.run import fit_run

EMAILS = [LabelledEmail(Email(id="1", subject="s", text="where is it"), route="delivery")]
OTHERS = [LabelledEmail(Email(id="1", subject="s", text="where is it"), route="refunds")]


@pytest.fixture
def run(tiny, pairs_file, tmp_path):
    settings = tiny(data={"train": pairs_file, "test_share": 0.2}, train={"epochs": 2})
    fitted = fit_run(
        settings, folder=tmp_path / "run", progress=False, command=["python", "-m", "routing.fit"]
    )
    return tmp_path / "run", fitted


def test_run_folder_is_whole_and_loads_without_its_checkpoints(run):
    folder, fitted = run
    assert {file.name for file in folder.iterdir()} == {
        "settings.yaml",
        "routes.json",
        "vocabulary.json",
        "model.safetensors",
        "calibration.json",
        "metrics.json",
        "history.csv",
        "provenance.json",
        "MODEL_CARD.md",
        "checkpoints",
    }
    emails = [item.email for item in fitted.splits.test]
    before = Router.load(folder).decide(emails)
    for file in (folder / "checkpoints").iterdir():
        file.unlink()
    (folder / "checkpoints").rmdir()
    assert Router.load(folder).decide(emails) == before == fitted.router.decide(emails)


def test_checkpoint_needs_no_unpickling_of_code(run):
    folder, _ = run
    checkpoint = read_checkpoint(folder / "checkpoints" / "last.ckpt")
    assert {"state_dict", "optimizer_states", "lr_schedulers", "loops"} <= set(checkpoint)


def test_metrics_tell_of_validation_and_test(run):
    folder, fitted = run
    written = json.loads((folder / "metrics.json").read_text())
    assert written["test_accuracy"] == fitted.metrics.test_accuracy
    assert written["training_emails"] == len(fitted.splits.train)
    assert 0 <= written["validation_macro_f1"] <= 1
    assert written["training_seconds"] > 0


def test_provenance_names_command_versions_seed_data_and_commit(run):
    folder, fitted = run
    written = json.loads((folder / "provenance.json").read_text())
    assert written["command"] == ["python", "-m", "routing.fit"]
    assert {"python", "torch", "lightning", "routing"} <= set(written["versions"])
    assert written["seed"] == 0
    assert written["data"]["train"] == describe_split(fitted.splits.train)
    assert written["git_commit"] == git_commit()


def test_fresh_fit_clears_the_older_run(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "last.ckpt").write_text("old")
    (tmp_path / "metrics.json").write_text("{}")
    (tmp_path / "mine.txt").write_text("kept")
    start_folder(tmp_path, Settings(), splits={"train": EMAILS}, command=[])
    assert sorted(file.name for file in tmp_path.rglob("*")) == [
        "checkpoints",
        "mine.txt",
        "provenance.json",
        "settings.yaml",
    ]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(SettingsError, match=r"cannot write .*taken \(.*\): name another"):
        start_folder(tmp_path / "taken", Settings(), splits={"train": EMAILS}, command=[])


def test_changed_emails_are_refused_when_resuming(tmp_path):
    start_folder(tmp_path, Settings(), splits={"train": EMAILS}, command=[])
    check_same_data(tmp_path, Settings(), {"train": EMAILS})
    with pytest.raises(RunError, match="its train e-mails have changed since it was started"):
        check_same_data(tmp_path, Settings(), {"train": OTHERS})


def test_changed_word_vectors_are_refused_when_resuming(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("parcel 1 2 3\n")
    settings = Settings(text=TextSettings(vectors=file))
    start_folder(tmp_path, settings, splits={"train": EMAILS}, command=[])
    check_same_data(tmp_path, settings, {"train": EMAILS})
    file.write_text("parcel 1 2 4\n")
    with pytest.raises(RunError, match=r"the word vectors .*vectors\.txt have changed since"):
        check_same_data(tmp_path, settings, {"train": EMAILS})


def test_card_says_where_words_started():
    metrics = Metrics(0.9, 0.8, 0.05, None, None, None, 100, 12.0)
    cards = [
        write_card(Settings(text=TextSettings(vectors=name)), routes=["a", "b"], metrics=metrics)
        for name in (None, "own.txt", "cartwise")
    ]
    assert "Words started" not in cards[0]
    assert "- Words started from: own.txt.\n" in cards[1]
    assert "- Words started from: cartwise (from all-MiniLM-L6-v2, Apache-2.0" in cards[2]


def test_run_without_provenance_cannot_be_resumed(tmp_path):
    with pytest.raises(RunError, match=r"cannot be resumed: no provenance\.json .* fit it again"):
        check_same_data(tmp_path, Settings(), {"train": EMAILS})


def test_hash_depends_on_text_route_and_pair():
    found = {
        describe_split([LabelledEmail(Email(id="1", text=text), route=route, pair=pair)])["sha256"]
        for text in ("a", "b")
        for route in ("x", "y")
        for pair in ("", "p")
    }
    assert len(found) == 8


def test_card_says_what_it_is_and_what_it_reached():
    metrics = Metrics(0.9, 0.8, 0.05, None, None, None, 100, 12.0)
    card = write_card(Settings(), routes=["a", "b"], metrics=metrics)
    assert "one of 2 routes: a, b." in card
    assert "- Validation: accuracy 90.0%, macro-F1 80.0%, calibration error 0.050." in card
    assert "Test:" not in card
