"""Quoted and forwarded messages go; what the customer wrote stays."""

import pytest

from routing.mail import email_from_text

OWN = "The kettle leaks. Please send a new one."


def text_of(body: str) -> str:
    return email_from_text(body, id="x", subject="").text


ATTRIBUTIONS = {
    "English": "On Mon, Mar 4, 2024 at 4:18 PM Shop Support <help@example.org> wrote:",
    "English, wrapped": "On Mon, Mar 4, 2024 at 4:18 PM Shop Support <\nhelp@example.org> wrote:",
    "English, in three lines": (
        "On Mar 4, 2024,\nat 10:18,\nShop Support <help@example.org> wrote:"
    ),
    "English, date last": "Shop Support <help@example.org> wrote on 4 March 2024 at 10:18:",
    "English, no colon": "On Mon, 4 Mar 2024 08:14:43 -0200 Shop <help@example.org> wrote",
    "English, no colon, no address": "On Mon, 4 Mar 2024 at 4:18 pm Shop Support wrote",
    "English, no colon, small letters": "On Monday 4 March 2024 at 10:12 am the support team wrote",
    "Spanish, no colon": "El 4 de marzo de 2024, a las 10:12, Soporte escribió",
    "English, dashed": "---- On Mon, 4 Mar 2024 08:14:43 +0100 help@example.org wrote ----",
    "English, AOL": (
        "In a message dated 3/4/2024 4:18:00 PM Eastern Standard Time, help@example.org writes:"
    ),
    "German": "Am 04.03.2024 um 16:18 schrieb Shop Support <help@example.org>:",
    "German, after": "Shop Support <help@example.org> schrieb am Mo., 4. März 2024, 16:18:",
    "French": "Le lun. 4 mars 2024 à 16:18, Shop Support <help@example.org> a écrit :",
    "Spanish": "El lun, 4 mar 2024 a las 16:18, Shop Support (<help@example.org>) escribió:",
    "Portuguese": "Em seg., 4 de mar. de 2024 às 16:18, Shop <help@example.org> escreveu:",
    "Italian": "Il giorno lun 4 mar 2024 alle ore 16:18 Shop <help@example.org> ha scritto:",
    "Dutch": "Op ma 4 mrt 2024 om 16:18 schreef Shop Support <help@example.org>:",
    "Swedish": "Den mån 4 mars 2024 kl 16:18 skrev Shop Support <help@example.org>:",
    "Norwegian": "man. 4. mar. 2024 kl. 16:18 skrev Shop Support <help@example.org>:",
    "Danish": "Den man. 4. mar. 2024 kl. 16.18 skrev Shop Support <help@example.org>:",
    "Finnish": "ma 4. maalisk. 2024 klo 16.18 Shop Support (help@example.org) kirjoitti:",
    "Polish": "pon., 4 mar 2024 o 16:18 Shop Support <help@example.org> napisał(a):",
    "Czech": "po 4. 3. 2024 v 16:18 odesílatel Shop Support <help@example.org> napsal:",
    "Slovak": "po 4. 3. 2024 o 16:18 Shop Support <help@example.org> napísal(a):",
    "Hungarian": "Shop Support <help@example.org> ezt írta (időpont: 2024. márc. 4., H, 16:18):",
    "Romanian": "În lun., 4 mar. 2024 la 16:18, Shop Support <help@example.org> a scris:",
    "Bulgarian": "На пн, 4.03.2024 г. в 16:18 Shop Support <help@example.org> написа:",
    "Russian": "пн, 4 мар. 2024 г. в 16:18, Shop Support <help@example.org>:",
    "Ukrainian": "пн, 4 бер. 2024 р. о 16:18 Shop Support <help@example.org> пише:",
    "Greek": "Στις Δευ 4 Μαρ 2024 στις 4:18 μ.μ., ο χρήστης Shop <help@example.org> έγραψε:",
    "Turkish": "Shop Support <help@example.org>, 4 Mar 2024 Pzt, 16:18 tarihinde şunu yazdı:",
    "Hebrew": "‫בתאריך יום ב׳, 4 במרץ 2024 ב-16:18 מאת ‪Shop‬‏ <‪help@example.org‬‏>:‬",
    "Arabic": (
        "في الاثنين، 4 مارس 2024 في 4:18 م تمت كتابة ما يلي بواسطة Shop <help@example.org>:"
    ),
    "Chinese": "Shop Support <help@example.org> 于2024年3月4日周一 16:18写道：",
    "Chinese, traditional": "Shop Support <help@example.org> 於 2024年3月4日 週一 下午4:18寫道：",
    "Japanese": "2024年3月4日(月) 16:18 Shop Support <help@example.org>:",
    "Korean": "2024년 3월 4일 (월) 오후 4:18, Shop Support <help@example.org>님이 작성:",
    "Vietnamese": "Vào Th 2, 4 thg 3, 2024 vào lúc 16:18 Shop <help@example.org> đã viết:",
    "Indonesian": "Pada Sen, 4 Mar 2024 pukul 16.18 Shop Support <help@example.org> menulis:",
    "Thai": "ในวันที่ จ. 4 มี.ค. 2024 เวลา 16:18 Shop Support <help@example.org> เขียนว่า:",
    "Croatian": "pon, 4. ožu 2024. u 16:18 Shop Support <help@example.org> napisao je:",
    "Slovene": "V V pon., 4. mar. 2024 ob 16:18 je oseba Shop <help@example.org> napisala:",
    "Lithuanian": "2024-03-04, pr, 16:18 Shop Support <help@example.org> rašė:",
    "Latvian": "Pirmd., 2024. g. 4. marts, plkst. 16:18 — Shop <help@example.org> rakstīja:",
    "Estonian": "Kuupäev E, 4. märts 2024 kell 16:18 kirjutas Shop <help@example.org>:",
    "Catalan": "El dl., 4 de març 2024, 16:18, Shop Support <help@example.org> va escriure:",
}


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_what_stands_below_an_attribution_is_dropped(line: str) -> None:
    assert text_of(f"{OWN}\n\n{line}\n\nDear Ann,\nwe are sorry.") == OWN


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_attribution_above_quoted_lines_is_dropped_with_them(line: str) -> None:
    body = f"Hello,\n\n{line}\n\n> Dear Ann,\n> does it leak?\n\n{OWN}"
    assert text_of(body) == f"Hello,\n\n{OWN}"


