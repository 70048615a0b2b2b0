"""May this method be believed on this model? In words, from the checks."""

from collections.abc import Mapping

from routing.explanation.records import METHOD_NAMES, Check, Faithfulness

_WAYS = {"deletion": "deleted", "mask": "masked"}


def verdicts(checks: Faithfulness, model_checks: Faithfulness | None) -> Mapping[str, str]:
    """Return method -> sentences: of the model where it was measured, else of this e-mail."""
    judged = model_checks or checks
    methods = dict.fromkeys(c.method for c in checks.checks if c.method != "random")
    return {method: judge(judged, method) for method in methods}


def judge(checks: Faithfulness, method: str) -> str:
    """Return whether ``method`` may be believed, with the numbers that say so."""
    name = METHOD_NAMES[method]
    own = checks.find(method, "deletion")
    chance = checks.find("random", "deletion")
    if own is None or chance is None:
        return f"{_sentence(name)} was not measured on this model; do not lean on it."
    return " ".join([_verdict(checks, method), _numbers(checks, own, chance), _advice(method)])


def beaten(checks: Faithfulness, method: str) -> tuple[int, int]:
    """Return in how many checks ``method`` is above random with its whole interval, and of how
    many: comprehensiveness and sufficiency, each by deletion and by mask."""
    leads = [
        lead
        for check in checks.checks
        if check.method == method
        for lead in (check.lead_comprehensiveness, check.lead_sufficiency)
        if lead is not None
    ]
    return sum(lead.low > 0 for lead in leads), len(leads)


def _verdict(checks: Faithfulness, method: str) -> str:
    won, of = beaten(checks, method)
    name = METHOD_NAMES[method]
    where = "this e-mail" if checks.emails == 1 else f"this model ({checks.emails} e-mails)"
    if won == 0:
        return f"Do not believe it: on {where} {name} does not beat random rankings of the words."
    if won < of:
        return (
            f"Half believe it: on {where} {name} beats random rankings of the words "
            f"in {won} of {of} checks."
        )
    return f"Believable: on {where} {name} beats random rankings of the words in all {of} checks."


def _numbers(checks: Faithfulness, own: Check, chance: Check) -> str:
    text = (
        f"Without the words that it ranks highest the route loses "
        f"{own.comprehensiveness.value:.2f} of its probability, without random words "
        f"{chance.comprehensiveness.value:.2f}"
    )
    if own.lead_comprehensiveness is not None and checks.emails > 1:
        lead = own.lead_comprehensiveness
        text += f" (lead {lead.value:.2f}, 95 % interval {lead.low:.2f} to {lead.high:.2f})"
    if own.method == "occlusion":
        return text + ". It is the reference for the others."
    if (reference := checks.find("occlusion", own.removal)) is not None:
        text += f"; leave-one-out takes {reference.comprehensiveness.value:.2f}"
    if own.tau is not None:
        text += f", and the two orders agree at Kendall's tau {own.tau.value:.2f}"
    return text + "."


def _advice(method: str) -> str:
    match method:
        case "attention" | "rollout":
            return "Attention shows where the model looked, not why, and has no sign."
        case "log_odds":
            return "The log-odds are exact: they are the model."
        case "integrated_gradients":
            return "The values add up to the logit difference, within the completeness gap."
        case _:
            return "Words that stand in for one another hide each other here."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
