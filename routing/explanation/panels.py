"""The parts of the HTML page below the message."""

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from routing.explanation.records import (
    METHOD_NAMES,
    Check,
    Explanation,
    Faithfulness,
    Figure,
    GateTrack,
    Piece,
)
from routing.explanation.terminal import baseline_words, figure_text, track_name

_TERMS = 40


def picks(explanation: Explanation, kind: str, *, always: bool = False) -> str:
    """Return the selectors of a head or of a gate track; "" where the model has none."""
    if kind == "heads" and explanation.heads is not None:
        layers, heads = explanation.heads.shape[:2]
        names = ["mean of heads", *(f"head {n + 1}" for n in range(heads))]
        inner = _select("Layer", "layer", [(n, str(n + 1)) for n in range(layers)])
        inner += _select("Head", "head", [(n - 1, name) for n, name in enumerate(names)])
    elif kind == "gates" and explanation.gates:
        tracks = [(n, track_name(track)) for n, track in enumerate(explanation.gates)]
        inner = _select("Gate", "track", tracks)
    else:
        return ""
    mode = "" if always else f' data-for="{kind}" hidden'
    return f'<div class="picks"{mode}>{inner}</div>'


def _select(label: str, pick: str, options: Sequence[tuple[int, str]]) -> str:
    inner = "".join(f'<option value="{value}">{escape(name)}</option>' for value, name in options)
    return f'<label>{label} <select data-pick="{pick}">{inner}</select></label>'


def terms_panel(explanation: Explanation) -> str:
    """Return naive Bayes' terms and how they add up; "" for other models."""
    if not explanation.terms:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{escape(term.text)}</th><td class="number">{term.count}</td>'
        f'<td class="number">{term.weight:.3f}</td>'
        f'<td class="number">{term.log_odds:+.4f}</td></tr>'
        for term in explanation.terms[:_TERMS]
    )
    rest = explanation.terms[_TERMS:]
    if rest:
        more = sum(term.log_odds for term in rest)
        rows += (
            f'<tr><th scope="row">{len(rest)} more</th><td></td><td></td>'
            f'<td class="number">{more:+.4f}</td></tr>'
        )
    return (
        '<section class="card"><header><h2>Every term’s log-odds</h2><p class="soft small">Exact: '
        f"with the prior they sum to the logit difference of {escape(explanation.route)} and "
        f"{escape(explanation.against)}.</p></header>"
        '<div class="scroll" tabindex="0" role="region" aria-label="Terms"><table><thead><tr>'
        '<th scope="col">term</th><th scope="col" class="number">times</th>'
        '<th scope="col" class="number">TF-IDF</th><th scope="col" class="number">log-odds</th>'
        f"</tr></thead><tbody>{rows}"
        f'<tr><th scope="row">prior</th><td></td><td></td><td class="number">'
        f"{explanation.prior:+.4f}</td></tr>"
        f'<tr><th scope="row"><b>logit difference</b></th><td></td><td></td><td class="number"><b>'
        f"{explanation.logit_difference:+.4f}</b></td></tr></tbody></table></div></section>"
    )


def checks_panel(explanation: Explanation) -> str:
    """Return the faithfulness checks: of the model where they are stored, and of this e-mail."""
    blocks = [
        (f"On this model, over {found.emails:,} e-mails", found)
        for found in (explanation.model_checks,)
        if found is not None
    ]
    if explanation.checks is not None:
        blocks.append(("On this e-mail", explanation.checks))
    if not blocks:
        return ""
    inner = "".join(_checks_block(title, found) for title, found in blocks)
    return (
        '<section class="card"><header><h2>How far to believe each method</h2>'
        '<p class="soft small">Words are removed in the order of each method, and in random '
        "orders (grey). What lies in the grey says no more than chance.</p></header>"
        f"{inner}</section>"
    )


def _checks_block(title: str, found: Faithfulness) -> str:
    deleted = [check for check in found.checks if check.removal == "deletion"]
    losing = _chart(
        "Lost without its highest words", "more is better", deleted, "comprehensiveness"
    )
    keeping = _chart("Lost with only these", "less is better", deleted, "sufficiency")
    return (
        f'<h3>{escape(title)}</h3><div class="columns">{losing}{keeping}</div>'
        f'<details><summary class="small">All numbers</summary>{_checks_table(found)}</details>'
    )


def _chart(title: str, better: str, checks: Sequence[Check], measure: str) -> str:
    """Return dots with intervals over the band of the random rankings."""
    figures: dict[str, Figure] = {c.method: getattr(c, measure) for c in checks}
    low = min(0.0, *(figure.low for figure in figures.values()))
    high = max(low + 1e-6, *(figure.high for figure in figures.values()))
    edge = 0.06 * (high - low)

    def at(value: float) -> float:
        return 100 * (value - low + edge) / (high - low + 2 * edge)

    chance = figures.get("random")
    band = ""
    if chance is not None:
        width = at(chance.high) - at(chance.low)
        band = f'<i class="chance" style="left:{at(chance.low):.2f}%;width:{width:.2f}%"></i>'
    rows = "".join(
        f'<div class="row{" random" if method == "random" else ""}">'
        f'<span>{escape(METHOD_NAMES[method])}</span><span class="plot">{band}'
        f'<i class="zero" style="left:{at(0):.2f}%"></i>'
        f'<i class="span" style="left:{at(figure.low):.2f}%;'
        f'width:{at(figure.high) - at(figure.low):.2f}%"></i>'
        f'<i class="dot" style="left:{at(figure.value):.2f}%"></i></span>'
        f'<span class="number">{figure.value:.2f}</span></div>'
        for method, figure in figures.items()
    )
    return (
        f'<div class="chart"><p class="small"><b>{title}</b> '
        f'<span class="soft">probability; {better}</span></p>{rows}</div>'
    )


