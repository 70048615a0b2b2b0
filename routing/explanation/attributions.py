"""Every method that a model kind has, run on one e-mail."""

from dataclasses import dataclass

from routing.explanation.attention import (
    LONGEST_MAP,
    head_attention,
    heads_by_token,
    pooling_attention,
    rollout_attention,
)
from routing.explanation.gradients import integrated_gradients
from routing.explanation.occlusion import occlusion
from routing.explanation.records import Attribution, Completeness, Term
from routing.explanation.terms import bayes_terms, spread_over_tokens
from routing.explanation.variants import Asked, Floats
from routing.models.bayes import BayesModel


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all methods say of one e-mail (see the fields of the same names in ``Explanation``).

    Attributes:
        attributions: one for each method.
        completeness: None for naive Bayes.
        heads: None for models without attention heads.
        terms: empty but for naive Bayes.
        prior: 0 but for naive Bayes.
    """

    attributions: tuple[Attribution, ...] = ()
    completeness: Completeness | None = None
    heads: Floats | None = None
    terms: tuple[Term, ...] = ()
    prior: float = 0.0


def gather_evidence(asked: Asked, *, against: int) -> Evidence:
    """Return every method's numbers on ``asked.route`` beside ``against``; none without tokens."""
    if not len(asked):
        return Evidence()
    reference = occlusion(asked, against=against)
    if isinstance(asked.router.model, BayesModel):
        terms, prior = bayes_terms(asked, against=against)
        spread = spread_over_tokens(terms, tokens=len(asked))
        return Evidence(attributions=(spread, reference), terms=terms, prior=prior)
    gradients, completeness = integrated_gradients(asked, against=against)
    heads = head_attention(asked)
    looked = [pooling_attention(asked)]
    if heads is not None:
        looked.append(rollout_attention(asked, heads))
    short = len(asked) <= LONGEST_MAP
    return Evidence(
        attributions=(gradients, reference, *(a for a in looked if a is not None)),
        completeness=completeness,
        heads=heads_by_token(asked, heads) if heads is not None and short else None,
    )
