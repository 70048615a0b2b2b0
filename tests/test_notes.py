"""Case notes from end to end: trained, saved, loaded, scored with, explained."""

import io
import json
import shutil
import signal
from functools import partial
from pathlib import Path

import pytest
import torch
from rich.console import Console
from torch import Tensor

from routing import explain, score
from routing.corpus.readers import WordReader
from routing.errors import RunError, SettingsError
from routing.explanation.notes import looked_at, note_panel, note_view
from routing.flags import load_settings
from routing.models.note import UNKNOWN
from routing.notes import SPECIALS, CaseNote, NoteWriter, name_rows, note_tokens
from routing.records import Email, LabelledEmail
from routing.router import Router, build_model
from routing.settings import Settings
from routing.text.vocabulary import Vocabulary
from routing.training.notes import (
    find_note_words,
    fit_notes,
    fit_writer,
    noted_emails,
    says,
    start_writer,
)
from routing.training.run import fit_router, fit_run
from routing.training.writing import NotedEmail, NoteModule, make_batch
from tests.scoring.runs import make_run

THINGS = ("mug", "lamp", "kettle", "clock", "scarf", "tent")


def noted(missing: str, came: str) -> NotedEmail:
    text = f"The {came} came, the {missing} did not."
    line = f"missing: {missing} · came: {came} · order: none"
    return NotedEmail(Email(f"{missing}-{came}", text=text), note_tokens(line))


ITEMS = [noted(a, b) for a in THINGS for b in THINGS if a != b]


def small_settings(*, attention: bool = True) -> Settings:
    return load_settings(
        None,
        {
            "model": {"kind": "note", "embedding": 16, "hidden": 24, "attention": attention},
            "train": {
                "epochs": 40,
                "batch_emails": 10,
                "learning_rate": 1e-2,
                "patience": 40,
                "word_dropout": 0.2,
            },
            "text": {"min_count": 1},
        },
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes") / "note"
    fitted = fit_writer(
        small_settings(), train=ITEMS, validation=ITEMS[:6], folder=folder, progress=False
    )
    assert fitted.line().startswith("note, 30 e-mails, ")
    return folder


@pytest.fixture(scope="module")
def bayes_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("router") / "bayes", "bayes")


def test_a_note_is_cut_into_its_frame_and_the_words_of_the_email() -> None:
    line = "missing: kitchen scales · wanted: £15 · order: <order>"
    assert note_tokens(line) == (
        *("missing:", "kitchen", "scales", "·", "wanted:", "<amount>", "·"),
        *("order:", "<order>"),
    )


def test_rows_of_the_word_table_have_their_words() -> None:
    reader = WordReader(
        Vocabulary(("<padding>", "<unknown>", "b")), placeholders=True, max_tokens=9
    )
    texts = [("b", "zzz", "b"), ("a",)]
    batch = reader.token_batch(texts)
    names = name_rows(batch, texts)
    assert [names[i] for i in batch.token_ids[0]] == ["b", "zzz", "b"]
    assert names[batch.token_ids[1, 0]] == "a"


def test_only_the_frame_is_learned_where_the_rest_is_copied() -> None:
    notes = [item.words for item in ITEMS]
    copied = find_note_words(notes, min_count=1, copy=True)
    assert {*copied} == {*SPECIALS, "missing:", "came:", "order:", "·", "none"}
    assert {*find_note_words(notes, min_count=1, copy=False)} == {*copied, *THINGS}


def test_an_email_that_does_not_say_its_note_is_left_out() -> None:
    email = Email("", text="Just refund me.")
    assert says(email, note_tokens("wanted: refund · order: none"))
    assert not says(email, note_tokens("wanted: money · order: none"))
    kept = noted_emails(count=40, seed=1, noise=0)
    assert 20 < len(kept) <= 40
    assert all(says(item.email, item.words) for item in kept)


