"""Signatures, lines of telephones, disclaimers and banners go; their look-alikes stay."""

import pytest

from routing.mail import email_from_text

OWN = "The kettle leaks. Please send a new one."


def text_of(body: str) -> str:
    return email_from_text(body, id="x", subject="").text


MOBILE = [
    "Sent from my iPhone",
    "Sent from my Verizon Wireless BlackBerry",
    "Sent from my Fairphone, please excuse".removesuffix(", please excuse"),
    "Sent from my Nimbus Q 5G",
    "Sent from Outlook for Android<https://aka.ms/x>",
    "Sent from Mail for Windows 10",
    "Sent from Nimbus<http://nimbus.example/r?b=1>",
    "Get Outlook for iOS<https://aka.ms/x>",
    "Sent via the Samsung Galaxy S23, an AT&T 5G smartphone".replace(",", ""),
    "Von meinem iPhone gesendet",
    "Gesendet von Outlook für Android",
    "Gesendet mit der GMX Mail App",
    "Envoyé de mon iPhone",
    "Envoyé à partir de Outlook pour iOS<https://aka.ms/x>",
    "Enviado desde mi iPhone",
    "Enviado do meu iPhone",
    "Inviato da iPhone",
    "Verzonden vanaf mijn iPhone",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Lähetetty iPhonesta",
    "Wysłane z iPhone'a",
    "Odesláno z iPhonu",
    "Az iPhone-omról küldve",
    "Trimis de pe iPhone-ul meu",
    "Изпратено от моя iPhone",
    "Отправлено с iPhone",
    "Надіслано з iPhone",
    "Στάλθηκε από το iPhone μου",
    "iPhone'umdan gönderildi",
    "נשלח מה-iPhone שלי",
    "أرسلت من iPhone الخاص بي",
    "发自我的 iPhone",
    "iPhoneから送信",
    "나의 iPhone에서 보냄",
    "Đã gửi từ iPhone của tôi",
    "Dikirim dari iPhone saya",
]


@pytest.mark.parametrize("line", MOBILE)
def test_line_of_a_telephone_is_dropped(line: str) -> None:
    email = email_from_text(f"{OWN}\n\n{line}", id="x", subject="")
    assert email.text == OWN
    assert [cut.reason for cut in email.removals] == ["mobile signature"]


@pytest.mark.parametrize(
    "body",
    [
        "Sent from my desk, which is easier than my mobile phone.",
        "The alert was sent from my iPhone app to everybody.",
        "It was sent from your depot in Leeds and never came.",
        "It comes from you, not Sent from my iPad.",
        "I wrote to you.\nSent from the depot, it was lost.",
        "Get Outlook for me, please, and the phone, too.",
        "Gesendet wurde es nie.",
        "Return of the kettle:\nSent with Royal Mail Tracked 48\nReference AB123\nNo refund yet.",
        "I returned it.\n\nSent via Royal Mail on 3 June\n\nThe refund has not come yet.",
        "The parcel was\nsent from your Windows store in Leeds\nbut came broken.",
        "It was\nsent from a phone shop\nbut came broken.",
        "El pedido fue\nenviado desde el móvil de mi hija\ny no llegó.",
        "Het pakket is\nverzonden via mailbox parcel\nmaar nooit aangekomen.",
        "The tablet came.\nSent by Samsung on Monday\nThe phone has not come.",
    ],
)
def test_sentences_that_look_like_a_telephone_stay(body: str) -> None:
    assert text_of(body) == body


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Is that right?Sent from my Samsung Galaxy smartphone", "Is that right?"),
        ("Is that right? Sent from my iPhone", "Is that right?"),
        ("Stimmt das?Von meinem iPhone gesendet\n\nmehr", "Stimmt das?\n\nmehr"),
        ("C'est vrai ?Envoyé de mon iPhone", "C'est vrai ?"),
    ],
)
def test_line_of_a_telephone_glued_to_the_text_is_dropped(body: str, text: str) -> None:
    assert text_of(body) == text


def test_unmarked_older_message_below_a_telephone_line_is_dropped() -> None:
    assert text_of(f"{OWN}\n\nSent from my iPhone\n\nDear Ann,\nwe are sorry.") == OWN


@pytest.mark.parametrize(
    "below",
    ["\nI want my money back.", "\n\nPS: The lid is gone.", "\nHello, where is it?"],
)
def test_news_below_a_telephone_line_stays(below: str) -> None:
    body = f"{OWN}\n\nSent from Outlook for my iPhone{below}"
    assert text_of(body) == f"{OWN}\n\n{below.strip()}"


def test_answers_below_a_telephone_line_stay() -> None:
    body = f"Hello.\n\nSent from my iPhone\n\n> Does it leak?\n\n{OWN}"
    assert text_of(body) == f"Hello.\n\n{OWN}"


