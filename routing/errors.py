"""The errors that the product raises on purpose.

::

    RoutingError            anything a user can put right; the message gives value and remedy
    ├── SettingsError       a setting or a command line that cannot be used
    ├── EmailError          one e-mail that cannot be read (becomes ``Email.error``, never a crash)
    ├── SourceError         a file or folder that cannot be read as a whole
    ├── CorpusError         labelled e-mails that cannot be trained on
    ├── TrainingError       a training run that had to stop
    ├── ScoringError        a scoring job that had to stop before its end
    ├── RunError            a run folder that is missing, damaged or of another version
    └── MissingExtraError   an optional dependency that the asked-for feature needs
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class RoutingError(Exception):
    """Root of the tree; commands print it as one line and exit with 2."""


class SettingsError(RoutingError):
    """A setting or a command line that cannot be used."""


class EmailError(RoutingError):
    """One e-mail that cannot be read; readers turn it into ``Email.error``."""


class SourceError(RoutingError):
    """A file or folder that cannot be read as a whole."""


class CorpusError(RoutingError):
    """Labelled e-mails that cannot be trained on."""


class TrainingError(RoutingError):
    """A training run that had to stop."""


class ScoringError(RoutingError):
    """A scoring job that had to stop before its end."""


class RunError(RoutingError):
    """A run folder that is missing, damaged or of another version."""


class MissingExtraError(RoutingError):
    """An optional dependency that the asked-for feature needs.

    ``MissingExtraError("msg", "Outlook .msg files")`` reads
    ``Outlook .msg files need the extra 'msg': pip install 'routing[msg]'``.
    """

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(f"{feature} need the extra {extra!r}: pip install 'routing[{extra}]'")


@contextmanager
def writing_to(target: Path) -> Iterator[None]:
    """Make the folder that ``target`` stands in; what is done inside writes it.

    Raises SettingsError, naming ``target``, the cause and the remedy, when that cannot be done.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise SettingsError(
            f"cannot write {target} ({error.strerror or error}): name another, or make room there"
        ) from error
