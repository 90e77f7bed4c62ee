"""How the processor time of a function grows with its text."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import itertools
import pkgutil
import time
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType

from core.errors import CoreError

Call = Callable[[str], object]

LENGTH = 2_500
"""Characters of the shortest text; the others have two and four times as many."""
STEEPEST = 9.0
"""A text of four times the length may take so many times as long: in proportion it is 4, by the square 16."""
FLOOR = 0.03
"""Seconds of processor time that are not looked at any closer."""
REPEATS = 2

SHAPES: dict[str, str] = {
    "one letter": "a",
    "spaces": " ",
    "groups of digits": "1,",
    "numbers in words": "hundred million ",
    "short words": "a B ",
    "quotation marks": "'\"«",
    "abbreviations": "A.B. Mr. ",
    "markup": "<a &amp",
}
"""What a hostile text repeats."""

_turns = itertools.count()


def text_of(shape: str, length: int) -> str:
    """A text of a shape between words; each has another number, so that nothing of it is remembered."""
    piece = SHAPES[shape]
    return f"Storm {next(_turns)} hits {(piece * (length // len(piece) + 1))[:length]} dead"


def seconds(call: Call, shape: str, length: int) -> float:
    """Processor time of a call, the least of some repeats; one that is quick is not repeated."""
    best = float("inf")
    for _ in range(REPEATS):
        text = text_of(shape, length)
        start = time.process_time()
        with contextlib.suppress(CoreError):  # one sentence that refuses a text is an answer, too
            call(text)
        best = min(best, time.process_time() - start)
        if best < FLOOR / 10:
            break
    return best


def steepness(call: Call, shape: str, *, length: int = LENGTH) -> float:
    """How many times as long a text of four times the length takes; 0 where that is next to nothing."""
    longest = seconds(call, shape, 4 * length)
    if longest < FLOOR:
        return 0.0
    double, single = seconds(call, shape, 2 * length), seconds(call, shape, length)
    return min(longest / max(single, FLOOR / 16), (longest / max(double, FLOOR / 4)) ** 2)


def modules(*names: str) -> Iterator[ModuleType]:
    """The named modules and packages with all that is in them."""
    for name in names:
        module = importlib.import_module(name)
        yield module
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}."):
            yield importlib.import_module(found.name)


def functions_of_text(*names: str) -> dict[str, Callable[..., object]]:
    """The public functions of some modules that take text, texts, or what was read of one, by full name."""
    found = {}
    for module in modules(*names):
        for name, value in vars(module).items():
            if name.startswith("_") or inspect.isclass(value) or not callable(value):
                continue
            if getattr(value, "__module__", "") != module.__name__:
                continue
            told = " ".join(str(one.annotation) for one in inspect.signature(value).parameters.values())
            if any(word in told for word in ("str", "Token", "Reading", "ReadArticle", "Source", "Row")):
                found[f"{module.__name__}.{name}"] = value
    return found


def call_of(function: Callable[..., object], makers: Mapping[str, Callable[[str], object]]) -> Call:
    """Hands what is made of the text to every parameter that must be given, by its annotation.

    Raises:
        KeyError: A parameter is of a kind that has no maker.
    """
    wanted = inspect.signature(function).parameters.values()
    made = {
        one.name: makers[one.name if one.name in makers else str(one.annotation)]
        for one in wanted
        if one.default is one.empty
    }
    return lambda text: function(**{name: make(text) for name, make in made.items()})