SIGNED = [
    (f"{OWN}\n-- \nAnn\nExample Ltd", OWN),
    (f"{OWN}\n--\nAnn", OWN),
    (f"{OWN}\n\n-- \nAnn\n\nOn 4 Mar 2024 Shop <a@b.org> wrote:\n> old", OWN),
    (f"{OWN}\n\n> old\n\n-- \nAnn", OWN),
    (f"{OWN}\n---\nAnd more.", f"{OWN}\n---\nAnd more."),
    (f"{OWN} -- really", f"{OWN} -- really"),
    ("-- one thing\n-- another", "-- one thing\n-- another"),
    ("--\nAnn", "--\nAnn"),
    (OWN + "\n--\n" + "more\n" * 13, (OWN + "\n--\n" + "more\n" * 13).strip()),
    (f"{OWN}\n\nKind regards,\nAnn", f"{OWN}\n\nKind regards,\nAnn"),
]


@pytest.mark.parametrize(("body", "text"), SIGNED)
def test_signature_starts_at_its_own_line(body: str, text: str) -> None:
    assert text_of(body) == text


def test_frame_of_a_signed_message_is_dropped() -> None:
    head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
    foot = "\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n=abcd\n-----END PGP SIGNATURE-----\n"
    email = email_from_text(head + OWN + foot, id="x", subject="")
    assert email.text == OWN
    assert {cut.reason for cut in email.removals} == {"signature"}


DISCLAIMERS = [
    "This e-mail and any attachments are confidential and intended solely for the addressee.",
    "If you are not the intended recipient, please delete this message and notify the sender.",
    "Please consider the environment before printing this e-mail.",
    "This email has been checked for viruses by Avast antivirus software.",
    "CONFIDENTIALITY NOTICE: the contents are privileged.",
    "Any unauthorised copying, disclosure or distribution is strictly prohibited.",
    "Diese E-Mail enthält vertrauliche Informationen und ist nur für den Adressaten bestimmt.",
    "Wenn Sie nicht der richtige Adressat sind, informieren Sie bitte den Absender.",
    "Ce message et ses pièces jointes sont confidentiels et destinés au seul destinataire.",
    "Este mensaje y sus adjuntos son confidenciales y van dirigidos a su destinatario.",
    "Esta mensagem é confidencial e destinada apenas ao seu destinatário.",
    "Le informazioni contenute in questo messaggio sono riservate al destinatario.",
    "Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde.",
    "Denne e-post er fortrolig og kun tiltenkt mottakeren.",
    "Niniejsza wiadomość jest poufna i przeznaczona wyłącznie dla adresata.",
    "Это сообщение является конфиденциальным и предназначено только для адресата.",
    "本邮件内容保密，仅供收件人使用。",
]


@pytest.mark.parametrize("line", DISCLAIMERS)
def test_disclaimer_is_dropped(line: str) -> None:
    email = email_from_text(f"{OWN}\n\n{line}", id="x", subject="")
    assert email.text == OWN
    assert [cut.reason for cut in email.removals] == ["disclaimer"]


def test_disclaimer_is_dropped_by_lines_not_by_paragraph() -> None:
    body = (
        f"{OWN}\nThe box was wet.\n"
        "This message is confidential and intended only for the addressee.\nThe lid is gone, too."
    )
    assert text_of(body) == f"{OWN}\nThe box was wet.\nThe lid is gone, too."


def test_wrapped_disclaimer_is_dropped_whole() -> None:
    body = (
        f"{OWN}\n\nThis message and any attachments may contain information that is\n"
        "privileged or confidential and is meant for the addressee alone."
    )
    assert text_of(body) == OWN


@pytest.mark.parametrize(
    "body",
    [
        "It was given to a man who was not the intended recipient of the parcel.",
        "Hello.\nThe recipient was not at home and the courier kept it.",
        "Hello.\nI will not print the label again.",
        "Hello.\nThe virus scanner that I ordered has not come.",
        "This message is confidential and intended for the manager only: refund me.",
    ],
)
def test_words_of_disclaimers_alone_are_no_disclaimer(body: str) -> None:
    assert text_of(body) == body


@pytest.mark.parametrize(
    "news",
    [
        "The courier told me to contact the sender. Please send it again.",
        "I received this e-mail in error. I never ordered the kettle.",
        "There is an error when printing this return label. The charger is broken.",
        "Please say if you have received the message about our intended return.",
        "The parcel is a present intended for the person named on the label.",
        "We ordered a virus scanner and got an e-mail, but not the key.",
        "Here is a copy of the statement with the unauthorised charge.",
        "This message is intended for the refunds department: the kettle is broken.",
        "This message is confidential: my boss must not know of the refund.",
        "Please unsubscribe.",
        "Unsubscribe me from your newsletter please",
        "Ihre E-Mail irrtümlich erhalten, nichts bestellt.",
        "Diese E-Mail ist für die Reklamation bestimmt. Der Empfänger war fort.",
        "Votre message par erreur reçu. Impossible d'imprimer l'étiquette.",
        "Ce message est destiné au service après-vente : la lampe est cassée.",
        "Antes de imprimir la etiqueta sale un error.",
        "Este mensaje va dirigido a devoluciones: la tetera llegó rota.",
        "Deze mail is bestemd voor retouren: de waterkoker is kapot.",
    ],
)
@pytest.mark.parametrize("body", ["Hello,\n\n{}\n\nAnn", "Hello,\n{}\nAnn"])
def test_news_that_sounds_like_a_disclaimer_stays(body: str, news: str) -> None:
    assert text_of(body.format(news)) == body.format(news)


