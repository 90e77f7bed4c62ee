"""How the processor time of a function grows with its text."""

import contextlib
import importlib
import inspect
import itertools
import pkgutil
import re
import time
from collections.abc import Callable

from core.errors import CoreError

Call = Callable[[str], object]
Work = Callable[[], object]

LENGTH = 2_500
"""Characters of the shortest text; the others have two and four times as many."""
STEEPEST = 9.0
"""A text of four times the length may take so many times as long: in proportion it is 4, by the square 16."""
FLOOR = 0.03
"""Seconds of processor time that are not looked at any closer."""
OF_TEXT = re.compile(r"\b(str|Token|ParsedHeadline|ReadArticle|SourceArticle|WordSequence)\b")
"""In the annotation of a parameter that is text, or what was read of one."""

SHAPES = {
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


def text_of(shape, length):
    """A text of a shape between words; each has another number, so that nothing of it is remembered."""
    piece = SHAPES[shape]
    return f"Storm {next(_turns)} hits {(piece * (length // len(piece) + 1))[:length]} dead"


def seconds(work, *, floor=FLOOR, looks=3):
    """Processor time, the least of so many looks; what is plainly quick or slow is not repeated."""
    best = float("inf")
    for _ in range(looks):
        start = time.process_time()
        with contextlib.suppress(CoreError):  # one sentence that refuses a text is an answer, too
            work()
        best = min(best, time.process_time() - start)
        if not floor / 10 < best < 10 * floor:
            break
    return best


def steepness(work_of, *, floor=FLOOR):
    """How many times as long a text of four times the length takes; 0 where that is next to nothing.

    Twice the length is looked at as well: a short text may lie below what can be measured.
    """
    # What one look says is at least what the least of three does: a ratio that is small enough is settled.
    longest = seconds(work_of(4), looks=1)
    if longest < floor:
        return 0.0
    single = max(seconds(work_of(1), floor=floor), floor / 16)
    if longest <= STEEPEST * single:
        return longest / single
    longest = min(longest, seconds(work_of(4), floor=floor))
    double = max(seconds(work_of(2), floor=floor), floor / 4)
    return min(longest / single, (longest / double) ** 2)


def on_text(call, shape):
    """The call with texts of a shape, so many times the shortest."""
    return lambda times: lambda: call(text_of(shape, times * LENGTH))


def modules(*names):
    """The named modules and packages with all that is in them."""
    for name in names:
        module = importlib.import_module(name)
        yield module
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}."):
            yield importlib.import_module(found.name)


def functions_of_text(*names):
    """The public functions of some modules that take text, texts, or what was read of one, by full name."""
    found = {}
    for module in modules(*names):
        for name, value in vars(module).items():
            if name.startswith("_") or inspect.isclass(value) or not callable(value):
                continue
            if getattr(value, "__module__", "") != module.__name__:
                continue
            told = " ".join(str(one.annotation) for one in inspect.signature(value).parameters.values())
            if OF_TEXT.search(told):
                found[f"{module.__name__}.{name}"] = value
    return found


def call_of(function, makers):
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
