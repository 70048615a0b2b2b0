"""Routing of support e-mail that understands word order and can show its reasons.

The road, the same for every command: file -> Email -> cleaned text -> token ids -> Batch
-> logits -> Decision -> table, JSON line or HTML. ``routing.mail.read_emails`` is where it
starts, ``routing.router.Router`` is what a program that embeds the product uses.
"""

__version__ = "0.1.0"
