"""An explanation as one JSON object: the schema that scripts may depend on.

The first ten keys are those of ``routing.score``. Beside them::

    against            route that the decision is set against
    logit_difference   logit of route - logit of against
    prior              part of it that no token gave (naive Bayes)
    tokens             [{text, part: "subject"|"text", start, end}]  offsets into that field
    methods            {method: {signed, values: [one per token], note, verdict}}
    completeness       {difference, gap, share, steps, within} or null
    terms              [{text, count, weight, log_odds}]  naive Bayes only
    gates              [{layer, direction: "forwards"|"backwards", gate, kept: [one per token]}]
    faithfulness       {"email": checks or null, "model": checks or null}, where checks are
                       {emails, rankings, shares, checks: [{method, removal, comprehensiveness,
                       sufficiency, tau, flips, lead_comprehensiveness, lead_sufficiency}]}
                       and every figure is {value, low, high} or null
    order              {note, tried, budget, change: {kind, moved, before, after, route,
                       probability, probability_before, baseline} or null} or null
    removals           [{start, end, reason}]  offsets into the original body
    notes              [text]
    case_note          {line, words: [{text, looked_at: [{token, share}]}]}, null without --notes

Methods are ``log_odds`` (naive Bayes), ``integrated_gradients``, ``occlusion``, ``attention``
and ``rollout`` (transformers). An e-mail that could not be read has ``error`` set, null for
numbers and nothing in the lists. Attention maps of single heads are left to the HTML page.
"""

import json
import math
from dataclasses import asdict
from typing import Any

from routing.explanation.notes import note_row
from routing.explanation.records import Completeness, Explanation, Faithfulness, OrderSearch, Piece
from routing.notes import CaseNote
from routing.records import Decision, Email


def explanation_line(explanation: Explanation, note: CaseNote | None = None) -> str:
    """Return the explanation and a case note as one line of JSON, without its line break."""
    row = explanation_row(explanation) | {"case_note": note_row(note)}
    return json.dumps(row, ensure_ascii=False, allow_nan=False)


def error_line(email: Email) -> str:
    """Return the line of an e-mail that could not be read."""
    decision = Decision(
        id=email.id,
        source=email.source,
        subject=email.subject,
        review_reason="the message could not be read",
        auto_reply=email.auto_reply,
        error=email.error,
    )
    row = asdict(decision) | {
        "against": None,
        "logit_difference": None,
        "prior": None,
        "tokens": [],
        "methods": {},
        "completeness": None,
        "terms": [],
        "gates": [],
        "faithfulness": {"email": None, "model": None},
        "order": None,
        "removals": [],
        "notes": [],
        "case_note": None,
    }
    return json.dumps(row, ensure_ascii=False)


def explanation_row(explanation: Explanation) -> dict[str, Any]:
    """Return the explanation as what ``json`` writes, by the schema above."""
    return asdict(explanation.decision) | {
        "against": explanation.against,
        "logit_difference": explanation.logit_difference,
        "prior": explanation.prior,
        "tokens": [asdict(token) for token in explanation.tokens],
        "methods": {
            a.method: {
                "signed": a.signed,
                "values": list(a.values),
                "note": a.note,
                "verdict": explanation.verdicts.get(a.method, ""),
            }
            for a in explanation.attributions
        },
        "completeness": _completeness_row(explanation.completeness),
        "terms": [
            {"text": t.text, "count": t.count, "weight": t.weight, "log_odds": t.log_odds}
            for t in explanation.terms
        ],
        "gates": [
            {
                "layer": g.layer,
                "direction": "backwards" if g.backwards else "forwards",
                "gate": g.gate,
                "kept": list(g.kept),
            }
            for g in explanation.gates
        ],
        "faithfulness": {
            "email": _checks_row(explanation.checks),
            "model": _checks_row(explanation.model_checks),
        },
        "order": _order_row(explanation.order),
        "removals": [asdict(removal) for removal in explanation.email.removals],
        "notes": list(explanation.notes),
    }


def _completeness_row(found: Completeness | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "difference": found.difference,
        "gap": found.gap,
        "share": found.share if math.isfinite(found.share) else None,
        "steps": found.steps,
        "within": found.within,
    }


def _checks_row(found: Faithfulness | None) -> dict[str, Any] | None:
    return None if found is None else asdict(found)


def _order_row(found: OrderSearch | None) -> dict[str, Any] | None:
    if found is None:
        return None
    change = found.change
    row: dict[str, Any] = {"note": found.note, "tried": found.tried, "budget": found.budget}
    if change is None:
        return row | {"change": None}
    return row | {
        "change": {
            "kind": change.kind,
            "moved": list(change.moved),
            "before": _joined(change.before),
            "after": _joined(change.after),
            "route": change.route,
            "probability": change.probability,
            "probability_before": change.probability_before,
            "baseline": None if change.baseline is None else asdict(change.baseline),
        }
    }


def _joined(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)
