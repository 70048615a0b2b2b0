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
