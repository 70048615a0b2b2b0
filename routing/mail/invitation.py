"""The words of an invitation: the description in a calendar file (RFC 5545)."""

import re

_FOLD = re.compile(r"\r?\n[ \t]")
_ALARM = re.compile(r"^(?:BEGIN|END):VALARM", re.IGNORECASE | re.MULTILINE)
_DESCRIPTION = re.compile(
    r"^DESCRIPTION(?:;(?:\"[^\"\n]*\"|[^\":\n])*)?:(.*)", re.IGNORECASE | re.MULTILINE
)
_ESCAPED = re.compile(r"\\(.)")


def invitation_text(calendar: str) -> str:
    """The first description in a calendar file but those of its alarms, "" for none."""
    unfolded = _FOLD.sub("", calendar)
    match = _DESCRIPTION.search("\n".join(_ALARM.split(unfolded)[::2]))
    return _ESCAPED.sub(_unescaped, match[1]).strip() if match else ""


def _unescaped(match: re.Match[str]) -> str:
    return "\n" if match[1] in "nN" else match[1]
