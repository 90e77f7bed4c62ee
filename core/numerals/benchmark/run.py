"""The whole benchmark: baselines and attachers on every set, one step after the other."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core import __version__
from core.data.sample import sample
from core.errors import Cancelled, CoreError, InputError, ModelUnavailableError
from core.models.weights import weights_told
from core.numerals.attachment import numeral_attachers
from core.numerals.benchmark.baseline_rows import (
    BASELINES,
    PUBLISHED,
    baseline_answers,
    baseline_cells,
    published_answers,
)
from core.numerals.benchmark.figures import RESAMPLES, IntArray
from core.numerals.benchmark.judging import judge_all, judged_cells
from core.numerals.benchmark.measuring import Filling, Scope, duels, filling
from core.numerals.benchmark.results import CorruptionFacts, NumeralBenchmark, SetFacts, SystemFacts
from core.numerals.benchmark.sets import SETS, NumeralSet, Rows, find_set, open_rows
from core.numerals.benchmark.wrong import Wrong, kinds_of, make_wrong, read_articles
from core.numerals.checking import DEFAULT, load_checker
from core.numerals.filling import Filler, load_filler
from core.numerals.question import Question, question_at
from core.numerals.training.corruptions import SEEDS, Corruption
from core.parts import Part
from core.results.stored import this_machine
from core.runtime import Runtime

OnStep = Callable[[str, NumeralBenchmark], None]
ATTACHERS: Final = ("lexical.v1", "pointer.v1", "blend.v1")
READ: Final = "shipped"
"""The system that fills blanks as the program does: the attacher that ships, and the language model, which
reads half a second a blank and so is measured with no other attacher."""
_PLAIN: Final = frozenset({one.key for one in BASELINES} - {PUBLISHED.key})
"""Baselines, which are not tested against each other."""
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Run:
    """What was found so far, and who is told of it."""

    found: NumeralBenchmark
    on_step: OnStep | None

    def add(self, **more: Sequence[Any]) -> None:
        """Appends to the lists of the result."""
        joined: dict[str, Any] = {name: (*getattr(self.found, name), *items) for name, items in more.items()}
        self.found = replace(self.found, **joined)

    def meet(self, facts: SystemFacts) -> None:
        """Names a system, or says more of one that is named."""
        known = {one.key: one for one in self.found.systems}
        self.found = replace(self.found, systems=tuple({**known, facts.key: facts}.values()))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Times a step and tells of the result as it stands after it."""
        started = time.perf_counter()
        yield
        seconds = {**self.found.seconds, name: round(time.perf_counter() - started, 1)}
        self.found = replace(self.found, seconds=seconds)
        if self.on_step is not None:
            self.on_step(name, self.found)


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """A set as it is measured on."""

    scope: Scope
    questions: tuple[Question | None, ...]
    wrongs: tuple[Wrong, ...]
    filled: dict[str, Filling]
    """What each system put into the blanks, by its key."""
    read: IntArray
    """Rows whose blanks the language model reads, too."""

    @property
    def rows(self) -> Rows:
        return self.scope.rows


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    attachers: Sequence[str] = ATTACHERS,
    part: Part = Part.TEST,
    limit: int = 0,
    limits: Mapping[str, int] = MappingProxyType({}),
    read: int = 0,
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_step: OnStep | None = None,
) -> NumeralBenchmark:
    """Measures the baselines and the attachers.

    A set that is not here and an attacher without its weights say so in the result and stop nothing else.

    Args:
        runtime: Device, seed, progress and stop.
        sets: Keys of sets; empty for all.
        attachers: Names or signatures of attachers.
        part: Test, or validation for choices.
        limit: Rows of a set at most, drawn with the seed; 0 for all.
        limits: The same for single sets, by key.
        read: Blanks of a set that the language model reads at most, drawn with the seed; 0 for all.
        resamples: Of the intervals.
        machine: What to write down as the machine; found out if None.
        on_step: Told of each step that is done, with the result so far, so that it can be saved.

    Raises:
        UnknownNameError: There is no such set or attacher.
        InputError: The part is the training part.
        Cancelled: The runtime's stop was set.
    """
    if part is Part.TRAIN:
        raise InputError(
            "Nothing is measured on the training part.", hint="Choose the test or the validation part."
        )
    wanted = [find_set(key) for key in dict.fromkeys(sets)] or list(SETS)
    signatures = {name: _signature(name) for name in dict.fromkeys(attachers)}
    whole = _Run(
        NumeralBenchmark(
            date=datetime.now(UTC).strftime("%Y-%m-%d"),
            program=f"headline-lab {__version__}",
            machine=machine or this_machine(),
            seed=runtime.seed,
            resamples=resamples,
            part=str(part),
        ),
        on_step,
    )
    whole.add(systems=BASELINES)
    opened = [
        one
        for about in wanted
        if (one := _open(whole, about, runtime, part=part, limit=limits.get(about.key, limit), read=read))
    ]
    for one in opened:
        _baselines(whole, one, runtime)
    for name, signature in signatures.items():
        _attacher(whole, opened, SystemFacts(key=name, name=f"Attacher {name}", signature=signature), runtime)
    for one in opened:
        judged = [filling for key, filling in one.filled.items() if key not in _PLAIN]
        whole.add(duels=duels(one.rows.about.key, judged))
    whole.found = replace(whole.found, complete=True)
    return whole.found