def test_words_of_a_note_become_numbers_of_copies() -> None:
    writer = start_writer(small_settings(), ITEMS)
    *_, row_words, notes = make_batch([noted("mug", "tent")], writer)
    texts = [writer.reader.texts(noted("mug", "tent").email)]
    rows = name_rows(writer.reader.token_batch(texts), texts)
    words = [[*writer.words, *rows][number] for number in notes[0].tolist()]
    assert words == [*noted("mug", "tent").words, "<end>"]
    assert notes[0, 1] >= len(writer.words)
    assert (row_words[1:] == UNKNOWN).all()


def test_words_of_pretrained_vectors_are_known_as_well(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    numbers = " ".join("0.25" for _ in range(16))
    file.write_text("".join(f"{word} {numbers}\n" for word in ("mug", "sextant")))
    settings = small_settings()
    text = settings.text.model_copy(update={"vectors": file})
    writer = start_writer(settings.model_copy(update={"text": text}), ITEMS)
    vocabulary = writer.reader.vocabulary
    assert vocabulary.words[-1] == "sextant" and vocabulary.words.count("mug") == 1
    weights = writer.model.vectors.words.weight.detach()
    for word, known in (("mug", True), ("sextant", True), ("lamp", False)):
        assert (weights[vocabulary.word_id(word)] == 0.25).all().item() is known


def test_words_of_pretrained_vectors_stay_within_the_largest_vocabulary(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    numbers = " ".join("0.25" for _ in range(16))
    file.write_text("".join(f"{word} {numbers}\n" for word in ("sextant", "zither", "oboe")))
    known = len(start_writer(small_settings(), ITEMS).reader.vocabulary)
    settings = small_settings()
    text = settings.text.model_copy(update={"vectors": file, "max_words": known - 2 + 1})
    writer = start_writer(settings.model_copy(update={"text": text}), ITEMS)
    assert len(writer.reader.vocabulary) == known + 1
    assert writer.reader.vocabulary.words[-1] == "sextant"


def with_encoder(run: Path, *, out: dict[str, dict[str, object]] | None = None) -> Settings:
    """Settings of a writer that starts from the router of ``save_router``, but for ``out``."""
    tree = small_settings().model_dump()
    tree["model"] |= {"embedding": 6, "hidden": 8, "piece_buckets": 50}
    tree["train"]["encoder"] = run
    for part, changes in (out or {}).items():
        tree[part] |= changes
    return Settings.model_validate(tree)


def save_router(folder: Path, **model: object) -> Router:
    sizes = {"embedding": 6, "hidden": 8, "layers": 1, "piece_buckets": 50}
    settings = load_settings(flags={"model": {"kind": "recurrent"} | sizes | model})
    vocabulary = Vocabulary(("<padding>", "<unknown>", "mug", "came"), 50)
    reader = WordReader(
        vocabulary,
        placeholders=settings.text.placeholders,
        max_tokens=settings.text.max_tokens,
    )
    network = build_model(settings.model, reader=reader, routes=2)
    router = Router(settings=settings, routes=("a", "b"), reader=reader, model=network)
    router.save(folder)
    return router


def test_a_writer_starts_with_what_a_router_has_learned(tmp_path: Path) -> None:
    router = save_router(tmp_path / "router")
    writer = start_writer(with_encoder(tmp_path / "router"), ITEMS)
    assert writer.reader.vocabulary.words == ("<padding>", "<unknown>", "mug", "came")
    assert "missing:" in writer.words and "mug" not in writer.words
    given = router.reader.batch([router.reader.rows(ITEMS[0].email)])
    embedded = router.model.embed(given.token_ids, given.word_ids, given.piece_ids)
    states = router.model.read(embedded, given.lengths)[2]
    row_words = torch.zeros(len(given.word_ids), dtype=torch.long)
    source, _ = writer.model.encode(*given.inputs(), row_words=row_words)
    torch.testing.assert_close(source.states, states)


def test_a_writer_that_started_from_a_router_does_without_it_later(tmp_path: Path) -> None:
    save_router(tmp_path / "router")
    settings = with_encoder(tmp_path / "router", out={"train": {"epochs": 2}})
    fit_writer(settings, train=ITEMS, validation=ITEMS, folder=tmp_path / "note", progress=False)
    emails = [item.email for item in ITEMS]
    written = NoteWriter.load(tmp_path / "note").write(emails)
    shutil.rmtree(tmp_path / "router")
    loaded = NoteWriter.load(tmp_path / "note")
    assert loaded.reader.vocabulary.piece_buckets == 50
    assert loaded.write(emails) == written
    assert "Started from: " + str(tmp_path / "router") in (
        tmp_path / "note" / "MODEL_CARD.md"
    ).read_text(encoding="utf-8")


def test_a_writer_is_not_resumed_from_another_router(tmp_path: Path) -> None:
    save_router(tmp_path / "started")
    fit = partial(
        fit_writer,
        with_encoder(tmp_path / "started", out={"train": {"epochs": 2, "checkpoint_steps": 1}}),
        train=ITEMS,
        validation=ITEMS,
        folder=tmp_path / "note",
        progress=False,
    )
    fit()
    weights = (tmp_path / "note" / "model.safetensors").read_bytes()
    fit(resume=True)
    assert (tmp_path / "note" / "model.safetensors").read_bytes() == weights
    save_router(tmp_path / "started", hidden=12)
    with pytest.raises(RunError, match=r"cannot be resumed: the router .*started has changed"):
        fit(resume=True)
    shutil.rmtree(tmp_path / "started")
    with pytest.raises(RunError, match=r"cannot be resumed: the router .*started has changed"):
        fit(resume=True)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"hidden": 12}, "model.hidden 12, the writer of notes 8: give --model.hidden 12"),
        ({"embedding": 4}, "model.embedding 4, the writer of notes 6: give --model.embedding 4"),
        ({"piece_buckets": 9}, "model.piece_buckets 9, the writer of notes 50: give --model.pi"),
        ({"layers": 2}, "a bidirectional LSTM of one layer"),
        ({"cell": "gru"}, "a bidirectional LSTM of one layer"),
        ({"bidirectional": False}, "a bidirectional LSTM of one layer"),
        ({"layer_norm": "output"}, "a bidirectional LSTM of one layer"),
    ],
)
def test_a_writer_does_not_start_from_a_router_of_another_shape(
    tmp_path: Path, model: dict[str, object], said: str
) -> None:
    save_router(tmp_path / "router", **model)
    with pytest.raises(SettingsError, match=said):
        start_writer(with_encoder(tmp_path / "router"), ITEMS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ({"max_tokens": 9}, "text.max_tokens 1024, the writer of notes 9: give --text.max_tokens"),
        ({"placeholders": False}, "the writer of notes False: give --text.placeholders true"),
        ({"vectors": "cartwise"}, "text.vectors is cartwise: give one of them"),
    ],
)
def test_a_writer_reads_as_its_router_does(
    tmp_path: Path, text: dict[str, object], said: str
) -> None:
    save_router(tmp_path / "router")
    with pytest.raises(SettingsError, match=said):
        start_writer(with_encoder(tmp_path / "router", out={"text": text}), ITEMS)


