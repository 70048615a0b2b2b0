"""The second look: which swap, what the swapped e-mail is, how both readings are weighed."""

import pytest
import torch
from torch import Tensor, nn

from routing.models.recurrent import RecurrentModel
from routing.models.second_look import (
    LONGEST,
    SwapFinder,
    best_swap,
    doubtful_swap,
    read_again,
    read_twice,
    read_twice_with,
    swap_loss,
    swapped_places,
    weigh,
)
from routing.models.transformer import TransformerModel

LENGTHS = torch.tensor([6, 3, 1])


def scores_of(peaks: list[list[int]], steps: int) -> Tensor:
    """Return scores (B, T, 4) that are highest at the four tokens of each e-mail."""
    scores = torch.zeros(len(peaks), steps, 4)
    for email, places in enumerate(peaks):
        for kind, place in enumerate(places):
            scores[email, place, kind] = 9.0
    return scores.log_softmax(dim=1)


@pytest.mark.parametrize(
    ("swap", "order"),
    [
        ([0, 0, 2, 3], "cdbae"),
        ([1, 2, 3, 3], "adbce"),
        ([0, 1, 3, 4], "decab"),
        ([0, 0, 4, 4], "ebcda"),
        ([1, 1, 2, 2], "acbde"),
        ([0, 2, 3, 4], "deabc"),
    ],
)
def test_two_stretches_change_places(swap: list[int], order: str) -> None:
    places = swapped_places(torch.tensor([swap]), 5)[0]
    assert "".join("abcde"[i] for i in places) == order


def test_the_most_probable_swap_is_taken() -> None:
    peaks = [[0, 1, 3, 5], [2, 2, 4, 4]]
    assert best_swap(scores_of(peaks, 6)).tolist() == peaks


def test_the_later_stretch_begins_after_the_earlier_one() -> None:
    for peaks in ([3, 4, 1, 2], [1, 3, 2, 4], [4, 2, 5, 0]):
        first, last, other_first, other_last = best_swap(scores_of([peaks], 6))[0].tolist()
        assert first <= last < other_first <= other_last


@pytest.mark.parametrize("steps", [2, 3, 6, 18])
def test_it_is_the_best_of_all_there_are(steps: int) -> None:
    torch.manual_seed(steps)
    scores = torch.randn(8, steps, 4).log_softmax(dim=1)
    for email, found in zip(scores, best_swap(scores).tolist(), strict=True):
        every = [
            (a, b, c, d)
            for a in range(steps)
            for b in range(a, min(steps, a + LONGEST))
            for c in range(b + 1, steps)
            for d in range(c, min(steps, c + LONGEST))
        ]
        right = max(every, key=lambda ends: sum(float(email[e, i]) for i, e in enumerate(ends)))
        assert tuple(found) == right


def test_one_token_is_all_of_its_swap() -> None:
    assert best_swap(torch.zeros(2, 1, 4)).tolist() == [[0, 0, 0, 0]] * 2


def test_a_stretch_is_not_longer_than_the_longest() -> None:
    found = best_swap(scores_of([[0, 30, 35, 38]], 40))[0].tolist()
    assert found[1] - found[0] < LONGEST
    assert found[2:] == [35, 38]


def test_padding_is_never_swapped() -> None:
    torch.manual_seed(0)
    finder = SwapFinder(7)
    found = best_swap(finder(torch.randn(3, 6, 7), LENGTHS))
    assert (found[:2, 3] < LENGTHS[:2]).all()


def test_the_swap_loss_is_minus_the_log_probability_of_the_four_tokens() -> None:
    scores = torch.log(torch.tensor([[[0.5, 0.25, 0.1, 0.2], [0.5, 0.75, 0.9, 0.8]]]))
    scores = scores.expand(2, -1, -1)
    found = swap_loss(scores, torch.tensor([[0, 0, 1, 1], [-1, -1, -1, -1]]))
    right = -torch.log(torch.tensor(0.5 * 0.25 * 0.9 * 0.8))
    assert found.tolist() == pytest.approx([float(right), 0.0])


