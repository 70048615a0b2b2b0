"""One pattern, one way to say it: every choice drawn, only the two things left open."""

import random
import re

from routing.corpus.grammar import Call, Choice, Grammar, Item, Sequence, Slot, Variable


class Expansion:
    """The choices of one e-mail.

    Attributes:
        variables: what each variable (``day1``) stands for in this e-mail.
        used: first items of the asides that the e-mail has already.
        choices: places of the outermost choices in the last expansion, to be drawn anew.
    """

    def __init__(self, grammar: Grammar, rng: random.Random) -> None:
        self._phrases = grammar.phrases
        self._rng = rng
        self.variables: dict[str, str] = {}
        self.used: set[Item] = set()
        self.choices: list[tuple[int, int, Choice | Call, str | None]] = []

    def expand(self, sequence: Sequence) -> list[Item]:
        """Return text and slots (roles open, other, 1, 2) of one way to say the sequence."""
        items: list[Item] = []
        self._expand(sequence, None, items, 0)
        return items

    def redraw(self, items: list[Item]) -> list[Item]:
        """Return the items with one choice drawn anew."""
        if not self.choices:
            return items
        start, end, part, bound = self._rng.choice(self.choices)
        fresh: list[Item] = []
        self._expand((part,), bound, fresh, 1)
        return items[:start] + fresh + items[end:]

    def _expand(self, sequence: Sequence, bound: str | None, items: list[Item], depth: int) -> None:
        for part in sequence:
            if isinstance(part, str):
                items.append(self._fill_digits(part) if "#" in part else part)
            elif isinstance(part, Slot):
                items.append(self._bind(part, bound))
            elif isinstance(part, Variable):
                items.append(self._variable(part.name))
            else:
                start = len(items)
                self._expand_choice(part, bound, items, depth)
                if depth == 0:
                    self.choices.append((start, len(items), part, bound))

    def _expand_choice(
        self, part: "Choice | Call", bound: str | None, items: list[Item], depth: int
    ) -> None:
        if isinstance(part, Choice):
            options, role = part.options, bound
        else:
            options = self._phrases[part.name].options
            role = bound if part.role == "x" else part.role
        option = options[int(self._rng.random() * len(options))]
        self._expand(option, role, items, depth + 1)

    def _bind(self, slot: Slot, bound: str | None) -> Slot:
        role = bound if slot.role == "x" and bound else slot.role
        words = slot.words
        if words and ("$" in words[0] or "$" in words[1]):
            words = (self._fill(words[0]), self._fill(words[1]))
        if role == slot.role and words is slot.words:
            return slot
        return Slot(role=role, form=slot.form, words=words)

    def _fill(self, words: str) -> str:
        return re.sub(r"\$([a-z_]+[0-9])", lambda found: self._variable(found[1]), words)

    def _variable(self, name: str) -> str:
        if name not in self.variables:
            taken = {v for k, v in self.variables.items() if k[:-1] == name[:-1]}
            values = (self._draw(name[:-1]) for _ in range(100))
            self.variables[name] = next((v for v in values if v not in taken), name)
        return self.variables[name]

    def _draw(self, name: str) -> str:
        items: list[Item] = []
        options = self._phrases[name].options
        self._expand(options[int(self._rng.random() * len(options))], None, items, 1)
        return "".join(item for item in items if isinstance(item, str))

    def _fill_digits(self, text: str) -> str:
        return "".join(
            str(int(self._rng.random() * 9) + 1) if letter == "#" else letter for letter in text
        )
