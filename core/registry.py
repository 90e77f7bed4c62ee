"""Named, versioned recipes (frozen dataclasses): what can be listed, drawn as a form, built, and signed."""

import dataclasses
import importlib
import inspect
import logging
import pkgutil
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Final, Generic, TypeVar

from core import ABOVE, plugin_files
from core.errors import InputError, ModelUnavailableError, UnknownNameError, import_fault
from core.extras import extras

R = TypeVar("R")
_LOG = logging.getLogger(__name__)
_OURS = re.compile(rf"{re.escape(ABOVE)}(core\.(?!plugins\.)|research\.)")
_QUALIFIED = re.compile(r"(?P<name>[a-z][a-z0-9_]*)\.v(?P<version>[1-9][0-9]*)")

DOOR: Final = "headline_lab.methods"
"""Entry points of installed packages that bring methods, ours and others'; see docs/add_a_package.md."""


def told(default: Any, about: str, **metadata: Any) -> Any:
    """A field of a recipe with a line of help, as a form and the command show it."""
    return dataclasses.field(default=default, metadata={**metadata, "help": about})


def number(default: Any, low: float, high: float, about: str, **metadata: Any) -> Any:
    return told(default, about, low=low, high=high, **metadata)


class Registry(Generic[R]):
    """The methods of one kind ("pair scorer"), found by importing every module of its packages once, given by
    their dotted names, and of every package behind `DOOR`.
    """

    def __init__(self, kind: str, *packages: str) -> None:
        self.kind = kind
        self._packages = packages
        self._recipes: dict[str, type[R]] = {}
        self._left_out: dict[str, str] = {}
        # Two locks: a thread in the middle of importing a method may register it while another
        # discovers, holds the one, and waits for that very import.
        self._lock = threading.Lock()
        self._discovery = threading.RLock()
        self._discovered = False

    def register(self, qualified: str) -> Callable[[type[R]], type[R]]:
        """Class decorator that files a dataclass under `name.vN`; Streamlit may run a module twice."""
        if not _QUALIFIED.fullmatch(qualified):
            message = f"{qualified!r} is not a versioned name."
            raise InputError(message, hint="Use lower case and a version, like `cosine.v1`.")

        def file_under_name(recipe: type[R]) -> type[R]:
            if not dataclasses.is_dataclass(recipe):
                hint = "Put `@dataclass(frozen=True, kw_only=True, slots=True)` below `@register`."
                raise InputError(f"{recipe.__name__} is not a dataclass.", hint=hint)
            check_recipe(recipe, self.kind)
            with self._lock:
                there = self._recipes.get(qualified, recipe)
                if there.__module__ == recipe.__module__ or plugin_files.is_left_out(there):
                    there = recipe
                # A plugin takes no name from others, whichever is imported first.
                late = recipe if plugin_files.file_of(recipe) else there
                if there is not recipe and (file := plugin_files.file_of(late)):
                    said = f"{qualified} of {file} is left out: the name is taken; give it another."
                    _LOG.warning(said)
                    self._left_out[f"{file} {qualified}"] = said
                self._recipes[qualified] = there if late is recipe else recipe
            return recipe

        return file_under_name

    def names(self) -> list[str]:
        self._discover()
        with self._lock:
            return sorted(self._recipes)

    def added(self) -> list[str]:
        """Names of those that a plugin or a package of somebody else's brings."""
        return [name for name in self.names() if not _OURS.match(self.get(name).__module__)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def left_out(self) -> dict[str, str]:
        """Files that could not be imported, each with a sentence that says why; none in a sound tree."""
        self._discover()
        return {**plugin_files.left_out(), **self._left_out}

    def get(self, name: str) -> type[R]:
        """The recipe class of a qualified name, or the newest version of a bare one."""
        if ours := self._ours(name):
            return ours
        self._discover()
        with self._lock:
            if name in self._recipes:
                return self._recipes[name]
            versions = [q for q in self._recipes if q.rpartition(".v")[0] == name]
        if not versions:
            hint = " ".join([*self.left_out().values(), f"Choose one of: {', '.join(self.names())}."])
            raise UnknownNameError(f"There is no {self.kind} called {name!r}.", hint=hint)
        return self._recipes[max(versions, key=lambda q: int(q.rpartition(".v")[2]))]

    def name_of(self, recipe: R | type[R]) -> str:
        """The qualified name under which a recipe (or its class) is filed."""
        cls = recipe if isinstance(recipe, type) else type(recipe)
        if not _OURS.match(cls.__module__):
            self._discover()
        with self._lock:
            recipes = list(self._recipes.items())
        for qualified, registered in recipes:
            if registered is cls or (
                registered.__qualname__ == cls.__qualname__ and registered.__module__ == cls.__module__
            ):
                return qualified
        message = f"{cls.__name__} is not a registered {self.kind}."
        raise UnknownNameError(message, hint="Decorate it with register().")

    def signature(self, recipe: R) -> str:
        """The recipe as one line that can be parsed back: `symmetric.v1|base:(levenshtein.v1)`."""
        parts = [self.name_of(recipe)]
        for field in dataclasses.fields(recipe):  # type: ignore[arg-type]
            parts.append(f"{field.name}:{_write(getattr(recipe, field.name))}")
        return "|".join(parts)

    def parse(self, signature: str) -> R:
        """A recipe from its signature; parameters that are left out take their defaults."""
        name, *assignments = split_outside_parentheses(signature)
        cls = self.get(name)
        fields = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
        values: dict[str, Any] = {}
        for assignment in assignments:
            key, colon, raw = assignment.partition(":")
            if key in fields and (not colon or key in values):
                what = "no value" if not colon else "more than one value"
                message = f"The parameter {key!r} of {name} has {what}."
                raise InputError(message, hint=f"Write {key}:VALUE once.")
            if key not in fields:
                message = f"{name} has no parameter {key!r}."
                raise InputError(message, hint=f"Its parameters are: {', '.join(fields) or 'none'}.")
            values[key] = _read(raw, fields[key])
        return cls(**values)

    def _discover(self) -> None:
        with self._discovery:
            if not self._discovered:
                for package in (*self._packages, *_brought()):
                    for dotted in self._modules(package):
                        self._import(dotted)
                self._discovered = True
        # Not while the lock is held: a plugin that another thread imports may ask for these methods.
        if plugin_files.left_out():
            with self._lock:
                for name in [n for n, recipe in self._recipes.items() if plugin_files.is_left_out(recipe)]:
                    del self._recipes[name]

    def _ours(self, name: str) -> type[R] | None:
        """Ours of a qualified name, by importing the module of that name alone: nobody else may take it."""
        if not (named := _QUALIFIED.fullmatch(name)):
            return None
        for dotted in [f"{package}.{named['name']}" for package in self._packages if _OURS.match(package)]:
            if name not in self._recipes and dotted in self._modules(dotted.rpartition(".")[0]):
                self._import(dotted)
        with self._lock:
            found = self._recipes.get(name)
        return found if found and _OURS.match(found.__module__) else None

    def _modules(self, package: str) -> list[str]:
        root = self._import(package)
        return [f"{package}.{module.name}" for module in pkgutil.iter_modules(getattr(root, "__path__", ()))]

    def _import(self, dotted: str) -> ModuleType | None:
        try:
            with extras():
                return importlib.import_module(dotted)
        except (Exception, SystemExit) as error:  # one broken file takes no other with it
            file = f"{dotted.replace('.', '/')}.py"
            said = f"{file} is left out: {import_fault(error)}"
            # An extra that nobody asked for is nobody's fault.
            _LOG.log(logging.DEBUG if isinstance(error, ModelUnavailableError) else logging.WARNING, said)
            _LOG.debug("Where it failed:", exc_info=error)
            with self._lock:
                left = (one for one in self._recipes.items() if one[1].__module__ != dotted)
                self._recipes = dict(left)
                self._left_out[file] = said
            return None


BROUGHT: Final[dict[str, Registry[Any]]] = {}
"""Registries of kinds of their own that packages behind `DOOR` put here, by kind."""


@cache
def _brought() -> list[str]:
    # Ours has the name that it has in a wheel.
    names = [entry.module for entry in entry_points(group=DOOR)]
    return [name if ABOVE else name.removeprefix("headline_lab.") for name in names]


def derived(
    base: type[Any], name: str, own: dict[str, Any], /, *, about: str, source: str, **usual: Any
) -> type[Any]:
    """A recipe like `base`, with class variables of its `own` and other usual values, as tables have them."""
    known = {field.name: field for field in dataclasses.fields(base)}
    fields = [
        (key, known[key].type, dataclasses.field(default=value, metadata=known[key].metadata))
        for key, value in usual.items()
    ]
    own = {**own, "__doc__": f"{about}\n\nSource: {source}"}
    how: dict[str, Any] = {"frozen": True, "kw_only": True, "slots": True}
    return dataclasses.make_dataclass(name, fields, bases=(base,), namespace=own, **how)


def check_recipe(recipe: type[Any], kind: str) -> None:
    """An InputError for a class that could not be made from its signature."""
    if missing := sorted(getattr(recipe, "__abstractmethods__", ())):
        raise InputError(f"{recipe.__name__} has no {missing[0]}.", hint=f"A {kind} needs it: define it.")
    for field in dataclasses.fields(recipe):
        given = field.default
        if given is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
            given = field.default_factory()
        if given is not None and not isinstance(given, bool | int | float | str):
            raise InputError(
                f"The parameter {field.name} of {recipe.__name__} has no default that stands in a signature.",
                hint="Give it a number, a text, True, False or None, and a name that no method has.",
            )


def split_outside_parentheses(signature: str) -> list[str]:
    """The parts between the `|` of a signature; those of an inner signature stay with it."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(signature):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if sign == "|" and not depth:
            parts.append(signature[start:place])
            start = place + 1
    if depth:
        hint = "Write an inner signature like `with_time|base:(levenshtein|case_sensitive:true)`."
        raise InputError(f"The parentheses of {signature[:120]!r} do not match.", hint=hint)
    return [*parts, signature[start:]]


def _write(value: object) -> str:
    if isinstance(value, str) and "|" in value:
        return f"({value})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    return repr(value) if isinstance(value, float) else str(value)


def types_of(field: dataclasses.Field[Any]) -> set[str]:
    """Names of a field's types, whether its module evaluates annotations or not."""
    declared = field.type.__name__ if isinstance(field.type, type) else str(field.type)
    return {part.strip() for part in declared.split("|")}


def _read(raw: str, field: dataclasses.Field[Any]) -> Any:
    kinds = types_of(field)
    value: Any = raw[1:-1] if raw.startswith("(") and raw.endswith(")") else raw
    try:
        if raw == "none" and "None" in kinds:
            return None
        if "bool" in kinds:
            value = {"true": True, "false": False}[raw]
        elif "int" in kinds:
            value = int(raw)
        elif "float" in kinds:
            value = float(raw)
    except (KeyError, ValueError):
        message = f"{field.name} cannot be {raw!r}."
        raise InputError(message, hint=f"Give a value of type {' or '.join(sorted(kinds))}.") from None
    low, high = field.metadata.get("low"), field.metadata.get("high")
    outside = (low is not None and not value >= low) or (high is not None and not value <= high)
    choices = field.metadata.get("choices")
    if outside or (choices and value not in choices):
        if choices:
            wanted = f"one of {', '.join(map(str, choices))}"
        elif low is None or high is None:
            wanted = f"at most {high}" if low is None else f"at least {low}"
        else:
            wanted = f"a value between {low} and {high}"
        raise InputError(f"{field.name} cannot be {raw}.", hint=f"Give {wanted}.")
    return value


def summary_of(recipe: Any) -> str:
    """One line on what a method does: its `summary`, or the first line of its docstring."""
    return str(getattr(recipe, "summary", "")) or (inspect.getdoc(type(recipe)) or "").partition("\n")[0]
