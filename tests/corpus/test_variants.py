"""Written pairs told again with other goods."""

from collections import Counter

import pytest

from routing.corpus.maker import training_words
from routing.corpus.pairs import pair_emails
from routing.corpus.sources import load_splits
from routing.corpus.splits import Splits
from routing.corpus.things import Noun, Words
from routing.corpus.variants import vary
from routing.flags import load_settings
from routing.mail import email_from_text
from routing.records import Pair

WORDS = Words(
    contents=(Noun("urn", False, "an urn"), Noun("kite", False, "a kite")),
    containers=(Noun("box", False, "a box"), Noun("sack", False, "a sack")),
    rows={},
)
PAIR = Pair(
    "x", "role_swap", {"refunds": "A kite no, a box yes.", "delivery": "A box no, a kite yes."}
)


def test_a_thing_becomes_the_same_other_thing_in_both_members() -> None:
    variants = list(vary([PAIR], words=WORDS, times=40, seed=1))
    texts = {variant.members["refunds"] for variant in variants}
    assert "An urn no, a sack yes." in texts
    for variant in variants:
        bags = [Counter(text.lower().split()) for text in map(_bare, variant.members.values())]
        assert bags[0] == bags[1]


def _bare(text: str) -> str:
    return text.replace(",", "").replace(".", "")


def test_a_content_never_becomes_a_container() -> None:
    for variant in vary([PAIR], words=WORDS, times=40, seed=2):
        first = variant.members["refunds"].split(" no")[0].split()[1]
        assert first in ("urn", "kite")


def test_variants_repeat_from_their_seed() -> None:
    words = training_words()
    one, two, other = (
        [v.members for v in vary([PAIR] * 5, words=words, times=2, seed=s)] for s in (3, 3, 4)
    )
    assert one == two != other


def test_a_pair_without_known_things_has_no_variant() -> None:
    pair = Pair("y", "owed", {"refunds": "Pay, not post.", "delivery": "Post, not pay."})
    assert not list(vary([pair], words=WORDS, times=3, seed=0))


@pytest.fixture(scope="module")
def splits() -> Splits:
    return load_splits(load_settings(None, {"corpus": {"pairs": 20, "written_variants": 1}}))


def test_variants_are_not_validated_on_and_pairs_stay_apart(splits: Splits) -> None:
    originals = {item.pair.split("~")[0] for item in splits.train}
    assert any("~" in item.pair for item in splits.train)
    assert not originals & {item.pair for item in splits.validation}


def test_variants_are_trimmed_as_any_mail(splits: Splits) -> None:
    varied = [item.email for item in splits.train if "~" in item.pair]
    cut = [email for email in varied if email.text != email.body]
    assert 100 < len(cut) < len(varied) / 5
    for email in [*cut[::20], *varied[::100]]:
        assert email.text == email_from_text(email.body, id="again", trim="all").text


def test_pairs_that_need_the_quoted_message_are_left_out() -> None:
    settings = load_settings(None, {"corpus": {"pairs": 0, "written_variants": 0}})
    splits = load_splits(settings)
    members = [*splits.train, *splits.validation]
    texts: dict[str, set[tuple[str, str]]] = {}
    for item in members:
        texts.setdefault(item.pair, set()).add((item.email.subject, item.email.text))
    assert all(len(found) == 2 for found in texts.values())


def test_a_quoted_question_alone_tells_no_members_apart() -> None:
    pair = Pair(
        "z",
        "thread",
        {"refunds": "Yes.\n\nYou wrote:\n> Pay?", "delivery": "Yes.\n\nYou wrote:\n> Post?"},
    )
    first, second = pair_emails([pair])
    assert first.email.text == second.email.text == "Yes."
