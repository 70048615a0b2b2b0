import importlib
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from routing.errors import MissingExtraError, SettingsError
from routing.models.encoders import empty_encoder, find_encoder, load_encoder
from routing.models.pretrained import PretrainedModel

TOKEN_IDS = torch.tensor([[4, 5, 7, 10, 13, 9, 0], [11, 12, 4, 0, 0, 0, 0]])
LENGTHS = torch.tensor([6, 3])
UNUSED = torch.zeros(1, dtype=torch.long)


@pytest.fixture
def build(tiny_encoder: Path):
    def build(**arguments) -> PretrainedModel:
        torch.manual_seed(1)
        encoder = load_encoder(tiny_encoder)
        arguments = {"routes": 4, "starts": [2], "ends": [3], "window_tokens": 40} | arguments
        return PretrainedModel(encoder, **arguments).eval()

    return build


def logits(model: nn.Module, token_ids: Tensor, lengths: Tensor) -> Tensor:
    return model(token_ids, lengths, UNUSED, UNUSED[None])


def test_logits_are_the_head_over_the_encoders_mean_state(build, tiny_encoder: Path) -> None:
    import transformers

    model = build()
    reference = transformers.BertModel.from_pretrained(tiny_encoder).eval()
    states = reference(torch.tensor([[2, 11, 12, 4, 3]])).last_hidden_state[:, 1:-1]
    expected = model.head(states.mean(dim=1))
    torch.testing.assert_close(logits(model, TOKEN_IDS, LENGTHS)[1:], expected)


def test_first_mark_pooling_reads_the_first_mark(build, tiny_encoder: Path) -> None:
    import transformers

    model = build(pooling="cls")
    reference = transformers.BertModel.from_pretrained(tiny_encoder).eval()
    state = reference(torch.tensor([[2, 11, 12, 4, 3]])).last_hidden_state[:, 0]
    found, weights, _ = model.read(model.embed(TOKEN_IDS, UNUSED, UNUSED), LENGTHS)
    torch.testing.assert_close(found[1:], model.head(state))
    assert weights.shape == (2, 7) and not weights.any()


@pytest.mark.parametrize("second_look", [0.0, 50.0])
@pytest.mark.parametrize("pooling", ["mean", "cls", "attention"])
@pytest.mark.parametrize("window_tokens", [5, 40])
def test_neighbours_and_padding_change_nothing(
    build, pooling: str, window_tokens: int, second_look: float
) -> None:
    model = build(pooling=pooling, window_tokens=window_tokens, second_look=second_look, routes=2)
    together = logits(model, TOKEN_IDS, LENGTHS)
    for row, length in enumerate(LENGTHS):
        alone = logits(model, TOKEN_IDS[row : row + 1, :length], LENGTHS[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone, rtol=0, atol=1e-5)


def test_long_email_is_read_in_windows(build, tiny_encoder: Path) -> None:
    import transformers

    model = build(window_tokens=5)
    reference = transformers.BertModel.from_pretrained(tiny_encoder).eval()
    first = reference(torch.tensor([[2, 4, 5, 7, 3]])).last_hidden_state[0, 1:-1]
    second = reference(torch.tensor([[2, 10, 13, 9, 3]])).last_hidden_state[0, 1:-1]
    expected = model.head(torch.cat([first, second]).mean(dim=0))
    torch.testing.assert_close(logits(model, TOKEN_IDS, LENGTHS)[0], expected)


def test_one_piece_beyond_the_window_opens_another(build) -> None:
    model = build(window_tokens=5)
    whole = logits(model, TOKEN_IDS[:1, :4], torch.tensor([4]))
    cut = logits(model, TOKEN_IDS[:1, :3], torch.tensor([3]))
    assert not torch.allclose(whole, cut)


@pytest.mark.parametrize("pooling", ["mean", "attention"])
def test_pooling_weights_sum_to_one_over_real_pieces(build, pooling: str) -> None:
    model = build(pooling=pooling)
    _, weights, _ = model.read(model.embed(TOKEN_IDS, UNUSED, UNUSED), LENGTHS)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(2))
    assert not weights[1, 3:].any()


