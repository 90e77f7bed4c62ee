"""Errors of a database in words for people."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from core.errors import DataSourceError

SAVE: Final = "saved"
READ: Final = "read"
_SAYS: Final = (
    ("disk is full", "the disk is full", "Make space on the disk, then try again."),
    ("no space left", "the disk is full", "Make space on the disk, then try again."),
    ("could not extend file", "the disk is full", "Make space on the disk, then try again."),
    ("not a database", "the file is damaged", ""),
    ("malformed", "the file is damaged", ""),
    ("readonly database", "the folder or file is read-only", "Allow writing there, then try again."),
    ("read-only", "the database is read-only", "Allow writing there, then try again."),
    ("unable to open", "the file cannot be opened", "Check that the folder may be written, then try again."),
    ("disk i/o error", "the disk failed", "Check the disk and its space, then try again."),
    ("could not decode", "the file is damaged", ""),
    ("database is locked", "another program has locked it", "Close the other program, then try again."),
    ("lock timeout", "another program has locked it", "Close the other program, then try again."),
)
DAMAGED: Final = (
    "Move the file away and bring back a backup with `headline-lab restore`; nothing was written to it."
)
_AWAY: Final = "Check that the database runs and that the network works, then try again."


@contextmanager
def explained(place: str, doing: str) -> Iterator[None]:
    try:
        yield
    except exc.SQLAlchemyError as error:
        raise _in_words(error, place, doing) from error
    except UnicodeDecodeError as error:  # a name in the file
        broken = exc.DatabaseError("", {}, sqlite3.DatabaseError("malformed"))
        raise _in_words(broken, place, doing) from error


def is_cut_off(error: exc.SQLAlchemyError) -> bool:
    if not isinstance(error, exc.DBAPIError) or is_locked(error):
        return False
    elsewhere = isinstance(error, exc.OperationalError) and "sqlite" not in type(error.orig).__module__
    return error.connection_invalidated or elsewhere


def is_locked(error: exc.SQLAlchemyError) -> bool:
    said = str(error.orig if isinstance(error, exc.DBAPIError) else error).lower()
    return isinstance(error, exc.TimeoutError) or "database is locked" in said or "lock timeout" in said


def _in_words(error: exc.SQLAlchemyError, place: str, doing: str) -> DataSourceError:
    said = str(error.orig if isinstance(error, exc.DBAPIError) else error).lower()
    what = f"This cannot be {doing}" if doing == SAVE else f"What was stored cannot be {doing}"
    for sign, reason, hint in _SAYS:
        if sign in said:
            return DataSourceError(f"{what}: {reason} ({place}).", hint=hint or DAMAGED)
    if isinstance(error, exc.TimeoutError) or is_cut_off(error):
        return DataSourceError(f"{what}: the database does not answer ({place}).", hint=_AWAY)
    first = said.partition("\n")[0]
    return DataSourceError(f"{what}: the database refuses ({place}: {first}).", hint=_AWAY)
