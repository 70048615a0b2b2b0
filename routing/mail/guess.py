"""A guess at the charset of bytes that carry no label, or a wrong one.

Every candidate reads the bytes, and the reading that looks most like writing wins: characters
that are common in the languages of a charset, in words of one script, with capitals only at the
start of words.
"""

import unicodedata

_SAMPLE = 8_000
_LATIN = ("cp1252", "mac_roman", "cp850")
_CENTRAL = ("cp1250", "iso8859_2")
_CYRILLIC = ("cp1251", "koi8_r", "cp866")
_ALPHABETS: tuple[tuple[tuple[str, ...], str], ...] = (
    (_LATIN, "éèàêçôîùâûëïœÉÀÈÇÊ"),
    (_LATIN, "üäößÜÄÖéà"),
    (_LATIN, "óáíéñúüÑÁÉÍÓÚ¿¡çàèò"),
    (_LATIN, "ãçáéíóúâêôõàÁÉÍÓÚÃÇ"),
    (_LATIN, "èàùòìéÈÀÙ"),
    (_LATIN, "åäöøæéüÅÄÖØÆ"),
    (_LATIN, "íáéöðúæþóýÍÁÉÖÐÚÆÞ"),
    (_CENTRAL, "ąęłóżśćńźŁŻŚĆÓŹ"),
    (_CENTRAL, "íáéěřčýžšůúťďňôľäĺŕóŠČŘŽÚÍÁ"),
    (_CENTRAL, "áéóöőíüúűÁÉÖŐÜÍÓÚŰ"),
    (_CENTRAL, "ăâîşţĂÂÎŞŢ"),
    (_CENTRAL, "čšžćđČŠŽĆĐ"),
    (("cp1254",), "ıüişğçöİÜŞĞÇÖâî"),
    (("cp1257",), "ėšžąųįūęčĖŠŽĄŲĮŪĘČ"),
    (("cp1257",), "āīšēņļūžģķčĀĪŠĒŅĻŪŽĢĶČ"),
    (_CYRILLIC, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъОПСВНКДЗМТРБАЯЧУЕИГЛЖШЭХЮ"),
    (("cp1251",), "оаинвіертскулмдпязьгбчюхйїжєцшщґфОПСВНКДЗМТРБАЯЧУЕИГЛЖШХІ"),
    (("cp1251",), "аоеинтсрвлкдпмзябъугчцйжщшюхфОПСВНКДЗМТРБАЯЧУЕИГЛЖШХ"),
    (("cp1253", "iso8859_7"), "αοιετσνρκπμυλςηωάέίόήδγθχύφβξώζψϊΑΟΕΠΚΤΣΜΗΔΓΛΝΧΘΦ"),
    (("cp1255",), "יוהלאמרתשבנחקעכםדפןטצגסזךףץ"),
    (("cp1256",), "الينمرتوبةعدسفهكقحجشطصخذىءضثزغظأإآئؤپچگژک،؟"),
    (("cp874",), "านรกอเงมยลวดทสตะปบคหแจพชขใไโผธณศซถภญฟษฉฐฏฎฬ่้ีัิ์ืุูำ็ึๆฯ"),
)
_PUNCTUATION = "’“”–—‘…„€«»°£§·®©№\xa0"
_KANA = "のにいはをたがでてとしまなかるすれらくこりうきっもだよさあおけんせちどみゃょつ。、ー"
_WIDE = {
    "cp932": _KANA,
    "euc_jp": _KANA,
    "gb18030": (
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得"
        "于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天"
        "分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已"
        "工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什"
        "二等产或新己制身果加西斯月话合回特代内信表化老给，。？！：退款单订货收包裹换客"
        "服谢请"
    ),
    "big5hkscs": (
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那"
        "得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看"
        "定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公"
        "此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體美相見被利"
        "什二等產或新己制身果加西月話合回特代內信表化老給世位次度，。？！：退款單訂貨"
        "收包裹換客服謝請"
    ),
    "cp949": (
        "이다는에고의을하지가를은기도한자로어사아니시그인대리으나있게라서일것보해수정들스"
        "부전여구만성어적원장상습주요면선무제세과조안진거음신동공없때문우여했위니까습니다"
        "세요주문환불배송"
    ),
}
_PRIOR = {"cp1252": 0.15, "cp1251": 0.05, "cp1250": 0.03, "mac_roman": -0.4, "cp850": -0.4}


def guess_charset(data: bytes) -> str:
    """The codec that ``data``, which is no UTF-8, is most likely written in."""
    sample = data[:_SAMPLE]
    if name := _by_zeros(sample):
        return name
    if _is_damaged_utf8(sample):
        return "utf-8"
    wide = [(_wide_score(sample, name), name) for name in _WIDE]
    single = [
        (_single_score(sample, name, alphabet) + _PRIOR.get(name, 0.0), name)
        for names, alphabet in _ALPHABETS
        for name in names
    ]
    return max(wide + single, key=lambda scored: scored[0])[1]


def _by_zeros(sample: bytes) -> str:
    """UTF-16 without a mark shows in zeros at every other byte."""
    if sample.count(0) * 5 < len(sample) or len(sample) < 4:
        return ""
    return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"


def _is_damaged_utf8(sample: bytes) -> bool:
    """True when most of the bytes beyond ASCII belong to whole UTF-8 sequences."""
    high = sum(byte >= 0x80 for byte in sample)
    read = sample.decode("utf-8", "ignore")
    good = sum(len(character.encode()) for character in read if character > "\x7f")
    return good >= 6 and good >= 0.8 * high


def _wide_score(sample: bytes, name: str) -> float:
    """Mean fit of the multi-byte characters, at most 1; -1 for what cannot be read."""
    text = _readable(sample, name)
    if text is None:
        return -1.0
    beyond = [character for character in text if character > "\x7f"]
    if not beyond:
        return -1.0
    common = sum(character in _WIDE[name] for character in beyond)
    odd = sum(_is_odd(character) for character in beyond)
    return (common + 0.35 * (len(beyond) - common) - 2.35 * odd) / len(beyond)


def _is_odd(character: str) -> bool:
    """Halfwidth kana, private use and unassigned characters, which nobody writes."""
    return "\uff61" <= character <= "\uff9f" or unicodedata.category(character) in {"Co", "Cn"}


def _readable(sample: bytes, name: str) -> str | None:
    """``sample`` in the codec ``name``; a character cut at its end does not count."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(name)
        except UnicodeError:
            continue
    return None


def _single_score(sample: bytes, name: str, alphabet: str) -> float:
    """Mean fit of the characters beyond ASCII, read as ``name``, to one alphabet."""
    text = sample.decode(name, "replace")
    marks = [at for at, character in enumerate(text) if character > "\x7f"][:1_000]
    if not marks:
        return 0.0
    latin = "a" <= unicodedata.normalize("NFD", alphabet[0])[0] <= "ž"
    fit = sum(_fit(text, at, alphabet, latin=latin) for at in marks) / len(marks)
    if latin:
        return fit
    plain = sum(character.isalpha() for character in text) - len(marks)
    frequent = sum(text[at] in alphabet[:5] for at in marks) / len(marks)
    sure = min(len(marks) / 10, 1.0)
    return fit + sure * (frequent - 0.35) - 0.5 * (plain > 3 * len(marks))


def _fit(text: str, at: int, alphabet: str, *, latin: bool) -> float:
    """How well a character beyond ASCII fits where it stands, at most 1."""
    character = text[at]
    before, after = text[at - 1] if at else " ", text[at + 1 : at + 2] or " "
    if character == "\ufffd" or "\x80" <= character <= "\x9f":
        return -3.0
    rank = alphabet.find(character)
    if rank < 0:
        return 0.5 if character in _PUNCTUATION else -0.5
    score = 1.0 - 0.5 * rank / len(alphabet)
    if before.islower() and character.isupper():
        score -= 1.0
    score -= 0.5 * (before.isdigit() or after.isdigit())
    neighbours = [beside for beside in (before, after) if beside.isalpha()]
    plain = sum(beside < "\x80" for beside in neighbours)
    if latin:
        return score - 0.5 * (len(neighbours) - plain)
    return score - 1.0 * plain - 0.5 * (not neighbours)