def test_sentences_above_a_disclaimer_in_its_paragraph_stay() -> None:
    news = "The kettle, which I sent back to you on the second of this month, has"
    notice = "This e-mail is confidential and intended only for the addressee. If not,\ndelete it."
    assert text_of(f"Hello,\n{news}\nnot come. {notice}") == f"Hello,\n{news}\nnot come."
    assert text_of(f"Hello,\nIt leaks. {notice}\nAnn") == "Hello,\nIt leaks.\nAnn"


@pytest.mark.parametrize(
    "line",
    [
        "If you have received this e-mail in error, please notify me and delete it.",
        "WARNING: viruses can be transmitted via email. Check this e-mail for any virus.",
        "Please notify the sender immediately by reply e-mail and delete all copies.",
        "Click here to unsubscribe",
        "Unsubscribe | Manage preferences",
        "I dati sono nostri: questo messaggio è riservato al destinatario.",
        "Si ha recibido este mensaje por error, le rogamos que lo borre.",
        "Pensez à l'environnement avant d'imprimer ce message.",
    ],
)
def test_less_usual_disclaimer_is_dropped(line: str) -> None:
    assert text_of(f"{OWN}\n\n{line}") == OWN


BANNERS = [
    "[EXTERNAL]",
    "[External Email]",
    "*** EXTERNAL SENDER ***",
    "CAUTION: This email originated from outside of the organization. Do not click links.",
    "Caution! External e-mail. Be careful with links and attachments.",
    "You don't often get email from ann@example.com. Learn why this is important",
    "ACHTUNG: Diese E-Mail kommt von einem externen Absender. Öffnen Sie keine Anhänge.",
    "ATTENTION : ce courriel provient de l'extérieur de l'organisation.",
    "Este correo proviene de fuera de la organización. No haga clic en los enlaces.",
    "Let op: deze e-mail komt van buiten de organisatie.",
    "ВНИМАНИЕ: внешнее письмо. Не переходите по ссылкам.",
    "外部メール：添付ファイルにご注意ください",
    "Caution: this e-mail came from outside your organisation",
    "ALERT! This message is from an external sender",
    "Notice: External Email",
    "Never click on any links or open attachments of unknown people.",
]


@pytest.mark.parametrize("line", BANNERS)
def test_banner_of_a_gateway_is_dropped(line: str) -> None:
    email = email_from_text(f"{line}\n\n{OWN}", id="x", subject="")
    assert email.text == OWN
    assert [cut.reason for cut in email.removals] == ["gateway banner"]


def test_banner_is_looked_for_at_the_top_alone() -> None:
    body = f"{OWN}\n\nCAUTION: This email originated from outside of the organization."
    assert text_of(body) == body


@pytest.mark.parametrize(
    "body",
    [
        "Caution: the box is broken.",
        "External damage on the box.",
        "I clicked the link in your mail.",
        "Caution: your e-mail said the parcel came, it did not.",
        "Attention: external battery was missing from e-mail order",
        "Please do not open the parcel, its attachments are broken.",
        "Please do not open the parcel attachments; links are broken.",
        "Warning: the charger burns outside its box",
        "I never open attachments, please write in the e-mail.",
    ],
)
def test_first_words_of_a_customer_are_no_banner(body: str) -> None:
    assert text_of(f"{body}\n\n{OWN}") == f"{body}\n\n{OWN}"


def test_nothing_is_cut_when_asked_so() -> None:
    body = f"{OWN}\n\nSent from my iPhone\n\n> old"
    email = email_from_text(body, id="x", subject="", trim="none")
    assert (email.text, email.removals) == (body, ())


def test_quotes_alone_are_cut_when_asked_so() -> None:
    body = f"{OWN}\n\nSent from my iPhone\n\n> old"
    email = email_from_text(body, id="x", subject="", trim="quotes")
    assert email.text == f"{OWN}\n\nSent from my iPhone"


def test_an_afterthought_below_a_telephones_line_stays() -> None:
    text = text_of("The kettle is broken.\n\nSent from my iPhone\n\nAlso the charger is missing")
    assert text == "The kettle is broken.\n\nAlso the charger is missing"


def test_nothing_is_a_disclaimer_where_but_a_greeting_would_be_left() -> None:
    news = "The attachments contain confidential bank details. Please refund to that account."
    assert text_of(f"Hello,\n\n{news}\n\nAnn") == f"Hello,\n\n{news}\n\nAnn"


def test_a_parcel_by_mistake_is_no_message_by_mistake() -> None:
    body = "La bouilloire manque.\n\nSi vous avez reçu ce colis par erreur, renvoyez."
    assert text_of(body) == body
