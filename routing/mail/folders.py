"""The files of a folder of mail, in order."""

from collections.abc import Iterator
from pathlib import Path


def mail_files(folder: Path) -> Iterator[Path]:
    """Files below ``folder`` in order of their paths.

    Left out are hidden files and folders (but not the folders of a Maildir), the ``tmp`` of a
    Maildir, and links to folders. A folder that cannot be read is yielded in place of its files.
    """
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        yield folder
        return
    maildir = is_maildir(folder)
    for path in paths:
        if path.is_dir():
            hidden = path.name.startswith(".") and not is_maildir(path)
            if not hidden and not path.is_symlink() and not (maildir and path.name == "tmp"):
                yield from mail_files(path)
        elif not path.name.startswith(".") and path.is_file():
            yield path


def is_maildir(folder: Path) -> bool:
    """True for a folder with the two folders of a Maildir."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def in_maildir(path: Path) -> bool:
    """True for a message file of a Maildir."""
    return path.parent.name in {"cur", "new"} and is_maildir(path.parent.parent)


def file_name(path: Path, folder: Path) -> str:
    """Name of ``path`` below ``folder``; the flags of a Maildir message are left out."""
    name = path.relative_to(folder).as_posix()
    return name.rpartition(":2,")[0] or name if in_maildir(path) else name
