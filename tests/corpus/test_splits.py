"""Cutting without parting a group."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from routing.corpus.splits import split_groups, text_key
from routing.records import Email, LabelledEmail


def email(number: int, **labels: str) -> LabelledEmail:
    text = labels.pop("text", f"text {number}")
    return LabelledEmail(email=Email(id=str(number), text=text), **{"route": "a", **labels})


def ids(emails: list[LabelledEmail]) -> set[str]:
    return {item.email.id for item in emails}


def test_every_route_gives_its_share() -> None:
    emails = [email(i, route="a" if i < 60 else "b") for i in range(80)]
    rest, cut = split_groups(emails, share=0.25)
    assert Counter(item.route for item in cut) == {"a": 15, "b": 5}
    assert len(rest) + len(cut) == 80


def test_threads_pairs_and_duplicates_stay_together_even_in_chains() -> None:
    emails = [
        email(0, group="t"),
        email(1, group="t", text="same"),
        email(2, text=" SAME", pair="p"),
        email(3, pair="p"),
        *(email(i) for i in range(4, 40)),
    ]
    for seed in range(5):
        rest, cut = split_groups(emails, share=0.3, seed=seed)
        chain = {"0", "1", "2", "3"}
        assert chain <= ids(rest) or chain <= ids(cut)


def test_the_same_emails_are_cut_in_any_order() -> None:
    emails = [email(i) for i in range(30)]
    assert ids(split_groups(emails, share=0.2)[1]) == ids(split_groups(emails[::-1], share=0.2)[1])


def test_another_seed_cuts_others() -> None:
    emails = [email(i) for i in range(30)]
    first, second = (ids(split_groups(emails, share=0.2, seed=seed)[1]) for seed in (0, 1))
    assert first != second


def test_a_route_of_one_email_stays_in_the_rest() -> None:
    rest, cut = split_groups([email(0, route="rare")], share=0.1)
    assert (len(rest), cut) == (1, [])


_ITEMS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["", "t1", "t2"])), max_size=30)


@settings(deadline=None, max_examples=40)
@given(_ITEMS, st.floats(0.05, 0.6))
def test_nothing_is_lost_doubled_or_parted(items: list[tuple[str, str]], share: float) -> None:
    emails = [email(i, route=route, group=group) for i, (route, group) in enumerate(items)]
    rest, cut = split_groups(emails, share=share)
    assert sorted(ids(rest) | ids(cut)) == sorted(ids(emails))
    assert not ids(rest) & ids(cut)
    assert not {e.group for e in rest if e.group} & {e.group for e in cut if e.group}


def test_the_text_key_evens_out_case_and_blanks() -> None:
    assert text_key(Email(id="1", subject="Hi", text=" A\n b")) == "hi a b"