def test_a_writer_starts_from_a_fitted_router_alone(
    bayes_run: Path, run: Path, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="a bidirectional LSTM"):
        start_writer(with_encoder(bayes_run), ITEMS)
    for place in (tmp_path / "nowhere", run):
        with pytest.raises(SettingsError, match=r"train\.encoder .* is no fitted router"):
            fit_notes(with_encoder(place), folder=tmp_path / "note")
    assert not (tmp_path / "note").exists()


def test_the_run_that_a_writer_starts_from_is_not_overwritten(tmp_path: Path) -> None:
    save_router(tmp_path / "router")
    with pytest.raises(SettingsError, match="would be overwritten"):
        fit_notes(with_encoder(tmp_path / "router"), folder=tmp_path / "x" / ".." / "router")
    taught = load_settings(
        flags={"model": {"kind": "recurrent"}, "train": {"teacher": str(tmp_path / "router")}}
    )
    with pytest.raises(SettingsError, match=r"train\.teacher .* would be overwritten"):
        fit_run(taught, folder=tmp_path / "router", progress=False)
    assert Router.load(tmp_path / "router").routes == ("a", "b")


def test_a_router_starts_from_no_other_router(tmp_path: Path) -> None:
    emails = [LabelledEmail(item.email, route=item.words[1]) for item in ITEMS]
    settings = load_settings(
        flags={"model": {"kind": "recurrent"}, "train": {"encoder": str(tmp_path)}}
    )
    with pytest.raises(SettingsError, match=r"train\.encoder .* only a writer of notes"):
        fit_router(settings, train=emails, validation=emails, folder=tmp_path, progress=False)