BLOCKS = {
    "English": (
        "From: Shop <help@example.org>\nSent: Monday, March 4, 2024 4:18 PM\nTo: "
        "Ann\nSubject: Kettle"
    ),
    "bold": (
        "*From:* Shop [mailto:help@example.org]\n*Sent:* Monday\n*To:* Ann\n*Subject:* Kettle"
    ),
    "indented": (
        "   From: Shop <help@example.org>\n   Date: 4 March\n   To: Ann\n   Subject: Kettle"
    ),
    "wrapped": "From: Shop Support\n<help@example.org>\nSent: Monday\nTo: Ann\nSubject: Kettle",
    "subject first": (
        "Subject: Kettle\nFrom: help@example.org\nTo: ann@example.com\nDate: Mon, 4 Mar"
    ),
    "blank lines between": "From: Shop\n\nSent: Monday\n\nTo: Ann\n\nSubject: Kettle",
    "German": (
        "Von: Shop <help@example.org>\nGesendet: Montag, 4. März 2024 16:18\nAn: "
        "Ann\nBetreff: Kessel"
    ),
    "French": (
        "De : Shop <help@example.org>\nEnvoyé : lundi 4 mars 2024 16:18\nÀ : Ann\nObjet "
        ": Bouilloire"
    ),
    "French, free.fr": (
        "Message du : 04/03/2024 16:18\nDe : Shop\nA : Ann\nCopie à : \nSujet : Bouilloire"
    ),
    "Spanish": (
        "De: Shop <help@example.org>\nEnviado el: lunes, 4 de marzo\nPara: Ann\nAsunto: Hervidor"
    ),
    "Portuguese": (
        "De: Shop <help@example.org>\nEnviado: segunda-feira\nPara: Ann\nAssunto: Chaleira"
    ),
    "Italian": "Da: Shop <help@example.org>\nInviato: lunedì 4 marzo\nA: Ann\nOggetto: Bollitore",
    "Dutch": (
        "Van: Shop <help@example.org>\nVerzonden: maandag 4 maart\nAan: Ann\nOnderwerp: Ketel"
    ),
    "Swedish": "Från: Shop <help@example.org>\nSkickat: den 4 mars\nTill: Ann\nÄmne: Kittel",
    "Norwegian": "Fra: Shop <help@example.org>\nSendt: mandag 4. mars\nTil: Ann\nEmne: Kjele",
    "Danish": "Fra: Shop <help@example.org>\nSendt: 4. marts 2024\nTil: Ann\nEmne: Kedel",
    "Finnish": (
        "Lähettäjä: Shop <help@example.org>\nLähetetty: maanantai\nVastaanottaja: Ann\nAihe: Keitin"
    ),
    "Polish": "Od: Shop <help@example.org>\nWysłano: poniedziałek\nDo: Ann\nTemat: Czajnik",
    "Czech": "Od: Shop <help@example.org>\nOdesláno: pondělí\nKomu: Ann\nPředmět: Konvice",
    "Slovak": "Od: Shop <help@example.org>\nOdoslané: pondelok\nKomu: Ann\nPredmet: Kanvica",
    "Hungarian": "Feladó: Shop <help@example.org>\nElküldve: hétfő\nCímzett: Ann\nTárgy: Kanna",
    "Romanian": "De la: Shop <help@example.org>\nTrimis: luni\nCătre: Ann\nSubiect: Fierbător",
    "Bulgarian": "От: Shop <help@example.org>\nИзпратено: понеделник\nДо: Ann\nОтносно: Чайник",
    "Russian": "От: Shop\nОтправлено: 4 марта 2024 г. 16:18\nКому: Ann",
    "Ukrainian": "Від: Shop <help@example.org>\nНадіслано: понеділок\nКому: Ann\nТема: Чайник",
    "Greek": "Από: Shop <help@example.org>\nΣτάλθηκε: Δευτέρα\nΠρος: Ann\nΘέμα: Βραστήρας",
    "Turkish": (
        "Kimden: Shop <help@example.org>\nGönderildi: Pazartesi\nKime: Ann\nKonu: Çaydanlık"
    ),
    "Hebrew": "מאת: Shop <help@example.org>\nנשלח: יום שני\nאל: Ann\nנושא: קומקום",
    "Arabic": "من: Shop <help@example.org>\nتم الإرسال: الاثنين\nإلى: Ann\nالموضوع: غلاية",
    "Chinese": (
        "发件人: Shop <help@example.org>\n发送时间: 2024年3月4日 16:18\n收件人: Ann\n主题: 水壶"
    ),
    "Chinese, wide colons": "寄件者：Shop\n寄件日期：2024年3月4日\n收件者：Ann\n主旨：水壺",
    "Japanese": (
        "差出人: Shop <help@example.org>\n送信日時: 2024年3月4日\n宛先: Ann\n件名: やかん"
    ),
    "Korean": (
        "보낸 사람: Shop <help@example.org>\n보낸 날짜: 월요일\n받는 사람: Ann\n제목: 주전자"
    ),
    "Vietnamese": "Từ: Shop <help@example.org>\nĐã gửi: Thứ Hai\nĐến: Ann\nChủ đề: Ấm",
    "Croatian": (
        "Šalje: Shop <help@example.org>\nPoslano: ponedjeljak\nPrima: Ann\nPredmet: Čajnik"
    ),
}


