"""The check of a fitted router: are its explanations worth believing, over a sample of mail?"""

import random
from collections.abc import Sequence
from pathlib import Path

from routing.explanation.faithfulness import measure_faithfulness, write_faithfulness
from routing.explanation.records import Faithfulness
from routing.records import Email
from routing.router import Router

MEAN_TOKENS = 50
"""Most tokens for each e-mail asked for: every one is read some 500 times, in other versions."""


def check_run(router: Router, folder: Path | str, emails: Sequence[Email]) -> Faithfulness | None:
    """Return the faithfulness of ``router`` over a sample of ``emails``, stored in its run folder.

    ``explanation.checked_emails`` says of how many; with 0 nothing is measured: None.
    """
    settings = router.settings
    count = settings.explanation.checked_emails
    if count == 0:
        return None
    sample = sample_emails(router, emails, count=count, seed=settings.train.seed)
    try:
        found = measure_faithfulness(router, sample)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{folder} is whole but for its faithfulness.json") from None
    write_faithfulness(folder, found)
    return found


def sample_emails(router: Router, emails: Sequence[Email], *, count: int, seed: int) -> list[Email]:
    """Return ``count`` e-mails with words, the shortest first, the same ones for the same seed.

    The longest are left out while all together have more than ``MEAN_TOKENS * count`` tokens;
    two stay in any case.
    """
    drawn = random.Random(seed).sample(emails, k=min(len(emails), 2 * count))
    sizes = [(_tokens(router, email), email) for email in drawn]
    chosen = [item for item in sizes if item[0]][:count]
    chosen.sort(key=lambda item: item[0])
    while len(chosen) > 2 and sum(tokens for tokens, _ in chosen) > MEAN_TOKENS * count:
        chosen.pop()
    return [email for _, email in chosen]


def _tokens(router: Router, email: Email) -> int:
    return 0 if email.error is not None else len(router.reader.tokens(email))
