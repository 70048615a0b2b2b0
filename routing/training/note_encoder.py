"""A fitted router that a writer of case notes starts from: it reads already."""

import hashlib
from pathlib import Path

from routing.corpus.readers import WordReader
from routing.errors import RunError, SettingsError
from routing.models.recurrent import RecurrentModel
from routing.router import Router
from routing.settings import NoteSettings, RecurrentSettings, Settings

_SIZES = ("embedding", "hidden", "piece_buckets")
_CUTS = ("placeholders", "max_tokens")
_LEAVE = "or leave it out (--train.encoder null)"


def load_encoder(settings: Settings) -> Router | None:
    """Return the router of ``train.encoder``, None where there is none.

    Raises SettingsError when it cannot be loaded, is of another kind or shape, or reads otherwise
    than the settings say.
    """
    run = settings.train.encoder
    if run is None:
        return None
    if settings.text.vectors is not None:
        raise SettingsError(
            f"train.encoder {run} brings word vectors, and text.vectors is {settings.text.vectors}:"
            " give one of them (--text.vectors null or --train.encoder null)"
        )
    try:
        router = Router.load(run)
    except RunError as error:
        raise SettingsError(
            f"train.encoder {run} is no fitted router ({error}): name one (make fit leaves "
            f"runs/lstm), {_LEAVE}"
        ) from error
    _check_kind(router, run)
    _check_sizes(router, settings, run)
    return router


def encoder_digest(settings: Settings) -> str | None:
    """Return the SHA-256 of the router that ``train.encoder`` names, None where there is none."""
    run = settings.train.encoder
    if run is None:
        return None
    digest = hashlib.sha256()
    for name in ("vocabulary.json", "model.safetensors"):
        if not (file := run / name).is_file():
            return None
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _check_kind(router: Router, run: Path) -> None:
    model = router.settings.model
    if (
        not isinstance(model, RecurrentSettings)
        or (model.cell, model.layers, model.bidirectional) != ("lstm", 1, True)
        or model.layer_norm != "none"
    ):
        raise SettingsError(
            f"train.encoder {run}: a writer of notes starts from a bidirectional LSTM of one layer "
            f"without layer norm; name such a run, {_LEAVE}"
        )


def _check_sizes(router: Router, settings: Settings, run: Path) -> None:
    assert isinstance(router.reader, WordReader) and isinstance(router.model, RecurrentModel)
    assert isinstance(settings.model, NoteSettings)
    there, here = router.settings, settings
    for name, found, wanted in (
        *((f"model.{n}", getattr(there.model, n), getattr(here.model, n)) for n in _SIZES),
        *((f"text.{n}", getattr(there.text, n), getattr(here.text, n)) for n in _CUTS),
    ):
        if found != wanted:
            raise SettingsError(
                f"train.encoder {run} has {name} {found}, the writer of notes {wanted}: "
                f"give --{name} {str(found).lower()}, {_LEAVE}"
            )