def _checks_table(found: Faithfulness) -> str:
    columns = ("comprehensiveness", "sufficiency", "tau", "flips")
    head = "".join(f'<th scope="col" class="number">{name}</th>' for name in columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(METHOD_NAMES[check.method])}</th><td>{check.removal}</td>'
        + "".join(f'<td class="number">{cell}</td>' for cell in _cells(check))
        + "</tr>"
        for check in found.checks
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Checks"><table><thead><tr>'
        f'<th scope="col">method</th><th scope="col">removed by</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cells(check: Check) -> Iterator[str]:
    for figure in (check.comprehensiveness, check.sufficiency, check.tau, check.flips):
        yield escape(figure_text(figure))


def order_panel(explanation: Explanation) -> str:
    """Return the smallest change of order, before and after."""
    order = explanation.order
    if order is None:
        return ""
    versions = bayes = ""
    if (change := order.change) is not None:
        before = _version("before", explanation.route, change.probability_before, change.before)
        after = _version("after", change.route, change.probability, change.after)
        versions = f'<div class="versions">{before}{after}</div>'
        bayes = f'<p class="small soft">{escape(baseline_words(order))}</p>'
    tried = f"{order.tried:,} orders tried" if order.tried else ""
    return (
        '<section class="card"><header><h2>The smallest change of order</h2>'
        f'<p>{escape(order.note)} <span class="soft small">{tried}</span></p></header>'
        f"{versions}{bayes}</section>"
    )


def _version(kind: str, route: str, probability: float, pieces: Sequence[Piece]) -> str:
    text = "".join(
        _stretch("".join(piece.text for piece in group), moved=moved)
        for moved, group in groupby(pieces, key=lambda piece: piece.moved)
    )
    return (
        f'<div class="version {kind}"><h3>{kind}: {escape(route)} '
        f'<span class="number">{probability:.1%}</span></h3>{text}</div>'
    )


def _stretch(text: str, *, moved: bool) -> str:
    """Return words that stand together, those that moved in one frame, blanks before it."""
    bare = text.lstrip()
    if not (moved and bare):
        return escape(text)
    return f"{text[: len(text) - len(bare)]}<mark>{escape(bare)}</mark>"


def map_panel(explanation: Explanation) -> str:
    """Return the attention map of a transformer; "" for other models."""
    if explanation.heads is None:
        return ""
    return (
        '<section class="card"><header><h2>Attention map</h2><p class="soft small">Each row is a '
        "word that looks, each column a word that is looked at. Where it looked, not why.</p>"
        f"{picks(explanation, 'heads', always=True)}</header>"
        '<div class="scroll"><canvas id="map" tabindex="0" role="img" aria-label="Attention map; '
        'arrow keys move from cell to cell, the line below reads it"></canvas></div>'
        '<p class="small number" id="map-readout" role="status" aria-live="polite">&nbsp;</p>'
        "</section>"
    )


def gates_panel(explanation: Explanation) -> str:
    """Return what a recurrent model kept, word by word; "" for other models."""
    if not explanation.gates:
        return ""
    tracks = "".join(_track(track) for track in explanation.gates)
    return (
        '<section class="card"><header><h2>Gates over time</h2><p class="soft small">Share of the '
        "state before that is kept at each word, first word left; a dip is a word at which the "
        f'model forgets.</p></header><div class="tracks">{tracks}</div></section>'
    )


def _track(track: GateTrack) -> str:
    width = 100 / len(track.kept)
    low, high = min(track.kept), max(track.kept)
    points = " ".join(
        f"{(n + 0.5) * width:.2f},{2 + 36 * (1 - value):.2f}" for n, value in enumerate(track.kept)
    )
    name = escape(track_name(track))
    return (
        f'<div><p class="small">{name} <span class="soft number">{low:.2f} to {high:.2f}</span></p>'
        f'<div class="track"><svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" '
        f'aria-label="{name}: between {low:.2f} and {high:.2f}">'
        '<line x1="0" y1="2" x2="100" y2="2"/><line x1="0" y1="38" x2="100" y2="38"/>'
        f'<path d="M{points.replace(" ", " L")}"/>'
        '<line class="here" y1="0" y2="40" visibility="hidden"/></svg></div></div>'
    )


def cuts_panel(explanation: Explanation) -> str:
    """Return what was cut from the message, by reason; "" when nothing was."""
    sizes: Counter[str] = Counter()
    for removal in explanation.email.removals:
        sizes[removal.reason] += removal.end - removal.start
    if not sizes:
        return ""
    rows = "".join(
        f"<li>{escape(reason)}: {size:,} characters</li>" for reason, size in sizes.most_common()
    )
    return (
        '<section class="card"><header><h2>Cut before reading</h2><p class="soft small">The router '
        f"did not see these; they are struck out above.</p></header><ul>{rows}</ul></section>"
    )
