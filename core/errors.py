"""Errors that a person may see: one sentence on what is wrong, one on what to do."""

from __future__ import annotations


class CoreError(Exception):
    """Base of all expected errors.

    Args:
        message: One sentence that says what is wrong and what was expected.
        hint: One sentence that says what to do about it.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


class InputError(CoreError, ValueError):
    """What the user gave cannot be used as it is."""


class UnknownNameError(CoreError, LookupError):
    """A method, model, sample or field of that name does not exist."""


class ModelUnavailableError(CoreError, RuntimeError):
    """A model's weights are not on this machine, or are not a model."""


class DataSourceError(CoreError, OSError):
    """A file or folder cannot be read or written."""


class Cancelled(CoreError, RuntimeError):
    """The user stopped a long step."""

    def __init__(self, step: str) -> None:
        super().__init__(
            f"{step} was stopped.", hint="Start it again when you want; nothing that you had is lost."
        )
