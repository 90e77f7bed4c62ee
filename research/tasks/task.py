"""A task: what is measured on what, as a file of TOML says it."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from core.data.timelines.tables import read_bytes
from core.errors import InputError
from core.parts import Part
from core.statistics.bootstrap import RESAMPLES

MOST_RESAMPLES: Final = 100_000
MOST_SETTINGS: Final = 200
_HINT: Final = "See docs/tasks.md for what a task file holds."


class TaskSystem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    method: str = ""  # a registered method or its signature
    file: str = ""  # what it answered elsewhere
    sweep: dict[
        str, list[str | int | float | bool]
    ] = {}  # values of parameters; each combination is a system

    def settings(self) -> Iterator["TaskSystem"]:
        if self.sweep and (self.file or prod(map(len, self.sweep.values())) > MOST_SETTINGS):
            said = f"The sweep of {self.name[:80]} is of a file, or has more than {MOST_SETTINGS} settings."
            raise InputError(said, hint=_HINT)
        for values in product(*self.sweep.values()):
            given = [(name, str(value).lower()) for name, value in zip(self.sweep, values, strict=True)]
            name = ", ".join([self.name, *map(" ".join, given)])
            yield TaskSystem(name=name, method="|".join([self.method, *map(":".join, given)]), file=self.file)


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    unit: Literal["pairs", "headlines", "groups"]
    data: str  # a path, a sample ("sample:iss") or a registered set
    systems: tuple[TaskSystem, ...]
    title: str = ""
    fields: dict[str, str] = {}  # the column of the data for each field that has another name there
    split: Part | None = None
    sample: int = 0  # how many are drawn, by seed 0; 0 for all
    metrics: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    seeds: tuple[int, ...] = (0,)
    against: str = ""  # the system that the others are compared with; "" for the first
    resamples: int = RESAMPLES
    scorer: str = ""  # of pairs, where groups are measured

    @property
    def base(self) -> str:
        return self.against or self.systems[0].name


def read_task(given: Path | Mapping[str, Any]) -> Task:
    """Reads a file, or its words; paths in it are looked up in its own folder, or the working folder.

    Raises InputError where something is not as it should be, with its place in the file.
    """
    name, folder = (given.name, given.parent) if isinstance(given, Path) else ("This", Path())
    try:
        words = msgspec.toml.decode(read_bytes(str(given))) if isinstance(given, Path) else given
        task = msgspec.convert(words, Task)
    except (msgspec.MsgspecError, ValueError) as error:
        raise InputError(f"{name} is no task: {error}.", hint=_HINT) from None
    every = tuple(setting for system in task.systems for setting in system.settings())
    task = msgspec.structs.replace(task, systems=every)
    names = [system.name for system in task.systems]
    wrong = ""
    if not names or len(set(names)) < len(names):
        wrong = "Every system needs a name of its own, and there must be one."
    elif any(bool(system.method) == bool(system.file) for system in task.systems):
        wrong = "Every system has either a method or a file."
    elif task.base not in names:
        wrong = f"against names {task.against!r}, which is none of the systems."
    elif not task.seeds or len(set(task.seeds)) < len(task.seeds) or min(*task.seeds, task.sample) < 0:
        wrong = "Seeds are different whole numbers from 0, and so is sample."
    elif not 40 <= task.resamples <= MOST_RESAMPLES:
        wrong = f"Resamples are from 40 to {MOST_RESAMPLES:,}."
    elif task.scorer and task.unit != "groups":
        wrong = "scorer has a meaning for groups alone."
    if wrong:
        raise InputError(f"{name} does not fit together: {wrong}", hint=_HINT)

    def found(place: str) -> str:
        there = folder / place
        return str(there.resolve()) if place and there.exists() else place

    systems = tuple(msgspec.structs.replace(system, file=found(system.file)) for system in task.systems)
    return msgspec.structs.replace(task, data=found(task.data), systems=systems)
