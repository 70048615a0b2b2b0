"""Signatures, lines of telephones, disclaimers and gateway banners in the lines of a body."""

import re
from itertools import islice

from routing.mail.courtesies import POSTSCRIPT, is_greeting, may_sign
from routing.mail.footers import BANNER, BANNER_HINTS, DEVICES, DISCLAIMER, MOBILE, OWN_VOICE
from routing.mail.heads import FORWARD, QUOTED
from routing.mail.lines import Lines
from routing.mail.phrases import DAYS_AND_MONTHS
from routing.mail.words import may_disclaim

SIGNATURE, MOBILE_LINE = "signature", "mobile signature"
DISCLAIMED, GATEWAY = "disclaimer", "gateway banner"

_LONGEST_SIGNATURE = 12
_LONGEST_MOBILE = 100
_MOST_MOBILE = 20
_NO_PHONE = DAYS_AND_MONTHS - {"mon", "may"} | {"your", "ihrem", "ihrer", "votre", "uw"}
_LAST_UNITS = 60
_FEWEST_OLDER = 3
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+(?=\S)")
_FUSED = re.compile(
    r"(?:(?<=[.!?)\]\"'”’…])\s{0,4}|(?<=\w)|(?<=\w)\s{2,8})(Sent from (?:my|Outlook|Yahoo|Mail"
    r"|Samsung)|Get Outlook for"
    r"|Von meinem|Gesendet (?:von|mit)|Envoyé (?:de|depuis|à partir)|Enviado (?:desde|do|de)"
    r"|Inviato da|Verzonden (?:vanaf|via|met)|Verstuurd vanaf|Skickat från|Sendt fra|Lähetetty"
    r"|Wysłane z|Odesláno z|Отправлено с|发自我的|iPhoneから送信)(?=[\s']|\w)"
)
FUSED_STARTS = (
    *("Sent from", "Get Outlook for", "Von meinem", "Gesendet", "Envoyé", "Enviado", "Inviato da"),
    *("Verzonden", "Verstuurd vanaf", "Skickat från", "Sendt fra", "Lähetetty", "Wysłane z"),
    *("Odesláno z", "Отправлено с", "发自我的", "iPhoneから送信"),
)
"""One of these stands in a mail that ``_FUSED`` matches."""

MOBILE_EDGE = "*_-–—<>[]()\"' \u200e\u200f"
"""What may stand around a mobile line."""

MOBILE_HEADS = frozenset(start[:2] for start in (*MOBILE, "von mein"))
"""How a mobile line starts inside its edge."""


def cut_signatures(lines: Lines) -> None:
    """Cut what is no news from the lines that stay; a cut that leaves no word is not made."""
    for cut in (
        _cut_armour,
        _cut_banners,
        _cut_mobile_lines,
        _cut_fused,
        _cut_signature,
        _cut_disclaimers,
    ):
        fates, inside = lines.fates.copy(), lines.inside.copy()
        cut(lines)
        if (lines.fates != fates or lines.inside != inside) and not lines.has_words():
            lines.fates[:], lines.inside = fates, inside


def _cut_armour(lines: Lines) -> None:
    """The frame of a message signed with PGP, and its signature."""
    if "-----BEGIN PGP SIG" not in lines.body:
        return
    inside = False
    for number in lines.kept():
        text = lines.texts[number]
        if text == "-----BEGIN PGP SIGNED MESSAGE-----" or text.startswith("Hash: SHA"):
            lines.cut(number, number + 1, SIGNATURE)
        inside = inside or text == "-----BEGIN PGP SIGNATURE-----"
        if inside:
            lines.cut(number, number + 1, SIGNATURE)
        inside = inside and text != "-----END PGP SIGNATURE-----"


def _cut_banners(lines: Lines) -> None:
    """Lines of a mail gateway, at the very top only."""
    for count, number in enumerate(lines.kept()):
        text = lines.texts[number]
        plain = text.strip("-_=*–—~#| ")
        if count > 6 or (plain and not is_banner(text)):
            return
        if plain:
            lines.cut(0, number + 1, GATEWAY)
            _cut_banner_rest(lines, number + 1)


def is_banner(text: str) -> bool:
    """True for a line that a mail gateway puts above mail from outside."""
    if len(text) > 600:
        return False
    lowered = text.strip("-_=*–—~#| ").lower()
    hinted = any(map(lowered.__contains__, BANNER_HINTS)) and BANNER.search(lowered)
    return bool(hinted) and OWN_VOICE.search(text) is None


def _cut_banner_rest(lines: Lines, number: int) -> None:
    """A rule under a banner."""
    if number < len(lines) and not lines.texts[number].strip("-_=*–—~#|"):
        lines.cut(number, number + 1, GATEWAY)


def _cut_mobile_lines(lines: Lines) -> None:
    """``Sent from my phone`` and, where no quote follows, the older message below it."""
    found = (n for n in lines.kept() if is_mobile_line(lines.texts[n]) and not _goes_on(lines, n))
    for number in islice(found, _MOST_MOBILE):
        lines.cut(number, number + 1, MOBILE_LINE)
        quoted = any(fate == QUOTED for fate in lines.fates[number + 1 :])
        answered = quoted and _has_words_after_quote(lines, number + 1)
        if not answered and lines.has_words(0, number) and _tells_older(lines, number):
            lines.cut(number + 1, len(lines), QUOTED)


def _goes_on(lines: Lines, number: int) -> bool:
    """True for a line in small letters that a sentence of the line above was wrapped into."""
    above = lines.texts[number - 1] if number else ""
    return lines.texts[number][:2].islower() and above[-1:].isalnum()


