"""What each suite is made of: which patterns, which words, how long, how noisy."""

from dataclasses import dataclass

from routing.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a suite is made of.

    Attributes:
        held_out_patterns: use the held-out constructions instead of those of training.
        held_out_words: use the held-out nouns instead of those of training.
        tested: True for the sentences that training leaves out, False for those it keeps,
            None for both; a stable cut by the text of the deciding sentences.
        far: only patterns whose deciding words may stand far from the things.
        words: fewest and most words of a member.
        asides: fewest and most asides before and after, None for everyday shapes.
        between: fewest and most asides at a place between deciding words.
        distance: fewest and most words between the words that decide, None for any.
        noise: how likely a pair is to be noisy, when the caller does not say.
        strength: share of misspelt words in a noisy pair.
    """

    held_out_patterns: bool = False
    held_out_words: bool = False
    tested: bool | None = None
    far: bool = False
    words: tuple[int, int] = (8, 250)
    asides: tuple[int, int] | None = None
    between: tuple[int, int] = (0, 0)
    distance: tuple[int, int] | None = None
    noise: float = 0.3
    strength: float = 0.03


RECIPES = {
    "train": Recipe(tested=False),
    "train_far": Recipe(tested=False, far=True, asides=(0, 2), between=(1, 9)),
    "in_distribution": Recipe(tested=True),
    "unseen_words": Recipe(held_out_words=True),
    "unseen_constructions": Recipe(held_out_patterns=True),
    "long_distance": Recipe(
        tested=True,
        far=True,
        words=(60, 400),
        asides=(0, 3),
        between=(5, 28),
        distance=(50, 300),
    ),
    "long_emails": Recipe(tested=True, words=(251, 400), asides=(11, 17), between=(0, 5)),
    "noisy": Recipe(tested=True, noise=1.0, strength=0.12),
}


def find_recipe(suite: str) -> Recipe:
    """Return how a suite is made.

    Raises:
        CorpusError: no suite of that name is made from the grammar.
    """
    if suite not in RECIPES:
        raise CorpusError(f"suite {suite!r} does not exist: choose from {', '.join(RECIPES)}")
    return RECIPES[suite]