@pytest.mark.parametrize(
    ("logits", "right"),
    [
        ([1.0, 0.0], [-0.5, 0.0]),  # half of the limit: half of the second reading
        ([0.0, 0.0], [-3.0, 0.0]),
        ([0.0, 2.0], [0.0, 2.0]),
        ([0.0, 5.0], [0.0, 5.0]),
    ],
)
def test_the_second_reading_counts_the_more_the_less_sure_the_first_is(
    logits: list[float], right: list[float]
) -> None:
    found = weigh(torch.tensor([logits]), torch.tensor([[3.0, 0.0]]), 2.0)
    assert found[0].tolist() == pytest.approx(right)


def model_of(kind: str, limit: float) -> nn.Module:
    torch.manual_seed(0)
    if kind == "recurrent":
        sizes = {"embedding": 4, "hidden": 5, "layers": 1}
        return RecurrentModel(words=9, routes=2, second_look=limit, dropout=0, **sizes).eval()
    sizes = {"embedding": 8, "heads": 2, "layers": 1, "feedforward": 6}
    return TransformerModel(words=9, routes=2, second_look=limit, dropout=0, **sizes).eval()


def embedded_for(model: nn.Module) -> Tensor:
    torch.manual_seed(1)
    words = torch.randint(1, 9, (3, 6)) * (torch.arange(6)[None, :] < LENGTHS[:, None])
    return model.embed(words, torch.arange(9), torch.zeros(9, 1, dtype=torch.long))


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_an_email_in_doubt_is_read_again_and_no_other(kind: str) -> None:
    model = model_of(kind, 100.0)
    embedded = embedded_for(model)
    once, _, states = model.read(embedded, LENGTHS)
    leads = (once[:, 0] - once[:, 1]).abs().detach()
    model.second_look = float(leads[:2].mean())  # one of two e-mails is in doubt
    doubtful = int(leads[:2].argmin())
    swaps = best_swap(model.finder(states, LENGTHS))
    again = read_again(model, embedded, LENGTHS, swaps)
    both = weigh(once, again, model.second_look)
    asked = []
    model.finder.register_forward_pre_hook(lambda _, given: asked.append(len(given[0])))
    found = read_twice(model, embedded, LENGTHS)
    assert asked == [1]
    torch.testing.assert_close(found[doubtful], both[doubtful])
    torch.testing.assert_close(found[1 - doubtful], once[1 - doubtful])
    torch.testing.assert_close(found[2], once[2])  # one word has no swap
    assert not torch.allclose(found[doubtful], once[doubtful])


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_an_email_alone_is_decided_as_in_a_batch(kind: str) -> None:
    model = model_of(kind, 100.0)
    embedded = embedded_for(model)
    together = read_twice(model, embedded, LENGTHS)
    for email, length in enumerate(LENGTHS.tolist()):
        alone = read_twice(model, embedded[email : email + 1, :length], LENGTHS[email : email + 1])
        torch.testing.assert_close(alone[0], together[email], atol=1e-5, rtol=1e-4)
        swap = doubtful_swap(model, embedded[email : email + 1, :length], LENGTHS[email, None])
        assert (swap is None) == (length == 1)
        if swap is not None:
            same = read_twice_with(
                model, embedded[email : email + 1, :length], LENGTHS[email, None], swap
            )
            torch.testing.assert_close(same, alone)


def test_training_and_models_without_a_finder_read_once() -> None:
    model = model_of("recurrent", 100.0)
    embedded = embedded_for(model)
    once = model.read(embedded, LENGTHS)[0]
    torch.testing.assert_close(read_twice(model.train(), embedded, LENGTHS), once)
    plain = model_of("recurrent", 0.0)
    assert plain.finder is None
    torch.testing.assert_close(
        read_twice(plain, embedded, LENGTHS), plain.read(embedded, LENGTHS)[0]
    )
