"""File formats: every `TableContainer` and every `Layout` that a module of this package defines."""

import importlib
import pkgutil
from functools import lru_cache

from core.data.timelines.raw import Layout, TableContainer
from core.errors import UnknownNameError


@lru_cache(maxsize=1)
def _formats() -> tuple[TableContainer | Layout, ...]:
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    values = (value for module in modules for value in vars(module).values())
    return tuple({form.name: form for form in values if isinstance(form, (TableContainer, Layout))}.values())


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
    raise UnknownNameError(
        f"There is no file format called {name[:40]!r}.", hint=f"Choose one of: {', '.join(names())}."
    )
