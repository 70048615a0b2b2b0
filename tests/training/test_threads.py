"""A batch shared by threads: cut with pairs whole, and the gradient of the whole batch."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from routing.corpus.batches import Batch
from routing.corpus.cartwise import make_pairs
from routing.corpus.pairs import pair_emails
from routing.corpus.pieces import PieceReader
from routing.corpus.readers import WordReader
from routing.corpus.swaps import label_swaps
from routing.errors import TrainingError
from routing.flags import load_settings
from routing.router import build_model
from routing.settings import TrainSettings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary
from routing.training.data import Batches, encode
from routing.training.module import RoutingModule
from routing.training.run import fit_router
from routing.training.threads import add_losses, split_batch

EMAILS = pair_emails(list(make_pairs(count=12, seed=3)), trim="all")
TINY: dict[str, Any] = {"kind": "recurrent", "embedding": 5, "hidden": 7, "dropout": 0.0}


def batch_of(lengths: list[int], pairs: list[tuple[int, int]]) -> Batch:
    emails = len(lengths)
    return Batch(
        token_ids=torch.arange(emails * max(lengths)).view(emails, -1),
        lengths=torch.tensor(lengths),
        word_ids=torch.arange(3),
        piece_ids=torch.zeros(3, 2, dtype=torch.long),
        routes=torch.arange(emails),
        pairs=torch.tensor(pairs, dtype=torch.long).reshape(-1, 2),
        weights=torch.arange(emails) / 10,
    )


@pytest.mark.parametrize(
    ("pairs", "count", "right"),
    [
        ([(0, 1), (2, 3), (4, 5)], 2, [([0, 1, 2, 3], [[0, 1], [2, 3]]), ([4, 5], [[0, 1]])]),
        (
            [(0, 1), (2, 3), (4, 5)],
            3,
            [([0, 1], [[0, 1]]), ([2, 3], [[0, 1]]), ([4, 5], [[0, 1]])],
        ),
        ([(2, 3)], 2, [([0, 1, 2, 3], [[2, 3]]), ([4, 5], [])]),
        ([], 2, [([0, 1, 2], []), ([3, 4, 5], [])]),
        ([(0, 1), (2, 3), (4, 5)], 1, [([0, 1, 2, 3, 4, 5], [[0, 1], [2, 3], [4, 5]])]),
    ],
)
def test_a_batch_is_cut_between_pairs(
    pairs: list[tuple[int, int]], count: int, right: list[tuple[list[int], list[list[int]]]]
) -> None:
    found = split_batch(batch_of([2, 3, 1, 1, 2, 2], pairs), count)
    assert [(b.routes.tolist(), b.pairs.tolist()) for b in found] == right
    assert [b.weights.tolist() for b in found] == [
        pytest.approx([i / 10 for i in routes]) for routes, _ in right
    ]


def test_a_part_is_no_wider_than_its_longest_email() -> None:
    first, second = split_batch(batch_of([2, 3, 1, 1], []), 2)
    assert first.token_ids.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert second.token_ids.tolist() == [[6], [9]]


def test_there_are_no_more_parts_than_emails() -> None:
    assert len(split_batch(batch_of([1, 2], []), 5)) == 2


def word_reader() -> WordReader:
    vocabulary = build_vocabulary((token_texts(item.email) for item in EMAILS), piece_buckets=11)
    return WordReader(vocabulary, placeholders=True, max_tokens=200)


def gradients(model: nn.Module, reader: Any, threads: int) -> tuple[float, list[Tensor]]:
    encoded = encode(EMAILS, reader, ["delivery", "refunds"])
    encoded = replace(encoded, swaps=label_swaps(encoded.rows, encoded.units))
    batch = next(iter(Batches(encoded, reader, batch_emails=16, seed=0)))
    assert 0 < (batch.swaps >= 0).all(dim=1).sum() < 16
    module = RoutingModule(model, routes=2, settings=TrainSettings(swap=1.0), steps=1)
    loss = module._loss

    model.zero_grad()
    total = loss(batch) if threads == 1 else add_losses(loss, split_batch(batch, threads), model)
    total.backward()
    return float(total.detach()), [p.grad.clone() for p in model.parameters() if p.grad is not None]


@pytest.mark.parametrize("kind", ["recurrent", "transformer", "pretrained"])
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_give_the_gradient_of_the_whole_batch(
    kind: str, threads: int, tiny_encoder: Path
) -> None:
    own = (
        {"name": str(tiny_encoder), "window_tokens": 32}
        if kind == "pretrained"
        else {"embedding": 8}
    )
    own |= {"kind": kind, "dropout": 0.0, "second_look": 1.0}
    settings = load_settings(flags={"model": own})
    reader = (
        PieceReader.from_file(tiny_encoder / "tokenizer.json", max_tokens=200)
        if kind == "pretrained"
        else word_reader()
    )
    model = build_model(settings.model, reader=reader, routes=2).train()
    loss, right = gradients(model, reader, 1)
    again, found = gradients(model, reader, threads)
    assert again == pytest.approx(loss, rel=1e-5)
    assert len(found) == len(right) > 5
    for one, other in zip(found, right, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("cached", [False, True])
def test_threads_compute_in_the_precision_of_the_fit(cached: bool) -> None:
    model = nn.Linear(3, 2)
    batch = batch_of([2, 3, 1, 1], [])
    seen: list[tuple[torch.dtype, bool]] = []

    def loss(part: Batch) -> Tensor:
        logits = model(torch.ones(len(part.lengths), 3))
        seen.append((logits.dtype, torch.is_autocast_cache_enabled()))
        return logits.float().sum()

    with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=cached):
        add_losses(loss, split_batch(batch, 2), model)
    add_losses(loss, split_batch(batch, 2), model)
    assert seen[:2] == [(torch.bfloat16, cached)] * 2
    assert [kind for kind, _ in seen[2:]] == [torch.float32] * 2


def test_threads_started_later_keep_their_cores() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        model = nn.Linear(3, 2)
        parts = split_batch(batch_of([2, 3], []), 2)
        add_losses(lambda part: model(torch.ones(len(part.lengths), 3)).sum(), parts, model)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(torch.get_num_threads).result() == 2
    finally:
        torch.set_num_threads(before)


def fitted_weights(folder: Path, *, model: Any = TINY, **train: Any) -> dict[str, Tensor]:
    flags = {"model": model, "train": {"epochs": 2, "batch_emails": 8, **train}}
    flags["explanation"] = {"checked_emails": 0}
    router = fit_router(
        load_settings(flags=flags), train=EMAILS, validation=EMAILS[:6], folder=folder
    )
    return router.model.state_dict()


def test_a_fit_in_threads_is_the_fit_in_one(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        one = fitted_weights(tmp_path / "one")
        two = fitted_weights(tmp_path / "two", threads=2)
        again = fitted_weights(tmp_path / "again", threads=2)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    for name, weights in one.items():
        torch.testing.assert_close(two[name], weights, rtol=1e-3, atol=1e-4)
        assert torch.equal(two[name], again[name])
    assert any(not torch.equal(two[name], weights) for name, weights in one.items())


def test_an_exploding_loss_in_a_thread_stops_the_fit(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(TrainingError, match=r"lower train\.learning_rate"):
            fitted_weights(tmp_path, threads=2, learning_rate=1e30, clip_norm=0, epochs=9)
    finally:
        torch.set_num_threads(before)


def test_with_dropout_one_thread_learns_and_a_fit_repeats(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        one, two = (
            fitted_weights(tmp_path / str(n), model={**TINY, "dropout": 0.3}, threads=n)
            for n in (1, 2)
        )
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(two[name], weights) for name, weights in one.items())