@pytest.mark.parametrize(
    "rule", ["", "________________________________\n", " -----\n\n", "====\n\n"]
)
@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_header_block_ends_the_news(block: str, rule: str) -> None:
    assert text_of(f"{OWN}\n\n{rule}{block}\n\nDear Ann,\nwe are sorry.") == OWN


SEPARATORS = [
    "-----Original Message-----",
    "----- original message -----",
    "-----Ursprüngliche Nachricht-----",
    "-------- Message d'origine --------",
    "-----Mensaje original-----",
    "-----Mensagem Original-----",
    "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----",
    "-----Ursprungligt meddelande-----",
    "-----Opprinnelig melding-----",
    "-------- Oprindelig besked --------",
    "-----Alkuperäinen viesti-----",
    "-----Oryginalna wiadomość-----",
    "-----Původní zpráva-----",
    "-----Eredeti üzenet-----",
    "-----Mesaj original-----",
    "-----Исходное сообщение-----",
    "-----Αρχικό μήνυμα-----",
    "-----Özgün İleti-----".replace("İ", "i"),
    "-----הודעה מקורית-----",
    "-----الرسالة الأصلية-----",
    "-----原始邮件-----",
    "-----元のメッセージ-----",
    "-----원본 메시지-----",
    "---------- Forwarded message ---------",
    "-------- Weitergeleitete Nachricht --------",
    "---------- Message transféré ----------",
    "---------- Mensaje reenviado ----------",
    "-------- Пересылаемое сообщение --------",
    "---------- 转发的邮件 ----------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :",
    "Inizio messaggio inoltrato:",
    "##- Please type your reply above this line -##",
    "-- previous --",
    "##- Bitte geben Sie Ihre Antwort oberhalb dieser Zeile ein. -##",
    "##- Veuillez saisir votre réponse au-dessus de cette ligne -##",
    "##- Escriba su respuesta sobre esta línea -##",
    "##- Por favor, escriba su respuesta por encima de esta línea -##",
    "##- Digite a sua resposta acima desta linha -##",
    "##- Inserisci la risposta sopra questa riga -##",
    "##- Skriv dit svar over denne linje -##",
    "##- 返信は、この行より上に入力してください -##",
]


