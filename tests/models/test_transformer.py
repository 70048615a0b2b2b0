"""The transformer: attention, positions, causality, long e-mails."""

import math
import subprocess
import sys

import pytest
import torch
from torch.nn import functional

from routing.models.transformer import (
    SHORT,
    SelfAttention,
    TransformerModel,
    plain_attention,
    rotate,
    sinusoidal_positions,
)

MASK = torch.tensor([[True, True, True, True, True], [True, True, False, False, False]])
LENGTHS = torch.tensor([5, 2])


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def attention(*, rotary: bool = False, causal: bool = False) -> SelfAttention:
    return SelfAttention(width=12, heads=3, rotary=rotary, causal=causal).eval()


def model(**options: object) -> TransformerModel:
    sizes = {"embedding": 12, "heads": 3, "layers": 2, "feedforward": 8}
    return TransformerModel(words=9, routes=4, **sizes, **options).eval()


@pytest.mark.parametrize("rotary", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_fused_attention_equals_the_plain_path(rotary: bool, causal: bool) -> None:
    layer = attention(rotary=rotary, causal=causal)
    states = torch.randn(2, 5, 12)
    fused, nothing = layer(states, MASK)
    plain, weights = layer(states, MASK, weights=True)
    assert nothing is None
    assert weights.shape == (2, 3, 5, 5)
    assert torch.allclose(fused[MASK], plain[MASK], atol=1e-6)
    assert torch.allclose(weights.sum(-1), torch.ones(2, 3, 5), atol=1e-6)


@pytest.mark.parametrize(
    ("training", "steps", "fused"),
    [(True, SHORT, False), (True, SHORT + 1, True), (False, SHORT, True)],
)
def test_a_cpu_trains_on_short_emails_without_the_fused_attention(
    monkeypatch: pytest.MonkeyPatch, training: bool, steps: int, fused: bool
) -> None:
    layer = attention().train(training)
    states, mask = torch.randn(1, steps, 12), torch.ones(1, steps, dtype=torch.bool)
    expected = layer(states, mask, weights=True)[0]
    calls = []
    torchs = functional.scaled_dot_product_attention
    monkeypatch.setattr(
        functional,
        "scaled_dot_product_attention",
        lambda *given, **named: calls.append(1) or torchs(*given, **named),
    )
    found, looked = layer(states, mask)
    assert bool(calls) == fused
    assert looked is None
    assert torch.allclose(found, expected, atol=1e-5)


def test_plain_attention_worked_by_hand() -> None:
    queries = torch.tensor([[[[2.0, 0.0]]]])
    keys = torch.tensor([[[[1.0, 5.0], [0.0, 5.0], [9.0, 9.0]]]])
    values = torch.tensor([[[[10.0], [20.0], [99.0]]]])
    allowed = torch.tensor([[[[True, True, False]]]])
    mixed, looked = plain_attention(queries, keys, values, allowed)
    first = 1 / (1 + math.exp(-2 / math.sqrt(2)))
    assert looked.flatten().tolist() == pytest.approx([first, 1 - first, 0.0])
    assert float(mixed) == pytest.approx(10 * first + 20 * (1 - first))


def test_a_causal_token_sees_only_itself_and_earlier_ones() -> None:
    layer = attention(causal=True)
    states = torch.randn(1, 5, 12)
    changed = states.clone()
    changed[0, 3] += 1
    mask = torch.ones(1, 5, dtype=torch.bool)
    moved = (layer(states, mask)[0] - layer(changed, mask)[0]).abs().sum(2)[0] > 1e-6
    assert moved.tolist() == [False, False, False, True, True]
    weights = layer(states, mask, weights=True)[1]
    assert weights.triu(1).abs().sum() == 0


def test_without_causality_every_token_sees_a_change() -> None:
    layer = attention()
    states = torch.randn(1, 5, 12)
    changed = states.clone()
    changed[0, 3] += 1
    mask = torch.ones(1, 5, dtype=torch.bool)
    moved = (layer(states, mask)[0] - layer(changed, mask)[0]).abs().sum(2)[0] > 1e-6
    assert moved.all()


@pytest.mark.parametrize("width", [4, 7])
def test_rotated_products_depend_on_the_distance_alone(width: int) -> None:
    query, key = torch.randn(width), torch.randn(width)
    queries = rotate(query.expand(1, 1, 9, width))[0, 0]
    keys = rotate(key.expand(1, 1, 9, width))[0, 0]
    products = queries @ keys.T  # (9, 9)
    for distance in range(-8, 9):
        line = products.diagonal(distance)
        assert torch.allclose(line, line[:1].expand_as(line), atol=1e-5)
    assert not torch.allclose(products[0, 0], products[0, 5], atol=1e-3)
    assert torch.allclose(queries.norm(dim=1), query.norm().expand(9), atol=1e-5)


def test_sinusoids_are_the_papers_formula() -> None:
    found = sinusoidal_positions(7, 6)
    for place, pair in [(0, 0), (3, 1), (6, 2)]:
        angle = place / 10_000 ** (2 * pair / 6)
        assert float(found[place, 2 * pair]) == pytest.approx(math.sin(angle), abs=1e-6)
        assert float(found[place, 2 * pair + 1]) == pytest.approx(math.cos(angle), abs=1e-6)


@pytest.mark.parametrize("training", [True, False])
def test_blocks_train_in_bfloat16_under_autocast(training: bool) -> None:
    transformer = model(dropout=0.0).train(training)
    kinds = []
    for block in transformer.blocks:
        block.register_forward_hook(lambda block, given, found: kinds.append(found[0].dtype))
    words = torch.randn(2, 5, 12)
    expected = transformer.read(words, LENGTHS)[0]
    kinds.clear()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = transformer.read(words, LENGTHS)[0]
    assert kinds == [torch.bfloat16 if training else torch.float32] * 2
    assert torch.allclose(found.float(), expected, atol=0.05)


def test_a_blocks_products_add_no_biases() -> None:
    names = [name for name, _ in model().blocks[0].named_parameters() if name.endswith("bias")]
    assert names == ["local.mix.bias", "attention_norm.bias", "feedforward_norm.bias"]


@pytest.mark.parametrize(("causal", "reach"), [(False, [2, 3, 4, 5, 6]), (True, [4, 5, 6, 7, 8])])
def test_every_block_mixes_the_neighbours_in_reach(causal: bool, reach: list[int]) -> None:
    transformer = model(neighbours=5, causal=causal)
    words = torch.randn(1, 9, 12)
    changed = words.clone()
    changed[0, 4] += 1
    mask = torch.ones(1, 9, dtype=torch.bool)
    for block in transformer.blocks:
        torch.nn.init.zeros_(block.attention.out.weight)
        torch.nn.init.zeros_(block.feedforward[2].weight)
        moved = (block(words, mask)[0] != block(changed, mask)[0]).any(dim=2)[0]  # (T,)
        assert moved.nonzero().flatten().tolist() == reach


def test_padding_is_no_neighbour() -> None:
    mix = model(neighbours=5).blocks[0].local
    words = torch.randn(1, 5, 12)
    mask = torch.tensor([[True, True, True, False, False]])
    changed = words.clone()
    changed[0, 3:] += 1
    assert torch.equal(mix(words, mask)[0, :3], mix(changed, mask)[0, :3])


def test_without_neighbours_no_block_mixes() -> None:
    assert all(block.local is None for block in model(neighbours=1).blocks)


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
def test_the_same_words_in_another_order_get_other_logits(positions: str) -> None:
    words = torch.randn(1, 5, 12)
    swapped = words[:, [0, 3, 2, 1, 4]]
    transformer = model(positions=positions)
    length = torch.tensor([5])
    gap = transformer.read(words, length)[0] - transformer.read(swapped, length)[0]
    assert gap.abs().max() > 1e-4


@pytest.mark.parametrize("pooling", ["attention", "attention+max", "mean"])
def test_pooling_weights_sum_to_one_over_real_tokens(pooling: str) -> None:
    _, weights, _ = model(pooling=pooling).read(torch.randn(2, 5, 12), LENGTHS)
    assert torch.allclose(weights.sum(1), torch.ones(2))
    assert weights[1, 2:].tolist() == [0, 0, 0]


@pytest.mark.parametrize("causal", [False, True])
def test_attention_holds_every_layer_and_head(causal: bool) -> None:
    looked = model(causal=causal).attention(torch.randn(2, 5, 12), LENGTHS)
    assert looked.shape == (2, 2, 3, 5, 5)
    assert looked[1, :, :, :2, 2:].abs().sum() == 0


_LONG = """
import resource, torch
from routing.models.transformer import TransformerModel
torch.set_num_threads(1)
model = TransformerModel(words=9, routes=2, causal={causal}).eval()
embedded, lengths = torch.randn(2, {tokens}, 128), torch.tensor([{tokens}, {tokens} // 2])
with torch.inference_mode():
    model.read(embedded[:, :64], torch.tensor([64, 32]))
    model.read(embedded, lengths)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def peak_mebibytes(*, tokens: int, causal: bool) -> int:
    code = _LONG.format(tokens=tokens, causal=causal)
    return int(subprocess.check_output([sys.executable, "-c", code]))


@pytest.mark.parametrize("causal", [False, True])
def test_four_thousand_tokens_need_no_square_of_memory(causal: bool) -> None:
    grown = peak_mebibytes(tokens=4_000, causal=causal) - peak_mebibytes(tokens=64, causal=causal)
    one_square = 2 * 4 * 4_000**2 * 4 / 2**20  # B*N*T*T float32: 488 MiB
    assert grown < one_square / 3
