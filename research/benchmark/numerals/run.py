"""The whole benchmark: baselines without understanding, published answers and aligners on every set."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import IntArray
from core.data.articles.sets import load_blanks, load_fill_predictions
from core.data.files import sample
from core.digests import code_digest
from core.errors import CoreError, InputError, ModelUnavailableError
from core.models.weights import everything_inside, weights_told
from core.numerals.checking import Checker, load_checker
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.parse import calls_of
from core.numerals.filling import DEFAULT, Filler, is_there, load_filler
from core.numerals.question import NumeralQuestion, blank_of, question_at, read_article, source_aligners
from core.parts import Part
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, OnSet, Outcome
from research.benchmark.numerals.sets import (
    RESAMPLES,
    SETS,
    Figures,
    NumeralBenchmark,
    NumeralRows,
    Scope,
    compare_fillings,
    facts_of,
    filling,
    find_set,
    kinds_of,
    open_rows,
    ranking,
    read_articles,
)
from research.benchmark.results import BenchmarkSet, BenchmarkSystem, SystemComparison
from research.training.numerals.corruptions import ordinal_ending

_MAGNITUDES: Final = MappingProxyType(
    {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12}
)
_AFTER: Final = re.compile(r"\s?(st|nd|rd|th|k|mn|m|bn|b|thousand|million|billion|trillion)\b", re.IGNORECASE)
_LARGEST: Final = 1_000_000
_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})


def fitting_answers(question: NumeralQuestion) -> list[str]:
    """What the article's numerals would be in a blank, in their order, of the form that the blank asks for.

    The form is told by the signs beside the blank: a currency, a percent sign, a magnitude, an ordinal's
    ending, an age. All numerals outside the dateline where none fits; [] where the article has none.
    """
    numerals = [
        numeral
        for numeral in question.article.numerals
        if numeral.start >= question.article.dateline and numeral.approximation is not Approximation.VAGUE
    ]
    before, after = question.headline[: question.start], question.headline[question.end :]
    found = _AFTER.match(after)
    word = found[1].casefold() if found else ""
    factor = Fraction(10) ** _MAGNITUDES.get(word, 0)
    wanted = _kind(before, after)
    fitting = [
        text
        for numeral in numerals
        if wanted in (None, numeral.kind) and (text := _answer(numeral, factor)) and _ends(text, word)
    ]
    return fitting or [text for numeral in numerals if (text := _answer(numeral, Fraction(1)))]


def random_answer(answers: Sequence[str], *, key: str, seed: int) -> str:
    different = list(dict.fromkeys(answers))
    draw = random.Random(f"{seed}|{key}")  # noqa: S311 - not for secrets
    return draw.choice(different) if different else ""


def frequent_answer(answers: Sequence[str]) -> str:
    return Counter(answers).most_common(1)[0][0] if answers else ""


def _kind(before: str, after: str) -> NumeralKind | None:
    if before.endswith(("$", "€", "£", "¥")):
        return NumeralKind.MONEY
    if re.match(r"\s?(?:%|percent)", after):
        return NumeralKind.PERCENT
    if re.match(r"[- ]years?[- ]old", after, re.IGNORECASE):
        return NumeralKind.AGE
    return None


def _answer(numeral: Numeral, factor: Fraction) -> str:
    if factor == numeral.factor and numeral.form in (NumeralForm.DIGITS, NumeralForm.MIXED):
        return numeral.number
    value = numeral.value / factor
    if value.denominator == 1 and 0 <= value < _LARGEST:
        return f"{int(value):,}"
    tenths = value * 10
    return f"{float(value):.1f}" if factor != 1 and tenths.denominator == 1 and 0 < value < _LARGEST else ""


def _ends(text: str, word: str) -> bool:
    return word not in _ENDINGS or ordinal_ending(text) == word


Ways = list[tuple[DerivationCandidate, ...]]


@dataclass(frozen=True, eq=False)
class OpenedRows:
    """A set as it is measured on; what baselines search is searched once."""

    facts: BenchmarkSet
    scope: Scope
    questions: tuple[NumeralQuestion | None, ...]
    read: IntArray
    runtime: Runtime

    @property
    def rows(self) -> NumeralRows:
        return self.scope.rows

    @cached_property
    def derived(self) -> Ways:
        asked = self.runtime.track(list(self.questions), "Searching derivations")
        return [() if question is None else derivations_of(question) for question in asked]

    @cached_property
    def fitting(self) -> list[list[str]]:
        texts = self.runtime.track(sorted(set(self.rows.texts)), "Reading articles")
        articles = {text: read_article(text) for text in texts}
        return [
            fitting_answers(blank_of(blank, articles[text]))
            for text, blank in zip(self.rows.texts, self.rows.blanks, strict=True)
        ]


def _random(data: OpenedRows) -> list[str]:
    return [
        random_answer(fitting, key=f"{start}|{blank}", seed=data.scope.seed)
        for fitting, start, blank in zip(data.fitting, data.rows.starts, data.rows.blanks, strict=True)
    ]


def _published(data: OpenedRows) -> list[str]:
    given = load_fill_predictions().answers
    return [given[place] for place in data.rows.places.tolist()]


def _drawn(data: OpenedRows) -> list[list[DerivationCandidate]]:
    drawn = [list(own) for own in data.derived]
    for row, own in enumerate(drawn):
        random.Random(f"{data.scope.seed}|{row}").shuffle(own)  # noqa: S311 - not for secrets
    return drawn


def _simplest(data: OpenedRows) -> list[list[DerivationCandidate]]:
    def size(one: DerivationCandidate) -> tuple[int, tuple[int, ...]]:
        return sum(1 for _ in calls_of(one.expression)), one.sources

    return [sorted(own, key=size) for own in data.derived]


RANKED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], Sequence[Sequence[DerivationCandidate]]]]]] = {
    "drawn": ("Any derivation, drawn", _drawn),
    "simplest": ("Simplest derivation first", _simplest),
    "prior": ("In the order of the search", lambda data: data.derived),
}
"""Rankings that look at no words: key, name, and the derivations of each row."""
FILLED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], list[str]]]]] = {
    "majority": (
        "Most frequent number of training headlines",
        lambda data: [frequent_answer(load_blanks("numhg").part(Part.TRAIN).answers)] * len(data.rows),
    ),
    "random": ("A fitting number of the article, drawn", _random),
    "frequent": (
        "Most frequent fitting number of the article",
        lambda data: [frequent_answer(fitting) for fitting in data.fitting],
    ),
    "first": (
        "First fitting number of the article",
        lambda data: [fitting[0] if fitting else "" for fitting in data.fitting],
    ),
    "published": ("Published answers of a SemEval system", _published),
}
"""What is put into the blanks."""
PUBLISHED: Final = "published"
BASELINES: Final = tuple(
    BenchmarkSystem(key=key, name=name, baseline=True)
    for key, name in ((key, row[0]) for table in (RANKED, FILLED) for key, row in table.items())
)


def has_no_place(key: str, data: OpenedRows) -> str:
    if key not in FILLED and not data.rows.about.annotated:
        return "Rows of this set have no derivation."
    if key == PUBLISHED and data.rows.about.key != "numeval":
        return "It answered the questions of SemEval-2024 alone."
    if key == PUBLISHED:
        try:
            load_fill_predictions()
        except CoreError as error:
            return f"{error.message} {error.hint}"
    return ""


def derived(judge: Checker, scope: Scope, runtime: Runtime) -> Figures:
    """How often the gold derivation of each number comes first; nothing is found of one that was not read."""
    rows = scope.rows
    numerals = [
        next(
            (n for n in checked_headline.numerals if n.numeral.number_start <= start < n.numeral.number_end),
            None,
        )
        for checked_headline, start in zip(
            judge.check(rows.headlines, rows.texts, runtime), rows.starts, strict=True
        )
    ]
    ways = [() if checked is None else checked.derivations for checked in numerals]
    return ranking(scope, [[way.candidate for way in some] for some in ways])


ALIGNERS: Final = ("lexical.v1", "pointer.v1", "blend.v1")
READ: Final = "shipped"
"""The system that fills blanks as the program does: the aligner that ships, and the language model, which
reads half a second a blank and so is measured with no other aligner."""


@dataclass(frozen=True, slots=True, eq=False)
class NumeralPlan(BenchmarkPlan):
    sets: Sequence[str]
    systems: Sequence[BenchmarkSystem]
    part: Part
    limit: int
    read: int
    resamples: int

    subject: ClassVar[str] = "numerals"

    def open(self, key: str, runtime: Runtime) -> OpenedRows:
        about = find_set(key)
        rows = open_rows(about, part=self.part, limit=self.limit, seed=runtime.seed)
        articles = read_articles(rows, runtime)
        questions = tuple(
            question_at(headline, article, start)
            for headline, article, start in zip(rows.headlines, articles, rows.starts, strict=True)
        )
        facts = replace(
            facts_of(about),
            fingerprint=rows.fingerprint,
            count=len(rows),
            whole=rows.whole,
            units=len(np.unique(rows.articles)),
            notes=(rows.note,) if rows.note else (),
        )
        scope = Scope(rows, kinds_of(questions), resamples=self.resamples, seed=runtime.seed)
        drawn = np.array(sample(len(rows), self.read, seed=runtime.seed), dtype=np.int64)
        return OpenedRows(facts, scope, questions, drawn, runtime)

    def closed(self, key: str, error: CoreError) -> BenchmarkSet:
        return replace(facts_of(find_set(key)), why_not=f"{error.message} {error.hint}")

    def cannot_run(self, system: BenchmarkSystem, data: OpenedRows) -> str:
        return has_no_place(system.key, data) if system.baseline else ""

    def depends_on(self, system: BenchmarkSystem, data: OpenedRows, runtime: Runtime) -> Sequence[str]:
        if system.baseline:
            return [str(self.part)]
        recipe = source_aligners.parse(DEFAULT if system.key == READ else system.key)
        modules = sorted({type(one).__module__ for one in everything_inside(recipe)})
        code = [code_digest(module, within=("core",)) for module in modules]
        return [str(self.part), str(self.read if system.key == READ else 0), *code]

    def measure(self, system: BenchmarkSystem, data: OpenedRows, runtime: Runtime) -> Outcome:
        started = time.perf_counter()
        found, at, right = Figures(), None, None
        if system.baseline and system.key not in FILLED:
            found = ranking(data.scope, RANKED[system.key][1](data))
        elif system.baseline:
            found, right = filling(data.scope, FILLED[system.key][1](data))
        elif system.key == READ:
            at = data.read
            found, right = _filled(data, load_filler(DEFAULT, runtime), at, runtime)
        else:
            if data.rows.about.annotated:
                found = derived(load_checker(system.key, runtime), data.scope, runtime)
            filler = replace(load_filler(system.key, runtime), reader=None)
            more, right = _filled(data, filler, np.arange(len(data.rows)), runtime)
            found.add(more)
        cells = found.cells(
            data.facts.key,
            system.key,
            signature=f"{PROGRAM} · set:{data.facts.key} · part:{self.part} · "
            f"{system.signature or system.key} · seed:{runtime.seed} · resamples:{self.resamples}",
            count=len(data.rows) if at is None else len(at),
            whole=data.rows.whole,
            seconds=round(time.perf_counter() - started, 1),
        )
        if right is None:
            return Outcome(cells)
        return Outcome(cells, {"at": np.arange(len(data.rows)) if at is None else at, "right": right})

    def compare(self, data: OpenedRows, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        own = {system.key for system in self.systems if not system.baseline} | {PUBLISHED}
        return compare_fillings(
            data.facts.key,
            [
                (key, outcome.arrays["at"], outcome.arrays["right"])
                for key, outcome in outcomes.items()
                if key in own and "right" in outcome.arrays
            ],
        )

    def settings(self) -> Mapping[str, Any]:
        return {"part": str(self.part)}

    def settings_line(self) -> str:
        return f"part:{self.part}"


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    aligners: Sequence[str] = ALIGNERS,
    part: Part = Part.TEST,
    limit: int = 0,
    read: int = 0,
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
    on_set: OnSet | None = None,
) -> NumeralBenchmark:
    """Measures the baselines and the aligners; see `research.benchmark.engine.run`."""
    if part is Part.TRAIN:
        raise InputError(
            "Nothing is measured on the training part.", hint="Choose the test or the validation part."
        )
    wanted = [find_set(key).key for key in dict.fromkeys(sets)] or [known.key for known in SETS]
    plan = NumeralPlan(
        sets=wanted,
        systems=(*BASELINES, *_systems(aligners, read, runtime)),
        part=part,
        limit=limit,
        read=read,
        resamples=resamples,
    )
    return engine.run(plan, runtime, machine=machine, on_outcome=on_outcome, on_set=on_set)


def _systems(aligners: Sequence[str], read: int, runtime: Runtime) -> list[BenchmarkSystem]:
    found: list[BenchmarkSystem] = []
    for name in dict.fromkeys(aligners):
        found.append(BenchmarkSystem(key=name, name=f"Aligner {name}", signature=_signature(name)))
        if found[-1].signature == _signature(DEFAULT) and is_there():
            with suppress(CoreError):
                filler = load_filler(DEFAULT, runtime)
                drawn = f", on {read:,} drawn blanks a set" if read else ""
                found.append(
                    BenchmarkSystem(
                        key=READ, name=f"Aligner {name} + language model{drawn}", signature=filler.system
                    )
                )
    return found


def _signature(name: str) -> str:
    recipe = source_aligners.parse(name)
    told: tuple[str, ...] = ()
    with suppress(ModelUnavailableError):
        told = weights_told(recipe)
    return " · ".join([source_aligners.signature(recipe), *told])


def _filled(
    data: OpenedRows, filler: Filler, at: IntArray, runtime: Runtime
) -> tuple[Figures, np.ndarray[Any, np.dtype[np.bool_]]]:
    rows = data.rows
    blanks, texts = ([column[row] for row in at.tolist()] for column in (rows.blanks, rows.texts))
    filled = filler.fill(blanks, texts, runtime)
    found, right = filling(data.scope, [one.answer for one in filled], at=at)
    said = np.array([one.probability for one in filled], dtype=np.float64)
    found.add(data.scope.probabilities("answer", right, said))
    return found, right
