"""Labelled e-mails from files, folders and data sets."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from routing.corpus.cartwise import make_pairs
from routing.corpus.sources import load_splits, read_labelled
from routing.errors import CorpusError, SourceError
from routing.flags import load_settings
from routing.settings import Settings

ROWS = [
    {"text": f"parcel {i} is late", "route": "delivery", "thread": f"t{i // 2}"} for i in range(30)
] + [{"text": f"money {i} back", "route": "refunds", "thread": ""} for i in range(20)]


def settings(**data: Any) -> Settings:
    corpus = {"pairs": 20, "written_variants": 0}
    return Settings.model_validate({"data": data, "corpus": corpus})


def write_rows(file: Path, rows: list[dict[str, str]]) -> str:
    match file.suffix:
        case ".jsonl":
            file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        case ".parquet":
            import pyarrow
            import pyarrow.parquet

            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
        case suffix:
            mark = "\t" if suffix == ".tsv" else ","
            lines = [mark.join(rows[0]), *(mark.join(row.values()) for row in rows)]
            file.write_text("\n".join(lines) + "\n")
    return str(file)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_rows_of_every_kind_of_file_are_read(tmp_path: Path, ending: str) -> None:
    found = read_labelled(write_rows(tmp_path / f"mail.{ending}", ROWS), settings())
    assert [item.email.text for item in found] == [row["text"] for row in ROWS]
    assert [item.route for item in found] == [row["route"] for row in ROWS]
    assert found[0].group == found[1].group != found[2].group
    assert found[30].group == ""


def test_columns_are_settings(tmp_path: Path) -> None:
    rows = [{"frage": "where is it", "titel": "Lost", "team": "delivery", "faden": "x"}]
    names = {
        "text_column": "frage",
        "subject_column": "titel",
        "route_column": "team",
        "thread_column": "faden",
    }
    (item,) = read_labelled(write_rows(tmp_path / "mail.csv", rows), settings(**names))
    assert (item.email.text, item.email.subject, item.route) == ("where is it", "Lost", "delivery")
    assert item.group == "thread:x"


def test_a_missing_column_of_routes_is_named(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "mail.csv", [{"text": "a", "team": "b"}])
    said = "no column 'route' for the route; it has 'text', 'team': .* or rename the column"
    with pytest.raises(CorpusError, match=said):
        read_labelled(file, settings())


def test_pairs_keep_together(tmp_path: Path) -> None:
    row = {"id": "p1", "phenomenon": "owed", "refunds": "a b", "delivery": "b a"}
    found = read_labelled(write_rows(tmp_path / "pairs.jsonl", [row]), settings())
    assert [(item.route, item.pair) for item in found] == [("refunds", "p1"), ("delivery", "p1")]


def test_each_sub_folder_of_mail_is_a_route(tmp_path: Path) -> None:
    for route, name, subject in [
        ("refunds", "1.eml", "Money"),
        ("delivery", "deep/2.eml", "Parcel"),
        ("delivery", "3.eml", "Re: Parcel"),
        ("sales", "4.txt", ""),
    ]:
        file = tmp_path / route / name
        file.parent.mkdir(parents=True, exist_ok=True)
        head = f"From: a@example.com\nSubject: {subject}\n\n" if subject else ""
        file.write_text(f"{head}text of {name}\n")
    found = read_labelled(str(tmp_path), settings())
    assert Counter(item.route for item in found) == {"delivery": 2, "refunds": 1, "sales": 1}
    groups = {item.email.text: item.group for item in found}
    assert groups["text of 3.eml"] == groups["text of deep/2.eml"] != groups["text of 1.eml"]


@pytest.mark.parametrize(
    ("folders", "said"), [([], "no sub-folders"), (["cur", "new", "tmp"], "cur, new, tmp")]
)
def test_a_folder_without_routes_is_refused(tmp_path: Path, folders: list[str], said: str) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir()
    with pytest.raises(CorpusError, match=f"{said}: give a folder with one sub-folder of mail"):
        read_labelled(str(tmp_path), settings())


def test_missing_splits_are_cut_by_thread(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "mail.csv", ROWS)
    splits = load_splits(settings(train=file, validation_share=0.2, test_share=0.2))
    named = {"train": splits.train, "validation": splits.validation, "test": splits.test}
    assert {name: len(items) for name, items in named.items()} == {
        "train": 30,
        "validation": 10,
        "test": 10,
    }
    threads = [{item.group for item in items if item.group} for items in named.values()]
    assert not threads[0] & threads[1] and not threads[0] & threads[2]
    assert not threads[1] & threads[2]


def test_given_splits_are_taken_as_they_are(tmp_path: Path) -> None:
    train = write_rows(tmp_path / "train.csv", ROWS)
    test = write_rows(tmp_path / "test.csv", ROWS[:3])
    splits = load_splits(settings(train=train, test=test, validation_share=0.2))
    assert len(splits.test) == 3
    assert len(splits.train) + len(splits.validation) == len(ROWS)
    whole = load_splits(settings(train=train, validation=test, test_share=0))
    assert (len(whole.train), len(whole.validation), len(whole.test)) == (50, 3, 0)


def test_what_has_no_route_or_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    file = tmp_path / "mail.jsonl"
    write_rows(file, [*ROWS, {"text": "nobody knows", "route": " "}])
    file.write_text(file.read_text() + "not JSON\n")
    splits = load_splits(settings(train=str(file)))
    assert len(splits.train) + len(splits.validation) + len(splits.test) == len(ROWS)
    assert [(finding.kind, finding.count) for finding in splits.findings] == [
        ("unreadable", 1),
        ("no route", 1),
    ]
    assert "1 e-mails have no route and are left out (mail.jsonl#51)" in splits.findings[1].message


def test_a_source_without_routes_is_refused(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "mail.csv", [{"text": "a", "route": ""}])
    with pytest.raises(CorpusError, match=r"mail\.csv holds no e-mail with a route"):
        load_splits(settings(train=file))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SourceError, match=r"nowhere\.csv"):
        load_splits(settings(train="nowhere.csv"))


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[str]:
    import datasets

    features = datasets.Features(
        {
            "text": datasets.Value("string"),
            "route": datasets.ClassLabel(names=["delivery", "refunds"]),
        }
    )
    rows = [{"text": row["text"], "route": row["route"]} for row in ROWS]
    tables = {
        name: datasets.Dataset.from_list(part, features=features)
        for name, part in {"train": rows[2:], "dev": rows[:2]}.items()
    }
    datasets.DatasetDict(tables).save_to_disk(str(tmp_path / "saved"))
    yield str(tmp_path / "saved")


def test_a_saved_data_set_gives_its_own_splits_and_route_names(saved: str) -> None:
    splits = load_splits(settings(train=saved, test_share=0))
    assert [(item.email.text, item.route) for item in splits.validation] == [
        ("parcel 0 is late", "delivery"),
        ("parcel 1 is late", "delivery"),
    ]
    assert len(splits.train) == 48
    assert {item.route for item in splits.train} == {"delivery", "refunds"}


def test_a_split_that_a_data_set_lacks_is_cut_or_named(saved: str) -> None:
    assert load_splits(settings(train=saved, test_share=0.5)).test
    with pytest.raises(CorpusError, match="has no split 'test'; it has train, dev"):
        load_splits(settings(train=saved, test=saved))


def test_hub_names_are_asked_for_with_their_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    asked: list[tuple[str, str | None]] = []

    def load(name: str, *, revision: str | None) -> Mapping[str, Any]:
        asked.append((name, revision))
        return {"train": datasets.Dataset.from_list(ROWS)}

    monkeypatch.setattr(datasets, "load_dataset", load)
    found = read_labelled("owner/mail", settings(revision="v2"))
    assert set(asked) == {("owner/mail", "v2")}
    assert len(found) == len(ROWS)


def test_a_data_set_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    def load(name: str, *, revision: str | None) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr(datasets, "load_dataset", load)
    with pytest.raises(CorpusError, match=r"owner/mail cannot be loaded \(ConnectionError: no"):
        load_splits(settings(train="owner/mail"))


def test_without_a_source_the_cartwise_corpus_is_made() -> None:
    splits = load_splits(settings())
    assert {item.route for item in splits.train} == {"delivery", "refunds"}
    assert all(item.pair for item in splits.train)
    assert not {i.pair for i in splits.train} & {i.pair for i in splits.validation}


def test_far_pairs_come_beside_the_others_and_stand_further_apart() -> None:
    settings = load_settings(None, {"corpus": {"pairs": 30, "far_pairs": 30, "written": False}})
    splits = load_splits(settings)
    pairs = {item.pair for item in [*splits.train, *splits.validation]}
    assert len(pairs) == 60
    far, near = (
        [pair.distance for pair in make_pairs(count=30, seed=0, suite=suite)]
        for suite in ("train_far", "train")
    )
    assert all(distance is not None for distance in far)
    assert sum(far) / 30 > 3 * sum(filter(None, near)) / 30