def _tells_older(lines: Lines, number: int) -> bool:
    """True when an older message stands below the mobile line ``number``.

    It starts with a greeting such as ``Dear Ann,``, or the line says ``my``, stands alone, and
    what follows is more than an afterthought.
    """
    below = next(lines.kept(number + 1), number + 1)
    if below == number + 1 or FORWARD in lines.fates[number:below]:
        return False
    alone = not number or not lines.texts[number - 1]
    text = lines.texts[below]
    several = len(list(islice(lines.kept(below), _FEWEST_OLDER))) == _FEWEST_OLDER
    mine = alone and several and OWN_VOICE.search(lines.texts[number])
    return bool(mine and not POSTSCRIPT.match(text)) or is_greeting(text)


def _has_words_after_quote(lines: Lines, first: int) -> bool:
    quote = next(n for n in range(first, len(lines)) if lines.fates[n] == QUOTED)
    return lines.has_words(quote)


def is_mobile_line(text: str) -> bool:
    """True for a whole line that a telephone or mail program put below a message."""
    if not 8 <= len(text) <= _LONGEST_MOBILE + 200:
        return False
    lowered = text.strip(MOBILE_EDGE).lower()
    if lowered[:2] not in MOBILE_HEADS:
        return False
    if not lowered.startswith(MOBILE):
        return "gesendet" in lowered[-12:] and lowered.startswith("von mein")
    bare = re.sub(r"[<(\[]?https?://\S{1,300}", "", lowered).strip(" .!<>[]()")
    if len(bare) > _LONGEST_MOBILE or re.search(r"[,;!?]\s|\.\s\w", bare):
        return False
    words = bare.split()
    if not _NO_PHONE.isdisjoint(words):
        return False
    named = DEVICES.search(bare) is not None
    linked = bare != lowered and bare.startswith(("sent from ", "sent via ", "sent with "))
    model = bare.startswith("sent from my ") and _is_model(text)
    return (named and len(words) <= 14) or model or (linked and len(words) <= 6)


def _is_model(text: str) -> bool:
    """``Sent from my Wiko RIDGE`` names a thing; ``Sent from my desk`` does not."""
    rest = text.strip("*_ ").split()[3:]
    return 0 < len(rest) <= 5 and rest[0][0].isupper()


def _cut_fused(lines: Lines) -> None:
    """``… is that right?Sent from my phone``: a mobile line glued to the end of a line."""
    if not any(map(lines.body.__contains__, FUSED_STARTS)):
        return
    for number in lines.kept():
        text = lines.left(number).rstrip()
        if len(text) < 20 or not any(map(text.__contains__, FUSED_STARTS)):
            continue
        match = _FUSED.search(text, max(len(text) - _LONGEST_MOBILE, 0))
        if match and is_mobile_line(text[match.start(1) :]):
            lines.cut_inside(number, match.start(), MOBILE_LINE)


def _cut_signature(lines: Lines) -> None:
    """Everything after a line ``-- ``, when it is short enough for a signature.

    Above a forwarded message whose text is taken one may stand, and one below its text.
    """
    heads = [number for number, fate in enumerate(lines.fates) if fate == FORWARD]
    parts = [(0, heads[0]), (heads[-1], len(lines))] if heads else [(0, len(lines))]
    for first, last in parts:
        for number in list(lines.kept(first, last))[-_LONGEST_SIGNATURE - 1 :]:
            if lines.texts[number] == "--" and lines.has_words(0, number):
                lines.cut(number, last, SIGNATURE)
                break


def _cut_disclaimers(lines: Lines) -> None:
    """Sentences of disclaimers and what follows them in their paragraph.

    Nothing where but a greeting and a name would be left: that was the news.
    """
    own = list(lines.kept())[1:]
    if not own:
        return
    lowered = "\n".join(lines.texts[number] for number in own).lower()
    if not may_disclaim(lowered):
        return
    fates, inside = lines.fates.copy(), lines.inside.copy()
    for first, last in _units(lines, own)[-_LAST_UNITS:]:
        text = " ".join(lines.texts[first:last])
        start = _disclaimer_start(text) if len(text) <= 2000 else None
        if start is not None:
            _cut_from(lines, first, last, start)
    left = list(map(lines.left, lines.kept()))
    if left and is_greeting(left[0]) and len(left) < 3 and all(map(may_sign, left[1:])):
        lines.fates[:], lines.inside = fates, inside


def _disclaimer_start(text: str) -> int | None:
    """Where the sentences of a disclaimer start; None where a customer speaks in them."""
    lowered = text.lower()
    found = DISCLAIMER.search(lowered)
    if found is None:
        return None
    sentences = len(_SENTENCE_END.findall(lowered[: found.start() + 1]))
    start = [0, *(end.end() for end in _SENTENCE_END.finditer(text))][sentences]
    return None if OWN_VOICE.search(text, start) else start


def _cut_from(lines: Lines, first: int, last: int, start: int) -> None:
    """Cut the lines of a unit from the character ``start`` of their joined text on."""
    while start > len(lines.texts[first]):
        start, first = start - len(lines.texts[first]) - 1, first + 1
    if start:
        lines.cut_inside(first, start, DISCLAIMED)
        first += 1
    lines.cut(first, last, DISCLAIMED)


def _units(lines: Lines, own: list[int]) -> list[tuple[int, int]]:
    """Lines that belong together: a line, and the lines that it was wrapped into."""
    units: list[tuple[int, int]] = []
    for number in own:
        above = lines.texts[number - 1] if number else ""
        wrapped = len(above) >= 50 and above[-1] not in ".!?:。" and units[-1:] != []
        if wrapped and units[-1][1] == number:
            units[-1] = (units[-1][0], number + 1)
        else:
            units.append((number, number + 1))
    return units
