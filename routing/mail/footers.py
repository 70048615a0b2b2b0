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

_DEVICES = phrases(
    """iphon|ipad|ipod|ios|apple watch|android|outlook|yahoo|gmail|from mail|mail for|mail app
    fastmail|hushmail|mymail|blackberry|samsung|galaxy|huawei|xiaomi|redmi|oneplus|nokia|lumia
    sony|xperia|htc|motorola|pixel|oppo|realme|fairphone|phone|smartphone|mobile|mobil|tablet
    device|handy|windows|proton|aol|zoho|spark|sparrow|from mailbox|telefon|téléphone|telefono
    teléfono|móvil|celular|telemóvel|puhelim|телефон|смартфон|айфон|cellulare|gsm|telefoon|lenovo
    wiko|thunderbird|tutanota|superhuman|mailspring|canary|airmail|edison|newton|gmx|web.de
    mail orange|orange mail|sfr|bluemail|k-9|fairemail|手机|手機|스마트폰|スマートフォン|携帯
    hotmail|live mail|poczta|почт|mail.ru|interia|surface"""
)
DEVICES = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, sorted(_DEVICES)))})")
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
    r"if you(?:'re|’re| are) not (?:the |an |a )?(?:(?:intended|named|correct|designated|proper)"
    r"(?: or \w{1,12})? (?:recipient|addressee|reader|person|individual)|addressee)",
    r"if you(?:'ve|’ve)?(?: may| should)?(?: have)?(?: \w{1,14}ly)? (?:received|got|receive|get) "
    r"(?:(?:the |an |a |this )?(?:e-?mail|message|communication|transmission|fax)|this|it)\b"
    r"[^.]{0,60}(?:in error|by mistake|by accident|erroneous)",
    r"not the (?:intended|named) (?:recipient|addressee)s?[^.]{0,80}"
    r"(?:copying|disclos|delet|notif|disseminat)",
    r"\b(?:(?:this|these|any|all|the contents? of) (?:\w{1,12} )?|the )"
    r"(?:e-?mails?|message|communication|transmission|attachments?|files?)\b[^.]{0,120}"
    r"(?:\b(?:is|are|be|contains?|include)\b[^.]{0,60}(?:confidential|privileged)|intended "
    r"(?:only|solely|exclusively)|intended for (?:the )?(?:sole |exclusive )?(?:use|attention) )",
    r"confidential(?:ity)? (?:notice|and (?:may|privileged)|information intended)"
    r"|^\W*(?:legal )?disclaimer\b",
    r"intended (?:(?:only|solely|exclusively) for (?:the )?|(?:only |solely |exclusively )?for "
    r"(?:the )?(?:sole |exclusive )?(?:use|attention) (?:of|by) )(?:the )?(?:addressee|named"
    r"|individual|person|recipient|intended|entity)",
    r"(?:notify|inform|advise|contact) the (?:sender|originator)[^.]{0,80}(?:delet|destroy|by "
    r"(?:reply|return))|(?:delet|destroy)[^.]{0,80}(?:notify|inform|advise|contact) the "
    r"(?:sender|originator)",
    r"(?:copying|disclosure|distribution|dissemination)\b[^.]{0,100}\b(?:is|are|be) (?:\w{1,12}ly "
    r")?(?:prohibited|unlawful|unauthori)",
    r"before (?:you )?print(?:ing)? (?:this |the |out )*(?:e-?mail|mail|message)"
    r"|consider (?:the|our|your) environment(?:\W*$|[^.]{0,30}print)"
    r"|think before you print|save (?:a tree|paper)[^.]{0,60}print|print[^.]{0,60}save (?:a tree"
    r"|paper)",
    r"(?:e-?mails?|messages?|attachments?|mail)\b[^.]{0,60}(?:checked|scanned|swept|screened|tested"
    r"|examined)[^.]{0,40}\b(?:anti-?)?virus|^\W*virus[- ]free\b|(?:e-?mail|message|attachment)s?\b"
    r"[^.]{0,60}(?:virus[- ]free|free (?:of|from) (?:\w{1,12} )?virus)"
    r"|check (?:this|the|any) (?:e-?mail|message|attach)[^.]{0,80}virus"
    r"|(?:liabil|liable|responsib)[^.]{0,80}virus[^.]{0,60}(?:e-?mail|message|attachment)"
    r"|virus(?:es)? (?:can|may|could) be transmitted",
    r"diese (?:e-?mail|nachricht|mitteilung)[^.]{0,120}(?:vertraulich|(?:rechtlich|gesetzlich) "
    r"geschützt|(?:adressat|empfänger|person|genannt)[^.]{0,60}bestimmt|bestimmt[^.]{0,60}"
    r"(?:adressat|empfänger|person|genannt))",
    r"\bsie (?:\w{1,12} )?nicht der (?:richtige|beabsichtigte|vorgesehene|bestimmungsgemäße) "
    r"(?:adressat|empfänger)|(?:wenn|falls|sollten|haben) sie diese (?:e-?mail|nachricht"
    r"|mitteilung) [^.]{0,20}irrtümlich|(?:informieren|benachrichtigen) sie (?:bitte )?(?:sofort "
    r"|umgehend |unverzüglich )?den absender[^.]{0,80}(?:lösch|vernicht)",
    r"(?:unbefugte|unerlaubte)[^.]{0,80}(?:weitergabe|kopieren|verbreitung)[^.]{0,60}(?:gestattet"
    r"|untersagt|verboten|erlaubt)|umwelt[^.]{0,60}(?:ausdruck|drucken)|(?<!beim )"
    r"ausdruck(?:en)? dieser (?:e-?mail|mail|nachricht)|(?:mail|nachricht|anhang|anhänge|anlagen)"
    r"\b[^.]{0,60}\benth(?:ält|alten)\b[^.]{0,60}vertrauliche",
    r"(?:ce (?:message|courriel|mail|e-?mail)|cet? e-?mail|cette communication)[^.]{0,120}"
    r"(?:confidentiel|(?:destiné|réservé)e?s?\b[^.]{0,60}(?:destinataire|seul|uniquement|exclusi)"
    r"|(?:seul|uniquement|exclusi)[^.]{0,40}(?:destiné|réservé)"
    r"|protégée?s? par (?:le|la|un) (?:secret|loi))",
    r"(?:n'êtes|n’êtes) pas (?:le|un) (?:bon )?destinataire|(?:avant d|n)['’]imprim[^.]{0,40}"
    r"(?:mail|message|courriel)|si vous (?:avez reçu|recevez) (?:ce|cet|cette) (?:mail|message"
    r"|courriel|e-?mail|communication)[^.]{0,40}par erreur"
    r"|pensez à l['’]environnement(?:\W*$|[^.]{0,60}imprim)|absence de virus"
    r"|(?:mail|message|courriel|électronique)\b[^.]{0,60}(?:vérifié|analysé|contrôlé)[^.]{0,60}"
    r"virus",
    r"(?:este|esta) (?:mensaje|correo|e-?mail|comunicación|mensagem"
    r"|email)[^.]{0,140}(?:confidencia|privilegiad|(?:destinad|dirigid)[^.]{0,60}(?:destinat[aá]ri"
    r"|exclusiv|únic|unic|persona|pessoa)|(?:exclusiva|única|unica)mente[^.]{0,40}(?:destina"
    r"|dirigid)|(?:analiza|verifica|comproba|ausencia|libre|livre)[^.]{0,40}v[ií]rus)",
    r"si (?:usted )?no es (?:usted )?el destinatario|(?:se|caso) [^.]{0,20}não (?:é|for|seja) o "
    r"destinatário|(?:si|se|caso) [^.]{0,30}\best[ea] (?:mensaje|correo|mensagem|e-?mail)"
    r"[^.]{0,20} por (?:error|engano)|antes de imprimir [^.]{0,30}(?:mail|mensaje|correo|mensagem)"
    r"|med?io ambiente[^.]{0,60}imprim|imprimir[^.]{0,60}med?io ambiente",
    r"(?:questo messaggio|questa (?:e-?mail|comunicazione)|presente (?:e-?mail|messaggio"
    r"|comunicazione)|"
    r"informazioni contenute|messaggio e (?:negli|gli) allegati)[^.]{0,140}(?:riservat|confidenzial"
    r"|esclusiv|destinat[oaie]\b[^.]{0,60}(?:destinatari|person|solo|soltanto))",
    r"(?:se|qualora) [^.]{0,20}\bnon (?:siete|è|sei|fosse) (?:il|i) destinatari|(?:se|qualora) "
    r"[^.]{0,30}(?:ricevete|ricevuto) questo messaggio per errore"
    r"|prima di stampare [^.]{0,30}(?:mail|messaggio)|persone diverse dal destinatario",
    r"(?:dit|deze) (?:bericht|e-?mail|mail|boodschap)[^.]{0,140}(?:vertrouwelijk|geadresseerde"
    r"|bestemd[^.]{0,60}(?:ontvanger|persoon))"
    r"|\bu niet de (?:beoogde |bedoelde )?(?:geadresseerde|ontvanger)|alvorens[^.]{0,40}(?:mail"
    r"|bericht)[^.]{0,20}(?:afdruk|print)|denk aan het milieu(?:\W*$|[^.]{0,60}(?:afdruk|print))",
    r"(?:denne|detta|dette|tämä)\b[^.]{0,10}(?:mail|post|melding|meddel|besked|viesti)[^.]{0,140}"
    r"(?:fortrolig|konfidentiell|konfidensiel|luottamuksell|(?:avsedd|beregnet|tiltenkt|tarkoitettu)"
    r"[^.]{0,40}(?:motta|modta|adressat|person|vastaanottaj))",
    r"(?:niniejsz|ta wiadomość|treść tej)[^.]{0,140}(?:poufn|przeznaczon[^.]{0,60}(?:adresat"
    r"|odbiorc|osob|osób))|(?:jeśli|jeżeli) [^.]{0,20}nie (?:jest|są) [^.]{0,30}adresat"
    r"|zanim wydrukujesz|pomyśl[^.]{0,40}(?:wydruk|drukow|środowisk)",
    r"(?:tato (?:zpráva|e-?mail)|táto (?:správa|e-?mail)|tento e-?mail)[^.]{0,140}(?:důvěrn"
    r"|dôvern|určen[^.]{0,60}(?:adresát|příjemc|osob))|(?:ez az|jelen) (?:üzenet|e-?mail)"
    r"[^.]{0,140}bizalmas|acest (?:mesaj|e-?mail)[^.]{0,140}confiden",
    r"(?:это|данное|настоящее)[^.]{0,40}(?:сообщение|письмо)[^.]{0,140}(?:конфиденц"
    r"|предназначен[^.]{0,60}(?:адресат|получател|лиц))|(?:цей|це)[^.]{0,40}(?:лист|повідомлення)"
    r"[^.]{0,140}конфіденц|(?:това|този)[^.]{0,40}(?:съобщение|имейл)[^.]{0,140}поверител"
    r"|прежде чем (?:распечатать|печатать) [^.]{0,20}(?:письмо|сообщение)",
    r"(?:bu (?:e-?posta|mesaj|ileti))[^.]{0,140}(?:gizli|(?:yalnızca|sadece)[^.]{0,60}(?:alıcı"
    r"|gönderil))|το (?:παρόν )?(?:μήνυμα|e-?mail)[^.]{0,140}εμπιστευτικ",
    r"(?:本邮件|本郵件|此邮件|此郵件|本電子郵件|本メール|このメール|이 메일|본 메일|본 메시지)"
    r"[^。]{0,80}(?:保密|机密|機密|秘密|기밀|仅供|僅供)",
    r"(?:מסר זה|הודעה זו|דוא.ל זה)[^.]{0,120}(?:חסוי|סודי)|(?:هذه الرسالة"
    r"|هذا البريد)[^.]{0,120}(?:سري|مخصص)",
    r"^\W*(?:click here to|to) unsubscribe\b[^.]{0,60}$"
    r"|^\W*unsubscribe\s?(?:here|from this (?:list|newsletter)|\W?https?:|[|<(\[·•])",
)
DISCLAIMER = re.compile("|".join(f"(?:{pattern})" for pattern in _DISCLAIMERS))
"""A sentence of a disclaimer, in lower case."""

