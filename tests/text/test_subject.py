"""Subjects without the marks of programs."""

import pytest

from routing.text.subject import bare_subject, subject_spans

BARE = [
    ("Lost parcel", "Lost parcel"),
    ("Re: Lost parcel", "Lost parcel"),
    ("RE: FW: Re: Lost parcel", "Lost parcel"),
    ("Re[2]: Lost parcel", "Lost parcel"),
    ("Re(3): Lost parcel", "Lost parcel"),
    ("AW: WG: Paket", "Paket"),
    ("Antw: pakket", "pakket"),
    ("SV: VS: paket", "paket"),
    ("RV: paquete", "paquete"),
    ("R: I: pacco", "pacco"),
    ("ENC: RES: pacote", "pacote"),
    ("TR : Réf : colis", "colis"),
    ("Odp: PD: paczka", "paczka"),
    ("Ynt: paket", "paket"),
    ("Отв: посылка", "посылка"),
    ("回复：包裹", "包裹"),
    ("答复: 转发: 包裹", "包裹"),
    ("返信: 荷物", "荷物"),
    ("답장: 소포", "소포"),
    ("השב: חבילה", "חבילה"),
    ("رد: طرد", "طرد"),
    ("ΑΠ: δέμα", "δέμα"),
    ("[Ticket #4711] Lost parcel", "Lost parcel"),
    ("Re: [#4711] Lost parcel", "Lost parcel"),
    ("[Case: 00012-3] Re: Lost parcel", "Lost parcel"),
    ("Lost parcel [ref:_00D1.500Ab:ref]", "Lost parcel"),
    ("Ticket#2024011 Lost parcel", "Lost parcel"),
    ("##RE-1234## Lost parcel", "Lost parcel"),
    ("[EXTERNAL] Re: Lost parcel", "Lost parcel"),
    ("[EXT] [Request 12] Lost parcel", "Lost parcel"),
    ("Re:", ""),
    ("", ""),
    ("Return of order 12", "Return of order 12"),
    ("Refund: when?", "Refund: when?"),
    ("Order #4711 is late", "Order #4711 is late"),
    ("Is it in?", "Is it in?"),
    ("I: see you", "see you"),
    ("Lost - again", "Lost - again"),
    ("[urgent] Lost parcel", "[urgent] Lost parcel"),
]


@pytest.mark.parametrize(("subject", "bare"), BARE)
def test_marks_are_stripped_from_the_subject(subject: str, bare: str) -> None:
    assert bare_subject(subject) == bare


def test_endless_subject_is_no_trouble() -> None:
    assert bare_subject("Lost " * 50_000).startswith("Lost Lost")
    assert bare_subject("Re: " * 50_000) == ""


def test_spans_of_the_bare_subject_point_into_the_whole_one() -> None:
    subject = "Re: Lost [#12] parcel"
    assert subject_spans(subject) == [(4, 9), (14, 21)]
    assert bare_subject(subject) == "Lost  parcel"


@pytest.mark.parametrize(
    ("subject", "spans"),
    [
        ("Lost parcel", [(0, 11)]),
        (" \tLost\n parcel \n", [(2, 14)]),
        (" \t\n", []),
        ("- Lost -", [(0, 8)]),
        ("\u00a0Lost\u00a0", [(0, 6)]),
        ("x" * 2_500, [(0, 2_000)]),
        (" " * 2_500 + "x", []),
    ],
)
def test_a_subject_without_marks_loses_its_blanks(
    subject: str, spans: list[tuple[int, int]]
) -> None:
    assert subject_spans(subject) == spans
