"""The writer of case notes: pointer, attention, search, padding."""

import math

import pytest
import torch
from torch import Tensor

from routing.models.note import END, PADDING, UNKNOWN, NoteModel, add_up, join, stay_ended

TOKEN_IDS = torch.tensor([[1, 2, 3, 4], [3, 5, 0, 0]])  # (B, T), rows of the word table
LENGTHS = torch.tensor([4, 2])
WORD_IDS = torch.tensor([0, 4, 5, 1, 6, 7])  # (U,), row 3 is a word training never saw
PIECE_IDS = torch.zeros(6, 1, dtype=torch.long)
ROW_WORDS = torch.tensor([UNKNOWN, UNKNOWN, 4, UNKNOWN, UNKNOWN, UNKNOWN])  # (U,)
V = 5
NOTES = torch.tensor([[3, V + 3, END], [4, END, PADDING]])  # (B, N)


def make_model(*, attention: bool = True) -> NoteModel:
    torch.manual_seed(0)
    return NoteModel(
        words=8, note_words=V, embedding=3, hidden=7, attention=attention, dropout=0.0
    ).eval()


def inputs() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return TOKEN_IDS, LENGTHS, WORD_IDS, PIECE_IDS


def learn(model: NoteModel, steps: int = 150) -> float:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    loss = torch.zeros(())
    for _ in range(steps):
        logs = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
        loss = -logs.sum() / (NOTES != PADDING).sum()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return loss.item()


@pytest.mark.parametrize("attention", [True, False])
def test_chances_of_the_next_word_sum_to_one(attention: bool) -> None:
    model = make_model(attention=attention)
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    chances, _, weights = model.step(source, state, torch.tensor([END, END]))
    assert chances.shape == (2, V + 6)
    torch.testing.assert_close(chances.exp().sum(dim=1), torch.ones(2))
    torch.testing.assert_close(weights.sum(dim=1), torch.full((2,), float(attention)))
    assert weights[1, 2:].tolist() == [0, 0]


def test_weights_of_a_word_that_stands_twice_add_up() -> None:
    weights = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.6, 0.4, 0.0, 0.0]])
    token_ids = torch.tensor([[1, 2, 1, 1], [2, 1, 0, 0]])
    expected = torch.tensor([[0.0, 0.8, 0.2], [0.0, 0.4, 0.6]])
    both = torch.stack([weights, weights / 2], dim=1)  # (B, N, T)
    found = add_up(token_ids, both, 3)
    torch.testing.assert_close(found, torch.stack([expected, expected / 2], dim=1))


def test_copies_of_a_known_word_count_for_that_word() -> None:
    learned = torch.tensor([[0.0, 0.1, 0.0, 0.2, 0.1]])
    copied = torch.tensor([[0.0, 0.1, 0.3, 0.2, 0.0, 0.0]])
    joined = join(learned, copied, ROW_WORDS)
    expected = [0.0, 0.1, 0.0, 0.2, 0.4, 0.0, 0.1, 0.0, 0.2, 0.0, 0.0]
    torch.testing.assert_close(joined, torch.tensor([expected]))


def test_two_notes_are_learned_by_heart_and_an_unseen_word_is_copied() -> None:
    model = make_model()
    assert learn(model) < 0.1
    written, looks = model.write(*inputs(), row_words=ROW_WORDS)
    assert written[0].tolist() == [3, V + 3, END]
    assert written[1, :2].tolist() == [4, END]
    assert looks[0, 1].argmax() == 2  # where the unseen word stands


def test_without_attention_an_unseen_word_cannot_be_written() -> None:
    model = make_model(attention=False)
    logs = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
    assert logs[0, 1] < math.log(1e-8)


