"""The table of known words, pieces of words, pretrained vectors."""

import contextlib
import gzip
import ssl
from pathlib import Path

import numpy as np
import pytest

from routing.errors import SettingsError
from routing.text.vocabulary import MAX_PIECES, Vocabulary, build_vocabulary, read_vectors

EMAILS = [["b", "a", "a"], ["a", "b", "c"]]


def test_words_stand_by_count_behind_padding_and_unknown() -> None:
    assert build_vocabulary(EMAILS, min_count=1).words == ("<padding>", "<unknown>", "a", "b", "c")


@pytest.mark.parametrize(
    ("min_count", "max_words", "left"), [(2, 9, "ab"), (3, 9, "a"), (1, 3, "abc"), (1, 1, "a")]
)
def test_rare_and_surplus_words_are_left_out(min_count: int, max_words: int, left: str) -> None:
    found = build_vocabulary(EMAILS, min_count=min_count, max_words=max_words)
    assert "".join(found.words[2:]) == left


def test_unknown_words_have_id_one() -> None:
    vocabulary = Vocabulary(("<padding>", "<unknown>", "parcel"))
    assert [vocabulary.word_id(word) for word in ("parcel", "charger")] == [2, 1]
    assert "parcel" in vocabulary
    assert "charger" not in vocabulary
    assert len(vocabulary) == 3


def test_pieces_are_the_grams_of_three_to_five_characters() -> None:
    vocabulary = Vocabulary((), piece_buckets=1_000_000)
    assert len(vocabulary.piece_ids("abc")) == len({"<ab", "abc", "bc>", "<abc", "abc>"})
    shared = set(vocabulary.piece_ids("parcel")) & set(vocabulary.piece_ids("parcels"))
    grams = "<pa par arc rce cel <par parc arce rcel <parc parce arcel"
    assert len(shared) == len(grams.split())


def test_a_pieces_row_is_its_fnv_1a_hash() -> None:
    value = 2166136261  # the offset, then xor and the prime, byte by byte
    for byte in b"<ab":
        value = (value ^ byte) * 16777619 % 2**32
    assert Vocabulary((), piece_buckets=97).piece_ids("abc")[0] == value % 97 + 1


def test_piece_ids_are_rows_of_the_table_and_bounded() -> None:
    pieces = Vocabulary((), piece_buckets=7).piece_ids("donaudampfschifffahrtsgesellschaft")
    assert len(pieces) == MAX_PIECES
    assert all(1 <= piece <= 7 for piece in pieces)


@pytest.mark.parametrize("word", ["<order>", "<line>"])
def test_marks_have_no_pieces(word: str) -> None:
    assert Vocabulary((), piece_buckets=7).piece_ids(word) == ()


def test_without_buckets_there_are_no_pieces() -> None:
    assert Vocabulary(()).piece_ids("parcel") == ()


@pytest.mark.parametrize("header", ["", "2 3\n"], ids=["glove", "fasttext"])
def test_vectors_are_read_for_known_words_only(tmp_path: Path, header: str) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(header + "parcel 1 2 3\nmoney 4 5 6\n")
    found = read_vectors(file, ("<padding>", "money"))
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [4, 5, 6]
    assert list(tmp_path.iterdir()) == [file]


def test_reading_vectors_says_nothing_on_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("parcel 1 2 3\n")
    read_vectors(file, ("parcel",))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("content", ["parcel 1 2 3\n", ""], ids=["read", "refused"])
def test_certificates_are_still_checked_after_vectors_were_read(
    tmp_path: Path, content: str
) -> None:
    before = ssl._create_default_https_context
    file = tmp_path / "vectors.txt"
    file.write_text(content)
    with contextlib.suppress(SettingsError):
        read_vectors(file, ("parcel",))
    assert ssl._create_default_https_context is before


@pytest.mark.parametrize("content", ["", "parcel 1 x\n", "parcel 1 2\nmoney 1\n"])
def test_a_file_without_vectors_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(content)
    with pytest.raises(SettingsError, match="holds no word vectors: each line has to be a word"):
        read_vectors(file, ("parcel",))


@pytest.mark.parametrize("cut", [slice(0, 3), slice(0, -9), slice(12, None)])
def test_a_broken_compressed_file_is_refused(tmp_path: Path, cut: slice) -> None:
    file = tmp_path / "vectors.txt.gz"
    whole = bytearray(gzip.compress(b"parcel 1 2 3\nmoney 4 5 6\n" * 99))
    file.write_bytes(bytes(whole[:10] + whole[cut]) if cut.start else bytes(whole[cut]))
    with pytest.raises(SettingsError, match="holds no word vectors"):
        read_vectors(file, ("parcel",))


def test_a_missing_file_of_vectors_is_named() -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.txt does not exist; give a GloVe"):
        read_vectors(Path("nowhere.txt"), ("parcel",))
