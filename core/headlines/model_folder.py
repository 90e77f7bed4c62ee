"""What the folders of all headline models have in common: the file that names them, and one error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import DataSourceError, ModelUnavailableError

FILE: Final = "headline_model.json"
"""What `headline-lab train headlines` writes beside a model that it has trained."""

FORMAT: Final = "headline-lab-headline-model"
_DAMAGED: Final = (DataSourceError, OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)


@contextmanager
def readable(what: str, folder: Path) -> Iterator[None]:
    """Says in one sentence that a part of a headline model cannot be read."""
    try:
        yield
    except _DAMAGED as error:
        raise ModelUnavailableError(
            f"The {what} of the headline model {folder} is missing, damaged or of another version.",
            hint="Copy the model again, or train it again.",
        ) from error
