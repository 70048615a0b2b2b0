"""Labelled e-mails -> Router, through Lightning."""
