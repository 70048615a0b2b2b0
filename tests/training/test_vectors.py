from pathlib import Path

import numpy as np
import pytest

from routing.corpus.pieces import PieceReader
from routing.corpus.readers import WordReader
from routing.errors import SettingsError
from routing.flags import load_settings
from routing.records import Email
from routing.router import Router, build_model
from routing.settings import PretrainedSettings, RecurrentSettings, Settings
from routing.text.vocabulary import Vocabulary, read_vectors
from routing.training.vectors import (
    encode_words,
    reduce_width,
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


def test_a_run_without_an_encoder_is_refused() -> None:
    settings = Settings(model=RecurrentSettings(hidden=4, embedding=4))
    vocabulary = Vocabulary(("<padding>", "<unknown>"), 20_000)
    reader = WordReader(vocabulary, placeholders=True, max_tokens=8)
    model = build_model(settings.model, reader=reader, routes=2)
    router = Router(settings=settings, routes=["a", "b"], reader=reader, model=model)
    with pytest.raises(SettingsError, match=r"this run is recurrent: give a run of model.kind"):
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
