"""Router: e-mails in, decisions out; saved to and loaded from a run folder.

The folder holds JSON, YAML and safetensors only: loading a run never unpickles anything.
Shape letters: B e-mails, T tokens, R routes.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from safetensors import SafetensorError
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save_file as save_arrays
from safetensors.torch import load_file, save_file
from torch import nn

from routing.corpus.batches import Rows
from routing.corpus.pieces import PieceReader
from routing.corpus.readers import Reader, WordReader
from routing.errors import RunError, SettingsError
from routing.handover import Calibration, Floats, review_reason, review_reasons, softmax
from routing.models.bayes import BayesModel
from routing.models.encoders import empty_encoder, find_encoder, load_encoder
from routing.models.pretrained import PretrainedModel
from routing.models.recurrent import RecurrentModel
from routing.models.transformer import TransformerModel
from routing.records import Decision, Email, Wording
from routing.settings import (
    BayesSettings,
    ModelSettings,
    NoteSettings,
    PretrainedSettings,
    RecurrentSettings,
    Settings,
    TransformerSettings,
)

__all__ = ["Calibration", "Router", "build_model", "softmax"]

_VALUES = (ValueError, KeyError, TypeError, AttributeError)
_DAMAGE = (OSError, RuntimeError, SafetensorError, yaml.YAMLError, *_VALUES)
"""What reading a damaged run folder, or one of another version, ends in."""


class Router:
    """A trained router, whole: reader, model, calibration.

    Args:
        settings: as trained with.
        routes: names of the routes, in the order of the logits.
        reader: e-mails -> numbers.
        model: numbers -> logits.
        calibration: logits -> probabilities and hand-over.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        routes: Sequence[str],
        reader: Reader,
        model: nn.Module | BayesModel,
        calibration: Calibration | None = None,
    ) -> None:
        self.settings = settings
        self.routes = tuple(routes)
        self.reader = reader
        self.model = model
        self.calibration = calibration or Calibration()
        if isinstance(model, nn.Module):
            model.eval()
            if self.calibration.second_look is not None:
                model.second_look = self.calibration.second_look  # type: ignore[assignment]

    @property
    def batch_tokens(self) -> int:
        """Tokens of a batch, padding included: on a processor, what its caches can hold."""
        if isinstance(self.model, BayesModel) or next(self.model.parameters()).is_cuda:
            return 8192
        return 4096 if self.settings.model.kind == "recurrent" else 2048

    def logits(self, emails: Sequence[Email], *, batch_tokens: int | None = None) -> Floats:
        """Return the logits (B, R) of e-mails, in their order."""
        if isinstance(self.model, BayesModel):
            return self.model.logits([self.reader.words(email) for email in emails])
        return self.row_logits(self.reader.read(emails)[0], batch_tokens)

    def row_logits(self, rows: Sequence[Rows], batch_tokens: int | None = None) -> Floats:
        """Return the logits (B, R) of e-mails given as the reader's rows, in their order."""
        assert isinstance(self.model, nn.Module)
        result = np.zeros((len(rows), len(self.routes)))
        lengths = [max(1, len(r)) for r in rows]
        device = next(self.model.parameters()).device
        with torch.inference_mode():
            for places in _cut_by_tokens(lengths, batch_tokens or self.batch_tokens):
                batch = self.reader.batch([rows[i] for i in places]).to(device)
                result[places] = self.model(*batch.inputs()).double().cpu().numpy()
        return result

    def probabilities(self, emails: Sequence[Email]) -> Floats:
        """Return the calibrated probabilities (B, R) of e-mails; rows sum to 1."""
        return softmax(self.logits(emails) / self.calibration.temperature)

    def decide(self, emails: Sequence[Email]) -> list[Decision]:
        """Return one decision per e-mail, in order; unreadable e-mails get their error."""
        readable = [email for email in emails if email.error is None]
        logits, wordings = self._read(readable)
        reasons = review_reasons(wordings, logits, routes=self.routes, limits=self.calibration)
        probabilities = softmax(logits / self.calibration.temperature).tolist()  # (B, R)
        found = zip(probabilities, reasons, strict=True)
        return [
            self._decision(email, *next(found)) if email.error is None else _unread(email)
            for email in emails
        ]

    def _read(self, emails: Sequence[Email]) -> tuple[Floats, list[Wording]]:
        """Return the logits (B, R) and the wordings of e-mails, each cut into tokens once."""
        rows, wordings = self.reader.read(emails)
        if isinstance(self.model, BayesModel):
            return self._bayes_logits(self.model, rows), wordings
        return self.row_logits(rows), wordings

    def _bayes_logits(self, model: BayesModel, rows: Sequence[Rows]) -> Floats:
        assert isinstance(self.reader, WordReader)
        if model.ngrams > 1:
            return model.logits(list(map(self.reader.row_words, rows)))
        flat = np.concatenate([*rows, np.zeros(0, np.int32)])
        columns = self.reader.lexicon.tell(flat, model.columns)
        return model.column_logits(columns, list(map(len, rows)))

    def _decision(
        self, email: Email, probabilities: Sequence[float], reason: str | None
    ) -> Decision:
        best = max(probabilities)
        return Decision(
            id=email.id,
            source=email.source,
            subject=email.subject,
            route=self.routes[probabilities.index(best)],
            probability=best,
            probabilities=dict(zip(self.routes, probabilities, strict=True)),
            decision="review" if reason else "auto",
            review_reason=reason,
            auto_reply=email.auto_reply,
        )

    def review_reason(
        self, email: Email, logits: Floats, *, limits: Calibration | None = None
    ) -> str | None:
        """Return why a person should decide on an e-mail of ``logits`` (R,), None for no reason."""
        wording = self.reader.wording(email)
        limits = limits or self.calibration
        return review_reason(wording, logits, routes=self.routes, limits=limits)

    def save(self, folder: Path | str) -> None:
        """Write the run folder's settings, routes, vocabulary, weights and calibration."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        settings = yaml.safe_dump(self.settings.model_dump(mode="json"), sort_keys=False)
        (folder / "settings.yaml").write_text(settings, encoding="utf-8")
        _write_json(folder / "routes.json", list(self.routes))
        _write_json(folder / "calibration.json", asdict(self.calibration))
        self.reader.save(folder)
        if isinstance(self.model, BayesModel):
            _write_json(folder / "terms.json", self.model.term_names())
            save_arrays(self.model.arrays(), folder / "model.safetensors")
        else:
            save_file(self.model.state_dict(), folder / "model.safetensors")
        if isinstance(self.model, PretrainedModel):
            (folder / "config.json").write_text(self.model.config_json(), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path | str, *, device: str = "cpu") -> "Router":
        """Return the router of a run folder, on ``device``.

        Raises SettingsError for a device that is not there, RunError when the folder is missing,
        incomplete or damaged.
        """
        folder = Path(folder)
        _check_device(device)
        if not (folder / "settings.yaml").is_file():
            raise RunError(f"{folder} is no run folder: it holds no settings.yaml; fit one first")
        try:
            return _load(cls, folder, device)
        except _DAMAGE as error:
            what = " ".join(str(error).split())
            raise RunError(f"run {folder} cannot be loaded: {what}; fit it again") from error


def _check_device(device: str) -> None:
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise SettingsError(
            f"--device {device}: torch cannot use it on this machine; give cpu, or cuda or cuda:N "
            "where there is a GPU"
        ) from error


def _unread(email: Email) -> Decision:
    return Decision(
        id=email.id,
        source=email.source,
        subject=email.subject,
        decision="review",
        review_reason="the message could not be read",
        auto_reply=email.auto_reply,
        error=email.error,
    )


def build_model(
    settings: ModelSettings, *, reader: Reader, routes: int, encoder_config: str | None = None
) -> nn.Module:
    """Return a fresh neural model for what ``reader`` reads and a number of routes.

    With ``encoder_config`` (JSON) a pretrained encoder starts from random weights, else from
    those that ``model.name`` names.

    Raises SettingsError for a pretrained encoder that is not on this machine.
    """
    arguments = settings.model_dump(exclude={"kind", "name"}) | {"routes": routes}
    match settings, reader:
        case RecurrentSettings(), WordReader():
            return RecurrentModel(words=len(reader.vocabulary), **arguments)
        case TransformerSettings(), WordReader():
            return TransformerModel(words=len(reader.vocabulary), **arguments)
        case PretrainedSettings(), PieceReader():
            encoder = (
                load_encoder(find_encoder(settings.name), dropout=settings.dropout)
                if encoder_config is None
                else empty_encoder(encoder_config)
            )
            return PretrainedModel(encoder, starts=reader.starts, ends=reader.ends, **arguments)
        case _:
            raise RunError(f"model.kind {settings.kind!r} has no neural model; choose another")


def _load(router: type[Router], folder: Path, device: str) -> Router:
    settings = Settings.model_validate(
        yaml.safe_load((folder / "settings.yaml").read_text(encoding="utf-8"))
    )
    if isinstance(settings.model, NoteSettings):
        raise RunError(f"{folder} writes case notes and decides on no route; give it with --notes")
    routes = _read_json(folder / "routes.json")
    pretrained = isinstance(settings.model, PretrainedSettings)
    reader: Reader = PieceReader.load(folder) if pretrained else WordReader.load(folder)
    model: nn.Module | BayesModel
    if isinstance(settings.model, BayesSettings):
        model = BayesModel(**settings.model.model_dump(exclude={"kind"})).restore(
            _read_json(folder / "terms.json"), load_arrays(folder / "model.safetensors")
        )
    else:
        config = (folder / "config.json").read_text(encoding="utf-8") if pretrained else None
        model = build_model(
            settings.model, reader=reader, routes=len(routes), encoder_config=config
        )
        model.load_state_dict(load_file(folder / "model.safetensors", device=device))
        model.to(device)
    return router(
        settings=settings,
        routes=routes,
        reader=reader,
        model=model,
        calibration=Calibration.from_json(_read_json(folder / "calibration.json")),
    )


def _cut_by_tokens(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Return places sorted by length, cut so that padded batches stay under ``batch_tokens``."""
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if not batches or (len(batches[-1]) + 1) * lengths[place] > batch_tokens:
            batches.append([])
        batches[-1].append(place)
    return batches


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def _read_json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
