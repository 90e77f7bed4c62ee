"""Many headlines checked, or their blanks filled, over several processes where that is faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from core import __version__
from core.errors import InputError
from core.numerals.checks.article import beginning_of, why_unreadable
from core.numerals.checks.opening import HeadlineRows
from core.numerals.expressions.printing import plain_decimal
from core.numerals.expressions.tree import operator_of, print_expression
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Filled, Status
from core.numerals.question import ReadArticle, read_article, why_no_blank
from core.processes.portions import cores, work_through
from core.runtime import Runtime
from core.text.markup import without_markup
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = ("row", "numeral", "value", "expression", "status", "support")
"""What is written of each numeral."""
DIGITS: Final = 6
"""Decimals of a written probability."""
CHECKED_AT_ONCE: Final = 32
"""Headlines that are judged at once; the same whatever the number of processes, so that results are."""
FILLED_AT_ONCE: Final = 16
WORTH_CHECKING: Final = 320
"""Headlines for which one more process pays off: it starts and loads the weights in the time of as many."""
WORTH_FILLING: Final = 32
"""The same for blanks, which take ten times as long where the language model reads."""

Answer = TypeVar("Answer")
_Pair = tuple[str, str]


class Checks(Protocol):
    """What checks headlines: a `core.numerals.checking.Checker`."""

    @property
    def system(self) -> str:
        """Its signature."""
        ...

    def check(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[CheckedHeadline]:
        """One result a headline, in order."""
        ...


class Fills(Protocol):
    """What fills blanks: a `core.numerals.filling.Filler`."""

    @property
    def system(self) -> str:
        """Its signature."""
        ...

    def fill(self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime) -> list[Filled]:
        """One result a headline, in order."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CheckedTable:
    """n headlines, checked.

    Attributes:
        given: What was checked.
        checked: One a headline; None where it could not be checked.
        why_not: Why a row of the input has no result, in a few words, by its number.
        system: Signature of what judged; "" where nothing was judged.
    """

    given: HeadlineRows
    checked: tuple[CheckedHeadline | None, ...]
    why_not: Mapping[int, str]
    system: str

    @property
    def signature(self) -> str:
        """Program, data and judge in one line."""
        return _signature(self.given, self.system)

    def counts(self) -> dict[Status, int]:
        """How many numerals have each status; every status is a key."""
        counts = dict.fromkeys(Status, 0)
        for headline in self.checked:
            for one in headline.numerals if headline else ():
                counts[one.status] += 1
        return counts


@dataclass(frozen=True, slots=True, eq=False)
class FilledTable:
    """n headlines whose blanks were filled.

    Attributes:
        given: What was filled.
        filled: One a headline; None where it could not be filled.
        why_not: Why a row of the input has no answer, in a few words, by its number.
        system: Signature of what filled.
    """

    given: HeadlineRows
    filled: tuple[Filled | None, ...]
    why_not: Mapping[int, str]
    system: str

    @property
    def signature(self) -> str:
        """Program, data and filler in one line."""
        return _signature(self.given, self.system)


def check_table(
    given: HeadlineRows, runtime: Runtime, *, load: Callable[[Runtime], Checks], processes: int = 0
) -> CheckedTable:
    """Checks every headline.

    Args:
        given: What is checked; none gives a table without numerals.
        runtime: Progress, stop, device.
        load: Loads the checker; called in each process, so that with several of them it has to be a
            function of a module (or a `functools.partial` of one).
        processes: How many work at once; 0 for as many cores as pay off. The result is the same.

    Raises:
        Cancelled: The runtime's stop was set.
        ModelUnavailableError: The checker's weights are not on this machine.
    """
    system, answers = _asked(
        given, runtime, load, method="check", processes=processes, step="Checking numerals"
    )
    why_not = _unanswered(given, answers)
    checked = tuple(one if isinstance(one, CheckedHeadline) else None for one in answers)
    return CheckedTable(given, checked, why_not, system)


def fill_table(
    given: HeadlineRows, runtime: Runtime, *, load: Callable[[Runtime], Fills], processes: int = 0
) -> FilledTable:
    """Fills the blank of every headline.

    Args:
        given: What is filled; none gives a table without answers.
        runtime: Progress, stop, device.
        load: Loads the filler; as of `check_table`.
        processes: As of `check_table`.

    Raises:
        Cancelled: The runtime's stop was set.
        ModelUnavailableError: The filler's weights are not on this machine.
    """
    system, answers = _asked(given, runtime, load, method="fill", processes=processes, step="Filling blanks")
    why_not = dict(_unanswered(given, answers))
    filled = tuple(one if isinstance(one, Filled) else None for one in answers)
    for row, one in zip(given.rows, filled, strict=True):
        if one is not None and not one.answer:
            why_not[row] = "the article has no number to draw on"
    return FilledTable(given, filled, MappingProxyType(dict(sorted(why_not.items()))), system)


def check_article(
    article: str, headlines: Sequence[str], runtime: Runtime, *, load: Callable[[Runtime], Checks]
) -> list[CheckedHeadline]:
    """Checks headlines of one article.

    Raises:
        InputError: A headline is empty.
        ModelUnavailableError: The checker's weights are not on this machine.
    """
    lines = _cleaned(headlines)
    return load(runtime).check(lines, [beginning_of(article, line) for line in lines], runtime)


