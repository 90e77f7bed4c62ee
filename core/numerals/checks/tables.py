"""Many headlines checked, or their blanks filled, over several processes; and the files made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from core import __version__
from core.data.timelines.writers import write_table
from core.errors import InputError
from core.numerals.checked_headline import (
    CheckedHeadline,
    CheckedNumeral,
    Fault,
    FilledBlank,
    Light,
    missing_words,
)
from core.numerals.checks import opening
from core.numerals.checks.verdict_words import badness
from core.numerals.expressions import printing
from core.numerals.question import ReadArticle, check_blank, read_article
from core.numerals.unread import NOT_READ
from core.processes import cores, work_through
from core.results.render import count_words
from core.runtime import Runtime
from core.text import markup, normalise

if TYPE_CHECKING:
    import pandas as pd

    from core.numerals.checking import Checker
    from core.numerals.filling import Filler

COLUMNS: Final = (  # what is written of each numeral
    *("row", "numeral", "value", "expression", "probability"),
    *("verdict", "disagreement", "reason", "headline_verdict", "right"),
)
DIGITS: Final = 6  # decimals of a written probability
NO_SOURCE: Final = "the article has no number to draw on"
CONLL: Final = "conll"  # one of the kinds that numbers of headlines are written in
_NAMED_ROWS: Final = 5
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|\w+|[^\w\s]")
Answer = TypeVar("Answer", CheckedHeadline, FilledBlank)
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class AnsweredRows(Generic[Answer]):
    given: opening.HeadlineRows  # what was asked
    answers: tuple[Answer | None, ...]  # one a headline; None where it could not be answered
    why_not: Mapping[int, str]  # why a row of the input has no answer, in a few words, by its number
    system: str  # signature of what answered; "" where nothing was asked

    @property
    def signature(self) -> str:
        parts = (f"headline-lab {__version__}", f"headlines:{self.given.fingerprint}", self.system)
        return " · ".join(filter(None, parts))


def check_table(
    given: opening.HeadlineRows, runtime: Runtime, *, load: Callable[[Runtime], Checker], processes: int = 0
) -> AnsweredRows[CheckedHeadline]:
    work = _Work(load, "check", at_once=32, worth=320, step="Checking numerals")
    return _answered(given, runtime, work, processes)


def fill_table(
    given: opening.HeadlineRows, runtime: Runtime, *, load: Callable[[Runtime], Filler], processes: int = 0
) -> AnsweredRows[FilledBlank]:
    # A blank takes ten times as long where the language model reads.
    work = _Work(load, "fill", at_once=16, worth=32, step="Filling blanks")
    result: AnsweredRows[FilledBlank] = _answered(given, runtime, work, processes)
    answers = zip(given.rows, result.answers, strict=True)
    empty = {row: NO_SOURCE for row, answer in answers if answer is not None and not answer.answer}
    return AnsweredRows(given, result.answers, _sorted({**result.why_not, **empty}), result.system)


def check_article(
    article: str, headlines: Sequence[str], runtime: Runtime, *, load: Callable[[Runtime], Checker]
) -> list[CheckedHeadline]:
    lines = _cleaned(headlines)
    checked = load(runtime).check(lines, [opening.beginning_of(article, line) for line in lines], runtime)
    opening.check_any_is_read(checked)
    return checked


def fill_article(
    article: str, headlines: Sequence[str], runtime: Runtime, *, load: Callable[[Runtime], Filler]
) -> tuple[list[FilledBlank], list[ReadArticle], str]:
    lines = _cleaned(headlines)
    for line in lines:
        check_blank(line)
    opening.check_languages(lines, article)
    texts = [opening.beginning_of(article, line) for line in lines]
    filler = load(runtime)
    return filler.fill(lines, texts, runtime), list(map(read_article, texts)), filler.system


def checked_bytes(table: AnsweredRows[CheckedHeadline], kind: str) -> bytes:
    """A file with a row a numeral, and for the whole, names that the article lacks, or what was not read.

    The worst headlines come first. As `CONLL`, all headlines in their order, a word a line with its label.
    """
    import pandas as pd

    if kind == CONLL:
        return "\n".join(_labelled(table)).encode()
    rows = zip(table.given.rows, table.answers, strict=True)
    answers = sorted(((row, each) for row, each in rows if each), key=lambda pair: badness(pair[1]))
    entries = [(row, *cells) for row, answer in answers for cells in _cells(answer)]
    columns = {name: [entry[place] for entry in entries] for place, name in enumerate(COLUMNS)}
    return _written(table, pd.DataFrame(index=range(len(entries))), columns, kind, "numerals")


def _labelled(table: AnsweredRows[CheckedHeadline]) -> Iterator[str]:
    """Lines of CoNLL: each word of a headline, with B- or I- and the verdict where it is of a number."""
    yield f"# {table.signature}"
    for row, answer in zip(table.given.rows, table.answers, strict=True):
        if answer is None or answer.unread:
            continue
        yield from (f"# row = {row}", f"# text = {answer.headline}")
        spans = [
            (checked.numeral.start, checked.numeral.end, checked.claim.light.value.replace(" ", "_"))
            for checked in answer.numerals
        ]
        before = None
        for word in _WORD.finditer(answer.headline):
            span = next((span for span in spans if word.start() < span[1] and span[0] < word.end()), None)
            label = f"{'I' if span is before else 'B'}-{span[2]}" if span else "O"
            yield f"{word[0]}\t{label}"
            before = span
        yield ""


def _cells(headline: CheckedHeadline) -> list[tuple[object, ...]]:
    light = headline.light.value
    if headline.unread:
        return [("", "", "", None, light, Fault.HUMAN.value, headline.reason, light, "")]
    rows: list[tuple[object, ...]] = []
    for claim, checked in zip_longest(headline.claims, headline.numerals):
        read = checked and (checked.numeral.text, printing.plain_decimal(checked.numeral.value))
        reading = (*read, expression_of(checked)) if read and checked else ("", "", "")
        said = (claim.light.value, claim.fault.value if claim.fault else "", claim.reason)
        right = claim.right.text if claim.right else ""
        rows.append((*reading, round(claim.probability, DIGITS), *said, light, right))
    if headline.invented:
        said = (Light.CHECK.value, Fault.ABSENT.value, missing_words(headline.invented))
        rows.append(("", "", "", None, *said, light, ""))
    return rows


def filled_bytes(table: AnsweredRows[FilledBlank], kind: str) -> bytes:
    """The input with `answer` and `expression`; a column of such a name is kept as `answer_input`."""
    cells = table.given.table
    columns = {"answer": [""] * len(cells), "expression": [""] * len(cells)}
    for place, filling in zip(table.given.places, table.answers, strict=True):
        if filling is not None:
            columns["answer"][place], columns["expression"][place] = filling.answer, expression_of(filling)
    return _written(table, cells, columns, kind, "headlines")


def checked_object(table: AnsweredRows[CheckedHeadline]) -> dict[str, Any]:
    checked = [answer for answer in table.answers if answer is not None]
    lights = [numeral.claim.light for headline in checked for numeral in headline.numerals]
    return {
        "headlines": len(table.given),
        "without_numeral": sum(not headline.numerals and not headline.unread for headline in checked),
        "unread": sum(bool(headline.unread) for headline in checked),
        "numerals": len(lights),
        "verdicts": {light.value: lights.count(light) for light in Light},
        **_rest(table),
    }


def filled_object(table: AnsweredRows[FilledBlank]) -> dict[str, Any]:
    filled = sum(1 for answer in table.answers if answer is not None and answer.answer)
    return {"headlines": len(table.given), "filled": filled, **_rest(table)}


def checked_text(table: AnsweredRows[CheckedHeadline]) -> str:
    tally = checked_object(table)
    parts = ", ".join(f"{count:,} {verdict}" for verdict, count in tally["verdicts"].items())
    failed = sum(answer is not None and answer.unread == NOT_READ for answer in table.answers)
    asides = {"without a number": tally["without_numeral"], "with numbers that could not be read": failed}
    asides["in a language that is not read"] = tally["unread"] - failed
    aside = ", ".join(f"{count:,} {what}" for what, count in asides.items() if count)
    shown = f" ({aside})" if aside else ""
    headlines = count_words(tally["headlines"], "headline", "headlines")
    numbers = count_words(tally["numerals"], "number", "numbers")
    return f"{headlines}{shown}, {numbers}: {parts}\n{table.signature}"


def filled_text(table: AnsweredRows[FilledBlank]) -> str:
    tally = filled_object(table)
    headlines = count_words(tally["headlines"], "headline", "headlines")
    return f"{headlines} with a blank, {tally['filled']:,} filled\n{table.signature}"


def why_not_text(why_not: Mapping[int, str]) -> str:
    """One sentence on the rows of the input without a result, "" where there is none."""
    if not why_not:
        return ""
    rows: dict[str, list[int]] = {}
    for row, reason in why_not.items():
        rows.setdefault(reason.rstrip("."), []).append(row)
    reasons = []
    for reason, numbers in rows.items():
        shown = ", ".join(f"{number:,}" for number in numbers[:_NAMED_ROWS])
        more = f" and {len(numbers) - _NAMED_ROWS:,} more" if len(numbers) > _NAMED_ROWS else ""
        reasons.append(f"row{'s' * (len(numbers) > 1)} {shown}{more} ({reason})")
    return f"Left out, counting rows from 0: {'; '.join(reasons)}."


def expression_of(answer: CheckedNumeral | FilledBlank) -> str:
    return printing.print_expression(answer.derivations[0].candidate.expression) if answer.derivations else ""


def _cleaned(headlines: Sequence[str]) -> list[str]:
    lines = [normalise.clean_line(markup.without_markup(headline)) for headline in headlines]
    for line in lines:
        if why := opening.why_unreadable(line):
            message = f"There is {why}: {line[:40]}…" if line else "A headline is empty."
            raise InputError(message, hint="Give a headline as it would be printed.")
    return lines


@dataclass(frozen=True, slots=True)
class _Work:
    load: Callable[[Runtime], Any]
    method: str
    at_once: int
    worth: int
    step: str

    def __call__(self, runtime: Runtime) -> Callable[[Sequence[_Pair]], tuple[str, list[Any]]]:
        loaded = self.load(runtime)
        return lambda pairs: (loaded.system, self._answers(loaded, runtime, pairs))

    def _answers(self, loaded: Any, runtime: Runtime, pairs: Sequence[_Pair]) -> list[Any]:
        headlines, articles = zip(*pairs, strict=True)
        try:
            return list(getattr(loaded, self.method)(headlines, articles, runtime))
        except InputError as error:
            if len(pairs) == 1:
                return [error.message.rstrip(".")]
            return [answer for pair in pairs for answer in self._answers(loaded, runtime, [pair])]


def _answered(
    given: opening.HeadlineRows, runtime: Runtime, work: _Work, processes: int
) -> AnsweredRows[Any]:
    # Headlines of one article stand together, so that it is read once.
    first: dict[str, int] = {}
    for place, article in enumerate(given.articles):
        first.setdefault(article, place)
    order = sorted(range(len(given)), key=lambda place: first[given.articles[place]])
    pairs = [(given.headlines[place], given.articles[place]) for place in order]
    portions = [pairs[start : start + work.at_once] for start in range(0, len(pairs), work.at_once)]
    count = processes or max(1, min(cores(), len(pairs) // work.worth))
    results = work_through(work, portions, runtime, processes=count, step=work.step)
    said = dict(zip(order, (answer for _, portion in results for answer in portion), strict=True))
    why_not = {given.rows[place]: reason for place, reason in said.items() if isinstance(reason, str)}
    answers = tuple(None if isinstance(said[place], str) else said[place] for place in range(len(given)))
    system = next((system for system, _ in results), "")
    return AnsweredRows(given, answers, _sorted({**given.why_not, **why_not}), system)


def _sorted(why_not: Mapping[int, str]) -> Mapping[int, str]:
    return MappingProxyType(dict(sorted(why_not.items())))


def _written(
    table: AnsweredRows[Any], cells: pd.DataFrame, columns: Mapping[str, Sequence[Any]], kind: str, rows: str
) -> bytes:
    about = {"signature": table.signature, "fingerprint": table.given.fingerprint}
    return write_table(cells, columns, kind, about=about, rows=rows)


def _rest(table: AnsweredRows[Any]) -> dict[str, Any]:
    left_out = [{"row": row, "reason": reason} for row, reason in table.why_not.items()]
    return {"left_out": left_out, "signature": table.signature, "ledger": dict(table.given.ledger)}