@pytest.mark.parametrize("line", SEPARATORS)
def test_separator_ends_the_news(line: str) -> None:
    assert text_of(f"{OWN}\n\n{line}\n\nDear Ann,\nwe are sorry.") == OWN


INTRODUCTIONS = [
    "Last night I asked:",
    "me, tue:",
    "monday:",
    "me, sun 22:41",
    "11 November",
    "2 June:",
    "Your e-mail of 7 May:",
    "You wrote on the 2nd:",
    "On Monday you wrote:",
    "From: Shop",
    "----- Shop Support, 21 Oct -----",
    "Gestern schrieb ich:",
    "Vous m'avez demandé :",
]


@pytest.mark.parametrize("line", INTRODUCTIONS)
def test_line_of_any_wording_right_above_a_quote_goes_with_it(line: str) -> None:
    assert text_of(f"{OWN}\n\n{line}\n> Does it leak?\n> Or not?") == OWN


FORMS = [
    "Neue Nachricht über das Kontaktformular\n\nVon: Anna <anna@x.de>\nDatum: 03.06.2024\n"
    "Betreff: Ladegerät\n\nNachricht:\nDas Ladegerät fehlt.",
    "A new message from your website\n\nFrom: Ann\nEmail: ann@x.com\nTo: support@x.com\n"
    "Subject: Refund\n\nMessage:\nThe kettle came, the refund did not.",
    "New voicemail\n\nFrom: +49 30 1234\nTo: a@b.org\nDate: 3 June 2024\nSubject: call\n"
    "Duration: 0:20\n\nTranscript:\nThe charger never came.",
]


@pytest.mark.parametrize("body", FORMS)
def test_fields_of_a_web_form_are_no_older_message(body: str) -> None:
    assert text_of(body) == body


KEPT = [
    "On Monday I was in all day, yet the card says:\n\nFrom: the depot, nobody opened.\n\nCome "
    "again.",
    "On top of that, she wrote: nobody rang. On 4 March 2024 I wrote to you twice.",
    "I booked a trip.\nFrom: Vienna\nTo: Graz\nDate: 4 May\nThe ticket never came.",
    "From: the box I took a cup.\nIt was broken.",
    "Please answer two things:\n- where is it\n- when does it come",
    "Compare 5 > 3 and a -> b.",
    "The rule\n------\nstays, and so does this\n======\ntext.",
    "Order:\n\nkettle  1\npot  2\n\nThe pot is missing.",
    "It says 2024-03-04 16:18 on the label:\nleft with a neighbour.",
    "The original message was lost. Your forwarded message, too.",
    "Subject to what you say, I agree.\nTo be honest, it is late.",
    "I sent it on 4 March 2024 at 10:18:\none kettle.",
    "On 3 June 2024 I ordered a kettle as you wrote\nbut it never came.",
    "Am 3. Juni 2024 kam der Kessel, wie Bo schrieb\naber ohne Deckel.",
]


