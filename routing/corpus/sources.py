"""Where labelled e-mails come from: files, folders, hub data sets, the Cartwise corpus."""

from dataclasses import dataclass

from routing.corpus.cartwise import make_pairs
from routing.corpus.pairs import pair_emails
from routing.corpus.splits import split_groups
from routing.corpus.suites import written_pairs
from routing.records import LabelledEmail
from routing.settings import Settings


@dataclass(frozen=True, slots=True)
class Splits:
    """What one fit needs.

    Attributes:
        train: e-mails to learn from.
        validation: e-mails for stopping and calibration.
        test: e-mails that are only measured on; may be empty.
    """

    train: list[LabelledEmail]
    validation: list[LabelledEmail]
    test: list[LabelledEmail]


def load_splits(settings: Settings) -> Splits:
    """Return the splits that the settings name; without ``data.train`` the Cartwise corpus."""
    return _load_cartwise(settings)


def _load_cartwise(settings: Settings) -> Splits:
    corpus = settings.corpus
    made = list(make_pairs(count=corpus.pairs, seed=corpus.seed, noise=corpus.noise))
    written = written_pairs(split="train") if corpus.written_repeat else []
    share = settings.data.validation_share
    trim = settings.mail.trim
    train, validation = split_groups(pair_emails(made, trim=trim), share=share)
    more, some = split_groups(pair_emails(written, trim=trim), share=share)
    return Splits(train=train + more * corpus.written_repeat, validation=validation + some, test=[])
