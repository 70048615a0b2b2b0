"""Subject lines without the marks that programs put before and into them."""

import re

Span = tuple[int, int]
"""First character, and one past the last."""

_MARKS = (
    "re|ref|fw|fwd|aw|wg|antw|antwort|wtr|sv|vs|vb|vl|svar|vidarebefordrat|videresendt|videresend"
    "|odp|pd|ynt|ilt|ynt|tr|réf|rép|rep|rv|res|enc|rif|ri|fs|doorst|doorgestuurd|vá|va|továbbítás"
    "|továbbított|odpověď|odpoveď|přep|preposlané|reenv|reenviar|reenviado|resposta|respuesta"
    "|risposta|inoltra|inoltro|réponse|transfert|transféré|weitergeleitet|weiterleiten|forwarded"
    "|forward|reply|answer|bls|trs|ats|atb|pārs|vast|edasi|ha|továbbít|răspuns|redirecționat"
    "|odg|proslijeđeno|prosleđeno|отв|ответ|пересл|переслано|fwd fwd|на|σχετ|απ|απάντηση|πρθ"
    "|προώθηση"
    "|השב|תגובה|הועבר|رد|إعادة توجيه|پاسخ|ارسال|回复|回覆|答复|答覆|轉寄|转发|轉發|返信|転送"
    "|답장|회신|전달|ตอบกลับ|ส่งต่อ|trả lời|chuyển tiếp|bls|balas|terusan|i|r"
)
_MARK = re.compile(
    rf"(?:{_MARKS})\s{{0,2}}(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\^\d{{1,3}}|\*\d{{1,3}})?\s{{0,2}}[:：]",
    re.IGNORECASE,
)
_TICKET_WORD = (
    r"ticket|case|request|ref|id|sr|inc|req|issue|support|help|rt|otrs|vorgang|fall|anfrage|demande"
    r"|caso|pedido|zgłoszenie|ärende|sag|sak|tapaus|zaak|zahtjev|обращение|заявка|talep|工单|工單|案件"
)
_TICKET = re.compile(
    rf"[\[({{]\s?(?:(?:{_TICKET_WORD})\b|[#№])[\w\s#№.:-]{{0,60}}?\d[\w\s.:-]{{0,40}}[\])}}]"
    rf"|\b(?:{_TICKET_WORD})[\s_-]?(?:id|nr|no|number)?\.?[\s:]?[#№]\s?\d[\w.-]{{0,30}}:?"
    r"|##\s?[\w-]{1,30}\s?##",
    re.IGNORECASE,
)
_BANNER = re.compile(
    r"[\[(*]{1,3}\s?(?:ext|extern|external|externe|externo|esterno|spam|suspected spam)"
    r"(?:\s(?:e-?mail|sender|mail|message))?\s?[\])*]{1,3}:?",
    re.IGNORECASE,
)
_TAG_SIGN = re.compile(r"[\[({*#№]")
"""One of these stands in every tag."""

_SIGN = re.compile(r"[\[({*#№:：]")
"""One of these stands in every tag and in every mark."""

_EDGE = " \t\n-–—:|"
_LONGEST = 2_000


def bare_subject(subject: str) -> str:
    """``subject`` without reply and forward marks, ticket tags and gateway tags.

    ``RE: AW: [Ticket #4711] Fwd: Lost parcel`` reads ``Lost parcel``. A subject that is nothing
    but marks reads "". Of endless subjects the first 2,000 characters are read.
    """
    return "".join(subject[start:end] for start, end in subject_spans(subject))


def subject_spans(subject: str) -> list[Span]:
    """The spans of ``subject`` that make up its bare form, in order."""
    text = subject[:_LONGEST]
    if _SIGN.search(text) is None:
        return _without_edge(
            text, [(len(text) - len(text.lstrip(" \t\n")), len(text))], marked=False
        )
    patterns = (_TICKET, _BANNER) if _TAG_SIGN.search(text) else ()
    tags = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    spans = _gaps(sorted(tags), len(text))
    while spans:
        start, end = spans[0]
        start += len(text[start:end]) - len(text[start:end].lstrip(_EDGE if tags else " \t\n"))
        if match := _MARK.match(text, start, end):
            start = match.end()
        elif start < end:
            spans[0] = (start, end)
            break
        spans[0] = (start, end)
        if start == end:
            spans.pop(0)
    return _without_edge(text, spans, marked=bool(tags))


def _gaps(cuts: list[Span], length: int) -> list[Span]:
    position, gaps = 0, []
    for start, end in [*cuts, (length, length)]:
        if start > position:
            gaps.append((position, start))
        position = max(position, end)
    return gaps


def _without_edge(text: str, spans: list[Span], *, marked: bool) -> list[Span]:
    """``spans`` without the blanks, and the dashes left over from tags, at their very end."""
    while spans:
        start, end = spans[-1]
        rest = text[start:end].rstrip(_EDGE if marked else " \t\n")
        if rest:
            return [*spans[:-1], (start, start + len(rest))]
        spans = spans[:-1]
    return []
