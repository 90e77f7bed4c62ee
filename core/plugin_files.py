"""The folder of plugins: files of whoever starts the program that bring methods, readers and pages."""

import ast
import contextlib
import importlib
import logging
import os
import re
import sys
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

from core.errors import import_fault
from core.files import SCRIPTS
from core.runtime import user_folder, workshop

FOLDER: Final = "HEADLINE_LAB_PLUGINS"
_PACKAGE: Final = "core.plugins."
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_ROUTES: Final = {"app", "auth", "component", "media", "oauth2callback", "static"}
"""Addresses that the server answers without a page."""
_LOG: Final = logging.getLogger(__name__)
_LOADING: Final = threading.RLock()  # a plugin may ask for methods, and so for plugins, while it is imported
_LOADED: Final[list[ModuleType]] = []
_LEFT_OUT: Final[dict[str, str]] = {}


def folder() -> Path:
    """The folder that `HEADLINE_LAB_PLUGINS` names, or `plugins` of the user's folder."""
    chosen = os.environ.get(FOLDER)
    return Path(chosen) if chosen else user_folder() / "plugins"


def load() -> list[ModuleType]:
    """The plugins in order of name, each imported once a process; what cannot be is in `left_out`."""
    with _LOADING:
        waiting = _waiting()
        while waiting:
            script = waiting.pop(0)
            try:
                # What a plugin prints is no part of an answer.
                with contextlib.redirect_stdout(sys.stderr):
                    _LOADED.append(importlib.import_module(f"{_PACKAGE}{script.stem}"))
            except (Exception, SystemExit) as error:  # one broken file takes no other with it
                leave_out(f"plugins/{script.name}", import_fault(error))
                _LOG.debug("Where it failed:", exc_info=error)
        return _LOADED


def left_out() -> dict[str, str]:
    """Files that are not used, each with a sentence that says why."""
    load()
    page_scripts()
    return _LEFT_OUT


def leave_out(file: str, why: str) -> None:
    _LOG.warning("%s is left out: %s", file, why)
    # A cause may hold a path of this computer, and visitors are told none.
    _LEFT_OUT[file] = f"{file} is left out: {'the log of the server says why.' if workshop() else why}"


def file_of(defined: type | ModuleType) -> str:
    """The plugin that a class or module is of, as messages name it; "" for one of no plugin."""
    name = defined.__module__ if isinstance(defined, type) else defined.__name__
    return f"plugins/{name.removeprefix(_PACKAGE)}.py" if name.startswith(_PACKAGE) else ""


def is_left_out(defined: type) -> bool:
    return file_of(defined) in _LEFT_OUT


@cache
def page_scripts() -> dict[str, Path]:
    """Scripts of the pages that plugins bring, by their addresses; looked for once a process."""
    pages = {}
    taken = _ROUTES.union(script.stem for script in (SCRIPTS / "pages").glob("*.py"))
    for script in _scripts(folder() / "pages", "plugins/pages"):
        try:
            ast.parse(script.read_bytes())
        except (SyntaxError, ValueError, OSError) as error:
            leave_out(f"plugins/pages/{script.name}", import_fault(error))
            continue
        if script.stem in taken:
            leave_out(f"plugins/pages/{script.name}", f"the address /{script.stem} is taken; rename it.")
        else:
            pages[script.stem] = script
    return pages


@cache
def _waiting() -> list[Path]:
    chosen = os.environ.get(FOLDER)
    if chosen and not Path(chosen).is_absolute():
        leave_out(FOLDER, f"{chosen} is not a full path; write {Path(chosen).absolute()}.")
        return []
    if chosen and not folder().is_dir():
        leave_out(FOLDER, f"there is no folder {chosen}; make it or correct the path.")
        return []
    return [*_scripts(folder(), "plugins")]


def _scripts(where: Path, shown: str) -> Iterable[Path]:
    for script in sorted(where.glob("*.py")):
        if script.name[0] in "._":
            continue
        if _NAME.fullmatch(script.stem):
            yield script
        else:
            leave_out(f"{shown}/{script.name}", "name it with lower-case letters, digits and _ alone.")