def fill_article(
    article: str, headlines: Sequence[str], runtime: Runtime, *, load: Callable[[Runtime], Fills]
) -> tuple[list[Filled], list[ReadArticle], str]:
    """Fills the blanks of headlines of one article.

    Returns:
        One filling a headline, the article as it was read for each, and the signature of what filled.

    Raises:
        InputError: A headline is empty, or has no blank, or more than one.
        ModelUnavailableError: The filler's weights are not on this machine.
    """
    lines = _cleaned(headlines)
    for line in lines:
        why = why_no_blank(line)
        if why:
            raise InputError(
                f"The headline {line[:80]!r} has {why}.",
                hint="Put one blank, ____ (four underscores), where the number is missing.",
            )
    texts = [beginning_of(article, line) for line in lines]
    filler = load(runtime)
    return filler.fill(lines, texts, runtime), list(map(read_article, texts)), filler.system


def numerals_frame(table: CheckedTable) -> pd.DataFrame:
    """One row for each numeral of each headline, in their order.

    Returns:
        `COLUMNS` (`row` from 0; `value` a plain decimal as text; `expression` of the likeliest derivation, ""
        where there is none; `support` 0–1), then `system`, `place` (position of the headline in
        `table.given`), `start` in the headline, `kind`, `operator` ("" without a derivation), `same_thing`
        (0–1, NaN where it is not known), `rival` (the article's numeral that speaks against it, ""
        where there is none) and `reason`.
    """
    import pandas as pd

    entries = [
        (table.given.rows[place], *_told(one), table.given.systems[place], place, *_more(headline, one))
        for place, headline in enumerate(table.checked)
        if headline is not None
        for one in headline.numerals
    ]
    names = ("system", "place", "start", "kind", "operator", "same_thing", "rival", "reason")
    return pd.DataFrame(entries, columns=[*COLUMNS, *names])


def expression_of(one: CheckedNumeral | Filled) -> str:
    """The expression of the likeliest derivation, "" where there is none."""
    return print_expression(one.derivations[0].candidate.expression) if one.derivations else ""


def _cleaned(headlines: Sequence[str]) -> list[str]:
    lines = [clean_line(without_markup(headline)) for headline in headlines]
    for line in lines:
        why = why_unreadable(line)
        if why:
            raise InputError(
                f"There is {why}: {line[:40]}…" if line else "A headline is empty.",
                hint="Give a headline as it would be printed.",
            )
    return lines


def _told(one: CheckedNumeral) -> tuple[str, str, str, str, float]:
    value = plain_decimal(one.numeral.value)
    return one.numeral.text, value, expression_of(one), one.status.value, round(one.support, DIGITS)


def _more(headline: CheckedHeadline, one: CheckedNumeral) -> tuple[Any, ...]:
    expression = one.derivations[0].candidate.expression if one.derivations else None
    operator = operator_of(expression) if expression is not None else None
    return (
        one.numeral.start,
        one.numeral.kind.value,
        operator.name if operator else "",
        float("nan") if one.same_thing is None else one.same_thing,
        "" if one.rival is None else headline.article.numerals[one.rival].text,
        one.reason,
    )


def _signature(given: HeadlineRows, system: str) -> str:
    return " · ".join(
        part for part in (f"headline-lab {__version__}", f"headlines:{given.fingerprint}", system) if part
    )


def _asked(
    given: HeadlineRows,
    runtime: Runtime,
    load: Callable[[Runtime], Any],
    *,
    method: str,
    processes: int,
    step: str,
) -> tuple[str, list[Any]]:
    """Signature of what was asked, "" where nothing was, and an answer or a reason for each headline."""
    # Headlines of one article stand together, so that it is read once.
    first: dict[str, int] = {}
    for place, article in enumerate(given.articles):
        first.setdefault(article, place)
    order = sorted(range(len(given)), key=lambda place: first[given.articles[place]])
    pairs = [(given.headlines[place], given.articles[place]) for place in order]
    at_once, worth = (
        (CHECKED_AT_ONCE, WORTH_CHECKING) if method == "check" else (FILLED_AT_ONCE, WORTH_FILLING)
    )
    portions = [pairs[start : start + at_once] for start in range(0, len(pairs), at_once)]
    count = processes or max(1, min(cores(), len(pairs) // worth))
    found = work_through(_Asking(load, method), portions, runtime, processes=count, step=step)
    answers: list[Any] = [None] * len(order)
    for place, answer in zip(order, (one for _, portion in found for one in portion), strict=True):
        answers[place] = answer
    return next((system for system, _ in found), ""), answers


@dataclass(frozen=True, slots=True)
class _Asking:
    """Loads what is asked; travels to other processes."""

    load: Callable[[Runtime], Any]
    method: str

    def __call__(self, runtime: Runtime) -> Callable[[Sequence[_Pair]], tuple[str, list[Any]]]:
        loaded = self.load(runtime)
        ask = getattr(loaded, self.method)
        return lambda pairs: (loaded.system, _answers(ask, runtime, pairs))


def _answers(ask: Callable[..., list[Answer]], runtime: Runtime, pairs: Sequence[_Pair]) -> list[Any]:
    """Answers, with the reason in place of the answer where a row cannot be judged."""
    headlines, articles = zip(*pairs, strict=True)
    try:
        return ask(headlines, articles, runtime)
    except InputError as error:
        if len(pairs) == 1:
            return [error.message.rstrip(".")]
        return [answer for pair in pairs for answer in _answers(ask, runtime, [pair])]


def _unanswered(given: HeadlineRows, answers: Iterable[Any]) -> Mapping[int, str]:
    said = {row: one for row, one in zip(given.rows, answers, strict=True) if isinstance(one, str)}
    return MappingProxyType(dict(sorted({**given.why_not, **said}.items())))