@pytest.mark.parametrize("body", KEPT)
def test_ordinary_sentences_are_no_evidence(body: str) -> None:
    assert text_of(body) == body


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("> Does it leak?\n\nYes.\n\n> Much?\n\nA lot.", "Yes.\n\nA lot."),
        ("Hi\n> Does it leak?\nYes.\n> Much?\nA lot.", "Hi\nYes.\nA lot."),
        ("> Does it leak?\n\nYes, it does.", "Yes, it does."),
        ("Yes.\n&gt; Does it leak?", "Yes."),
        ("Yes.\n>> deeper\n> quote", "Yes."),
        ("I answer your points:\n\n> Does it leak?\n\nYes.", "I answer your points:\n\nYes."),
        ("I quote:\n>From the second one no trace.", "I quote:\n>From the second one no trace."),
    ],
)
def test_answers_between_quoted_lines_stay(body: str, text: str) -> None:
    assert text_of(body) == text


def test_rest_of_a_long_quoted_line_goes_with_it() -> None:
    long = "> Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eius"
    assert text_of(f"{OWN}\n\n{long}\nmod tempor incididunt.\n> ut labore") == OWN


GLUED = [
    (
        "It leaks. On Mon, Mar 4, 2024 at 4:18 PM Shop <a@b.org> wrote: > Dear Ann > hello",
        "It leaks.",
    ),
    ("Er leckt. Am 04.03.2024 um 16:18 schrieb Shop <a@b.org>: Liebe Ann", "Er leckt."),
    ("It leaks! -----Original Message----- From: Shop <a@b.org> Sent: Monday", "It leaks!"),
    ("It leaks?Sent from my iPhone-------- Original message --------From: Shop", "It leaks?"),
    ("It leaks. On Mon, Mar 4, 2024 Shop <a@b.org> wrote:\n> Dear Ann", "It leaks."),
    ("She wrote: it leaks. On Monday I wrote: mend it.", None),
    ("Mail a@b.org on 4 March 2024 at 10:18: the kettle leaks.", None),
    ("The rule ---- see above ---- stays.", None),
]


@pytest.mark.parametrize(("body", "text"), GLUED)
def test_older_message_glued_to_the_text_is_dropped(body: str, text: str | None) -> None:
    assert text_of(body) == (body if text is None else text)


def test_message_glued_to_the_line_above_a_quote_is_cut_once() -> None:
    glued = "On Mon, Mar 4, 2024 Shop <a@b.org> wrote:"
    email = email_from_text(f"It leaks. {glued}\n> Dear Ann", id="x", subject="")
    assert [email.body[cut.start : cut.end] for cut in email.removals] == [glued, "> Dear Ann"]


FORWARD = (
    "---------- Forwarded message ---------\n"
    "From: Bo <bo@example.net>\nDate: Mon, 4 Mar\nSubject: Lid\nTo: Ann\n\n"
)

NOTHING_NEW = [
    ("forward", FORWARD + OWN, OWN),
    (
        "forward from a telephone",
        "Sent from my iPhone\n\nBegin forwarded message:\n\n" + FORWARD.partition("\n")[2] + OWN,
        OWN,
    ),
    ("forward below a signature", "-- \nAnn\n\n" + FORWARD + OWN, "--\nAnn\n\n" + OWN),
    ("forward of a forward", FORWARD + FORWARD + OWN, OWN),
    ("forward of a reply", FORWARD + OWN + "\n\nOn 4 Mar 2024 Shop <a@b.org> wrote:\n> old", OWN),
    ("forward with a word", "FYI\n\n" + FORWARD + OWN, "FYI\n\n" + OWN),
    ("quoted lines alone", "> " + OWN, "> " + OWN),
    (
        "quoted lines below an attribution",
        "On 4 Mar 2024 Bo <b@c.org> wrote:\n> " + OWN,
        "> " + OWN,
    ),
    ("unquoted below an attribution", "On 4 Mar 2024 Bo <b@c.org> wrote:\n\n" + OWN, OWN),
]


@pytest.mark.parametrize(
    ("body", "text"), [row[1:] for row in NOTHING_NEW], ids=[row[0] for row in NOTHING_NEW]
)
def test_older_message_is_kept_when_there_is_nothing_else(body: str, text: str) -> None:
    email = email_from_text(body, id="x", subject="")
    assert email.text == text
    assert len(email.warnings) == 1


