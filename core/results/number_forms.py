"""Numbers, intervals and their warnings as people are shown them."""

import math
import re
from collections.abc import Callable, Iterable
from typing import Final

from core.statistics.bootstrap import Figure

Form = Callable[[float], str]  # writes a number for people
NOTHING: Final = "–"  # what is shown where there is no value
MARK: Final = "†"  # behind an interval that carries a warning; the warning is a note below the table
STARS: Final = ((0.01, "**"), (0.05, "*"))  # marks of corrected p-values below a level
_COUNT: Final = re.compile(r"\((\d+);")


def decimals(digits: int) -> Form:
    return lambda value: f"{value:.{digits}f}"


def percent(digits: int = 1) -> Form:
    return lambda value: f"{100 * value:.{digits}f}"


def whole(value: float) -> str:
    return f"{value:,.0f}"


def duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def chance(p: float | None) -> str:
    """A p-value: `<0.001` or three digits; a dash where there is none."""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def stars(p: float | None) -> str:
    """`**` below 0.01, `*` below 0.05, else ""."""
    return next((sign for level, sign in STARS if p is not None and p < level), "")


def plain(value: float | None) -> str:
    """A number for programs, in six significant digits; "" where there is none."""
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def written(value: float | None, form: Form) -> str:
    return NOTHING if value is None else form(value)


def between(figure: Figure, form: Form) -> str:
    low, high = figure.interval
    return "" if low is None or high is None else f"[{form(low)}, {form(high)}]"


def spanned(figure: Figure | None, form: Form) -> str:
    """A value with its interval and the mark of a warning; a dash where there is none."""
    if figure is None or figure.value is None:
        return NOTHING
    return marked(f"{form(figure.value)} {between(figure, form)}".rstrip(), figure.warning)


def marked(shown: str, warning: str) -> str:
    """An interval as it is shown, with the mark where it carries a warning."""
    return f"{shown} {MARK}" if warning else shown


def footnotes(warnings: Iterable[str]) -> list[str]:
    """The different warnings of a table in one line after their mark; counts that differ are joined."""
    counts: dict[str, list[int]] = {}
    for warning in filter(None, warnings):
        counts.setdefault(_COUNT.sub("({};", warning), []).extend(map(int, _COUNT.findall(warning)))
    different = []
    for text, given in counts.items():
        ends = sorted({min(given), max(given)}) if given else []
        different.append(text.replace("({};", f"({' to '.join(map(str, ends))};"))
    return [f"{MARK} {' '.join(different)}"] if different else []