OWN_VOICE = re.compile(
    r"\bI\b(?! \w+i\b)|(?i:\b(?:my|mine|(?<!notify )(?<!inform )(?<!advise )(?<!contact )me|ich"
    r"|meine?[mnrs]?|mir|mich|je|mon|mes|moi|mi|mis|yo|quiero|meus?|minhas?|quero|mi[ao]|ik|mijn"
    r"|mij|jeg|jag|min|mitt|mig|meg|мой|моя|моё|мои|моей|моего|мне|меня|я)\b|\bj['’])"
)
"""What a customer says and a company does not: ``I``, but not Italian ``I dati``, and ``my``."""

_BANNERS = (
    r"^\W{0,6}(?:ext|extern(?:al|e|er|o|a|í|í)?|außen|spam\??)(?: (?:e-?mail|sender|message"
    r"|mail|absender|courriel|correo))?\W{0,6}$",
    r"(?:outside|external to) (?:of )?(?:the|your|our|this) (?:organi[sz]ation|company|network"
    r"|institution|university|business|firm|domain)"
    r"|(?:outside|external) (?:sender|source|e-?mail system)",
    r"(?:do not|don't|don’t|never) (?:click|open)(?: on)?(?: any| these)?(?: \w{1,12})? "
    r"(?:links?|attachments?)",
    r"(?:don't|don’t|do not) often (?:get|receive) (?:e-?)?mail from|learn why this is important",
    r"^\W{0,6}(?:caution|warning|attention|notice|alert|be careful)\b[^.]{0,60}\b(?:external "
    r"(?:e-?mail|sender|message|mail|source|origin|recipient)|external\W*$|unknown sender"
    r"|this (?:e-?mail|message|mail) [^.]{0,60}\b(?:external|outside|unknown|unverified"
    r"|suspicious))",
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
