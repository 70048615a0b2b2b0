"""The files of a folder of mail, in order."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Identity(NamedTuple):
    """What is the same for all names of one file."""

    device: int
    number: int


def mail_files(folder: Path) -> Iterator[Path]:
    """Files below ``folder`` in order of their paths.

    Left out are hidden files and folders (but not the folders of a Maildir), the ``tmp`` of a
    Maildir, and links to folders. A folder that cannot be read is yielded in place of its files.
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        yield folder
        return
    maildir = is_maildir(folder)
    for entry in entries:
        path, hidden = folder / entry.name, entry.name.startswith(".")
        if entry.is_file(follow_symlinks=False):
            if not hidden:
                yield path
        elif path.is_dir():
            hidden = hidden and not is_maildir(path)
            if not hidden and not path.is_symlink() and not (maildir and path.name == "tmp"):
                yield from mail_files(path)
        elif not hidden and path.is_file():
            yield path


def file_status(path: Path) -> os.stat_result | None:
    """Size and times of a file, None for anything else."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def identity(status: os.stat_result) -> Identity:
    """Which file has this status."""
    return Identity(status.st_dev, status.st_ino)


def is_maildir(folder: Path) -> bool:
    """True for a folder with the two folders of a Maildir."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def in_maildir(path: Path) -> bool:
    """True for a message file of a Maildir."""
    return path.parts[-2:-1] in {("cur",), ("new",)} and is_maildir(path.parent.parent)


def file_name(path: Path, folder: Path) -> str:
    """Name of ``path`` below ``folder``; the flags of a Maildir message are left out."""
    name = "/".join(path.parts[len(folder.parts) :])
    return name.rpartition(":2,")[0] or name if in_maildir(path) else name