def test_a_phrase_is_followed_one_token_on() -> None:
    model = make_model()
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    torch.nn.init.zeros_(model.follow.weight)
    torch.nn.init.constant_(model.follow.bias, 50.0)
    before = torch.tensor([[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    _, weights = model.look(source, state.hidden, before=before)
    torch.testing.assert_close(weights.argmax(dim=1), torch.tensor([2, 1]))
    _, ended = model.look(source, state.hidden, before=before.roll(1, dims=1))
    assert ended[1, 2:].tolist() == [0, 0]  # what follows the last token is padding


def test_what_follows_a_copied_word_hangs_on_which_it_is() -> None:
    model = make_model()
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    words = torch.tensor([3, V + 4])  # one of notes, one copied
    found = model.vectors_of(source, words)
    right = model.vectors.words.weight[WORD_IDS[4]]
    torch.testing.assert_close(found, torch.stack([model.own_vectors.words.weight[3], right]))
    after = [model.step(source, state, torch.tensor([V + row] * 2))[0] for row in (1, 4)]
    assert not torch.allclose(*after, atol=1e-3)


@pytest.mark.parametrize("attention", [True, False])
def test_words_foretold_at_once_are_those_foretold_one_by_one(attention: bool) -> None:
    model = make_model(attention=attention)
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    word = torch.tensor([END, END])
    expected = []
    for right in NOTES.unbind(dim=1):
        chances, state, _ = model.step(source, state, word)
        expected.append(chances.gather(1, right[:, None]).squeeze(1))
        word = right
    found = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
    real = NOTES != PADDING
    torch.testing.assert_close(found[real], torch.stack(expected, dim=1)[real])


@pytest.mark.parametrize("attention", [True, False])
def test_notes_train_in_bfloat16_under_autocast(attention: bool) -> None:
    model = make_model(attention=attention).train()
    expected = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        source, _ = model.encode(*inputs(), row_words=ROW_WORDS)
        found = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
    assert source.states.dtype == torch.bfloat16
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected, atol=0.05, rtol=0.05)
    found.sum().backward()
    unused = {"keys", "query", "score", "follow", "gate"} if not attention else set()
    for name, value in model.named_parameters():
        assert (value.grad is not None) or name.split(".")[0] in unused


def test_padding_changes_nothing() -> None:
    model = make_model()
    both = model(*inputs(), row_words=ROW_WORDS, notes=NOTES)
    alone = model(
        TOKEN_IDS[1:, :2], LENGTHS[1:], WORD_IDS, PIECE_IDS, row_words=ROW_WORDS, notes=NOTES[1:]
    )
    torch.testing.assert_close(both[1:], alone, atol=1e-6, rtol=1e-5)
    assert both[1, 2] == 0


def test_one_step_changes_every_parameter() -> None:
    model = make_model().train()
    before = {name: value.clone() for name, value in model.named_parameters()}
    learn(model, steps=1)
    same = [n for n, value in model.named_parameters() if torch.equal(before[n], value)]
    assert same == []


def test_beam_search_finds_the_likeliest_note_of_all() -> None:
    model = make_model()
    learn(model, steps=20)
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    best = torch.full((2,), float("-inf"))
    first, after, _ = model.step(source, state, torch.tensor([END, END]))
    for word in range(V + 6):
        second, _, _ = model.step(source, after, torch.full((2,), word))
        rest = torch.zeros(2) if word == END else second.max(dim=1).values
        best = torch.maximum(best, first[:, word] + rest)
    written, _ = model.write(*inputs(), row_words=ROW_WORDS, beam=V + 6, max_words=2)
    found = first.gather(1, written[:, :1]).squeeze(1)
    for email in range(2):
        if written[email, 0] != END:
            second, _, _ = model.step(source, after, written[:, 0])
            found[email] += second[email, written[email, 1]]
    torch.testing.assert_close(found, best)


def test_greedy_takes_the_likeliest_word_at_each_step() -> None:
    model = make_model()
    written, _ = model.write(*inputs(), row_words=ROW_WORDS, max_words=1)
    source, state = model.encode(*inputs(), row_words=ROW_WORDS)
    chances, _, _ = model.step(source, state, torch.tensor([END, END]))
    assert written[:, 0].tolist() == chances.argmax(dim=1).tolist()


def test_an_ended_note_stays_as_it_is() -> None:
    chances = torch.log(torch.tensor([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5]]))
    kept = stay_ended(chances, torch.tensor([[0, END], [0, 2]]))
    assert kept[0].tolist() == [float("-inf"), 0.0, float("-inf")]
    torch.testing.assert_close(kept[1], chances[1])
