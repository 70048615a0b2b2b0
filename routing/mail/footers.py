"""The words of signatures, disclaimers and gateway banners, in some twenty languages.

All are lower case. The patterns are tried on single lines or sentences; ``[^.]{0,n}`` keeps them
inside a sentence and cheap.
"""

import re

from routing.mail.phrases import phrases

MOBILE = tuple(
    phrases(
        """sent from my|sent from|sent via|sent with|sent using|sent by|get outlook for
        get the outlook app|download outlook for|von meinem|von meiner|gesendet von|gesendet mit
        gesendet aus|gesendet über|diese nachricht wurde von meinem|outlook für|envoyé de
        envoyé depuis|envoyé à partir|envoyé avec|envoyé par|télécharger outlook|obtenir outlook
        obtenez outlook|enviado desde|enviado con|enviado via|enviado do|enviado da|enviado de
        enviado através|enviado a partir|enviat des|obtener outlook|obter o outlook|inviato da
        inviato con|inviata da|scarica outlook|ottieni outlook|verzonden vanaf|verzonden via
        verzonden met|verstuurd vanaf|verstuurd met|outlook voor|download outlook|skickat från
        skickades från|hämta outlook|skaffa outlook|sendt fra|sendt med|sendt via|hent outlook
        få outlook|lähetetty|hanki outlook|wysłane z|wysłano z|wysłane przy|pobierz outlook
        uzyskaj outlook|odesláno z|odesláno ze|poslané z|odoslané z|získat outlook|elküldve
        iphone-omról|az iphone-omról|trimis de pe|trimis din|изпратено от|отправлено с
        отправлено из|отправлено через|надіслано з|відправлено з|στάλθηκε από|εστάλη από
        iphone'umdan|ipad'imden|נשלח מה|נשלח מ|أرسلت من|تم الإرسال من|مرسل من|ارسال شده از
        发自我的|发自|從我的|傳送自
        iphoneから|ipadから|androidから|スマートフォンから
        나의 iphone|내 iphone|iphone에서
        đã gửi từ
        được gửi từ|dikirim dari|ส่งจาก|poslano s|poslano iz|poslano z|poslato sa|išsiųsta iš
        nosūtīts no|saadetud minu"""
    )
)
"""How the line of a telephone or a mail program starts."""

DEVICES = tuple(
    phrases(
        """iphon|ipad|ipod|ios|apple watch|android|outlook|yahoo|gmail|mail|blackberry|samsung
        galaxy|huawei|xiaomi|redmi|oneplus|nokia|lumia|sony|xperia|htc|motorola|pixel|oppo
        realme|fairphone|phone|mobile|mobil|tablet|device|handy|windows|proton|aol|zoho|spark
        sparrow|mailbox|telefon|téléphone|telefono|teléfono|móvil|celular|telemóvel|puhelim
        телефон|смартфон|айфон|cellulare|gsm|telefoon|lenovo|wiko|thunderbird|tutanota
        superhuman|mailspring|canary|airmail|edison|newton|gmx|web.de|orange|sfr|bluemail|k-9
        fairemail|手机|手機|스마트폰|スマートフォン|携帯|hotmail|live mail|poczta|почт
        mail.ru|interia
        surface"""
    )
)
"""What such a line names."""

DISCLAIMER_HINTS = tuple(
    phrases(
        """adressat|irrtüml|erreur|por error|por engano|per errore|environ|umwelt|confiden
        disclaimer|intended|addressee|recipient|privileged|virus|printing|before you print
        legally|e-mail in error|email in error|message in error|notify the sender
        vertraulich|empfänger|ausdruck|druckt|destinatai|destinatar|imprimer|imprim
        riservat|destinato|stampare|vertrouwelijk|bestemd|afdruk|fortrolig|tilsiktede
        konfidentiell|sekret|skriver|luottamuks|poufn|drukuj|wydruk|důvěrn|tisk|dôvern
        bizalmas|nyomtat|конфиденц|распечат|конфіденц|поверител|εμπιστευτ|gizli|yazdır
        חסוי|סודי|سري|保密|机密|機密|秘密|기밀|rahsia|rahasia|bảo mật|geheim|povjerljiv|zaupn
        konfidencial|prohibited|unsubscribe"""
    )
)
"""Substrings without which a text holds no disclaimer."""

