from collections.abc import Callable
from pathlib import Path

import pytest

from routing.corpus.splits import Splits
from routing.errors import CorpusError, SettingsError
from routing.evaluation.predictions import Evidence
from routing.flags import load_settings
from routing.records import Email, LabelledEmail
from routing.settings import Settings
from routing.training.evidence import few_shot_suites, gather_few_shot, read_configs


@pytest.fixture
def config(tmp_path: Path, pairs_file: str) -> Callable[..., Path]:
    """Return a function: name and lines of YAML -> a config on the pairs, bayes by default."""

    def write(name: str, model: str = "{kind: bayes}", **data: object) -> Path:
        file = tmp_path / f"{name}.yaml"
        more = "".join(f", {key}: {value}" for key, value in data.items())
        lines = f"model: {model}\ndata: {{train: {pairs_file}, validation_share: 0.2{more}}}\n"
        file.write_text(lines + "train: {batch_emails: 8, epochs: 1}\n", encoding="utf-8")
        return file

    return write


def gather(folder: Path, *configs: Path, sizes: tuple[int, ...] = (2, 4, 999)) -> Evidence:
    return gather_few_shot(
        configs,
        sizes=sizes,
        on=None,
        pairs=3,
        seeds=2,
        folder=folder,
        say=lambda _: None,
    )


def test_every_config_size_and_seed_is_tried_on_the_test_split(
    config: Callable[..., Path], tmp_path: Path
) -> None:
    one, two = config("one"), config("two", "{kind: bayes, ngrams: 2}")
    evidence = gather(tmp_path / "fitted", one, two)
    assert [(t.router, t.per_route, t.seed) for t in evidence.trials] == [
        (name, size, seed) for size in (2, 4) for seed in (0, 1) for name in ("one", "two")
    ]
    assert {t.suite for t in evidence.trials} == {"test"}
    assert {(f.router, f.seed, f.training_emails) for f in evidence.routers} == {
        (name, seed, 8) for name in ("one", "two") for seed in (0, 1)
    }
    assert evidence.notes == (
        "All learned from the same draws of the training e-mails that one names.",
        "Training time, size and course are those of the fits on 4 e-mails of each route.",
        "Left out, as no route has so many e-mails: 999 of each.",
    )


def test_a_small_network_keeps_the_course_of_its_training(
    config: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.training.fewshot.LEAST_STEPS", 3)
    tiny = "{kind: recurrent, embedding: 4, hidden: 4, layers: 1, piece_buckets: 0}"
    evidence = gather(tmp_path / "fitted", config("tiny", tiny), sizes=(2,))
    assert [(fact.kind, len(fact.history)) for fact in evidence.routers] == [("neural", 3)] * 2


def test_the_corpus_is_tested_on_two_suites() -> None:
    nothing = Splits(train=[], validation=[], test=[])
    suites = few_shot_suites(Settings(), nothing, on=None, pairs=3)
    assert [(suite.name, len(suite.emails)) for suite in suites] == [
        ("in_distribution", 6),
        ("written", 6),
    ]


def test_a_file_to_test_on_goes_first(pairs_file: str) -> None:
    splits = Splits(train=[], validation=[], test=[LabelledEmail(Email("1"), "a")])
    (suite,) = few_shot_suites(Settings(), splits, on=pairs_file, pairs=3)
    assert (suite.name, len(suite.emails)) == ("pairs", 82)


def test_nothing_to_test_on_is_said(pairs_file: str) -> None:
    settings = load_settings(flags={"data": {"train": pairs_file, "test_share": 0}})
    nothing = Splits(train=[], validation=[], test=[])
    with pytest.raises(CorpusError, match=r"data.test_share 0 leaves no e-mails to test on: give"):
        few_shot_suites(settings, nothing, on=None, pairs=3)


def test_a_run_folder_has_no_curve(tmp_path: Path, config: Callable[..., Path]) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "settings.yaml").write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"run is a run folder, .* give configs, e\.g\."):
        read_configs([config("one"), tmp_path / "run"])


def test_configs_that_part_the_same_emails_otherwise_are_compared(
    config: Callable[..., Path],
) -> None:
    assert list(read_configs([config("one"), config("two", test_share=0.3)])) == ["one", "two"]


def test_configs_of_other_emails_are_refused(config: Callable[..., Path]) -> None:
    with pytest.raises(SettingsError, match=r"two and one name different data: .* same data"):
        read_configs([config("one"), config("two", route_column="queue")])
