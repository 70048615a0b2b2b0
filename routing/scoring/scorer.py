"""A portion of mail in, its decisions out: what every worker process does."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from routing.corpus.columns import served_columns
from routing.notes import NoteWriter
from routing.records import Decision, Email
from routing.router import Router
from routing.scoring.portions import Portion, read_portion
from routing.scoring.records import Scored, Tally, Wishes
from routing.scoring.runtimes import prepare_model

_ENCODER = json.JSONEncoder(ensure_ascii=False)


class Scorer:
    """Reads portions and decides on their e-mails, always in the same way.

    Args:
        wishes: how, and which decisions are wanted.
        device: where a neural model runs, e.g. ``cpu`` or ``cuda:1``.

    Raises RunError when the run cannot be loaded, SettingsError for wishes that do not fit it.
    """

    def __init__(self, wishes: Wishes, *, device: str = "cpu") -> None:
        self.wishes = wishes
        self.router = Router.load(wishes.run, device=device)
        self.columns = served_columns(self.router.settings.data)
        self.note = prepare_model(self.router, wishes)
        self.writer = NoteWriter.load(wishes.notes, device=device) if wishes.notes else None
        if wishes.review_below is not None:
            thresholds = dict.fromkeys(self.router.routes, wishes.review_below)
            self.router.calibration = replace(self.router.calibration, thresholds=thresholds)

    def score(self, portion: Portion) -> Scored:
        """Return the decisions of a portion's e-mails, in order."""
        trim = self.router.settings.mail.trim
        emails, passed_over = read_portion(portion.content, trim=trim, columns=self.columns)
        decisions = self.router.decide(emails)
        written = self.write_notes(emails)
        note, self.note = self.note, ""
        return Scored(
            number=portion.number,
            source=portion.source,
            size_bytes=portion.size_bytes,
            ids=tuple(email.id for email in emails),
            lines=tuple(
                to_line(decision, **more) if self.is_wanted(decision) else None
                for decision, more in zip(decisions, written, strict=True)
            ),
            errors=tuple((d.source or d.id, d.error) for d in decisions if d.error is not None),
            tally=count(decisions, passed_over=passed_over),
            note=note,
        )

    def write_notes(self, emails: Sequence[Email]) -> list[dict[str, str | None]]:
        """Return ``{"note": ...}`` for each e-mail, nothing where no notes are wished for."""
        if self.writer is None:
            return [{} for _ in emails]
        written = iter(self.writer.write([email for email in emails if email.error is None]))
        return [{"note": next(written).line() if e.error is None else None} for e in emails]

    def is_wanted(self, decision: Decision) -> bool:
        """Return whether a decision is to be written."""
        if self.wishes.only_review and decision.decision != "review":
            return False
        return not self.wishes.routes or decision.route in self.wishes.routes


def to_line(decision: Decision, **more: str | None) -> str:
    """Return a decision as one JSON object, without a line end; ``more`` fields come last."""
    probability = decision.probability
    return _ENCODER.encode(
        {
            "id": decision.id,
            "source": decision.source,
            "subject": decision.subject,
            "route": decision.route,
            "probability": None if probability is None else round(probability, 6),
            "probabilities": {r: round(p, 6) for r, p in decision.probabilities.items()},
            "decision": decision.decision,
            "review_reason": decision.review_reason,
            "auto_reply": decision.auto_reply,
            "error": decision.error,
            **more,
        }
    )


def count(decisions: Sequence[Decision], *, passed_over: int = 0) -> Tally:
    """Return what came out of some decisions."""
    read = [decision for decision in decisions if decision.error is None]
    return Tally(
        emails=len(decisions),
        routes=dict(Counter(decision.route for decision in read if decision.route is not None)),
        reviews=sum(decision.decision == "review" for decision in read),
        auto_replies=sum(decision.auto_reply for decision in decisions),
        errors=len(decisions) - len(read),
        passed_over=passed_over,
    )