_DISCLAIMERS = (
    r"if you(?:'re|’re| are| have) (?:not |received )(?:the |an |a |this )?(?:intended|named"
    r"|correct"
    r"|designated|addressee|e-?mail|message|communication|transmission|it )",
    r"not the (?:intended|named) (?:recipient|addressee)s?[^.]{0,80}(?:e-?mail|message|cop"
    r"|disclos|delet|notif)",
    r"(?:e-?mail|message|communication|transmission|attachments?|files?)\b[^.]{0,120}(?:is|are|be"
    r"|contains?|may contain|include)\b[^.]{0,60}(?:confidential|privileged|intended (?:only"
    r"|solely|for))",
    r"confidential(?:ity)? (?:notice|and (?:may|privileged)|information intended)"
    r"|^\W*(?:legal )?disclaimer\b",
    r"intended (?:only |solely |exclusively )?for (?:the )?(?:use of |sole use of "
    r"|attention of )?the"
    r" (?:addressee|named|individual|person|recipient|intended|entity)",
    r"(?:received|got) this (?:e-?mail|message|communication|transmission"
    r"|fax)[^.]{0,40}(?:in error|by mistake)",
    r"(?:notify|inform|advise|contact) the (?:sender|originator)",
    r"(?:cop(?:y|ying)|disclosure|distribution|dissemination"
    r"|review)\b[^.]{0,100}\b(?:prohibited|unlawful|unauthori)",
    r"(?:before|when) (?:you )?print(?:ing)? this|consider the environment"
    r"|think before you print|save (?:a tree|paper)",
    r"(?:checked|scanned|swept|screened|tested|examined)[^.]{0,40}\bvirus|virus[- ]?free"
    r"|free (?:of|from) virus"
    r"|virus(?:es)?\b[^.]{0,60}(?:e-?mail|message|attachment)|(?:e-?mail|message"
    r"|attachment)[^.]{0,80}virus",
    r"diese (?:e-?mail|nachricht|mitteilung)[^.]{0,120}(?:vertraulich|bestimmt|geschützt)",
    r"nicht der (?:richtige|beabsichtigte|vorgesehene|bestimmungsgemäße) (?:adressat|empfänger)"
    r"|e-?mail irrtümlich"
    r"|irrtümlich erhalten|(?:informieren|benachrichtigen) sie (?:bitte )?(?:sofort "
    r"|umgehend )?den absender",
    r"(?:unbefugte|unerlaubte)[^.]{0,60}(?:weitergabe|kopieren|verbreitung)|(?:umwelt"
    r"|ausdruck(?:en)? dieser)"
    r"[^.]{0,60}(?:e-?mail|ausdruck|drucken)|vertrauliche informationen|ausdruck dieser",
    r"(?:ce (?:message|courriel|mail|e-?mail)|cet? e-?mail|cette communication)[^.]{0,120}"
    r"(?:confidentiel|destiné|destinataire|protég|erreur)",
    r"(?:n'êtes|n’êtes) pas (?:le|un) (?:bon )?destinataire|(?:avant d'|avant d’|d'|d’"
    r"|n')imprim[^.]{0,60}"
    r"|message par erreur|pensez à l'environnement|pensez à l’environnement"
    r"|virus[^.]{0,40}(?:avast|analys)",
    r"(?:este|esta) (?:mensaje|correo|e-?mail|comunicación|mensagem"
    r"|email)[^.]{0,140}(?:confidencial|destinad"
    r"|privilegiad|dirigid|virus|vírus)",
    r"no es (?:usted )?el destinatario|não (?:é|for|seja) o destinatário|(?:mensaje|correo"
    r"|mensagem|e-?mail) por (?:error|engano)"
    r"|antes de imprimir|medio ambiente[^.]{0,60}imprim|información confidencial|informaç(?:ão"
    r"|ões) confidencia",
    r"(?:questo messaggio|questa (?:e-?mail|comunicazione)|presente (?:e-?mail|messaggio"
    r"|comunicazione)|"
    r"informazioni contenute|messaggio e (?:negli|gli) allegati)[^.]{0,140}(?:riservat|destinat"
    r"|confidenzial|esclusivo)",
    r"non (?:siete|è|sei|fosse) (?:il|i) destinatari|(?:ricevete"
    r"|ricevuto) questo messaggio per errore"
    r"|prima di stampare|persone diverse dal destinatario",
    r"(?:dit|deze) (?:bericht|e-?mail|mail|boodschap)[^.]{0,140}(?:vertrouwelijk|bestemd"
    r"|geadresseerde)"
    r"|niet de (?:beoogde |bedoelde )?(?:geadresseerde|ontvanger)|alvorens[^.]{0,40}(?:afdruk"
    r"|print)|denk aan het milieu",
    r"(?:denne|detta|dette|tämä)\b[^.]{0,140}(?:fortrolig|konfidentiell|konfidensiel"
    r"|luottamuksell|avsedd|beregnet|tiltenkt|tarkoitettu)",
    r"(?:niniejsz|ta wiadomość|treść tej)[^.]{0,140}(?:poufn|przeznaczon)|nie (?:jest"
    r"|są) (?:pan|państwo)?[^.]{0,20}adresat"
    r"|zanim wydrukujesz|pomyśl[^.]{0,40}(?:wydruk|drukow|środowisk)",
    r"(?:tato (?:zpráva|e-?mail)|táto (?:správa|e-?mail)|tento e-?mail)[^.]{0,140}(?:důvěrn"
    r"|dôvern|určen)|(?:ez az|jelen) (?:üzenet|e-?mail)"
    r"[^.]{0,140}bizalmas|acest (?:mesaj|e-?mail)[^.]{0,140}confiden",
    r"(?:это|данное|настоящее)[^.]{0,40}(?:сообщение|письмо)[^.]{0,140}(?:конфиденц"
    r"|предназначен)|(?:цей|це)[^.]{0,40}(?:лист|повідомлення)"
    r"[^.]{0,140}конфіденц|(?:това|този)[^.]{0,40}(?:съобщение|имейл)[^.]{0,140}поверител"
    r"|прежде чем (?:распечатать|печатать)",
    r"(?:bu (?:e-?posta|mesaj|ileti))[^.]{0,140}(?:gizli|yalnızca|sadece)"
    r"|το (?:παρόν )?(?:μήνυμα|e-?mail)[^.]{0,140}εμπιστευτικ",
    r"(?:本邮件|本郵件|此邮件|此郵件|本電子郵件|本メール|このメール|이 메일|본 메일|본 메시지)"
    r"[^。]{0,80}(?:保密|机密|機密|秘密|기밀|誤|误|仅供|僅供)",
    r"(?:מסר זה|הודעה זו|דוא.ל זה)[^.]{0,120}(?:חסוי|סודי)|(?:هذه الرسالة"
    r"|هذا البريد)[^.]{0,120}(?:سري|مخصص)",
    r"^\W*(?:click here to |to )?unsubscribe\b[^.]{0,60}$",
)
DISCLAIMER = re.compile("|".join(f"(?:{pattern})" for pattern in _DISCLAIMERS))
"""A sentence of a disclaimer, in lower case."""