def _signature(name: str) -> str:
    """The attacher with its weights, where these are on this machine."""
    recipe = numeral_attachers.parse(name)
    told: tuple[str, ...] = ()
    with suppress(ModelUnavailableError):
        told = weights_told(recipe)
    return " · ".join([numeral_attachers.signature(recipe), *told])


def _open(
    whole: _Run, about: NumeralSet, runtime: Runtime, *, part: Part, limit: int, read: int
) -> _Opened | None:
    """Reads the rows of a set and makes its numbers wrong; tells why where that cannot be done."""
    facts = SetFacts(key=about.key, name=about.name, about=about.about)
    try:
        rows = open_rows(about, part=part, limit=limit, seed=runtime.seed)
    except CoreError as error:
        whole.add(sets=[replace(facts, why_not=f"{error.message} {error.hint}")])
        return None
    whole.add(
        sets=[
            replace(
                facts,
                rows=len(rows),
                whole=rows.whole,
                articles=len(np.unique(rows.articles)),
                note=rows.note,
            )
        ]
    )
    with whole.step(f"{about.name}: reading"):
        articles = read_articles(rows, runtime)
        questions = tuple(
            question_at(headline, article, start)
            for headline, article, start in zip(rows.headlines, articles, rows.starts, strict=True)
        )
        wrongs = tuple(make_wrong(questions, how, SEEDS[part]) for how in Corruption) if about.judged else ()
        whole.add(corruptions=[_facts(about.key, wrong) for wrong in wrongs])
    scope = Scope(rows, kinds_of(questions), resamples=whole.found.resamples, seed=runtime.seed)
    drawn = np.array(sample(len(rows), read, seed=runtime.seed), dtype=np.int64)
    return _Opened(scope, questions, wrongs, {}, drawn)


def _facts(key: str, wrong: Wrong) -> CorruptionFacts:
    return CorruptionFacts(
        set=key,
        how=str(wrong.how),
        seed=wrong.seed,
        rows=len(wrong.rows),
        impossible=wrong.impossible,
        unread=wrong.unread,
        landed=int(wrong.landed.sum()),
    )


def _baselines(whole: _Run, opened: _Opened, runtime: Runtime) -> None:
    """Baselines, and the published answers where the set has them."""
    scope, rows = opened.scope, opened.rows
    with whole.step(f"{rows.about.name}: baselines"):
        if rows.about.judged:
            whole.add(cells=baseline_cells(scope, opened.questions, opened.wrongs, runtime))
        for key, given in {**baseline_answers(rows, runtime), **published_answers(rows)}.items():
            cells, right = filling(scope, key, given)
            opened.filled[key] = Filling(key, np.arange(len(rows)), right)
            whole.add(cells=cells)


def _attacher(whole: _Run, opened: Sequence[_Opened], facts: SystemFacts, runtime: Runtime) -> None:
    """An attacher on every set; on none after the first where it could not run."""
    for one in opened:
        whole.meet(facts)
        facts = replace(facts, why_not=facts.why_not or _attached(whole, one, facts, runtime))
    whole.meet(facts)


def _attached(whole: _Run, opened: _Opened, facts: SystemFacts, runtime: Runtime) -> str:
    """Everything that an attacher is measured by on a set; why there is nothing, "" where there is."""
    rows = opened.rows
    try:
        if rows.about.judged:
            with whole.step(f"{rows.about.name}: {facts.key}: checking"):
                checker = load_checker(facts.key, runtime)
                originals, corrupted = judge_all(checker, opened.scope, opened.wrongs, runtime)
                cells, curves = judged_cells(opened.scope, facts.key, originals, corrupted, opened.wrongs)
                whole.add(cells=cells, reliability=curves)
        filler = load_filler(facts.key, runtime)
        every = np.arange(len(rows))
        _fill(whole, opened, facts, replace(filler, reader=None), runtime, at=every)
        if filler.reader is not None and facts.signature == _signature(DEFAULT):
            name = f"{facts.name} + language model"
            if len(opened.read) < len(rows):
                name += f", on {len(opened.read):,} drawn blanks a set"
            read = SystemFacts(key=READ, name=name, signature=filler.system)
            _fill(whole, opened, read, filler, runtime, at=opened.read)
    except Cancelled:
        raise
    except CoreError as error:
        return f"{error.message} {error.hint}"
    except Exception as error:  # a bug in one attacher must not cost the figures of the others
        _LOG.exception("The attacher %s failed on the set %s", facts.key, rows.about.key)
        return f"It stopped with an error of the program ({type(error).__name__})."
    return ""


def _fill(
    whole: _Run, opened: _Opened, facts: SystemFacts, filler: Filler, runtime: Runtime, *, at: IntArray
) -> None:
    """What a filler puts into the blanks of some rows, and whether its probability keeps its word."""
    scope, rows = opened.scope, opened.rows
    whole.meet(facts)
    with whole.step(f"{rows.about.name}: {facts.key}: filling"):
        blanks, texts = ([column[row] for row in at.tolist()] for column in (rows.blanks, rows.texts))
        filled = filler.fill(blanks, texts, runtime)
        cells, right = filling(scope, facts.key, [one.answer for one in filled], at=at)
        opened.filled[facts.key] = Filling(facts.key, at, right)
        said = np.array([one.probability for one in filled], dtype=np.float64)
        calibrated, curve = scope.probabilities(facts.key, "answer", right, said)
        whole.add(cells=[*cells, *calibrated], reliability=[curve])
