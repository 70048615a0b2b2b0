from pathlib import Path

import numpy as np
import pytest
import torch

from routing.corpus.pieces import PieceReader
from routing.corpus.readers import WordReader
from routing.errors import SettingsError
from routing.flags import load_settings
from routing.models.bayes import BayesModel
from routing.models.words import WordVectors
from routing.records import Email
from routing.router import Router, build_model
from routing.settings import (
    BayesSettings,
    PretrainedSettings,
    RecurrentSettings,
    Settings,
    TransformerSettings,
)
from routing.text.vocabulary import Vocabulary, read_vectors
from routing.training.vectors import (
    CARTWISE,
    encode_words,
    reduce_width,
    start_words,
    words_of_training,
    write_vectors,
)


@pytest.fixture
def router(tiny_encoder: Path) -> Router:
    settings = Settings(model=PretrainedSettings(name=str(tiny_encoder), window_tokens=16))
    reader = PieceReader.from_file(tiny_encoder / "tokenizer.json", max_tokens=64)
    model = build_model(settings.model, reader=reader, routes=2)
    return Router(settings=settings, routes=["a", "b"], reader=reader, model=model)


def test_written_vectors_are_read_back_by_word(router: Router, tmp_path: Path) -> None:
    words = ["parcel", "box", "<order>", "two words", "charger", "came", "never"]
    assert write_vectors(router, words, width=3, file=tmp_path / "vectors.txt") == 5
    found = read_vectors(tmp_path / "vectors.txt", ["<order>", "box", "charger"])
    assert np.isnan(found[0]).all()
    expected = reduce_width(
        encode_words(router, ["parcel", "box", "charger", "came", "never"]), width=3
    )
    np.testing.assert_allclose(found[1:], expected[[1, 2]], atol=1e-5)


def test_a_compressed_file_says_the_same_in_the_same_bytes(router: Router, tmp_path: Path) -> None:
    words = ["parcel", "box", "charger", "came", "never"]
    files = [tmp_path / name for name in ("plain.txt", "one.txt.gz", "two.txt.gz")]
    for file in files:
        write_vectors(router, words, width=3, file=file)
    plain, one, two = (read_vectors(file, words) for file in files)
    np.testing.assert_allclose(plain, one, atol=0.006)
    np.testing.assert_array_equal(one, two)
    assert files[1].read_bytes() == files[2].read_bytes()


def vectors_of(width: int) -> WordVectors:
    return WordVectors(words=4, width=width, piece_buckets=0)


WORDS = ["<padding>", "<unknown>", "parcel", "qqqxqqq"]


def test_words_of_the_corpus_start_from_its_vectors_and_others_stay() -> None:
    vectors = vectors_of(128)
    before = vectors.words.weight.detach().clone()
    start_words(vectors, WORDS, CARTWISE)
    assert torch.equal(vectors.words.weight[[0, 1, 3]], before[[0, 1, 3]])
    assert not torch.equal(vectors.words.weight[2], before[2])


def test_a_narrower_model_takes_the_first_components() -> None:
    wide, narrow = vectors_of(128), vectors_of(5)
    start_words(wide, WORDS, CARTWISE)
    start_words(narrow, WORDS, CARTWISE)
    assert torch.equal(wide.words.weight[2, :5], narrow.words.weight[2])


def test_kin_words_of_the_corpus_are_near_each_other() -> None:
    words = ["refund", "reimbursement", "parcel", "package"]
    vectors = WordVectors(words=4, width=128, piece_buckets=0)
    start_words(vectors, words, CARTWISE)
    cosine = torch.corrcoef(vectors.words.weight.detach())
    assert cosine[0, 1] > cosine[0, 2] and cosine[2, 3] > cosine[2, 1]


