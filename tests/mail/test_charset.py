"""Bytes become text whatever their label says."""

import pytest

from routing.mail.charset import codec_name, decode, stream_codec
from routing.mail.guess import guess_charset

LABELLED = [
    ("Crème brûlée – 5 €", "cp1252", "iso-8859-1"),
    ("Crème brûlée – 5 €", "cp1252", "us-ascii"),
    ("Crème brûlée – 5 €", "utf-8", "iso-8859-1"),
    ("Crème brûlée", "utf-8", "uft-8"),
    ("Crème brûlée", "utf-8", None),
    ("Crème brûlée", "utf-8", "x-nonsense"),
    ("Crème brûlée", "utf-8", "utf8"),
    ("镕基的茶壶", "gb18030", "gb2312"),
    ("①番の㈱", "cp932", "shift_jis"),
    ("똠방각하", "cp949", "ks_c_5601-1987"),
    ("囧囍啫喱", "big5hkscs", "big5"),
    ("ığüşöç", "cp1254", "iso-8859-9"),
    ("ส่งคืน “สินค้า”", "cp874", "windows-874"),
    ("שלום", "iso8859_8", "iso-8859-8-i"),
    ("茶碗が割れました", "iso2022_jp", None),
    ("茶碗が割れました", "iso2022_jp", "us-ascii"),
    ("Привет", "koi8_r", "koi8-r"),
    ("Grüße", "utf-16", "utf-16"),
    ("Grüße", "utf-8-sig", "iso-8859-1"),
    ("Hello there", "ascii", "utf-16"),
    ("Grüße an Frau Müller", "utf-8", "utf-16"),
    ("请退款，包裹是空的。", "utf-8", "gb2312"),
    ("请退款", "gb18030", "gb2312"),
    ("Grüße", "utf-16-le", "utf-16le"),
    ("plain", "utf-16-le", "utf-16le"),
    ("Grüße", "utf-7", "utf-7"),
]


@pytest.mark.parametrize(("text", "codec", "label"), LABELLED)
def test_text_is_read_in_spite_of_its_label(text: str, codec: str, label: str | None) -> None:
    assert decode(text.encode(codec), label) == text


GUESSED = [
    ("Je voudrais être remboursé, le colis est arrivé abîmé.", "cp1252"),
    ("Die Lieferung für Frau Größmann kam beschädigt an.", "cp1252"),
    ("¿Cuándo llegará mi pedido? El niño está esperando.", "cp1252"),
    ("Proszę o zwrot pieniędzy, przesyłka dotarła pusta.", "cp1250"),
    ("Žádám o vrácení peněz, balík přišel prázdný.", "cp1250"),
    ("Kérem a pénzem visszatérítését, a csomag üres volt.", "cp1250"),
    ("Посылка пришла пустой, верните мне деньги.", "cp1251"),
    ("Посылка пришла пустой, верните мне деньги.", "koi8_r"),
    ("Το δέμα ήρθε άδειο, θέλω τα χρήματά μου πίσω.", "cp1253"),
    ("Paket boş geldi, lütfen paramı geri gönderin.", "cp1254"),
    ("החבילה הגיעה ריקה, אני רוצה את הכסף בחזרה.", "cp1255"),
    ("وصل الطرد فارغا وأريد استرداد المال", "cp1256"),
    ("พัสดุมาถึงแต่ข้างในว่างเปล่า ขอเงินคืนด้วยค่ะ", "cp874"),
    ("荷物は届きましたが、中身が入っていませんでした。", "cp932"),
    ("荷物は届きましたが、中身が入っていませんでした。", "euc_jp"),
    ("包裹到了，但是里面没有我买的东西，请退款。", "gb18030"),
    ("包裹到了，但是裡面沒有我買的東西，請退款。", "big5hkscs"),
    ("상자는 왔지만 안에 아무것도 없었습니다. 환불해 주세요.", "cp949"),
    ("Where is it? Señor Núñez waits", "cp1252"),
    ("It’s £20", "cp1252"),
    ("plain words", "utf-16-le"),
]


@pytest.mark.parametrize(("text", "codec"), GUESSED)
def test_charset_without_a_label_is_guessed(text: str, codec: str) -> None:
    data = text.encode(codec)
    assert data.decode(guess_charset(data)) == text


def test_utf8_that_was_cut_is_still_utf8() -> None:
    assert decode("Crème brûlée – déjà reçue".encode()[:-1]).startswith("Crème brûlée – déjà reç")


def test_bytes_that_fit_nothing_are_replaced() -> None:
    assert decode(b"\x81\x8d\x8f\x90 x", "cp1252").endswith(" x")


@pytest.mark.parametrize("label", ["base64", "rot13", "zlib", "unicode_escape", "", "\0", "é"])
def test_codecs_that_are_no_charsets_are_unknown(label: str) -> None:
    assert codec_name(label) is None


def test_labels_are_read_in_any_spelling() -> None:
    assert [codec_name(label) for label in ("Windows_1252", "ISO8859-1", "x-sjis", "UTF8")] == [
        "cp1252",
        "cp1252",
        "cp932",
        "utf-8",
    ]


def test_codec_of_a_file_shows_in_its_mark() -> None:
    assert stream_codec(b"\xff\xfei\0") == "utf-16"
    assert stream_codec(b"\xef\xbb\xbfid") == "utf-8-sig"
    assert stream_codec(b"id") == "utf-8"
