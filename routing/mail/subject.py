"""Subject lines without the marks that programs put before and into them."""

import re

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
    r"ticket|case|request|ref|id|sr|inc|req|issue|support|help|rt|otrs|vorgang|fall|anfrage"
    r"|demande"
    r"|caso|pedido|zgłoszenie|ärende|sag|sak|tapaus|zaak|zahtjev|обращение|заявка"
)
_TICKET = re.compile(
    rf"[\[({{]\s{{0,2}}(?:(?:{_TICKET_WORD})[\s_-]{{0,2}}(?:id|nr|no|number)?[\s.:#№-]{{0,4}}"
    r"|[#№]\s?)[\w#.-]{0,20}\d[\w#.-]{0,20}\s{0,2}[\])}]"
    rf"|(?:{_TICKET_WORD})[\s_-]{{0,2}}(?:id|nr|no|number)?\.?\s?[:#№]{{1,2}}\s?\d[\w.-]{{0,20}}"
    r"\s{0,2}(?:[:-]|$)"
    r"|##\s?\w{0,10}-?\d{1,12}\s?##",
    re.IGNORECASE,
)
_BANNER = re.compile(
    r"[\[(*]{1,3}\s?(?:ext(?:ern(?:al|e|o|a|í)?)?(?:\s(?:e-?mail|sender|mail))?|spam"
    r"|suspected spam"
    r"|extern email|e-?mail externe?)\s?[\])*]{1,3}:?",
    re.IGNORECASE,
)
_EDGE = " \t\n-–—:|"


def bare_subject(subject: str) -> str:
    """``subject`` without reply and forward marks, ticket tags and gateway tags.

    ``RE: AW: [Ticket #4711] Fwd: Lost parcel`` reads ``Lost parcel``. A subject that is nothing
    but marks reads "".
    """
    rest = _without(subject.strip()[:2000], _BANNER)
    rest = _without(rest, _TICKET).strip()
    while match := _MARK.match(rest):
        rest = rest[match.end() :].lstrip()
    return " ".join(rest.split()).strip(_EDGE) if rest != subject else rest


def _without(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(" ", text)
