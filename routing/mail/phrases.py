"""The words by which mail programs mark older messages, in some thirty languages, lower case."""


def phrases(text: str) -> frozenset[str]:
    """The phrases of ``text``, which are parted by bars and line breaks."""
    return frozenset(
        phrase.strip() for phrase in text.replace("\n", "|").split("|") if phrase.strip()
    )


WROTE = phrases(
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

OPENERS = phrases(
    """on|le|am|el|il|em|op|den|dne|dňa|dnia|w|på|på|no|na|in|a|în|la|på|в|во|на|у|από|στις|την
    tarihinde|ngày|pada|vào|dana|dne|dana|den|vom|date|el|dia|al|az|på|ב|בתאריך
    بتاريخ|في|در|วันที่|on:|le:|d.|am:|datum|quoting|zitat"""
)
"""First words of attribution lines."""

DAYS_AND_MONTHS = phrases(
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
    "date": """date|datum|date d'envoi|fecha|data|dato|päivämäärä|päiväys|pvm|data wysłania|dátum
        dată|дата|дата отправки|ημερομηνία|gönderilme tarihi|tarih|תאריך|تاريخ|التاريخ
        تاريخ الإرسال|日期|時間|时间|日時|날짜|ngày|tanggal|วันที่|datums|kuupäev|datum/zeit|تاریخ
        датум|data e ora""",
    "sent": """sent|sent on|sent at|gesendet|gesendet am|gesendet um|envoyé|envoyé le|envoyee
        enviado|enviado el|enviada|enviada em|enviado em|enviado a las|inviato|inviata
        inviato il|verzonden|verzonden op|verstuurd|sendt|skickat|skickades|lähetetty
        wysłano|wysłane|odesláno|odoslané|küldve|elküldve|trimis|trimis la|trimis pe
        изпратено|отправлено|надіслано|відправлено|στάλθηκε|εστάλη|απεστάλη|gönderildi
        נשלח|נשלחה|تم الإرسال|أرسلت|发送时间|发送日期|寄件日期|傳送時間|發送時間
        送信日時|送信日|보낸 날짜|보낸날짜|발신일
        đã gửi|ngày gửi|dikirim|terkirim|ส่ง|ส่งเมื่อ|poslano|poslato|išsiųsta|nosūtīts
        saadetud|message du|sendt den|skickat den|enviat|ارسال شده|send""",
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
LABELS = {name: kind for kind, names in reversed(_LABELS.items()) for name in phrases(names)}
"""Label of a header line in a quoted header block -> what it holds."""

MESSAGE_LABELS = phrases(
    """message|message body|your message|comment|comments|enquiry|inquiry|question|description
    transcript|nachricht|ihre nachricht|mitteilung|anliegen|kommentar|frage|votre message
    commentaire|mensaje|su mensaje|comentario|comentarios|consulta|mensagem|sua mensagem|messaggio
    richiesta|bericht|uw bericht|vraag|opmerking|besked|meddelande|melding|viesti|wiadomość
    treść wiadomości|zpráva|správa|üzenet|mesaj|сообщение|текст сообщения|メッセージ
    お問い合わせ内容|留言|내용"""
)
"""Labels of the field of a web form in which a customer writes."""

OLDER = phrases(
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
    الرسالة الأصلية|رسالة أصلية|پیام اصلی|原始邮件|原始郵件|原邮件|原始訊息
    元のメッセージ
    オリジナルメッセージ|원본 메시지|원본 메세지|원래 메시지|tin nhắn gốc|thư gốc|pesan asli
    ข้อความต้นฉบับ|izvorna poruka|originalna poruka|izvirno sporočilo|originalus laiškas
    sākotnējais ziņojums|algne kiri|missatge original|reply message|reply separator
    upprunaleg skilaboð|previous message|previous|earlier|older|older message
    previous mail|earlier message|your message|quoted text
    vorherige nachricht|message précédent"""
)
"""What stands between dashes above an older message."""

FORWARDED = phrases(
    """forwarded message|forwarded by|forwarded email|forwarded e-mail|begin forwarded message
    weitergeleitete nachricht|anfang der weitergeleiteten nachricht|weitergeleitete e-mail
    message transféré|message transmis|début du message réexpédié|début du message transféré
    mensaje reenviado|inicio del mensaje reenviado|comienzo del mensaje reenviado
    mensagem encaminhada|mensagem reencaminhada
    início da mensagem encaminhada|início da mensagem reencaminhada
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
    "oberhalb dieser zeile",
    "über dieser zeile",
    "au-dessus de cette ligne",
    "encima de esta línea",
    "sobre esta línea",
    "escriba su respuesta por encima",
    "acima desta linha",
    "acima dessa linha",
    "sopra questa riga",
    "sopra a questa riga",
    "boven deze regel",
    "boven deze lijn",
    "ovenfor denne linje",
    "over denne linje",
    "ovanför denna rad",
    "ovanför den här raden",
    "tämän rivin yläpuolelle",
    "wpisz odpowiedź powyżej",
    "powyżej tej linii",
    "nad tento řádek",
    "nad tímto řádkem",
    "напишите ответ выше этой линии",
    "напишите ответ над этой чертой",
    "ответ над этой строкой",
    "この行より上に",
    "请在此行上方回复",
)
"""Marks of help desks: below stands what the desk wrote."""

EMPTY_WORDS = phrases(
    """fyi|fwd|see below|please see below|pls see below|as below|forwarding|forwarded|for your info
    for your information|below|zur info|zur information|siehe unten|z.k|zk|zur kenntnis|wg|pvi
    pour info|pour information|voir ci-dessous|para su información|ver abajo|per conoscenza
    ter info|ter informatie|zie onder|zie onderstaand|til info|til orientering|för kännedom|tiedoksi
    do wiadomości|na vědomí|к сведению|bilgi için|bilginize|ご参考まで|供参考|참고하세요"""
)
"""Own words above a forwarded message that say nothing."""

GREETINGS = phrases(
    """hi|hello|hey|dear|good morning|good afternoon|good evening|greetings|hallo|liebe
    lieber|liebes|sehr geehrte|sehr geehrter|guten tag|guten morgen|guten abend|moin|servus
    bonjour|bonsoir|cher|chère|chers|madame|monsieur|salut|hola|estimado|estimada|estimados
    buenos días|buenas tardes|querido|querida|olá|ola|oi|prezado|prezada|prezados|caro|cara
    bom dia|boa tarde|ciao|buongiorno|buonasera|salve|gentile|gentili|egregio|spettabile
    beste|geachte|hoi|dag|goedemorgen|goedemiddag|goedendag|hej|hei|kære|kära|kjære|moi|hyvä
    szanowni|szanowna|szanowny|dzień dobry|witam|cześć|dobrý den|ahoj|vážení|vážená|vážený
    bună ziua|stimate|stimată|tisztelt|kedves|szia|здравствуйте|здравствуй|уважаемый|уважаемая
    уважаемые|добрый день|привет|доброго дня|вітаю|здравейте|merhaba|sayın|γεια|αγαπητέ
    αγαπητή|poštovani|pozdravljeni|שלום|مرحبا|您好|你好|こんにちは|안녕하세요"""
)
"""How a greeting starts."""

THANKS = phrases(
    """thanks|thank you|many thanks|thx|cheers|thanks in advance|thank you in advance|ta|danke
    vielen dank|danke schön|besten dank|danke im voraus|vielen dank im voraus|merci
    merci beaucoup|merci d'avance|gracias|muchas gracias|obrigado|obrigada|grazie|grazie mille
    bedankt|dank je|dank u|alvast bedankt|tak|mange tak|takk|tack|tack så mycket|kiitos|dziękuję
    dzięki|děkuji|díky|ďakujem|köszönöm|mulțumesc|спасибо|дякую|благодаря|teşekkürler|ευχαριστώ
    hvala|谢谢|謝謝|ありがとうございます|감사합니다"""
)
"""Thanks that say nothing beside ``FYI``."""

CLOSINGS = phrases(
    """best regards|kind regards|regards|warm regards|with kind regards|with best regards|best
    best wishes|many regards|rgds|br|kr|sincerely|yours sincerely|yours faithfully|sincerely yours
    yours truly|mit freundlichen grüßen|mit freundlichem gruß|mit besten grüßen|freundliche grüße
    viele grüße|beste grüße|liebe grüße|schöne grüße|herzliche grüße|mfg|vg|lg|gruß|grüße
    mit freundlichen grüssen|freundliche grüsse|viele grüsse|cordialement|bien cordialement
    sincères salutations|bien à vous|salutations|saludos|un saludo
    saludos cordiales|atentamente|cordialmente|atenciosamente|com os melhores cumprimentos
    cumprimentos|att|abraços|cordiali saluti|distinti saluti|saluti|un saluto
    met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|vriendelijke groeten|groeten
    groet|mvg|med vennlig hilsen|med venlig hilsen|venlig hilsen|vennlig hilsen|hilsen|mvh
    med vänliga hälsningar|vänliga hälsningar|hälsningar|ystävällisin terveisin|terveisin
    z poważaniem|pozdrawiam|s pozdravem|s pozdravom|üdvözlettel|cu stimă|с уважением|з повагою
    с уважение|saygılarımla|με εκτίμηση|s poštovanjem|lep pozdrav"""
)
"""What stands alone in a line above the name of who wrote."""