@pytest.mark.parametrize("window_tokens", [5, 40])
def test_attention_rows_sum_to_one_within_their_window(build, window_tokens: int) -> None:
    model = build(window_tokens=window_tokens)
    found = model.attention(model.embed(TOKEN_IDS, UNUSED, UNUSED), LENGTHS)
    assert found.shape == (2, 2, 2, 7, 7)
    torch.testing.assert_close(found[0, :, :, :6].sum(dim=-1), torch.ones(2, 2, 6))
    assert not found[1, :, :, 3:].any() and not found[1, :, :, :, 3:].any()
    apart = found[0, :, :, :3, 3:]
    assert bool(apart.any()) == (window_tokens == 40)


def test_attention_is_the_encoders_without_the_marks(build, tiny_encoder: Path) -> None:
    import transformers

    model = build()
    found = model.attention(model.embed(TOKEN_IDS, UNUSED, UNUSED), LENGTHS)
    reference = transformers.BertModel.from_pretrained(tiny_encoder, attn_implementation="eager")
    ids = torch.tensor([[2, 11, 12, 4, 3]])
    looks = reference.eval()(ids, output_attentions=True).attentions[1][0, :, 1:-1, 1:-1]
    expected = looks / looks.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(found[1, 1, :, :3, :3], expected)


def test_looking_at_attention_leaves_the_model_as_it_was(build) -> None:
    model = build()
    before = logits(model, TOKEN_IDS, LENGTHS)
    model.attention(model.embed(TOKEN_IDS, UNUSED, UNUSED), LENGTHS)
    torch.testing.assert_close(logits(model, TOKEN_IDS, LENGTHS), before, rtol=0, atol=0)
    assert model.encoder.config._attn_implementation == "sdpa"


@pytest.mark.parametrize("checkpointing", [False, True])
def test_one_step_changes_every_parameter(build, checkpointing: bool) -> None:
    model = build(pooling="attention", gradient_checkpointing=checkpointing).train()
    before = {name: p.clone() for name, p in model.named_parameters()}
    groups = model.parameter_groups(learning_rate=1e-2, weight_decay=0.0)
    optimizer = torch.optim.AdamW(groups)
    nn.functional.cross_entropy(logits(model, TOKEN_IDS, LENGTHS), torch.tensor([1, 3])).backward()
    optimizer.step()
    same = [name for name, p in model.named_parameters() if torch.equal(p, before[name])]
    # A bias of the keys shifts all scores of a query alike: its gradient is nought.
    assert not [name for name in same if not name.endswith("key.bias")]


