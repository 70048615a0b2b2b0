"""Outlook's .msg files."""

from pathlib import Path

from routing.mail.mime import Limits
from routing.mail.trim import Trim
from routing.records import Email


def email_from_msg(path: Path, *, id: str, trim: Trim, limits: Limits) -> Email:
    """The e-mail in the .msg file at ``path``."""
    return Email(id=id, source=str(path), error="Outlook .msg files are not read yet")
