"""The frozen records that travel between rooms.

Offsets are character positions, end exclusive. Probabilities are calibrated and lie in [0, 1].
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Removal:
    """A span of ``Email.body`` that the mail room left out of ``Email.text``.

    Attributes:
        start: first character of the span in ``Email.body``.
        end: one past its last character.
        reason: why it was cut, e.g. ``quoted reply``, ``signature``, ``disclaimer``.
    """

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Email:
    """One e-mail as read.

    Attributes:
        id: Message-ID, row id, or a name made from file and position; unique in one source.
        source: the file it came from, with ``#position`` for files of many messages.
        subject: decoded subject, reply marks and ticket tags included; "" when there is none.
        sender: decoded From line, "" when there is none.
        date: Date line as written, "" when there is none.
        text: the newest message's clean text: what the router reads.
        auto_reply: True for out-of-office notes, bounces and other machine mail.
        warnings: what was odd but could be mended, in words.
        error: why it could not be read, None when it could.
        body: the whole decoded body; ``text`` is it without ``removals``, tidied.
        removals: what was cut from ``body`` and why, in order, not overlapping.
    """

    id: str
    source: str = ""
    subject: str = ""
    sender: str = ""
    date: str = ""
    text: str = ""
    auto_reply: bool = False
    warnings: tuple[str, ...] = ()
    error: str | None = None
    body: str = ""
    removals: tuple[Removal, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledEmail:
    """An e-mail with the route that is right for it.

    Attributes:
        email: the e-mail.
        route: name of the right route.
        group: e-mails of one group (a pair, a thread, duplicates) never part over splits.
        pair: id of its minimal pair, "" when it is not a member of one.
        phenomenon: which of the ten phenomena its pair stands for, "" when none.
    """

    email: Email
    route: str
    group: str = ""
    pair: str = ""
    phenomenon: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A minimal pair: (almost) the same words in another order, two routes.

    Attributes:
        id: unique in its file.
        phenomenon: one of the ten phenomena of the handbook.
        members: route name -> text of the member (a leading ``Subject:`` line is its subject);
            exactly two.
        distance: tokens between the deciding words, None when not known.
    """

    id: str
    phenomenon: str
    members: Mapping[str, str]
    distance: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """One token with its place in the string that it was read from.

    Attributes:
        text: normalized text (lower case, or a placeholder such as ``<order>``).
        start: first character.
        end: one past its last character.
        part: ``subject`` or ``text``: which field of the e-mail the offsets point into.
    """

    text: str
    start: int
    end: int
    part: str = "text"


@dataclass(frozen=True, slots=True)
class Wording:
    """What an e-mail's words tell without a model.

    Attributes:
        words: how many words it has, punctuation left out.
        language: what they are in, or ``Greek script`` and the like; None when it cannot be told.
        unknown_share: share of them that training has not seen, 0 without words.
        gibberish_share: share of them that look like no language, 0 without words.
    """

    words: int
    language: str | None = None
    unknown_share: float = 0.0
    gibberish_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """Where one e-mail goes.

    Attributes:
        id: id of the e-mail.
        source: source of the e-mail.
        subject: subject of the e-mail.
        route: the most probable route, None when the e-mail could not be read.
        probability: its calibrated probability, None when there is none.
        probabilities: route -> calibrated probability; sums to 1; empty on error.
        decision: ``auto`` or ``review``.
        review_reason: why a person should look, None for ``auto``.
        auto_reply: copied from the e-mail.
        error: why the e-mail could not be read, else None.
    """

    id: str
    source: str = ""
    subject: str = ""
    route: str | None = None
    probability: float | None = None
    probabilities: Mapping[str, float] = field(default_factory=dict)
    decision: str = "review"
    review_reason: str | None = None
    auto_reply: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd in labelled e-mails.

    Attributes:
        kind: ``unreadable``, ``no route``, ``empty text``, ``duplicate across splits``,
            ``two routes``, ``few e-mails`` or ``unknown route``.
        count: how many e-mails, texts or routes it touches.
        message: one sentence with the count, examples and the remedy.
    """

    kind: str
    count: int
    message: str
