"""The whole benchmark: baselines and attachers on every set."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import IntArray
from core.data.files import sample
from core.digests import code_digest
from core.errors import CoreError, InputError, ModelUnavailableError
from core.models.weights import everything_inside, weights_told
from core.numerals.checking import Checker, load_checker
from core.numerals.filling import DEFAULT, Filler, is_there, load_filler
from core.numerals.question import numeral_attachers, question_at
from core.parts import Part
from core.runtime import Runtime
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, OnSet, Outcome
from research.benchmark.numerals.baselines import (
    BASELINES,
    FILLED,
    PUBLISHED,
    RANKED,
    OpenedRows,
    has_no_place,
)
from research.benchmark.numerals.measuring import (
    RESAMPLES,
    Figures,
    Scope,
    compare_fillings,
    filling,
    kinds_of,
    ranking,
    read_articles,
)
from research.benchmark.numerals.sets import (
    SETS,
    NumeralBenchmark,
    facts_of,
    find_set,
    open_rows,
)
from research.benchmark.results import BenchmarkSet, BenchmarkSystem, SystemComparison


def derived(judge: Checker, scope: Scope, runtime: Runtime) -> Figures:
    """How often the gold derivation of each number comes first; nothing is found of one that was not read."""
    rows = scope.rows
    numerals = [
        next((n for n in one.numerals if n.numeral.number_start <= start < n.numeral.number_end), None)
        for one, start in zip(judge.check(rows.headlines, rows.texts, runtime), rows.starts, strict=True)
    ]
    ways = [() if one is None else one.derivations for one in numerals]
    return ranking(scope, [[way.candidate for way in some] for some in ways])


ATTACHERS: Final = ("lexical.v1", "pointer.v1", "blend.v1")
READ: Final = "shipped"
"""The system that fills blanks as the program does: the attacher that ships, and the language model, which
reads half a second a blank and so is measured with no other attacher."""


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
        recipe = numeral_attachers.parse(DEFAULT if system.key == READ else system.key)
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
                (key, one.arrays["at"], one.arrays["right"])
                for key, one in outcomes.items()
                if key in own and "right" in one.arrays
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
    attachers: Sequence[str] = ATTACHERS,
    part: Part = Part.TEST,
    limit: int = 0,
    read: int = 0,
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
    on_set: OnSet | None = None,
) -> NumeralBenchmark:
    """Measures the baselines and the attachers; see `research.benchmark.engine.run`."""
    if part is Part.TRAIN:
        raise InputError(
            "Nothing is measured on the training part.", hint="Choose the test or the validation part."
        )
    wanted = [find_set(key).key for key in dict.fromkeys(sets)] or [known.key for known in SETS]
    plan = NumeralPlan(
        sets=wanted,
        systems=(*BASELINES, *_systems(attachers, read, runtime)),
        part=part,
        limit=limit,
        read=read,
        resamples=resamples,
    )
    return engine.run(plan, runtime, machine=machine, on_outcome=on_outcome, on_set=on_set)


def _systems(attachers: Sequence[str], read: int, runtime: Runtime) -> list[BenchmarkSystem]:
    found: list[BenchmarkSystem] = []
    for name in dict.fromkeys(attachers):
        found.append(BenchmarkSystem(key=name, name=f"Attacher {name}", signature=_signature(name)))
        if found[-1].signature == _signature(DEFAULT) and is_there():
            with suppress(CoreError):
                filler = load_filler(DEFAULT, runtime)
                drawn = f", on {read:,} drawn blanks a set" if read else ""
                found.append(
                    BenchmarkSystem(
                        key=READ, name=f"Attacher {name} + language model{drawn}", signature=filler.system
                    )
                )
    return found


def _signature(name: str) -> str:
    recipe = numeral_attachers.parse(name)
    told: tuple[str, ...] = ()
    with suppress(ModelUnavailableError):
        told = weights_told(recipe)
    return " · ".join([numeral_attachers.signature(recipe), *told])


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