_BANNERS = (
    r"^\W{0,6}(?:ext|extern(?:al|e|er|o|a|í|í)?|außen|spam\??)(?: (?:e-?mail|sender|message"
    r"|mail|absender|courriel|correo))?\W{0,6}$",
    r"(?:outside|external to) (?:of )?(?:the|your|our|this) (?:organi[sz]ation|company|network"
    r"|institution|university|business|firm|domain)"
    r"|(?:outside|external) (?:sender|source|e-?mail system)",
    r"(?:do not|don't|don’t|never) (?:click|open)[^.]{0,40}(?:links?|attachments?)",
    r"(?:don't|don’t|do not) often (?:get|receive) (?:e-?)?mail from|learn why this is important",
    r"^\W{0,6}(?:caution|warning|attention|notice|alert|be careful)\b[^.]{0,60}\b(?:external"
    r"|outside|unknown sender|e-?mail)",
    r"(?:^|\W)external (?:e-?mail|sender|message|mail)\b[^.]{0,80}(?:caution|careful|links?"
    r"|attachments?)",
    r"(?:externe[rn]? (?:e-?mail|absender|nachricht|quelle)|von außerhalb|außerhalb (?:der"
    r"|unserer|ihrer) (?:organisation|firma))"
    r"|(?:links?|anhänge)[^.]{0,60}(?:nicht (?:an|öffnen)|vorsicht)"
    r"|sie erhalten nicht oft e-?mails? von",
    r"(?:extérieur|externe) (?:à|de|au) (?:l'|l’|la |votre |notre )?(?:organisation|entreprise"
    r"|société)|provient de l['’]extérieur"
    r"|(?:expéditeur|courriel|message|e-?mail) externe|ne cliquez pas|vous (?:n['’]obtenez"
    r"|ne recevez) pas souvent",
    r"(?:correo|remitente|mensaje|e-?mail) externo|fuera de (?:la|su|nuestra) (?:organización"
    r"|empresa)|no haga clic|no suele recibir correo"
    r"|(?:remetente|mensagem|e-?mail) externo?a?\b|fora da (?:organização|empresa)|não clique",
    r"(?:mittente|messaggio|e-?mail|mail) estern[oa]|(?:al di fuori|dall'esterno) del"
    r"|non (?:cliccare|fare clic)",
    r"(?:extern(?:e)? (?:e-?mail|afzender|bericht))|buiten (?:de|uw|onze) organisatie"
    r"|klik niet op",
    r"(?:utanför|uden for|utenfor) (?:organisationen|organisasjonen|din|virksomheden)"
    r"|ekstern (?:e-?post|e-?mail|afsender|avsender)|extern avsändare"
    r"|organisaation ulkopuol",
    r"spoza (?:organizacji|firmy)|(?:zewnętrzn\w{1,3}) (?:nadawc|wiadomoś|e-?mail)|nie klikaj"
    r"|mimo (?:organizaci|naši|společnost)|externí (?:e-?mail|odesílatel)",
    r"(?:внешн\w{1,4}) (?:письмо|отправител|сообщени|почт)|извне организации"
    r"|не переходите по ссылкам",
    r"(?:外部邮件|外部郵件|外部寄件|外部メール|社外からのメール|외부 메일|외부에서 온)",
    r"kuruluş(?:unuz)?(?:un)? dışından|harici (?:e-?posta|gönderen)",
)
BANNER = re.compile("|".join(f"(?:{pattern})" for pattern in _BANNERS))
"""A line that a mail gateway put above a message, in lower case."""

BANNER_HINTS = tuple(
    phrases(
        """extern|outside|caution|warning|attention|notice|alert|careful|click|clique|clic|klik|links
        open attach|learn why|often get|often receive|nicht oft|souvent|suele recibir|außer|estern
        fuera|fora da|al di fuori|buiten|utanför|uden for|utenfor|ulkopuol|spoza|zewnętrzn|mimo
        внешн|извне|не переходите|外部|社外|외부|dışından|harici|spam|[ext|anhänge"""
    )
)
"""Substrings without which a line is no banner."""
