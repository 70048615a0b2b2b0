"""Where labelled e-mails come from: files, folders, data sets, the Cartwise corpus.

===========================================  ===================================================
``mail.csv``, ``.tsv``, ``.jsonl``,          one e-mail a row; the columns are settings
``.parquet``
``pairs.jsonl`` with two texts a row         minimal pairs
folder with one sub-folder per route         mail of any kind in each (see ``routing.mail``)
folder written by ``Dataset.save_to_disk``   a data set of the ``datasets`` package
any other name                               a data set of the hub, ``owner/name``
===========================================  ===================================================
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from routing.corpus.cartwise import make_pairs
from routing.corpus.checks import name_some
from routing.corpus.columns import columns_of
from routing.corpus.maker import training_words
from routing.corpus.pairs import is_pairs_file, pair_emails, read_pairs
from routing.corpus.splits import Splits, split_groups
from routing.corpus.variants import vary
from routing.corpus.written import written_pairs
from routing.errors import CorpusError
from routing.mail import Columns, read_emails, read_rows
from routing.mail.rows import email_from_row
from routing.records import Email, Finding, LabelledEmail, Pair
from routing.settings import DataSettings, Settings
from routing.text.subject import bare_subject

__all__ = ["Splits", "load_splits", "read_labelled"]

_SPLIT_NAMES = {
    "train": ("train",),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test",),
}
_LARGEST_VALIDATION = 1_000
"""Generated pairs that are validated on at most."""

_FILE_ENDINGS = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json", ".parquet", ".txt"}


def load_splits(settings: Settings) -> Splits:
    """Return the splits that the settings name; without ``data.train`` the Cartwise corpus.

    Missing splits are cut from ``data.train``, whole threads and duplicates together; a data set
    that has splits of its own gives them. E-mails without a route, or that cannot be read, are
    left out with a finding.

    Raises:
        CorpusError: a source that does not exist or gives no labelled e-mails.
        SourceError: a file that cannot be read as a whole.
    """
    if settings.data.train is None:
        return _load_cartwise(settings)
    found = {split: _split_emails(settings, split) for split in _SPLIT_NAMES}
    usable = {
        split: [item for item in emails or () if item.route and item.email.error is None]
        for split, emails in found.items()
    }
    if not usable["train"]:
        raise CorpusError(f"data.train {settings.data.train} holds no e-mail with a route")
    findings = _left_out([item for emails in found.values() for item in emails or ()])
    return _cut_missing(usable, settings.data, tuple(findings))


def _split_emails(settings: Settings, split: str) -> list[LabelledEmail] | None:
    """Return the e-mails of a split, None where it has to be cut from ``train``."""
    data = settings.data
    named = {"train": data.train, "validation": data.validation, "test": data.test}[split]
    if named is not None:
        return read_labelled(named, settings, split=split)
    assert data.train is not None
    if _is_dataset(data.train):
        return _dataset_emails(data.train, settings, split=split, needed=False)
    return None


def _cut_missing(
    usable: dict[str, list[LabelledEmail]], data: DataSettings, findings: tuple[Finding, ...]
) -> Splits:
    train, validation, test = usable["train"], usable["validation"], usable["test"]
    left = 1.0
    if not test and data.test_share:
        train, test = split_groups(train, share=data.test_share)
        left -= data.test_share
    if not validation:
        train, validation = split_groups(train, share=min(0.9, data.validation_share / left))
    return Splits(train=train, validation=validation, test=test, findings=findings)


def _left_out(emails: Iterable[LabelledEmail]) -> Iterator[Finding]:
    """Yield what was left out: e-mails that cannot be read, e-mails without a route."""
    emails = list(emails)
    broken = [f"{e.email.id}: {e.email.error}" for e in emails if e.email.error is not None]
    bare = [e.email.id for e in emails if e.email.error is None and not e.route]
    if broken:
        message = f"{len(broken)} e-mails cannot be read and are left out ({name_some(broken)})"
        yield Finding(kind="unreadable", count=len(broken), message=message)
    if bare:
        message = f"{len(bare)} e-mails have no route and are left out ({name_some(bare)})"
        yield Finding(kind="no route", count=len(bare), message=message)


def read_labelled(source: str, settings: Settings, *, split: str = "train") -> list[LabelledEmail]:
    """Return the labelled e-mails of a file, a folder or a data set; "" stands for no route.

    Args:
        source: see the table at the top of this file.
        settings: ``data`` names the columns, ``mail`` what is trimmed.
        split: which split of a data set is read.

    Raises:
        CorpusError: a source that does not exist or has no column of routes.
        SourceError: a file that cannot be read as a whole.
    """
    path = Path(source)
    if _is_dataset(source):
        return _dataset_emails(source, settings, split=split, needed=True) or []
    if path.is_dir():
        return list(_folder_emails(path, settings))
    if is_pairs_file(path):
        return pair_emails(read_pairs(path), trim=settings.mail.trim)
    columns = columns_of(settings.data)
    rows = read_rows(path, columns=columns, trim=settings.mail.trim)
    return list(_labelled(rows, columns, source=source))


def _labelled(
    rows: Iterable[tuple[Email, Mapping[str, str]]], columns: Columns, *, source: str
) -> Iterator[LabelledEmail]:
    for email, cells in rows:
        if cells and columns.route not in cells:
            raise CorpusError(
                f"{source}: no column {columns.route!r} for the route; it has "
                f"{', '.join(map(repr, cells))}: set data.route_column or rename the column"
            )
        route = cells.get(columns.route, "").strip()
        thread = cells.get(columns.thread, "").strip()
        group = f"thread:{thread}" if thread else _conversation(email)
        yield LabelledEmail(email=email, route=route, group=group)


def _conversation(email: Email) -> str:
    """Return what joins the e-mails that one sender wrote under one subject, "" for none."""
    subject = bare_subject(email.subject)
    return f"conversation:{email.sender}:{subject}".lower() if subject and email.sender else ""


def _folder_emails(folder: Path, settings: Settings) -> Iterator[LabelledEmail]:
    routes = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    names = [route.name for route in routes]
    if not routes or {"cur", "new"} <= set(names):
        raise CorpusError(
            f"{folder} holds {name_some(names) or 'no sub-folders'}: "
            "give a folder with one sub-folder of mail for each route"
        )
    columns = columns_of(settings.data)
    for route in routes:
        for email in read_emails(route, trim=settings.mail.trim, columns=columns):
            yield LabelledEmail(email=email, route=route.name, group=_conversation(email))


def _is_dataset(source: str) -> bool:
    """Return True for what the ``datasets`` package reads: saved data sets and names."""
    path = Path(source)
    if path.is_dir():
        return any((path / name).is_file() for name in ("dataset_dict.json", "state.json"))
    named_as_file = path.suffix.lower() in _FILE_ENDINGS or source.count("/") > 1
    return not path.exists() and not named_as_file


def _dataset_emails(
    source: str, settings: Settings, *, split: str, needed: bool
) -> list[LabelledEmail] | None:
    """Return the e-mails of one split of a data set, None where it lacks one not needed."""
    tables = _load_dataset(source, revision=settings.data.revision)
    name = next((name for name in _SPLIT_NAMES[split] if name in tables), None)
    if name is None:
        if needed:
            raise CorpusError(
                f"data set {source} has no split {split!r}; it has {', '.join(tables)}"
            )
        return None
    columns = columns_of(settings.data)
    rows = (
        (
            email_from_row(
                row,
                columns=columns,
                id=f"{source}/{name}#{number}",
                source=f"{source}/{name}#{number}",
                trim=settings.mail.trim,
            ),
            row,
        )
        for number, row in enumerate(tables[name], 1)
    )
    return list(_labelled(rows, columns, source=source))


def _load_dataset(source: str, *, revision: str | None) -> dict[str, Iterator[Mapping[str, str]]]:
    import datasets

    try:
        if Path(source).is_dir():
            loaded = datasets.load_from_disk(source)
        else:
            loaded = datasets.load_dataset(source, revision=revision)
    except Exception as error:
        raise CorpusError(
            f"data set {source} cannot be loaded ({type(error).__name__}: {error}): "
            "give a file, a folder with one sub-folder per route, or the name of a data set"
        ) from None
    tables = loaded if isinstance(loaded, dict) else {"train": loaded}
    return {name: _cells(table) for name, table in tables.items()}


def _cells(table: object) -> Iterator[Mapping[str, str]]:
    """Yield a data set's rows as text, numbered routes by their names."""
    features = table.features  # type: ignore[attr-defined]
    for row in table:  # type: ignore[attr-defined]
        yield {
            name: "" if cell is None else _as_text(cell, features[name])
            for name, cell in row.items()
        }


