"""The mail room: from whatever a support desk keeps its mail in to the newest message's text."""

from routing.mail.mime import Limits
from routing.mail.parse import email_from_bytes, email_from_text
from routing.mail.rows import Columns
from routing.mail.sources import read_emails, read_rows
from routing.mail.spans import body_span

__all__ = [
    "Columns",
    "Limits",
    "body_span",
    "email_from_bytes",
    "email_from_text",
    "read_emails",
    "read_rows",
]