@pytest.mark.parametrize(
    ("width", "source", "message"),
    [
        (129, CARTWISE, r"cartwise are 128 wide .* is 129: set model.embedding to 128 or less"),
        (4, Path("own.txt"), r"own.txt are 3 wide .* is 4: set model.embedding to 3, or --text"),
        (2, Path("own.txt"), r"own.txt are 3 wide .* is 2: set model.embedding to 3, or --text"),
    ],
)
def test_vectors_of_another_width_are_refused(
    width: int, source: Path, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.txt").write_text("parcel 1 2 3\nbox 4 5 6\n")
    with pytest.raises(SettingsError, match=message):
        start_words(vectors_of(width), WORDS, source)


def test_a_words_vector_is_what_the_head_reads_of_it_alone(router: Router) -> None:
    vector = encode_words(router, ["charger"])[0]
    head = router.model.head
    logits = vector @ head.weight.detach().numpy().T + head.bias.detach().numpy()
    np.testing.assert_allclose(logits, router.logits([Email("1", text="charger")])[0], atol=1e-6)


def test_reduced_vectors_keep_the_main_directions() -> None:
    rng = np.random.default_rng(0)
    plane = rng.normal(size=(20, 2)) @ rng.normal(size=(2, 6))
    reduced = reduce_width(plane.astype(np.float32), width=2)
    assert reduced.std() == pytest.approx(0.5, rel=1e-4)
    apart, before = (np.linalg.norm(v[:1] - v[1:], axis=1) for v in (reduced, plane))
    np.testing.assert_allclose(apart / before, np.full(19, apart[0] / before[0]), rtol=1e-4)


def test_more_components_than_words_are_refused() -> None:
    with pytest.raises(SettingsError, match="2 words of 8 numbers have no 3 principal components"):
        reduce_width(np.zeros((2, 8), np.float32), width=3)


@pytest.mark.parametrize(
    "model", [RecurrentSettings(hidden=4, embedding=4), TransformerSettings(embedding=4, heads=2)]
)
def test_without_an_encoder_a_words_vector_is_the_one_it_has(
    model: RecurrentSettings | TransformerSettings,
) -> None:
    router = word_router(Settings(model=model))
    vectors = router.model.vectors
    assert isinstance(vectors, WordVectors) and vectors.pieces is not None
    batch = router.reader.token_batch([["box", "parcel"]])
    found = encode_words(router, ["parcel", "charger", "box"], batch_words=2)
    assert found.shape == (3, 4)
    table = vectors.words.weight[batch.word_ids] + vectors.pieces(batch.piece_ids)
    expected = table[batch.token_ids[0]].detach().numpy()
    np.testing.assert_allclose(found[[2, 0]], expected, atol=1e-6)


def word_router(settings: Settings) -> Router:
    vocabulary = Vocabulary(("<padding>", "<unknown>", "box", "parcel"), 20_000)
    reader = WordReader(vocabulary, placeholders=True, max_tokens=8)
    model = build_model(settings.model, reader=reader, routes=2)
    return Router(settings=settings, routes=["a", "b"], reader=reader, model=model)


def test_a_run_that_counts_words_has_no_vectors_to_give() -> None:
    router = word_router(Settings(model=RecurrentSettings(hidden=4, embedding=4)))
    router.settings, router.model = Settings(model=BayesSettings()), BayesModel()
    with pytest.raises(SettingsError, match="this run is bayes, which has no word vectors: give"):
        encode_words(router, ["box"])


def test_words_are_those_of_the_training_emails_the_commonest_first(tmp_path: Path) -> None:
    rows = ["Order 10023: the lamp!", "the mug", "the tent", "no vase"]
    text = "".join(f'"{row}",{"ab"[i % 2]}\n' for i, row in enumerate(rows))
    file = tmp_path / "mail.csv"
    file.write_text("text,route\n" + text, encoding="utf-8")
    data = {"train": str(file), "validation": str(file), "test_share": 0}
    words = words_of_training(load_settings(flags={"data": data}))
    assert words[0] == "the"
    assert sorted(words) == ["!", ":", "lamp", "mug", "no", "order", "tent", "the", "vase"]


def test_a_file_that_cannot_be_written_is_named(router: Router, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "vectors.txt"
    with pytest.raises(SettingsError, match=r"cannot write word vectors into .*nowhere.*: name a"):
        write_vectors(router, ["box", "came"], width=2, file=file)