def test_the_starter_writer_fits_the_starter_lstm() -> None:
    note, lstm = (load_settings(Path("configs") / f"{name}.yaml") for name in ("note", "lstm"))
    assert note.train.encoder == Path("runs/lstm")
    for name in ("embedding", "hidden", "piece_buckets"):
        assert getattr(note.model, name) == getattr(lstm.model, name)
    assert note.text.placeholders == lstm.text.placeholders
    assert note.text.max_tokens == lstm.text.max_tokens


@pytest.mark.parametrize("vectors", [False, True])
def test_a_writer_has_pieces_of_words_of_its_own(tmp_path: Path, vectors: bool) -> None:
    tree = small_settings().model_dump()
    tree["model"]["piece_buckets"] = 40
    if vectors:
        tree["text"]["vectors"] = tmp_path / "vectors.txt"
        tree["text"]["vectors"].write_text("mug" + " 0.25" * 16 + "\n")
    writer = start_writer(Settings.model_validate(tree), ITEMS)
    assert writer.reader.vocabulary.piece_ids("gramophone")
    assert writer.model.vectors.pieces is not None
    writer.save(tmp_path / "note")
    email = Email("x", text="The gramophone came, the mug did not.")
    assert NoteWriter.load(tmp_path / "note").write([email]) == writer.write([email])


def test_notes_are_written_and_unseen_words_copied(run: Path) -> None:
    writer = NoteWriter.load(run)
    items = [*ITEMS[:4], noted("sextant", "tent"), noted("lamp", "zither")]
    notes = writer.write([item.email for item in items])
    assert [note.words for note in notes] == [item.words for item in items]
    strange = notes[4]
    place = max(range(len(strange.tokens)), key=lambda i: strange.looks[1][i])
    assert strange.tokens[place] == "sextant"


def test_a_note_alone_is_the_note_in_company(run: Path) -> None:
    writer = NoteWriter.load(run)
    emails = [ITEMS[0].email, Email("long", text="word " * 40), Email("empty")]
    together = writer.write(emails)
    assert [note.line() for note in together] == [writer.write([e])[0].line() for e in emails]


def test_score_adds_the_note(run: Path, bayes_run: Path, tmp_path: Path) -> None:
    mail = tmp_path / "mail.jsonl"
    mail.write_text(json.dumps({"id": "1", "text": ITEMS[0].email.text}) + "\n", encoding="utf-8")
    for suffix in (".jsonl", ".csv", ".parquet"):
        output = tmp_path / f"out{suffix}"
        arguments = [str(bayes_run), str(mail), "--notes", str(run), "--output", str(output)]
        assert score.main([*arguments, "--workers", "1"]) == 0
    line = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert line["note"] == " ".join(ITEMS[0].words)
    header, row = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert header.endswith(",note") and row.endswith(line["note"])


