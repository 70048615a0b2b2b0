"""What "right" means for every model trained from scratch."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from routing.corpus.batches import Batch, Lexicon
from routing.models.recurrent import RecurrentModel
from routing.models.second_look import read_twice, swap_loss
from routing.models.transformer import TransformerModel
from routing.text.vocabulary import Vocabulary

SIZES = {"embedding": 6, "dropout": 0.0, "piece_buckets": 50}
WORDS = ("<padding>", "<unknown>", "the", "parcel", "came", "charger", "never", "but", "not")
MODELS: dict[str, Callable[..., nn.Module]] = {
    **{
        f"{cell} {norm}": (
            lambda cell=cell, norm=norm, **more: RecurrentModel(
                cell=cell, hidden=7, layer_norm=norm, **(SIZES | more)
            )
        )
        for cell in ("rnn", "gru", "lstm")
        for norm in ("none", "output", "recurrence")
    },
    "lstm attention+max": lambda **more: RecurrentModel(
        hidden=7, pooling="attention+max", **(SIZES | more)
    ),
    "lstm one way": lambda **more: RecurrentModel(hidden=7, bidirectional=False, **(SIZES | more)),
    **{
        f"transformer {positions} {pooling} {'causal' if causal else ''}": (
            lambda positions=positions, pooling=pooling, causal=causal, **more: TransformerModel(
                heads=2,
                layers=2,
                feedforward=8,
                positions=positions,
                pooling=pooling,
                causal=causal,
                **(SIZES | more),
            )
        )
        for positions in ("rotary", "sinusoidal")
        for pooling in ("attention", "attention+max", "mean")
        for causal in (False, True)
    },
}
EMAILS = [
    ["parcel", "came"],
    ["the", "parcel", "came", "but", "never", "the", "charger"],
    ["the", "charger", "came", "but", "never", "the", "parcel", "xyz", "xyz", "xyz", "!"],
    ["qwx"],
]
MODELS |= {
    f"{name} twice": (lambda kind=kind, **more: MODELS[kind](**({"second_look": 0.3} | more)))
    for name, kind in (("lstm", "lstm none"), ("transformer", "transformer rotary attention "))
}
every_model = pytest.mark.parametrize("kind", MODELS)


def fresh(kind: str, **options: int) -> nn.Module:
    torch.manual_seed(0)
    return MODELS[kind](words=len(WORDS), routes=4, **options)


def batch(emails: list[list[str]]) -> Batch:
    lexicon = Lexicon(Vocabulary(WORDS, piece_buckets=50))
    return lexicon.batch([lexicon.rows(email) for email in emails])


def probabilities(model: nn.Module, emails: list[list[str]]) -> np.ndarray:
    with torch.inference_mode():
        return model.eval()(*batch(emails).inputs()).softmax(1).numpy()


@every_model
def test_an_email_alone_beside_a_shorter_and_beside_a_longer_one_is_the_same(kind: str) -> None:
    model = fresh(kind)
    alone = np.concatenate([probabilities(model, [email]) for email in EMAILS])
    together = probabilities(model, EMAILS)
    assert np.abs(alone - together).max() < 1e-5
    assert np.abs(alone[1] - probabilities(model, EMAILS[:2])[1]).max() < 1e-5
    assert np.abs(alone[1] - alone[2]).max() > 1e-5


@every_model
def test_one_step_changes_every_parameter(kind: str) -> None:
    model = fresh(kind).train()
    before = {name: weight.clone() for name, weight in model.named_parameters()}
    given = batch(EMAILS)
    embedded = model.embed(given.token_ids, given.word_ids, given.piece_ids)
    logits, _, states = model.read(embedded, given.lengths)
    loss = nn.functional.cross_entropy(logits, torch.tensor([0, 1, 2, 3]))
    if model.finder is not None:
        scores = model.finder(states, given.lengths)
        loss = loss + swap_loss(scores, torch.tensor([[0, 0, 1, 1]]).expand(4, 4)).sum()
    loss.backward()
    torch.optim.SGD(model.parameters(), lr=1.0).step()
    same = [name for name, weight in model.named_parameters() if torch.equal(weight, before[name])]
    assert same == []


@every_model
def test_one_batch_is_learned_by_heart(kind: str) -> None:
    model = fresh(kind).train()
    inputs, routes = batch(EMAILS).inputs(), torch.tensor([0, 1, 2, 1])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        loss = nn.functional.cross_entropy(model(*inputs), routes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05


@every_model
def test_embed_then_read_is_forward(kind: str) -> None:
    model = fresh(kind).eval()
    found = batch(EMAILS)
    embedded = model.embed(found.token_ids, found.word_ids, found.piece_ids)
    _, weights, _ = model.read(embedded, found.lengths)
    assert torch.equal(read_twice(model, embedded, found.lengths), model(*found.inputs()))
    assert weights.shape == found.token_ids.shape


@every_model
def test_dropout_rests_when_not_training(kind: str) -> None:
    model = fresh(kind, dropout=0.5)
    assert np.array_equal(probabilities(model, EMAILS), probabilities(model, EMAILS))
    model.train()
    first, second = (model(*batch(EMAILS).inputs()) for _ in range(2))
    assert not torch.equal(first, second)
