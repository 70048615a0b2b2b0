"""The words by which mail programs mark what is no news, in some thirty languages.

All are lower case. Nothing here is a regular expression except the sentence patterns of
disclaimers and gateway banners, which are tried on single lines.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(
        phrase.strip() for phrase in text.replace("\n", "|").split("|") if phrase.strip()
    )


WROTE = _words(
    """wrote|writes|schrieb|geschrieben|écrit|ecrit|escribió|escribio|escribe|escreveu|escrevia
    scritto|scrive|schreef|geschreven|skrev|skreiv|skrifaði|kirjoitti|napisał|napisala|napisała
    napsal|napsala|napsal/a|napísal|napísala|napisal|írta|irta|scris|написа|написал|написала
    писал|писала|пишет|написав|написала|пише|έγραψε|yazdı|yazdi|yazmış|כתב|כתבה|כתב/ה|كتب|كتبت
    نوشت|viết|menulis|เขียน|เขียนว่า|napisao|rašė|parašė|rakstīja|kirjutas|escrigué|escriure
    idatzi|shkroi|жазды|napisao/la|napisal/-a|napisał(a)|написал(а)|написав(ла)"""
)
"""Verbs of attribution lines such as ``On … Ann wrote:``."""

WROTE_PARTS = ("写道", "寫道", "书写", "のメール", "書きました", "さんは", "님이", "작성", "wrote:")
"""The same for scripts without spaces between words."""

OPENERS = _words(
    """on|le|am|el|il|em|op|den|dne|dňa|dnia|w|på|på|no|na|in|a|în|la|på|в|во|на|у|από|στις|την
    tarihinde|ngày|pada|vào|dana|dne|dana|den|vom|date|el|dia|al|az|på|ב|בתאריך
    بتاريخ|في|در|วันที่|on:|le:|d.|am:|datum|quoting|zitat"""
)
"""First words of attribution lines."""

DAYS_AND_MONTHS = _words(
    """mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday
    saturday|sunday|today|yesterday|tonight|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec
    january|february|march|april|june|july|august|september|october|november|december
    montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|gestern|januar|februar|märz
    mai|juni|juli|oktober|dezember|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|hier
    janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre
    lunes|martes|miércoles|jueves|viernes|sábado|domingo|ayer|hoy|enero|febrero|marzo|abril|mayo
    junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunedì|martedì|mercoledì|giovedì
    venerdì|sabato|domenica|ieri|oggi|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre
    ottobre|dicembre|segunda|terça|quarta|quinta|sexta|ontem|hoje|janeiro|fevereiro|março|maio
    junho|julho|setembro|outubro|novembro|dezembro|maandag|dinsdag|woensdag|donderdag|vrijdag
    zaterdag|zondag|gisteren|vandaag|januari|februari|maart|mei|augustus|mandag|tirsdag|onsdag
    torsdag|fredag|lørdag|søndag|måndag|tisdag|lördag|söndag|igår|maanantai|tiistai|keskiviikko
    torstai|perjantai|lauantai|sunnuntai|poniedziałek|wtorek|środa|czwartek|piątek|sobota
    niedziela|pondělí|úterý|středa|čtvrtek|pátek|neděle|вчера|сегодня|понедельник|вторник|среда
    четверг|пятница|суббота|воскресенье"""
)
"""Words that make a short line above a quote a date line."""

_LABELS = {
    "from": """from|von|de|da|van|fra|från|lähettäjä|od|feladó|de la|от|от кого|від|від кого|από
        kimden|gönderen|מאת|من|发件人|寄件者|寄件人|發件人|差出人|送信者|발신|보낸 사람|보낸사람
        보낸이|từ|người gửi|dari|จาก|šalje|pošiljatelj|pošiljalec|nuo|no|saatja|expéditeur
        remitente|mittente|afzender|avsender|afsender|avsändare|odesílatel|odosielateľ|nadawca
        expeditor|подател|absender|sender|reply-to|frå|siuntėjas|sūtītājs|فرستنده|از|пошиљалац
        від:|kimdən|frá|remetente|de parte de|from (sender)""",
    "date": """date|sent|sent on|sent at|datum|gesendet|gesendet am|gesendet um|envoyé|envoyé le
        envoyee|date d'envoi|enviado|enviado el|enviada|enviada em|enviado em|enviado a las|fecha
        data|inviato|inviata|inviato il|verzonden|verzonden op|verstuurd|sendt|dato|skickat
        skickades|lähetetty|päivämäärä|päiväys|pvm|wysłano|wysłane|data wysłania|odesláno
        dátum|odoslané|küldve|elküldve|trimis|trimis la|trimis pe|dată|изпратено|дата|отправлено
        дата отправки|надіслано|відправлено|ημερομηνία|στάλθηκε|εστάλη|απεστάλη|gönderildi
        gönderilme tarihi|tarih|נשלח|תאריך|נשלחה|تاريخ|التاريخ|تاريخ الإرسال|تم الإرسال|أرسلت
        发送时间|发送日期|日期|時間|时间|寄件日期|傳送時間|發送時間|日時|送信日時|送信日|보낸 날짜
        보낸날짜|날짜|발신일|đã gửi|ngày|ngày gửi|tanggal|dikirim|terkirim|วันที่|ส่ง|ส่งเมื่อ
        poslano|poslato|išsiųsta|nosūtīts|datums|saadetud|kuupäev|message du|datum/zeit|sendt den
        skickat den|enviat|تاریخ|ارسال شده|датум|send|data e ora""",
    "to": """to|an|à|a|para|aan|til|till|vastaanottaja|do|komu|pro|címzett|către|catre|la|до|кому
        на|προς|kime|alıcı|אל|إلى|الى|收件人|收件者|宛先|받는 사람|받는사람|받는이|수신|đến|tới
        người nhận|kepada|untuk|ถึง|za|prima|primatelj|kam|kellele|saaja|adresát|destinataire
        destinatario|destinatário|empfänger|ontvanger|modtager|mottaker|mottagare|odbiorca
        příjemce|per|gavėjas|به|گیرنده|a:|pour|mottakar""",
    "subject": """subject|betreff|betr|objet|asunto|assunto|oggetto|onderwerp|emne|ämne|aihe|temat
        předmět|predmet|predmet správy|tárgy|subiect|тема|относно|предмет|θέμα|konu|נושא|موضوع
        الموضوع|主题|主旨|主題|標題|件名|題名|제목|chủ đề|tiêu đề|subjek|perihal|เรื่อง|หัวเรื่อง
        naslov|zadeva|tema|temats|teema|assumpte|efni|sujet|gaia|наслов""",
    "copy": """cc|bcc|kopie|copie|copie à|copia|cópia|kopi|kopia|kopio|dw|másolatot kap|másolat
        копия|копие|копія|κοιν|κοινοποίηση|bilgi|עותק|نسخة|抄送|副本|ccへ|참조|kopie komu|kópia
        sao chép|tembusan|สำเนา|cc/bcc|kopija|в копии|رونوشت|копија|afrit""",
    "other": """importance|priority|priorität|wichtigkeit|importancia|importance|attachments
        anlagen|anhang|pièces jointes|adjuntos|allegati|bijlagen|organization|reply to|antwort an
        répondre à|responder a|rispondi a|sensitivity|categories|message-id|list-id|in-reply-to
        references|content-type|mime-version|x-mailer|delivered-to|return-path""",
}
LABELS = {name: kind for kind, names in reversed(_LABELS.items()) for name in _words(names)}
"""Label of a header line in a quoted header block -> what it holds."""

OLDER = _words(
    """original message|original email|original e-mail|original appointment|oprindelig besked
    oprindelig meddelelse|opprinnelig melding|opprinnelig e-post|ursprüngliche nachricht
    originalnachricht|ursprüngliche e-mail|original-nachricht|message d'origine|message original
    message d’origine|message initial|mensaje original|mensagem original|messaggio originale
    messaggio inoltrato|oorspronkelijk bericht|origineel bericht|oorspronkelijke bericht
    ursprungligt meddelande|originalmeddelande|ursprungligt mail|alkuperäinen viesti
    wiadomość oryginalna|oryginalna wiadomość|původní zpráva|pôvodná správa|eredeti üzenet
    mesaj original|mesajul original|оригинално съобщение|исходное сообщение
    оригинальное сообщение|пересылаемое сообщение|вихідне повідомлення|оригінальне повідомлення
    αρχικό μήνυμα|orijinal ileti|özgün ileti|orjinal mesaj|orijinal mesaj|הודעה מקורית
    הודעה מקורית|الرسالة الأصلية|رسالة أصلية|پیام اصلی|原始邮件|原始郵件|原邮件|原始訊息|元のメッセージ
    オリジナルメッセージ|원본 메시지|원본 메세지|원래 메시지|tin nhắn gốc|thư gốc|pesan asli
    ข้อความต้นฉบับ|izvorna poruka|originalna poruka|izvirno sporočilo|originalus laiškas
    sākotnējais ziņojums|algne kiri|missatge original|reply message|reply separator
    upprunaleg skilaboð|previous message|previous|earlier|older|older message|previous mail|earlier message|your message|quoted text
    vorherige nachricht|message précédent"""
)
"""What stands between dashes above an older message."""

FORWARDED = _words(
    """forwarded message|forwarded by|forwarded email|forwarded e-mail|begin forwarded message
    weitergeleitete nachricht|anfang der weitergeleiteten nachricht|weitergeleitete e-mail
    message transféré|message transmis|début du message réexpédié|début du message transféré
    mensaje reenviado|inicio del mensaje reenviado|comienzo del mensaje reenviado|mensagem encaminhada
    mensagem reencaminhada|início da mensagem encaminhada|início da mensagem reencaminhada
    messaggio inoltrato|inizio messaggio inoltrato|inizio del messaggio inoltrato
    doorgestuurd bericht|begin doorgestuurd bericht|videresendt besked|videresendt meddelelse
    start på videresendt besked|videresendt melding|videresendt e-post
    start på videresendt melding|vidarebefordrat meddelande|vidarebefordrat mail
    vidarebefordrat brev|början på vidarebefordrat brev|edelleenlähetetty viesti
    välitetty viesti|välitetty viesti alkaa|przekazana wiadomość|wiadomość przekazana
    początek przekazywanej wiadomości|přeposlaná zpráva|začátek přeposílané zprávy
    preposlaná správa|továbbított üzenet|továbbított levél kezdete|mesaj redirecționat
    mesaj redirectionat|препратено съобщение|пересылаемое сообщение|пересланное сообщение
    переадресоване повідомлення|пересланий лист|προωθημένο μήνυμα|iletilmiş ileti
    iletilen mesaj|yönlendirilmiş mesaj|הודעה שהועברה|הודעה מועברת|رسالة معاد توجيهها
    الرسالة المعاد توجيهها|پیام فوروارد شده|转发的邮件|转发邮件|轉寄的郵件|轉寄郵件|已轉寄郵件
    転送されたメッセージ|転送メッセージ|전달된 메시지|전달된 메일|thư được chuyển tiếp
    pesan yang diteruskan|ข้อความที่ส่งต่อ|proslijeđena poruka|prosleđena poruka
    posredovano sporočilo|persiųstas laiškas|pārsūtītais ziņojums|edastatud kiri
    missatge reenviat|isiğim mesaj|framsend skilaboð|fwd|forward"""
)
"""What stands between dashes, or before a colon, above a forwarded message."""

REPLY_ABOVE = (
    "reply above this line",
    "type your reply above",
    "write above this line",
    "reply above the line",
    "please do not write below this line",
    "bitte oberhalb dieser zeile antworten",
    "antworten sie oberhalb dieser zeile",
    "répondre au-dessus de cette ligne",
    "répondez au-dessus de cette ligne",
    "responda por encima de esta línea",
    "escriba su respuesta por encima",
    "responda acima desta linha",
    "rispondi sopra questa riga",
    "typ uw antwoord boven deze regel",
    "plaats uw reactie boven deze regel",
    "svar ovenfor denne linje",
    "svara ovanför denna rad",
    "wpisz odpowiedź powyżej",
    "напишите ответ выше этой линии",
    "напишите ответ над этой чертой",
    "この行より上に返信",
    "请在此行上方回复",
)
"""Marks of help desks: below stands what the desk wrote."""

MOBILE = (
    "sent from my",
    "sent from",
    "sent via",
    "sent with",
    "sent using",
    "sent by",
    "get outlook for",
    "get the outlook app",
    "download outlook for",
    "von meinem",
    "von meiner",
    "gesendet von",
    "gesendet mit",
    "gesendet aus",
    "gesendet über",
    "diese nachricht wurde von meinem",
    "outlook für",
    "envoyé de",
    "envoyé depuis",
    "envoyé à partir",
    "envoyé avec",
    "envoyé par",
    "télécharger outlook",
    "obtenir outlook",
    "obtenez outlook",
    "enviado desde",
    "enviado con",
    "enviado via",
    "enviado do",
    "enviado da",
    "enviado de",
    "enviado através",
    "enviado a partir",
    "enviat des",
    "obtener outlook",
    "obter o outlook",
    "inviato da",
    "inviato con",
    "inviata da",
    "scarica outlook",
    "ottieni outlook",
    "verzonden vanaf",
    "verzonden via",
    "verzonden met",
    "verstuurd vanaf",
    "verstuurd met",
    "outlook voor",
    "download outlook",
    "skickat från",
    "skickades från",
    "hämta outlook",
    "skaffa outlook",
    "sendt fra",
    "sendt med",
    "sendt via",
    "hent outlook",
    "få outlook",
    "lähetetty",
    "hanki outlook",
    "wysłane z",
    "wysłano z",
    "wysłane przy",
    "pobierz outlook",
    "uzyskaj outlook",
    "odesláno z",
    "odesláno ze",
    "poslané z",
    "odoslané z",
    "získat outlook",
    "elküldve",
    "iphone-omról",
    "az iphone-omról",
    "trimis de pe",
    "trimis din",
    "изпратено от",
    "отправлено с",
    "отправлено из",
    "отправлено через",
    "надіслано з",
    "відправлено з",
    "στάλθηκε από",
    "εστάλη από",
    "iphone'umdan",
    "ipad'imden",
    "נשלח מה",
    "נשלח מ",
    "أرسلت من",
    "تم الإرسال من",
    "مرسل من",
    "ارسال شده از",
    "发自我的",
    "发自",
    "從我的",
    "傳送自",
    "iphoneから",
    "ipadから",
    "androidから",
    "スマートフォンから",
    "나의 iphone",
    "내 iphone",
    "iphone에서",
    "đã gửi từ",
    "được gửi từ",
    "dikirim dari",
    "ส่งจาก",
    "poslano s",
    "poslano iz",
    "poslano z",
    "poslato sa",
    "išsiųsta iš",
    "nosūtīts no",
    "saadetud minu",
)
"""How the line of a telephone or a mail program starts."""

DEVICES = [
    "iphone",
    "ipad",
    "ipod",
    "ios",
    "apple watch",
    "android",
    "outlook",
    "yahoo",
    "gmail",
    "mail",
    "blackberry",
    "samsung",
    "galaxy",
    "huawei",
    "xiaomi",
    "redmi",
    "oneplus",
    "nokia",
    "lumia",
    "sony",
    "xperia",
    "htc",
    "motorola",
    "moto ",
    "pixel",
    "oppo",
    "realme",
    "fairphone",
    "phone",
    "mobile",
    "mobil",
    "tablet",
    "device",
    "handy",
    "windows",
    "proton",
    "aol",
    "zoho",
    "spark",
    "sparrow",
    "mailbox",
    "telefon",
    "téléphone",
    "telefono",
    "teléfono",
    "móvil",
    "celular",
    "telemóvel",
    "puhelim",
    "телефон",
    "смартфон",
    "айфон",
    "cellulare",
    "gsm",
    "telefoon",
    "lenovo",
    "lg ",
    "wiko",
    "thunderbird",
    "tutanota",
    "hey",
    "superhuman",
    "mailspring",
    "canary",
    "airmail",
    "edison",
    "newton",
    "gmx",
    "web.de",
    "orange",
    "sfr",
    "bluemail",
    "k-9",
    "fairemail",
    "手机",
    "手機",
    "스마트폰",
    "スマートフォン",
    "携帯",
    "hotmail",
    "live mail",
    "poczta",
    "почт",
    "mail.ru",
    "wp ",
    "interia",
    "surface",
]
"""What such a line names."""

DISCLAIMER_HINTS = [
    "confiden",
    "disclaimer",
    "intended",
    "addressee",
    "recipient",
    "privileged",
    "virus",
    "printing",
    "before you print",
    "legally",
    "e-mail in error",
    "email in error",
    "message in error",
    "notify the sender",
    "vertraulich",
    "empfänger",
    "ausdruck",
    "druckt",
    "destinatai",
    "destinatar",
    "imprimer",
    "imprim",
    "riservat",
    "destinato",
    "stampare",
    "vertrouwelijk",
    "bestemd",
    "afdruk",
    "fortrolig",
    "tilsiktede",
    "konfidentiell",
    "sekret",
    "skriver",
    "luottamuks",
    "poufn",
    "drukuj",
    "wydruk",
    "důvěrn",
    "tisk",
    "dôvern",
    "bizalmas",
    "nyomtat",
    "конфиденц",
    "распечат",
    "конфіденц",
    "поверител",
    "εμπιστευτ",
    "gizli",
    "yazdır",
    "חסוי",
    "סודי",
    "سري",
    "保密",
    "机密",
    "機密",
    "秘密",
    "기밀",
    "rahsia",
    "rahasia",
    "bảo mật",
    "geheim",
    "povjerljiv",
    "zaupn",
    "konfidencial",
    "prohibited",
    "unsubscribe",
]
"""Substrings without which a text holds no disclaimer."""

_DISCLAIMERS = (
    r"if you(?:'re|’re| are| have) (?:not |received )(?:the |an |a |this )?(?:intended|named|correct"
    r"|designated|addressee|e-?mail|message|communication|transmission|it )",
    r"not the (?:intended|named) (?:recipient|addressee)s?[^.]{0,80}(?:e-?mail|message|cop|disclos|delet|notif)",
    r"(?:e-?mail|message|communication|transmission|attachments?|files?)\b[^.]{0,120}(?:is|are|be"
    r"|contains?|may contain|include)\b[^.]{0,60}(?:confidential|privileged|intended (?:only|solely|for))",
    r"confidential(?:ity)? (?:notice|and (?:may|privileged)|information intended)|^\W*(?:legal )?disclaimer\b",
    r"intended (?:only |solely |exclusively )?for (?:the )?(?:use of |sole use of |attention of )?the"
    r" (?:addressee|named|individual|person|recipient|intended|entity)",
    r"(?:received|got) this (?:e-?mail|message|communication|transmission|fax)[^.]{0,40}(?:in error|by mistake)",
    r"(?:notify|inform|advise|contact) the (?:sender|originator)",
    r"(?:cop(?:y|ying)|disclosure|distribution|dissemination|review)\b[^.]{0,100}\b(?:prohibited|unlawful|unauthori)",
    r"(?:before|when) (?:you )?print(?:ing)? this|consider the environment|think before you print|save (?:a tree|paper)",
    r"(?:checked|scanned|swept|screened|tested|examined)[^.]{0,40}\bvirus|virus[- ]?free|free (?:of|from) virus"
    r"|virus(?:es)?\b[^.]{0,60}(?:e-?mail|message|attachment)|(?:e-?mail|message|attachment)[^.]{0,80}virus",
    r"diese (?:e-?mail|nachricht|mitteilung)[^.]{0,120}(?:vertraulich|bestimmt|geschützt)",
    r"nicht der (?:richtige|beabsichtigte|vorgesehene|bestimmungsgemäße) (?:adressat|empfänger)|e-?mail irrtümlich"
    r"|irrtümlich erhalten|(?:informieren|benachrichtigen) sie (?:bitte )?(?:sofort |umgehend )?den absender",
    r"(?:unbefugte|unerlaubte)[^.]{0,60}(?:weitergabe|kopieren|verbreitung)|(?:umwelt|ausdruck(?:en)? dieser)"
    r"[^.]{0,60}(?:e-?mail|ausdruck|drucken)|vertrauliche informationen|ausdruck dieser",
    r"(?:ce (?:message|courriel|mail|e-?mail)|cet? e-?mail|cette communication)[^.]{0,120}"
    r"(?:confidentiel|destiné|destinataire|protég|erreur)",
    r"(?:n'êtes|n’êtes) pas (?:le|un) (?:bon )?destinataire|(?:avant d'|avant d’|d'|d’|n')imprim[^.]{0,60}"
    r"|message par erreur|pensez à l'environnement|pensez à l’environnement|virus[^.]{0,40}(?:avast|analys)",
    r"(?:este|esta) (?:mensaje|correo|e-?mail|comunicación|mensagem|email)[^.]{0,140}(?:confidencial|destinad"
    r"|privilegiad|dirigid|virus|vírus)",
    r"no es (?:usted )?el destinatario|não (?:é|for|seja) o destinatário|(?:mensaje|correo|mensagem|e-?mail) por (?:error|engano)"
    r"|antes de imprimir|medio ambiente[^.]{0,60}imprim|información confidencial|informaç(?:ão|ões) confidencia",
    r"(?:questo messaggio|questa (?:e-?mail|comunicazione)|presente (?:e-?mail|messaggio|comunicazione)|"
    r"informazioni contenute|messaggio e (?:negli|gli) allegati)[^.]{0,140}(?:riservat|destinat|confidenzial|esclusivo)",
    r"non (?:siete|è|sei|fosse) (?:il|i) destinatari|(?:ricevete|ricevuto) questo messaggio per errore"
    r"|prima di stampare|persone diverse dal destinatario",
    r"(?:dit|deze) (?:bericht|e-?mail|mail|boodschap)[^.]{0,140}(?:vertrouwelijk|bestemd|geadresseerde)"
    r"|niet de (?:beoogde |bedoelde )?(?:geadresseerde|ontvanger)|alvorens[^.]{0,40}(?:afdruk|print)|denk aan het milieu",
    r"(?:denne|detta|dette|tämä)\b[^.]{0,140}(?:fortrolig|konfidentiell|konfidensiel|luottamuksell|avsedd|beregnet|tiltenkt|tarkoitettu)",
    r"(?:niniejsz|ta wiadomość|treść tej)[^.]{0,140}(?:poufn|przeznaczon)|nie (?:jest|są) (?:pan|państwo)?[^.]{0,20}adresat"
    r"|zanim wydrukujesz|pomyśl[^.]{0,40}(?:wydruk|drukow|środowisk)",
    r"(?:tato (?:zpráva|e-?mail)|táto (?:správa|e-?mail)|tento e-?mail)[^.]{0,140}(?:důvěrn|dôvern|určen)|(?:ez az|jelen) (?:üzenet|e-?mail)"
    r"[^.]{0,140}bizalmas|acest (?:mesaj|e-?mail)[^.]{0,140}confiden",
    r"(?:это|данное|настоящее)[^.]{0,40}(?:сообщение|письмо)[^.]{0,140}(?:конфиденц|предназначен)|(?:цей|це)[^.]{0,40}(?:лист|повідомлення)"
    r"[^.]{0,140}конфіденц|(?:това|този)[^.]{0,40}(?:съобщение|имейл)[^.]{0,140}поверител|прежде чем (?:распечатать|печатать)",
    r"(?:bu (?:e-?posta|mesaj|ileti))[^.]{0,140}(?:gizli|yalnızca|sadece)|το (?:παρόν )?(?:μήνυμα|e-?mail)[^.]{0,140}εμπιστευτικ",
    r"(?:本邮件|本郵件|此邮件|此郵件|本電子郵件|本メール|このメール|이 메일|본 메일|본 메시지)[^。]{0,80}(?:保密|机密|機密|秘密|기밀|誤|误|仅供|僅供)",
    r"(?:מסר זה|הודעה זו|דוא.ל זה)[^.]{0,120}(?:חסוי|סודי)|(?:هذه الرسالة|هذا البريد)[^.]{0,120}(?:سري|مخصص)",
    r"^\W*(?:click here to |to )?unsubscribe\b[^.]{0,60}$",
)
DISCLAIMER = re.compile("|".join(f"(?:{pattern})" for pattern in _DISCLAIMERS))
"""A sentence of a disclaimer, in lower case."""

_BANNERS = (
    r"^\W{0,6}(?:ext|extern(?:al|e|er|o|a|í|í)?|außen|spam\??)(?: (?:e-?mail|sender|message|mail|absender|courriel|correo))?\W{0,6}$",
    r"(?:outside|external to) (?:of )?(?:the|your|our|this) (?:organi[sz]ation|company|network|institution|university|business|firm|domain)"
    r"|(?:outside|external) (?:sender|source|e-?mail system)",
    r"(?:do not|don't|don’t|never) (?:click|open)[^.]{0,40}(?:links?|attachments?)",
    r"(?:don't|don’t|do not) often (?:get|receive) (?:e-?)?mail from|learn why this is important",
    r"^\W{0,6}(?:caution|warning|attention|notice|alert|be careful)\b[^.]{0,60}\b(?:external|outside|unknown sender|e-?mail)",
    r"(?:^|\W)external (?:e-?mail|sender|message|mail)\b[^.]{0,80}(?:caution|careful|links?|attachments?)",
    r"(?:externe[rn]? (?:e-?mail|absender|nachricht|quelle)|von außerhalb|außerhalb (?:der|unserer|ihrer) (?:organisation|firma))"
    r"|(?:links?|anhänge)[^.]{0,60}(?:nicht (?:an|öffnen)|vorsicht)|sie erhalten nicht oft e-?mails? von",
    r"(?:extérieur|externe) (?:à|de|au) (?:l'|l’|la |votre |notre )?(?:organisation|entreprise|société)|provient de l['’]extérieur"
    r"|(?:expéditeur|courriel|message|e-?mail) externe|ne cliquez pas|vous (?:n['’]obtenez|ne recevez) pas souvent",
    r"(?:correo|remitente|mensaje|e-?mail) externo|fuera de (?:la|su|nuestra) (?:organización|empresa)|no haga clic|no suele recibir correo"
    r"|(?:remetente|mensagem|e-?mail) externo?a?\b|fora da (?:organização|empresa)|não clique",
    r"(?:mittente|messaggio|e-?mail|mail) estern[oa]|(?:al di fuori|dall'esterno) del|non (?:cliccare|fare clic)",
    r"(?:extern(?:e)? (?:e-?mail|afzender|bericht))|buiten (?:de|uw|onze) organisatie|klik niet op",
    r"(?:utanför|uden for|utenfor) (?:organisationen|organisasjonen|din|virksomheden)|ekstern (?:e-?post|e-?mail|afsender|avsender)|extern avsändare"
    r"|organisaation ulkopuol",
    r"spoza (?:organizacji|firmy)|(?:zewnętrzn\w{1,3}) (?:nadawc|wiadomoś|e-?mail)|nie klikaj|mimo (?:organizaci|naši|společnost)|externí (?:e-?mail|odesílatel)",
    r"(?:внешн\w{1,4}) (?:письмо|отправител|сообщени|почт)|извне организации|не переходите по ссылкам",
    r"(?:外部邮件|外部郵件|外部寄件|外部メール|社外からのメール|외부 메일|외부에서 온)",
    r"kuruluş(?:unuz)?(?:un)? dışından|harici (?:e-?posta|gönderen)",
)
BANNER = re.compile("|".join(f"(?:{pattern})" for pattern in _BANNERS))
"""A line that a mail gateway put above a message, in lower case."""

EMPTY_WORDS = _words(
    """fyi|fwd|see below|please see below|pls see below|as below|forwarding|forwarded|for your info
    for your information|below|zur info|zur information|siehe unten|z.k|zk|zur kenntnis|wg|pvi
    pour info|pour information|voir ci-dessous|para su información|ver abajo|per conoscenza
    ter info|ter informatie|zie onder|zie onderstaand|til info|til orientering|för kännedom|tiedoksi
    do wiadomości|na vědomí|к сведению|bilgi için|bilginize|ご参考まで|供参考|참고하세요"""
)
"""Own words above a forwarded message that say nothing."""