def test_explain_shows_what_each_word_of_the_note_looked_at(
    run: Path, bayes_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mail = tmp_path / "mail.jsonl"
    mail.write_text(json.dumps({"id": "1", "text": ITEMS[0].email.text}) + "\n", encoding="utf-8")
    assert explain.main([str(bayes_run), str(mail), "--budget", "0", "--notes", str(run)]) == 0
    line = " ".join(ITEMS[0].words)
    assert f"Case note: {line}" in capsys.readouterr().out
    page = tmp_path / "why.html"
    arguments = [str(bayes_run), str(mail), "--budget", "0", "--notes", str(run)]
    assert explain.main([*arguments, "--json", "--html", str(page)]) == 0
    note = json.loads(capsys.readouterr().out)["case_note"]
    assert note["line"] == line
    assert note["words"][1]["text"] == "mug"
    assert note["words"][1]["looked_at"][0]["token"] == "mug"
    assert f"<h2>Case note</h2><p>{line}</p>" in page.read_text(encoding="utf-8")


def test_words_of_a_note_are_escaped_on_the_page() -> None:
    panel = note_panel(CaseNote(("<b>",), ("<i>", "x"), ((0.9, 0.1),)))
    assert "&lt;b&gt;" in panel and "&lt;i&gt; 90%" in panel
    assert "<b>" not in panel and "<i>" not in panel
    assert note_panel(None) == ""


def test_view_of_a_note_names_the_words_looked_at() -> None:
    note = CaseNote(
        ("missing:", "mug"), ("the", "mug", "[b]"), ((0.0, 0.0, 0.0), (0.2, 0.76, 0.04))
    )
    stream = io.StringIO()
    Console(file=stream, width=80).print(note_view(note))
    assert "mug 76% · the 20%" in stream.getvalue()
    assert "nothing: written without looking" in stream.getvalue()
    assert looked_at((0.3, 0.1, 0.2, 0.4)) == [(3, 0.4), (0, 0.3), (2, 0.2)]


def test_own_emails_are_refused_for_want_of_notes(tmp_path: Path) -> None:
    settings = load_settings(None, {"model": {"kind": "note"}, "data": {"train": "mail.csv"}})
    with pytest.raises(SettingsError, match=r"mail\.csv: case notes are learned from the built-in"):
        fit_notes(settings, folder=tmp_path)


def test_a_run_of_notes_says_what_it_is(run: Path) -> None:
    provenance = json.loads((run / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["data"]["train"]["emails"] == 30
    assert provenance["data"]["validation"]["emails"] == 6
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["validation_exact_match"] == 1 and metrics["training_emails"] == 30
    card = (run / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "- Validation: 100.0% of the notes right word for word." in card


def test_a_stopped_run_of_notes_ends_with_the_same_bits_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(
        None,
        {
            "model": {"kind": "note", "embedding": 4, "hidden": 5},
            "train": {"epochs": 3, "batch_emails": 5, "word_dropout": 0.2, "checkpoint_steps": 4},
            "text": {"min_count": 1},
        },
    )
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    fit = partial(fit_writer, settings, train=ITEMS, validation=ITEMS[:6], progress=False)
    fit(folder=whole)
    learn = NoteModule.training_step

    def stop(module: NoteModule, batch: tuple[Tensor, ...], batch_idx: int) -> Tensor:
        if module.global_step == 10:
            signal.raise_signal(signal.SIGINT)
        return learn(module, batch, batch_idx)

    monkeypatch.setattr(NoteModule, "training_step", stop)
    with pytest.raises(KeyboardInterrupt, match=f"--resume {parted}"):
        fit(folder=parted)
    assert not (parted / "metrics.json").exists()
    monkeypatch.setattr(NoteModule, "training_step", learn)
    fit(folder=parted, resume=True)
    assert (parted / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


def test_a_run_of_notes_is_not_resumed_with_other_emails(run: Path) -> None:
    with pytest.raises(RunError, match="its train e-mails have changed since it was started"):
        fit_writer(small_settings(), train=ITEMS[1:], validation=ITEMS[:6], folder=run, resume=True)


def test_a_folder_without_notes_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no note_words\.json"):
        NoteWriter.load(tmp_path)


def test_a_damaged_run_of_notes_is_named(run: Path, tmp_path: Path) -> None:
    for name in ("note_words.json", "settings.yaml", "vocabulary.json"):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(RunError, match="cannot be loaded"):
        NoteWriter.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [("settings.yaml", "model: {kind: 'note"), ("vocabulary.json", "[]")],
)
def test_a_run_of_notes_with_other_contents_is_named(
    run: Path, tmp_path: Path, name: str, text: str
) -> None:
    for file in ("note_words.json", "settings.yaml", "vocabulary.json", "model.safetensors"):
        (tmp_path / file).write_bytes((run / file).read_bytes())
    NoteWriter.load(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"cannot be loaded: .*; fit it again"):
        NoteWriter.load(tmp_path)
