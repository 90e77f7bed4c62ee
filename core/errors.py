"""Errors that a person may see: one sentence on what is wrong, one on what to do."""

import re
from typing import Any, Final

QUOTED: Final = 120  # characters of a quoted value that are shown; of a longer one its beginning and its end
_LONG: Final = re.compile(rf"""(['"])([^'"]{{{QUOTED + 1},}})\1""")

_OPTIONS: Final = re.compile(r" \([^()]*--[a-z][^()]*\)")


def readable(text: str) -> str:
    """A sentence with long values cut, and with what does not print, or turns what follows, spelled out."""
    cut = _LONG.sub(
        lambda match: f"{match[1]}{match[2][: QUOTED // 2]}…{match[2][-QUOTED // 2 :]}{match[1]}", text
    )
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in cut)


class CoreError(Exception):
    """Base of all expected errors: a sentence on what is wrong, and a hint, a sentence on what to do."""

    def __init__(self, message: str, *, hint: str) -> None:
        self.message = readable(message)
        self.hint = readable(hint)
        super().__init__(self.message)

    @property
    def advice(self) -> str:
        """The hint on a page, which has no options of the command line: they stand in brackets."""
        return _OPTIONS.sub("", self.hint)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it is the same when another process raised it."""
        return _raised_elsewhere, (type(self), self.message, self.hint), self.__dict__


def _raised_elsewhere(kind: type[CoreError], message: str, hint: str) -> CoreError:
    error = kind.__new__(kind, message)
    CoreError.__init__(error, message, hint=hint)
    return error


class InputError(CoreError, ValueError):
    """What the user gave cannot be used as it is."""


class UnknownNameError(CoreError, LookupError):
    """A method, model, sample or field of that name does not exist."""


class ModelUnavailableError(CoreError, RuntimeError):
    """A model's weights are not on this machine, or are not a model."""


class DataSourceError(CoreError, OSError):
    """A file or folder cannot be read or written."""


class Cancelled(CoreError, RuntimeError):
    def __init__(self, step: str) -> None:
        super().__init__(
            f"{step} was stopped.", hint="Start it again when you want; nothing that you had is lost."
        )


def import_fault(error: Exception | SystemExit) -> str:
    if isinstance(error, SystemExit):
        return "importing it ends the program (SystemExit); remove that call."
    if isinstance(error, CoreError):
        return f"{error.message} {error.hint}"
    if isinstance(error, SyntaxError):
        return f"line {error.lineno} cannot be read ({error.msg})."
    said = " ".join(str(error).split()).rstrip(".") or "it could not be imported"
    return f"{said} ({type(error).__name__})."
