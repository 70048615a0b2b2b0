"""Which columns of a file of rows hold what, as the settings say."""

from routing.mail import Columns
from routing.settings import DataSettings


def columns_of(data: DataSettings) -> Columns:
    """Return the columns of labelled e-mails."""
    return Columns(
        body=data.text_column,
        subject=data.subject_column,
        route=data.route_column,
        thread=data.thread_column,
    )


def served_columns(data: DataSettings) -> Columns:
    """Return the columns of mail without routes: those that a router was trained on.

    One that was trained on the Cartwise corpus knows none; it reads the usual ones.
    """
    return Columns() if data.train is None else columns_of(data)
