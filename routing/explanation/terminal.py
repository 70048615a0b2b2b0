"""An explanation for the terminal, as things that rich can print."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from routing.explanation.message import Segment, body_segments, subject_segments
from routing.explanation.records import (
    METHOD_NAMES,
    Attribution,
    Check,
    Explanation,
    Faithfulness,
    Figure,
    GateTrack,
    OrderSearch,
    Piece,
)

_FOR, _AGAINST, _LOOKED = "bold blue", "italic dark_orange", "bold"
_BAR = 24


def explanation_view(explanation: Explanation) -> RenderableType:
    """Return all of the explanation but the attention maps, top to bottom."""
    return Group(*_parts(explanation))


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    yield _routes(explanation)
    yield Text()
    leading = explanation.attributions[0] if explanation.attributions else None
    yield _message(explanation, leading)
    for attribution in explanation.attributions:
        yield from _words(explanation, attribution)
    if explanation.completeness is not None:
        gap = explanation.completeness
        yield _line(
            f"Integrated gradients sum to the logit difference ({gap.difference:+.3f} from the "
            f"e-mail of unknown words) within {gap.share:.2%}, in {gap.steps} steps.",
        )
    if explanation.terms:
        yield _terms(explanation)
    if explanation.gates:
        yield from _gates(explanation)
    for checks in (explanation.checks, explanation.model_checks):
        if checks is not None:
            yield Text()
            yield _checks(checks)
    for method, verdict in explanation.verdicts.items():
        yield _line(verdict, head=METHOD_NAMES[method])
    if explanation.order is not None:
        yield from _order(explanation.order, explanation)
    for note in explanation.notes:
        yield _line(note, style="dim")


def _routes(explanation: Explanation) -> RenderableType:
    decision = explanation.decision
    head = Text.assemble(
        (explanation.route, "bold"),
        f"  {decision.probability or 0:.1%}",
        f", not {explanation.against}" if explanation.against != explanation.route else "",
    )
    reason = decision.review_reason
    head.append(f"  · for a person: {reason}" if reason else "  · automatic", "dim")
    table = Table.grid(padding=(0, 2))
    for route, probability in sorted(decision.probabilities.items(), key=lambda p: -p[1]):
        bar = "█" * round(probability * _BAR)
        table.add_row(route, f"{probability:6.1%}", Text(bar, "blue"))
    return Group(head, table)


def _message(explanation: Explanation, attribution: Attribution | None) -> RenderableType:
    """Return the original message, words styled by ``attribution``, cut parts dim and struck."""
    email, tokens = explanation.email, explanation.tokens
    text = Text()
    if email.subject:
        text.append("Subject: ", "dim")
        _append(text, subject_segments(email, tokens), attribution)
        text.append("\n")
    _append(text, body_segments(email, tokens), attribution)
    key = Text("unread parts are struck out", "dim")
    if attribution is not None:
        name = METHOD_NAMES[attribution.method]
        words = (("for", _FOR), ", ", ("against", _AGAINST), f" {explanation.route} by {name}; ")
        key = Text.assemble(*words, key)
    return Group(Padding(text, (0, 0, 1, 2)), Padding(key, (0, 0, 0, 2)))


def _append(text: Text, segments: Sequence[Segment], attribution: Attribution | None) -> None:
    for segment in segments:
        if segment.cut:
            text.append(segment.text, "dim strike")
        elif segment.token is None or attribution is None:
            text.append(segment.text)
        else:
            text.append(segment.text, _style(attribution, segment.token))


def _style(attribution: Attribution, token: int) -> str:
    """Return the style of a token: plain below a tenth of the strongest value."""
    value = attribution.values[token]
    strongest = max(map(abs, attribution.values))
    if abs(value) < 0.1 * strongest or strongest == 0:
        return ""
    strong = " underline" if abs(value) > 0.5 * strongest else ""
    if not attribution.signed:
        return _LOOKED + strong
    return (_FOR if value > 0 else _AGAINST) + strong


def _words(explanation: Explanation, attribution: Attribution) -> Iterator[RenderableType]:
    ranked = sorted(
        zip(explanation.tokens, attribution.values, strict=True), key=lambda p: -abs(p[1])
    )
    name = METHOD_NAMES[attribution.method]
    if not attribution.signed:
        best = "  ".join(f"{token.text} {value:.2f}" for token, value in ranked[:8])
        yield _line(best, head=f"{name} (where it looked, not why)")
        return
    for word, sign in (("for", 1), ("against", -1)):
        best = "  ".join(f"{t.text} {v:+.2f}" for t, v in ranked[:30] if v * sign > 0.005)
        route = explanation.route
        yield _line(best or "nothing to speak of", head=f"{name}: {word} {route}")


def _terms(explanation: Explanation) -> RenderableType:
    total = sum(term.log_odds for term in explanation.terms)
    return _line(
        f"{len(explanation.terms)} known terms give {total:+.4f}, the prior "
        f"{explanation.prior:+.4f}: together the logit difference "
        f"{explanation.logit_difference:+.4f}."
    )


def _gates(explanation: Explanation) -> Iterator[RenderableType]:
    for track in explanation.gates:
        lows = sorted(range(len(track.kept)), key=lambda i: track.kept[i])[:5]
        words = ", ".join(f"{explanation.tokens[i].text} ({track.kept[i]:.2f})" for i in lows)
        yield _line(f"forgets most at {words}", head=track_name(track))


def track_name(track: GateTrack) -> str:
    """Return e.g. ``forget gate, layer 1 backwards``."""
    direction = "backwards" if track.backwards else "forwards"
    return f"{track.gate} gate, layer {track.layer + 1} {direction}"


def _checks(checks: Faithfulness) -> RenderableType:
    where = "this e-mail" if checks.emails == 1 else f"the model, over {checks.emails} e-mails"
    table = Table(
        title=f"Faithfulness on {where} (beside {checks.rankings} random rankings)",
        title_justify="left",
        caption="comprehensiveness, tau, flips: more is better; sufficiency: less",
        caption_justify="left",
    )
    for column in ("method", "removed by", "comprehensiveness", "sufficiency", "tau", "flips"):
        table.add_column(column, justify="left" if column in ("method", "removed by") else "right")
    for check in checks.checks:
        table.add_row(METHOD_NAMES[check.method], check.removal, *_figures(check))
    return table


def _figures(check: Check) -> Iterator[str]:
    for figure in (check.comprehensiveness, check.sufficiency, check.tau, check.flips):
        yield figure_text(figure)


def figure_text(figure: Figure | None) -> str:
    """Return ``0.31`` or ``0.31 (0.25 to 0.36)``; ``–`` for None."""
    if figure is None:
        return "–"
    if figure.low == figure.high:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _order(order: OrderSearch, explanation: Explanation) -> Iterator[RenderableType]:
    yield Text()
    yield _line(order.note, head="Order")
    change = order.change
    if change is None:
        return
    yield _version(change.before, f"{explanation.route} {change.probability_before:.1%}")
    yield _version(change.after, f"{change.route} {change.probability:.1%}")
    yield _line(baseline_words(order))


def baseline_words(order: OrderSearch) -> str:
    """Return what naive Bayes says of both versions, in words."""
    seen = order.change.baseline if order.change else None
    if seen is None:
        return "Both versions have the same words: a model that counts words scores them alike."
    if seen.same:
        return (
            f"Naive Bayes gives both versions the same score: "
            f"{seen.route_before}, {seen.probability_before:.1%}."
        )
    return (
        f"Naive Bayes says {seen.route_before} ({seen.probability_before:.1%}) before and "
        f"{seen.route_after} ({seen.probability_after:.1%}) after."
    )


def _version(pieces: Sequence[Piece], head: str) -> RenderableType:
    text = Text()
    for piece in pieces:
        text.append(piece.text, "bold reverse" if piece.moved and piece.text.strip() else "")
    return Group(Text(f"  {head}", "bold"), Padding(text, (0, 0, 0, 4)))


def _line(text: str, *, head: str = "", style: str = "") -> RenderableType:
    return Text.assemble((f"{head}: " if head else "", "bold"), (text, style))