def test_one_batch_can_be_learned_by_heart(build) -> None:
    model = build(dropout=0.0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    routes = torch.tensor([2, 0])
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(logits(model, TOKEN_IDS, LENGTHS), routes)
        loss.backward()
        optimizer.step()
    assert loss < 0.05


def test_every_depth_has_its_rate_and_only_matrices_decay(build) -> None:
    model = build(layer_decay=0.5, head_learning_rate=0.1)
    groups = model.parameter_groups(learning_rate=0.08, weight_decay=0.01)
    found = [(round(g["lr"], 6), g["weight_decay"], g["params"][0].ndim > 1) for g in groups]
    assert found == [
        *((0.02, 0.01, True), (0.02, 0.0, False)),
        *((0.04, 0.01, True), (0.04, 0.0, False)),
        *((0.08, 0.01, True), (0.08, 0.0, False)),
        *((0.1, 0.01, True), (0.1, 0.0, False)),
    ]
    grouped = [id(p) for g in groups for p in g["params"]]
    assert sorted(grouped) == sorted(map(id, model.parameters()))


@pytest.mark.parametrize(("frozen", "learning"), [(0, {0, 1}), (1, {1}), (2, set())])
def test_frozen_layers_and_the_embeddings_below_do_not_learn(
    build, frozen: int, learning: set[int]
) -> None:
    model = build(frozen_layers=frozen)
    encoder = model.encoder
    found = {i for i, layer in enumerate(encoder.encoder.layer) if any_learns(layer)}
    assert found == learning
    assert any_learns(encoder.embeddings) == (frozen == 0)
    assert any_learns(model.head)


def test_frozen_embeddings_leave_every_layer_learning(build) -> None:
    model = build(frozen_embeddings=True)
    assert not any_learns(model.encoder.embeddings)
    assert all(any_learns(layer) for layer in model.encoder.encoder.layer)


@pytest.mark.parametrize("training", [True, False])
def test_layers_train_in_bfloat16_under_autocast(build, training: bool) -> None:
    model = build(dropout=0.0).train(training)
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    kinds = []
    for layer in model.encoder.encoder.layer:
        layer.register_forward_pre_hook(
            lambda layer, given: kinds.append({value.dtype for value in given[:2]})
        )
    expected = logits(model, TOKEN_IDS, LENGTHS)
    kinds.clear()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = logits(model, TOKEN_IDS, LENGTHS)
    if training:
        assert kinds == [{torch.bfloat16}] * 2  # states and mask
    else:
        assert all(torch.bfloat16 not in found for found in kinds)
    torch.testing.assert_close(found.float(), expected, rtol=0, atol=0.05)


def test_a_training_cpu_reads_by_plain_attention_and_scores_by_the_fused(build) -> None:
    model = build()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    found = {}
    for training in (True, False):
        found[training] = logits(model.train(training), TOKEN_IDS, LENGTHS)
        way = "eager" if training else "sdpa"
        assert model.encoder.config._attn_implementation == way
    torch.testing.assert_close(found[True], found[False])


def any_learns(module: nn.Module) -> bool:
    return any(p.requires_grad for p in module.parameters())


def test_configuration_and_weights_bring_the_model_back(build, tmp_path: Path) -> None:
    model = build()
    again = PretrainedModel(
        empty_encoder(model.config_json()), routes=4, starts=[2], ends=[3], window_tokens=40
    ).eval()
    again.load_state_dict(model.state_dict())
    found, expected = (logits(m, TOKEN_IDS, LENGTHS) for m in (again, model))
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_weights_of_the_folder_are_taken(tiny_encoder: Path) -> None:
    stored = load_file(tiny_encoder / "model.safetensors")
    loaded = load_encoder(tiny_encoder).state_dict()
    name = "embeddings.word_embeddings.weight"
    torch.testing.assert_close(loaded[name], stored[name], rtol=0, atol=0)
    assert not [key for key in loaded if key.startswith("pooler")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"frozen_layers": 3}, "model.frozen_layers 3 is more than the encoder's 2 layers"),
        ({"window_tokens": 41}, "model.window_tokens 41 is more than the encoder's 40 positions"),
    ],
)
def test_what_the_encoder_cannot_do_is_refused(build, arguments: dict, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        build(**arguments)


def test_encoder_is_found_by_folder(tiny_encoder: Path) -> None:
    assert find_encoder(str(tiny_encoder)) == tiny_encoder


def test_encoder_is_found_in_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "tiny_weights_v2" / "model"
    model.mkdir(parents=True)
    (model.parent / "__init__.py").write_text("raise RuntimeError('must not run')")
    (model / "config.json").write_text("{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    assert find_encoder("tiny-weights.v2") == model


def test_encoder_is_found_in_the_hubs_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "models--some--encoder" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    refs = tmp_path / "models--some--encoder" / "refs"
    refs.mkdir()
    (refs / "main").write_text("abc")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert find_encoder("some/encoder") == snapshot


@pytest.mark.parametrize("name", ["some/where-else", "no-such-package", "/no/such/folder"])
def test_missing_encoder_says_what_to_do_without_a_network(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_, **__):
        raise AssertionError("the network was tried")

    monkeypatch.setattr("socket.socket.connect", refuse)
    with pytest.raises(SettingsError, match=f"'{name}' is not on this machine: give a folder"):
        find_encoder(name)


def test_folder_without_weights_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(SettingsError, match=r"no encoder could be loaded .*; give a folder with"):
        load_encoder(tmp_path)


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'routing\[pretrained\]'"):
        empty_encoder("{}")
