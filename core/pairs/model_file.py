"""`pair_model.json`: what the folder of every pair model says of it, written and read in one place."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from core import files
from core.errors import ModelUnavailableError

FILE: Final = "pair_model.json"
READS_BOTH: Final = "cross_encoder"
"""Kind of a model that names none: it reads both headlines at once."""

_LARGEST: Final = 1 << 20
T = TypeVar("T")


def write(folder: Path, told: Any) -> None:
    """Writes a dataclass as the description of the model in a folder.

    Raises:
        DataSourceError: The folder cannot be written.
    """
    text = json.dumps(msgspec.to_builtins(told), indent=2, ensure_ascii=False)
    files.write(folder / FILE, f"{text}\n".encode())


def kind_of(folder: Path) -> str:
    """What reads the model: the name of a scorer without its version, or `READS_BOTH`."""
    return str(_plain(folder).get("kind", READS_BOTH))


def read(folder: Path, wanted: type[T], kind: str) -> T:
    """What the model of a folder says of itself: every field of a dataclass and no other."""
    plain, found = _plain(folder), kind_of(folder)
    if found != kind:
        raise ModelUnavailableError(
            f"The model in {folder} is of the kind {found[:40]!r}, not {kind!r}.",
            hint="Choose the scorer that reads it, or another folder.",
        )
    names = {field.name for field in dataclasses.fields(wanted)}  # type: ignore[arg-type]
    wrong = sorted(plain.keys() ^ names)
    try:
        if wrong:
            raise ValueError(f"{'an unknown' if wrong[0] in plain else 'no'} key {wrong[0]!r}")
        return msgspec.convert(plain, wanted)
    except ValueError as error:
        raise _damaged(folder, f" ({error})") from error


def _plain(folder: Path) -> dict[str, Any]:
    try:
        with (folder / FILE).open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=dict[str, Any])
    except FileNotFoundError:
        raise ModelUnavailableError(
            f"The folder {folder} has no {FILE}.", hint="Give a folder that `headline-lab train` made."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(folder) from error


def _damaged(folder: Path, why: str = "") -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The {FILE} in {folder} is damaged or of another program{why}.",
        hint="Copy or train the model again.",
    )
