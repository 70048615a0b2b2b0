from routing.explanation.message import Segment, body_segments, subject_segments
from routing.mail import email_from_text
from routing.records import Email
from routing.text.tokens import tokenize

TEXT = (
    "The parcel (order AB-12345) is late.\n\nThanks,\nTom\n\n"
    "On Mon, 2 Nov 2026, Ann wrote:\n> No.\n"
)


def test_segments_put_together_are_the_whole_original_body() -> None:
    email = email_from_text(TEXT, id="x")
    found = body_segments(email, tokenize(email))
    assert "".join(segment.text for segment in found) == email.body == TEXT


def test_what_was_cut_is_marked_with_its_reason_and_is_no_token() -> None:
    email = email_from_text(TEXT, id="x")
    found = body_segments(email, tokenize(email))
    cut = [segment for segment in found if segment.cut]
    assert "> No." in "".join(segment.text for segment in cut)
    assert all(segment.token is None for segment in cut)
    assert {segment.cut for segment in cut} == {removal.reason for removal in email.removals}


def test_a_placeholder_shows_its_original_characters() -> None:
    email = email_from_text(TEXT, id="x")
    tokens = tokenize(email)
    found = {tokens[s.token].text: s.text for s in body_segments(email, tokens) if s.token}
    assert found["<order>"] == "AB-12345"


def test_every_token_has_its_segment() -> None:
    email = email_from_text("Subject: Re: late\n" + TEXT, id="x")
    tokens = tokenize(email)
    both = subject_segments(email, tokens) + body_segments(email, tokens)
    assert [s.token for s in both if s.token is not None] == list(range(len(tokens)))


def test_a_subject_ends_with_a_mark_without_text() -> None:
    email = Email(id="x", subject="Re: late", text="now")
    found = subject_segments(email, tokenize(email))
    assert found == [Segment("Re: "), Segment("late", token=0), Segment("", token=1)]


def test_an_email_without_a_body_shows_its_text() -> None:
    email = Email(id="x", text="where is it")
    found = body_segments(email, tokenize(email))
    assert "".join(segment.text for segment in found) == "where is it"
