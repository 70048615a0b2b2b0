import logging
import sys
from pathlib import Path

import pytest

from routing.corpus.pieces import PieceReader
from routing.errors import MissingExtraError, RunError
from routing.records import Email, Token

EMAIL = Email("1", subject="Re: The charger", text="The parcel came,\nthe chargers don't.")


@pytest.fixture
def reader(tiny_encoder: Path) -> PieceReader:
    return PieceReader.from_file(tiny_encoder / "tokenizer.json", max_tokens=64)


def test_pieces_know_their_places(reader: PieceReader) -> None:
    tokens = reader.tokens(EMAIL)
    assert " ".join(t.text for t in tokens) == (
        "the char ##ger [SEP] the parcel came , the char ##ger ##s don ' t ."
    )
    for token in tokens:
        field = EMAIL.subject if token.part == "subject" else EMAIL.text
        read = field[token.start : token.end].lower()
        assert read == ("" if token.text == "[SEP]" else token.text.removeprefix("##"))


def test_a_mark_parts_subject_and_text_and_reply_marks_are_left_out(reader: PieceReader) -> None:
    tokens = reader.tokens(EMAIL)
    assert tokens[3] == Token("[SEP]", len(EMAIL.subject), len(EMAIL.subject), "subject")
    assert reader.tokens(Email("2", text="box")) == [Token("box", 0, 3)]


def test_curly_quotes_are_read_as_straight_ones(reader: PieceReader) -> None:
    assert reader.texts(Email("1", text="don’t")) == ["don", "'", "t"]


def test_rows_are_the_ids_of_the_tokens(reader: PieceReader) -> None:
    ids = [reader.tokenizer.token_to_id(text) for text in reader.texts(EMAIL)]
    assert reader.rows(EMAIL).tolist() == ids


def test_pieces_of_one_word_stand_in_one_group(reader: PieceReader) -> None:
    tokens = reader.tokens(Email("1", subject="box", text="box, chargers don't"))
    assert [[tokens[i].text for i in group] for group in reader.word_groups(tokens)] == [
        ["box"],
        ["[SEP]"],
        ["box"],
        [","],
        ["char", "##ger", "##s"],
        ["don"],
        ["'"],
        ["t"],
    ]


@pytest.mark.parametrize("second", ["\u2581box", "\u0120box"])
def test_a_piece_that_begins_a_word_joins_none(reader: PieceReader, second: str) -> None:
    assert reader.word_groups([Token("the", 0, 3), Token(second, 3, 7)]) == [(0,), (1,)]


def test_batch_is_padded_and_an_empty_email_gets_a_mark(reader: PieceReader) -> None:
    batch = reader.batch([reader.rows(Email("1", text="the box came")), reader.rows(Email("2"))])
    assert batch.lengths.tolist() == [3, 1]
    assert batch.token_ids.shape == (2, 8)
    assert batch.token_ids[1].tolist() == [3, 0, 0, 0, 0, 0, 0, 0]


def test_changed_tokens_make_the_batch_that_their_email_makes(reader: PieceReader) -> None:
    batch = reader.token_batch([reader.texts(EMAIL), ["box", "no such piece"]])
    assert batch.token_ids[0, : len(reader.rows(EMAIL))].tolist() == reader.rows(EMAIL).tolist()
    assert batch.token_ids[1, :2].tolist() == [6, 1]


def test_a_warning_counts_what_is_cut(
    reader: PieceReader, caplog: pytest.LogCaptureFixture
) -> None:
    reader.max_tokens = 10
    with caplog.at_level(logging.WARNING):
        assert len(reader.rows(EMAIL)) == len(reader.tokens(EMAIL)) == 10
    assert "e-mail 1: 6 of 16 word pieces were left out; raise text.max_tokens" in caplog.text


def test_unknown_share_counts_pieces_without_a_vector(reader: PieceReader) -> None:
    assert reader.unknown_share(Email("1", text="the zebra came")) == pytest.approx(1 / 3)
    assert reader.unknown_share(Email("1")) == 0.0


def test_words_are_those_of_the_other_models(reader: PieceReader) -> None:
    assert reader.words(Email("1", text="Chargers, don't!")) == ["chargers", "do", "n't"]


def test_saved_reader_reads_the_same(reader: PieceReader, tmp_path: Path) -> None:
    reader.save(tmp_path)
    again = PieceReader.load(tmp_path)
    assert again.tokens(EMAIL) == reader.tokens(EMAIL)
    assert (again.max_tokens, again.starts, again.ends) == (64, [2], [3])


def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(RunError, match=r"is no tokenizer .*: give an encoder that has"):
        PieceReader.from_file(tmp_path / "tokenizer.json", max_tokens=8)
    with pytest.raises(RunError, match=r"missing\.json is no tokenizer"):
        PieceReader.from_file(tmp_path / "missing.json", max_tokens=8)


def test_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'routing\[pretrained\]'"):
        PieceReader.from_file(tmp_path / "tokenizer.json", max_tokens=8)