OUTLOOK = "From: Bo <bo@example.net>\nSent: Monday\nTo: Ann\nSubject: Lid\n\n"
NO_NEWS = [
    ("FYI", "FYI"),
    ("zur Info", "zur Info"),
    ("Hi team,\nplease see below.\nThanks", "Hi team,\nplease see below.\nThanks"),
    ("Best regards,\nAnn Smith\nAccounts", "Best regards,\nAnn Smith\nAccounts"),
    ("FYI\n\n-- \nAnn", "FYI"),
    ("FYI\nSent from my iPhone", "FYI"),
]
HEADS = {
    "Outlook": OUTLOOK,
    "Outlook, below a rule": "________________\n" + OUTLOOK,
    "original message": "-----Original Message-----\n" + OUTLOOK,
    "Gmail": FORWARD,
}


@pytest.mark.parametrize(("own", "left"), NO_NEWS)
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_older_message_below_words_that_say_nothing_is_kept(head: str, own: str, left: str) -> None:
    assert text_of(f"{own}\n\n{head}Dear shop,\n\n{OWN}\n-- \nBo") == (
        f"{left}\n\nDear shop,\n\n{OWN}"
    )


@pytest.mark.parametrize(
    "own",
    [
        "Thanks,\nAnn",
        "Hello",
        "Yes please",
        "Regards,\nAnn\nP.S. Please refund it.",
        "Hi where is my refund?\nBest regards,\nAnn",
        "Hallo noch nichts angekommen\n\nMfG\nAnna",
        "Kind regards\nAnn\n\nPS: the charger is missing",
        "Kind regards\nAnn\n\nOrder 4711\nCharger still missing",
        "Grüße\nbitte Geld zurück",
    ],
)
def test_short_words_above_an_older_message_are_the_news(own: str) -> None:
    assert text_of(f"{own}\n\n{OUTLOOK}{OWN}") == own


BLOCKS = [
    "From: Support Team\nDate: Monday, 3 June 2024 at 10:12\nTo: Ann Smith\nSubject: Re: x\n\nOLD",
    "*From:* Support\n*Date:* Monday\n*To:* Ann\n*Subject:* RE: x\n\nOLD",
    "Von: Support <s@x.de>\nGesendet: Montag\nAn: Anna\nBetreff: AW: x\n\nNachricht:\nALT",
    "From: Support <s@x.com>\nDate: Monday\nTo: Ann\nSubject: RE: x\n\nOrder: 123\nMessage: OLD",
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("own", ["Charger missing", "Hi,\ncharger missing.\nAnn"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_an_answers_header_block_is_no_web_form(own: str, gap: str, block: str) -> None:
    assert text_of(own + gap + block) == own


def test_own_words_above_a_forwarded_message_are_the_news() -> None:
    assert text_of("Please pay him back.\n\n" + FORWARD + OWN) == "Please pay him back."


def test_what_is_cut_says_why() -> None:
    email = email_from_text(OWN + "\n\n" + FORWARD + "old", id="x", subject="")
    assert [cut.reason for cut in email.removals] == ["forwarded message"]
    email = email_from_text(OWN + "\n\n> old", id="x", subject="")
    assert [cut.reason for cut in email.removals] == ["quoted reply"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<div>New.</div><div class=gmail_quote><div>On Mon, 4 Mar 2024 Shop "
            "&lt;a@b.org&gt; wrote:"
            "</div><blockquote class=gmail_quote>Old.</blockquote></div>",
            "New.",
        ),
        (
            "<div>New.</div><div id=appendonsend></div><hr><div id=divRplyFwdMsg><b>Lähde:</b> "
            "B</div>"
            "<div>Old.</div>",
            "New.",
        ),
        ("<p>New.</p><div class=yahoo_quoted><p>Bo wrote this</p></div>", "New."),
        ("<div>New.</div><div class=gmail_signature>Ann</div>", "New."),
        ("<div class=gmail_signature>Only Ann</div>", "Only Ann"),
        ("<p>He said</p><blockquote>no</blockquote><p>to me.</p>", "He said\n\nno\n\nto me."),
    ],
)
def test_marks_of_html_mail_are_used(html: str, text: str) -> None:
    assert text_of(html) == text
