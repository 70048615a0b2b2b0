"""How a YAML file and command-line flags set the settings."""

import argparse
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliSettingsSource

from routing.errors import SettingsError
from routing.settings import Settings


def load_settings(file: Path | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings of a YAML file, overridden by ``flags`` (a nested mapping).

    Raises SettingsError, one line for each wrong value or unknown key, with the remedy.
    """
    values = _read_yaml(file) if file else {}
    merged = _merge(values, dict(flags or {}))
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise SettingsError("\n".join(_explain(item) for item in error.errors())) from None


def read_flags(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> dict[str, Any]:
    """Add one flag per setting to ``parser`` and return those given, as a nested mapping.

    Raises SettingsError for an unknown ``--part.setting``, naming the nearest valid one.
    """
    known = setting_keys()
    for argument in arguments:
        key = argument.removeprefix("--").split("=")[0]
        if argument.startswith("--") and "." in key and key not in known:
            raise SettingsError(f"unknown setting --{key}: {_nearest(key, known)}")
    source: CliSettingsSource[Any] = CliSettingsSource(
        _CommandLine, cli_parse_args=list(arguments), root_parser=parser, cli_hide_none_type=True
    )
    return dict(source())


def setting_keys() -> list[str]:
    """Return every setting's dotted key, e.g. ``train.epochs``."""
    keys = []
    for part, field in Settings.model_fields.items():
        for kind in get_args(field.annotation) or (field.annotation,):
            keys += [f"{part}.{name}" for name in kind.model_fields]
    return sorted(set(keys))


class _CommandLine(BaseSettings, Settings):  # type: ignore[misc]
    """The tree as pydantic-settings wants it to make flags from it."""


def _read_yaml(file: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"cannot read settings {file}: {error.strerror}; give a YAML file"
        ) from None
    except yaml.YAMLError as error:
        raise SettingsError(f"settings {file} are not YAML: {error}") from None
    if not isinstance(values or {}, dict):
        raise SettingsError(
            f"settings {file} hold {type(values).__name__}, not `part: setting: value`"
        )
    return values or {}


def _merge(low: dict[str, Any], high: dict[str, Any]) -> dict[str, Any]:
    """Return ``low`` overridden by ``high``; another model kind drops the settings of the old."""
    merged = dict(low)
    for key, value in high.items():
        old = merged.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if value.get("kind", old.get("kind")) != old.get("kind"):
                old = {}
            value = _merge(old, value)
        merged[key] = value
    model = merged.get("model")
    if isinstance(model, dict) and "kind" not in model:
        merged["model"] = {"kind": "recurrent", **model}
    return merged


def _explain(item: Any) -> str:
    place = [str(part) for part in item["loc"]]
    if len(place) > 1 and place[0] == "model" and place[1] in _KINDS:
        del place[1]
    key = ".".join(place)
    match item["type"]:
        case "extra_forbidden" if key in setting_keys():
            return f"{key} does not belong to this model.kind: give another --model.kind"
        case "extra_forbidden":
            return f"unknown setting {key}: {_nearest(key, setting_keys())}"
        case "union_tag_invalid":
            return f"model.kind {item['input'].get('kind')!r} is not one of {', '.join(_KINDS)}"
        case _:
            return f"{key} = {item['input']!r}: {item['msg'][0].lower()}{item['msg'][1:]}"


def _nearest(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0)
    return f"did you mean {near[0]}?" if near else "see --help"


_KINDS = ("bayes", "recurrent", "transformer", "pretrained", "note")
