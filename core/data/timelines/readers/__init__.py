"""File formats: every `TableContainer` and `Layout` that a module of this package or a plugin defines."""

import importlib
import pkgutil
from functools import lru_cache

from core import plugin_files
from core.data.timelines.raw import Layout, TableContainer
from core.errors import UnknownNameError


@lru_cache(maxsize=1)
def _formats() -> tuple[TableContainer | Layout, ...]:
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    formats: dict[str, TableContainer | Layout] = {}
    for module in [*modules, *plugin_files.load()]:
        for form in vars(module).values():
            if isinstance(form, (TableContainer, Layout)) and formats.setdefault(form.name, form) is not form:
                plugin_files.leave_out(
                    f"{form.name} of {plugin_files.file_of(module)}", "the name is taken; give it another."
                )
    return tuple(formats.values())


def containers() -> list[TableContainer]:
    """File formats in the order in which they are tried."""
    return sorted((f for f in _formats() if isinstance(f, TableContainer)), key=lambda f: f.order)


def layouts() -> list[Layout]:
    return sorted((f for f in _formats() if isinstance(f, Layout)), key=lambda f: f.name)


def names() -> list[str]:
    return [*(c.name for c in containers()), *(f.name for f in layouts())]


def suffixes() -> list[str]:
    """All file name endings that are read, without the dot; each text format also with .gz."""
    return sorted({suffix for f in containers() for suffix in f.suffixes})


def get(name: str) -> TableContainer | Layout:
    """The format of a name ("tsv" means csv)."""
    wanted = {"tsv": "csv"}.get(name, name)
    for form in _formats():
        if form.name == wanted:
            return form
    message = f"There is no file format called {name[:40]!r}."
    raise UnknownNameError(message, hint=f"Choose one of: {', '.join(names())}.")
