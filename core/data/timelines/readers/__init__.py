"""File formats: every `TableContainer` and `Layout` that a module of this package or a plugin defines."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from core import plugin_files
from core.data.timelines import shapes
from core.data.timelines.raw import Layout, RawTable, TableContainer, listing
from core.errors import UnknownNameError, import_fault


@lru_cache(maxsize=1)
def _formats() -> dict[str, tuple[TableContainer | Layout, str]]:
    """By name, each with the plugin that it is of; "" for none."""
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    formats: dict[str, tuple[TableContainer | Layout, str]] = {
        form.name: (form, "") for form in shapes.layouts()
    }
    for module in [*modules, *plugin_files.load()]:
        file = plugin_files.file_of(module)
        for form in vars(module).values():
            known = isinstance(form, (TableContainer, Layout))
            if known and formats.setdefault(form.name, (form, file))[0] is not form:
                plugin_files.leave_out(f"{form.name} of {file}", "the name is taken; give it another.")
    return formats


def tried(form: TableContainer | Layout, step: Callable[[Any], Any], given: Any, faults: list[str]) -> Any:
    """What a step of a format gives; None, and why in `faults`, for a plugin's that fails."""
    file = _formats()[form.name][1]
    try:
        answer = step(given)
        if file and step is not form.recognises and not isinstance(answer, RawTable):
            raise TypeError(f"it gave {type(answer).__name__}, no RawTable")
        return answer
    except (Exception, SystemExit) as error:
        if not file:
            raise
        faults.append(f"The format {form.name} of {file} was not used, as it failed: {import_fault(error)}")
        return None


def containers() -> list[TableContainer]:
    """File formats in the order in which they are tried."""
    return sorted((f for f, _ in _formats().values() if isinstance(f, TableContainer)), key=lambda f: f.order)


def layouts() -> list[Layout]:
    """Layouts, those with most columns first."""
    known = (f for f, _ in _formats().values() if isinstance(f, Layout))
    return sorted(known, key=lambda form: (-len(form.columns), form.name))


def names() -> list[str]:
    return [*(c.name for c in containers()), *(f.name for f in layouts())]


def title(name: str) -> str:
    """What people call a format; of another reading its name."""
    return _formats()[name][0].title if name in _formats() else name


def suffixes() -> list[str]:
    """All file name endings that are read, without the dot; each text format also with .gz."""
    return sorted({suffix for f in containers() for suffix in f.suffixes})


def get(name: str) -> TableContainer | Layout:
    """The format of a name ("tsv" means csv)."""
    wanted = {"tsv": "csv"}.get(name, name)
    if wanted in _formats():
        return _formats()[wanted][0]
    message = f"There is no file format called {name[:40]!r}."
    raise UnknownNameError(message, hint=f"Choose one of: {listing(names())}.")
