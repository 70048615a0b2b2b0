"""The check of a fitted router: are its explanations worth believing, over a sample of mail?"""

import random
from collections.abc import Sequence
from pathlib import Path

from routing.explanation.faithfulness import measure_faithfulness, write_faithfulness
from routing.explanation.records import Faithfulness
from routing.records import Email
from routing.router import Router

MEAN_TOKENS = 60
"""Most tokens that the e-mails of a sample have on average: each is read some 500 times."""


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
    """Return ``count`` e-mails with words, the same ones for the same seed.

    There are fewer where they are long: ``MEAN_TOKENS * count`` tokens at most, all together.
    """
    chosen: list[Email] = []
    left = MEAN_TOKENS * count
    for email in random.Random(seed).sample(emails, k=min(len(emails), 4 * count)):
        tokens = 0 if email.error is not None else len(router.reader.tokens(email))
        if 0 < tokens <= left and len(chosen) < count:
            chosen.append(email)
            left -= tokens
    return chosen
