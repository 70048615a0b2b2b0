"""An explanation as one self-contained HTML page.

Styles and script stand in the page, nothing is fetched, and a content security policy lets only
the page's own script run. All text of the e-mail is escaped.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from routing.explanation.message import Segment, body_segments, subject_segments
from routing.explanation.notes import note_panel
from routing.explanation.panels import (
    checks_panel,
    cuts_panel,
    gates_panel,
    map_panel,
    order_panel,
    picks,
    terms_panel,
)
from routing.explanation.records import METHOD_NAMES, Explanation
from routing.explanation.terminal import track_name
from routing.explanation.verdict import beaten
from routing.notes import CaseNote

_LONG_CUT = 160
_NOTES = {
    "heads": "attention of one head: how much each word is looked at; "
    "choose a word to see what it looks at",
    "gates": "share of the state before that is kept at each word; the rest is forgotten",
}


def explanation_page(explanation: Explanation, note: CaseNote | None = None) -> str:
    """Return the page, in UTF-8 terms a string that starts with ``<!doctype html>``.

    With ``note`` it shows the case note and what each of its words looked at.
    """
    room = files("routing.explanation")
    style = room.joinpath("page.css").read_text(encoding="utf-8")
    script = room.joinpath("page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"{explanation.route}: {explanation.email.subject or explanation.email.id}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in _parts(explanation, note) if part)
        + f'\n</main>\n<script type="application/json" id="data">{_embedded(explanation)}</script>'
        f"\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _parts(explanation: Explanation, note: CaseNote | None) -> Iterator[str]:
    yield _decision(explanation)
    yield _message_panel(explanation)
    yield _ranked_panel(explanation)
    yield terms_panel(explanation)
    yield checks_panel(explanation)
    yield order_panel(explanation)
    yield note_panel(note)
    yield map_panel(explanation)
    yield gates_panel(explanation)
    yield cuts_panel(explanation)
    yield _footer(explanation)


def _decision(explanation: Explanation) -> str:
    decision, email = explanation.decision, explanation.email
    reason = decision.review_reason
    tag = f"for a person: {reason}" if reason else "decided automatically"
    ranked = sorted(decision.probabilities.items(), key=lambda item: -item[1])[:6]
    routes = "".join(
        f'<li class="{_route_class(route, explanation)}"><span class="name">{escape(route)}</span>'
        f'<span class="rail"><i style="width:{probability:.1%}"></i></span>'
        f'<span class="number">{probability:.1%}</span></li>'
        for route, probability in ranked
    )
    against = "" if explanation.against == explanation.route else f", not {explanation.against}"
    place = " · ".join(part for part in (email.id, email.sender, email.date) if part)
    return (
        f'<div class="decision"><div><p class="eyebrow">{escape(place)}</p>'
        f"<h1>{escape(explanation.route)} "
        f'<span class="number">{decision.probability or 0:.1%}</span></h1>'
        f"<p>Why {escape(explanation.route)}{escape(against)}? "
        f'<span class="tag {"review" if reason else "auto"}">{escape(tag)}</span></p></div>'
        f'<ul class="routes" aria-label="Probability of each route">{routes}</ul></div>'
    )


def _route_class(route: str, explanation: Explanation) -> str:
    if route == explanation.route:
        return "chosen"
    return "other" if route == explanation.against else "rest"


def _message_panel(explanation: Explanation) -> str:
    subject = _spans(subject_segments(explanation.email, explanation.tokens), explanation)
    body = _spans(body_segments(explanation.email, explanation.tokens), explanation)
    heading = f'<div class="subject"><span class="soft">Subject</span> {subject}</div>'
    verdict = "".join(_verdict(explanation, method) for method, _, _ in _methods(explanation))
    return (
        '<section class="card" aria-labelledby="message-title"><header>'
        f'<h2 id="message-title">The message, word by word</h2></header>{_switch(explanation)}'
        '<p class="small soft" id="note"></p>'
        '<p class="caution" id="caution" hidden>Where it looked, not why.</p>'
        f"{_key(explanation)}"
        '<div class="message" id="message" role="group" aria-label="Original message. Left and '
        "right arrow: next word. Up and down arrow: next stronger or weaker word. Escape: no "
        f'word.">{heading if explanation.email.subject else ""}'
        f'<div class="body">{body}</div></div>{verdict}'
        '<div class="readout" id="readout" role="status" aria-live="polite">'
        '<span class="soft">Point at a word, or walk through them with the arrow keys.</span>'
        "</div></section>"
    )


def _methods(explanation: Explanation) -> list[tuple[str, str, str]]:
    """Return (key, name, kind) of everything that words can be coloured by."""
    found = [
        (str(a.method), METHOD_NAMES[a.method], "signed" if a.signed else "look")
        for a in explanation.attributions
    ]
    if explanation.heads is not None:
        found.append(("heads", "one head", "look"))
    if explanation.gates:
        found.append(("gates", "gates over time", "look"))
    return found


def _switch(explanation: Explanation) -> str:
    choices = "".join(
        f'<label data-kind="{kind}"><input type="radio" name="method" value="{key}"'
        f"{' checked' if number == 0 else ''}><span>{escape(name)}</span></label>"
        for number, (key, name, kind) in enumerate(_methods(explanation))
    )
    return (
        f'<fieldset><legend>Colour the words by</legend><div class="switch">{choices}</div>'
        f"</fieldset>{picks(explanation, 'heads')}{picks(explanation, 'gates')}"
    )


def _key(explanation: Explanation) -> str:
    route, against = escape(explanation.route), escape(explanation.against)
    return (
        '<p class="key"><span id="key-signed"><span class="w for" data-level="3" '
        f'style="--a:.8">blue, straight line</span> for {route}&ensp; '
        '<span class="w against" data-level="3" style="--a:.8">orange, wavy line</span> '
        f"for {against}&ensp; the stronger, the fuller</span>"
        '<span id="key-look" hidden><span class="w look" data-level="3" style="--a:.8">violet, '
        "dotted line</span> a share, without for or against</span>"
        '<span><span class="cut">struck out</span> cut before reading</span>'
        '<span><span class="w stand-in">dashed box</span> read as a placeholder</span></p>'
    )


def _spans(segments: Sequence[Segment], explanation: Explanation) -> str:
    return "".join(_span(segment, explanation) for segment in segments)


def _span(segment: Segment, explanation: Explanation) -> str:
    text = escape(segment.text)
    if segment.cut and len(segment.text) > _LONG_CUT:
        size = f"{len(segment.text.strip()):,} characters"
        return (
            f'<details class="cut"><summary>cut before reading: {escape(segment.cut)}, {size}'
            f"</summary><div>{text}</div></details>"
        )
    if segment.cut:
        return f'<span class="cut" title="cut: {escape(segment.cut)}">{text}</span>'
    if segment.token is None:
        return text
    read = explanation.tokens[segment.token].text
    kinds = "w"
    if read.startswith("<") and segment.text.strip():
        kinds = "w stand-in"
    elif not segment.text.strip():
        kinds, text = "w mark", f"⏎{text}" if segment.text else "‖"
    return f'<span class="{kinds}" data-i="{segment.token}" tabindex="-1">{text}</span>'


def _verdict(explanation: Explanation, method: str) -> str:
    text = explanation.verdicts.get(method)
    if text is None:
        return ""
    checks = explanation.model_checks or explanation.checks
    won, of = beaten(checks, method) if checks else (0, 0)
    status = "no" if won == 0 else "yes" if won == of else "half"
    first, _, rest = text.partition(": ")
    first, rest = f"{first}: {rest.partition('. ')[0]}.", rest.partition(". ")[2]
    return (
        f'<div class="verdict" data-method="{method}" data-status="{status}" hidden>'
        f"<p>{escape(first)}</p><p>{escape(rest)}</p></div>"
    )


def _ranked_panel(explanation: Explanation) -> str:
    if not explanation.attributions:
        return ""
    return (
        '<section class="card" aria-labelledby="ranked-title">'
        '<header><h2 id="ranked-title">Strongest words</h2></header>'
        '<div class="columns" id="ranked"></div>'
        f"{_completeness(explanation)}</section>"
    )


def _completeness(explanation: Explanation) -> str:
    found = explanation.completeness
    if found is None:
        return ""
    doubt = "" if found.within else '<p class="caution small">That is too much: read with care.</p>'
    return (
        f'<p class="small soft">Integrated gradients: the words add up to the logit difference of '
        f"{found.difference:+.3f} (this e-mail against one of unknown words) with a gap of "
        f"{found.gap:.4f}, {found.share:.2%} of it, in {found.steps} steps.</p>{doubt}"
    )


def _footer(explanation: Explanation) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in explanation.notes)
    shares = explanation.checks.shares if explanation.checks else ()
    percents = ", ".join(f"{share:.0%}" for share in shares)
    return (
        f"<footer>{notes}<dl><dt>Comprehensiveness, sufficiency</dt><dd>What the route’s "
        "probability loses without a method’s highest-ranked words, and with only these: the "
        f"mean over the highest {percents} of the words, one at least (DeYoung et al. 2020). A "
        "ranking that tells the truth has a high first and a low second number.</dd>"
        "<dt>Tau</dt><dd>Kendall’s rank correlation with leave-one-out, from −1 to 1 (Jain &amp; "
        "Wallace 2019).</dd><dt>Flips</dt><dd>Share of these removals that change the route "
        "(Serrano &amp; Smith 2019).</dd><dt>Random</dt><dd>The same numbers for rankings drawn "
        "by lot: what does not beat them says nothing.</dd></dl></footer>"
    )


def _embedded(explanation: Explanation) -> str:
    """Return the page's data as JSON that cannot end its script element."""
    text = json.dumps(_page_data(explanation), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _page_data(explanation: Explanation) -> dict[str, Any]:
    return {
        "route": explanation.route,
        "against": explanation.against,
        "tokens": [token.text for token in explanation.tokens],
        "methods": [
            {
                "key": a.method,
                "name": METHOD_NAMES[a.method],
                "signed": a.signed,
                "note": a.note,
                "values": [round(value, 6) for value in a.values],
            }
            for a in explanation.attributions
        ],
        "notes": _NOTES,
        "gates": [
            {"name": track_name(g), "kept": [round(value, 4) for value in g.kept]}
            for g in explanation.gates
        ],
        "heads": None if explanation.heads is None else _packed(explanation.heads),
    }


def _packed(heads: npt.NDArray[np.float32]) -> dict[str, Any]:
    """Return attention (L, N, T, T) in one byte a weight, each head on its own scale."""
    layers, count, size, _ = heads.shape
    tops = heads.reshape(layers * count, -1).max(axis=1)  # (L * N,)
    bytes_ = np.rint(heads.reshape(layers * count, -1) / tops[:, None] * 255).astype(np.uint8)
    return {
        "layers": layers,
        "heads": count,
        "size": size,
        "tops": [round(float(top), 6) for top in tops],
        "bytes": base64.b64encode(bytes_.tobytes()).decode(),
    }
