"""One e-mail looked into: every method, its checks, the change of order, the words for it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from routing.corpus.columns import served_columns
from routing.errors import EmailError, SettingsError, SourceError
from routing.explanation.attributions import Evidence, gather_evidence
from routing.explanation.faithfulness import check_email
from routing.explanation.gates import gate_tracks
from routing.explanation.order import BUDGET, search_order
from routing.explanation.records import Completeness, Explanation, Faithfulness, OrderSearch
from routing.explanation.second_look import second_look_note
from routing.explanation.variants import Asked
from routing.explanation.verdict import verdicts
from routing.mail import read_emails
from routing.records import Email
from routing.router import Router


def explain_email(
    router: Router,
    email: Email,
    *,
    against: str | None = None,
    model_checks: Faithfulness | None = None,
    baseline: Router | None = None,
    budget: int = BUDGET,
    rankings: int = 20,
    seed: int = 0,
) -> Explanation:
    """Return why ``router`` sent ``email`` where it did.

    Args:
        router: any router.
        email: one that could be read.
        against: the route that the decision is set against; the next most probable when None.
        model_checks: faithfulness over a sample, as stored in the run.
        baseline: a naive Bayes router that is asked about both orders of an order change.
        budget: orders tried when looking for a change of order; 0: none is looked for.
        rankings: random rankings that each method is checked against.
        seed: seed of these.

    Raises:
        EmailError: the e-mail could not be read.
        SettingsError: ``against`` is no route of this router, or the one it was sent to.
    """
    if email.error is not None:
        raise EmailError(f"{email.id} cannot be explained: {email.error}")
    asked = Asked(router, email)
    other = _other_route(asked, against)
    evidence = gather_evidence(asked, against=other)
    checks = order = None
    if len(asked):
        checks = check_email(
            asked, evidence.attributions, against=other, rankings=rankings, seed=seed
        )
        order = _look_for_order(asked, email, evidence, budget=budget, baseline=baseline)
    return Explanation(
        email=email,
        decision=router.decide([email])[0],
        route=router.routes[asked.route],
        against=router.routes[other],
        logit_difference=float(asked.logits[asked.route] - asked.logits[other]),
        prior=evidence.prior,
        tokens=tuple(asked.tokens),
        attributions=evidence.attributions,
        terms=evidence.terms,
        gates=gate_tracks(asked) if len(asked) else (),
        heads=None if evidence.heads is None else evidence.heads.astype(np.float32),
        completeness=evidence.completeness,
        checks=checks,
        model_checks=model_checks,
        order=order,
        verdicts=verdicts(checks, model_checks) if checks else {},
        notes=_notes(asked, email, evidence, model_checks),
    )


def _other_route(asked: Asked, against: str | None) -> int:
    routes = asked.router.routes
    if against is None:
        return asked.rival()
    if against not in routes or routes.index(against) == asked.route:
        others = ", ".join(r for i, r in enumerate(routes) if i != asked.route)
        raise SettingsError(
            f"the e-mail went to {routes[asked.route]}; it cannot be set against {against!r}: "
            f"give one of {others}"
        )
    return routes.index(against)


def _look_for_order(
    asked: Asked, email: Email, evidence: Evidence, *, budget: int, baseline: Router | None
) -> OrderSearch | None:
    if budget == 0:
        return None
    weights = next(a.values for a in evidence.attributions if a.method == "occlusion")
    return search_order(asked, email, weights=weights, budget=budget, baseline=baseline)


def _notes(
    asked: Asked, email: Email, evidence: Evidence, model_checks: Faithfulness | None
) -> tuple[str, ...]:
    notes = []
    looked_again = second_look_note(asked, email)
    if looked_again is not None:
        notes.append(looked_again)
    if not len(asked):
        notes.append("The e-mail has no words: the route is what the router says of no words.")
    if len(asked) >= asked.router.reader.max_tokens:
        notes.append(f"Only the first {len(asked):,} tokens are read.")
    if evidence.completeness is not None and not evidence.completeness.within:
        notes.append(_gap_note(evidence.completeness))
    if len(asked) and model_checks is None:
        notes.append(
            "The run holds no faithfulness.json: the verdicts are of this e-mail alone, "
            "and one e-mail says little of a model."
        )
    return tuple(notes)


def _gap_note(completeness: Completeness) -> str:
    return (
        f"Integrated gradients add up only to within {completeness.share:.1%} of the logit "
        f"difference after {completeness.steps} steps: read them with care."
    )


def pick_emails(
    router: Router, source: Path | str, *, id: str | None = None, every: bool = False
) -> Iterator[Email]:
    """Yield the e-mail of ``source`` with this id, or the first one, or ``every`` one.

    They are trimmed as the router's were in training, and of rows the same columns are read.
    Raises SourceError when there is none.
    """
    seen = []
    columns = served_columns(router.settings.data)
    for email in read_emails(source, trim=router.settings.mail.trim, columns=columns):
        if every or id in (None, email.id):
            yield email
            if not every:
                return
        seen.append(email.id)
    if id is None and not seen:
        raise SourceError(f"{source} holds no e-mail; give a file with at least one")
    if id is not None:
        known = ", ".join(seen[:5]) + (", …" if len(seen) > 5 else "")
        raise SourceError(f"no e-mail has the id {id!r} in {source}; it holds {known or 'none'}")