def _as_text(cell: object, feature: object) -> str:
    name_of = getattr(feature, "int2str", None)
    return str(name_of(cell) if name_of and isinstance(cell, int) and cell >= 0 else cell)


def _load_cartwise(settings: Settings) -> Splits:
    """Return the grammar's pairs and the written ones; variants stay with their pair's split."""
    corpus, trim = settings.corpus, settings.mail.trim
    made = [
        email
        for suite, count in (("train", corpus.pairs), ("train_far", corpus.far_pairs))
        for email in pair_emails(
            make_pairs(count=count, seed=corpus.seed, suite=suite, noise=corpus.noise), trim=trim
        )
    ]
    train, validation = split_groups(made, share=_validation_share(settings))
    if not corpus.written:
        return Splits(train=train, validation=validation, test=[])
    pairs = written_pairs(split="train")
    told = pair_emails(pairs, trim=trim)
    more, some = split_groups(_tellable(told), share=settings.data.validation_share)
    kept = {item.pair for item in more}
    again = vary(
        [pair for pair in pairs if pair.id in kept],
        words=training_words(),
        times=corpus.written_variants,
        seed=corpus.seed,
    )
    cut = {item.pair for item in told if item.email.text != item.email.body}
    varied = _tellable(_trim_retold(again, cut=cut, trim=trim))
    return Splits(train=train + more + varied, validation=validation + some, test=[])


def _trim_retold(
    pairs: Iterable[Pair], *, cut: Container[str], trim: Literal["none", "quotes", "all"]
) -> list[LabelledEmail]:
    """Return retold pairs as e-mails; trimmed are those of the pairs that had something ``cut``.

    Other goods make nothing that trimming cuts: so it is with every written pair.
    """
    return [
        email
        for pair in pairs
        for email in pair_emails([pair], trim=trim if pair.id.split("~")[0] in cut else "none")
    ]


def _validation_share(settings: Settings) -> float:
    """Return the share of generated pairs that is validated on."""
    made = settings.corpus.pairs + settings.corpus.far_pairs
    return min(settings.data.validation_share, _LARGEST_VALIDATION / max(1, made))


def _tellable(members: list[LabelledEmail]) -> list[LabelledEmail]:
    """Return the pairs whose members still differ when quoted messages are cut."""
    return [
        item
        for first, second in zip(members[::2], members[1::2], strict=True)
        if (first.email.subject, first.email.text) != (second.email.subject, second.email.text)
        for item in (first, second)
    ]
