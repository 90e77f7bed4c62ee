"""The benchmark of numerals: every judge of numerals on every set."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from core.data.articles.blanks import load_blanks, load_fill_predictions
from core.data.files import sample
from core.digests import code_digest
from core.errors import CoreError, InputError, ModelUnavailableError
from core.models.weights import everything_inside, weights_signature
from core.numerals.checking import Checker, load_checker
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.filling import DEFAULT, is_there, load_filler
from core.numerals.question import BLANKS, question_at, source_aligners
from core.parts import Part
from core.runtime import Runtime
from core.statistics.calibration import calibration
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.numerals.baselines import BASELINES, FILLED, PUBLISHED, RANKED, read_articles
from research.benchmark.numerals.figures import (
    RESAMPLES,
    Figures,
    OpenedRows,
    cells_of,
    compare_fillings,
    filling,
    ranking,
)
from research.benchmark.numerals.sets import ANNOTATED, SETS, find_set, rows_of
from research.benchmark.numerals.tables import NumeralBenchmark
from research.benchmark.results import BenchmarkSet, BenchmarkSystem, SystemComparison, bins_of

ALIGNERS: Final = ("lexical.v1", "pointer.v1", "blend.v1")
READ: Final = "shipped"
"""The system that fills blanks as the program does: the aligner that ships, and the language model, which
reads half a second a blank and so is measured with no other aligner."""


@dataclass(frozen=True, slots=True, eq=False)
class NumeralPlan(BenchmarkPlan[NumeralBenchmark]):
    sets: Sequence[str]
    systems: Sequence[BenchmarkSystem]
    part: Part
    limit: int
    read: int
    resamples: int

    table: type[NumeralBenchmark] = NumeralBenchmark

    def open(self, key: str, runtime: Runtime) -> OpenedRows:
        about = find_set(key)
        if key != ANNOTATED and self.part is not Part.TEST:
            raise CoreError(f"{about.name} is all test.", hint="Measure on the test part.")
        blanks = load_blanks(key)
        asked = zip(blanks.parts, blanks.headlines, strict=True)
        every = [row for row, (part, blank) in enumerate(asked) if part is self.part and BLANKS.search(blank)]
        taken = [every[row] for row in sample(len(every), self.limit, seed=runtime.seed)]
        rows, note = rows_of(blanks, taken), ""
        if len(taken) < len(every):
            note = f"{len(taken):,} of {len(every):,} rows, drawn with seed {runtime.seed}."
        articles = read_articles(rows.given.texts, runtime)
        questions = tuple(map(question_at, rows.headlines, articles, rows.starts))
        facts = replace(about, fingerprint=rows.fingerprint, count=len(rows), whole=len(every))
        facts = replace(facts, units=len(np.unique(rows.articles)), notes=(note,) if note else ())
        return OpenedRows(facts, rows, questions, self.resamples, runtime.seed, runtime)

    def closed(self, key: str, error: CoreError) -> BenchmarkSet:
        return replace(find_set(key), why_not=f"{error.message} {error.hint}")

    def cannot_run(self, system: BenchmarkSystem, data: OpenedRows) -> str:
        if system.baseline and system.key not in FILLED and data.facts.key != ANNOTATED:
            return "Rows of this set have no derivation."
        if system.key == PUBLISHED and data.facts.key != "numeval":
            return "It answered the questions of SemEval-2024 alone."
        if system.key == PUBLISHED:
            load_fill_predictions()
        return ""

    def depends_on(self, system: BenchmarkSystem, data: OpenedRows, runtime: Runtime) -> Sequence[str]:
        if system.baseline:
            return [str(self.part)]
        recipe = source_aligners.parse(DEFAULT if system.key == READ else system.key)
        modules = sorted({type(part).__module__ for part in everything_inside(recipe)})
        code = [code_digest(module, within=("core.",)) for module in modules]
        return [str(self.part), str(self.read if system.key == READ else 0), *code]

    def measure(self, system: BenchmarkSystem, data: OpenedRows, runtime: Runtime) -> Outcome:
        started = time.perf_counter()
        figures_of, curves, right = Figures(), {}, None
        drawn = sample(len(data.rows), self.read if system.key == READ else 0, seed=runtime.seed)
        at = np.array(drawn, dtype=np.int64)
        if system.baseline and system.key not in FILLED:
            figures_of = ranking(data, RANKED[system.key][1](data))
        elif system.baseline:
            figures_of, right = filling(data, FILLED[system.key][1](data), at)
        else:
            aligner = DEFAULT if system.key == READ else system.key
            filler = load_filler(aligner, runtime, with_reader=system.key == READ)
            if system.key != READ and data.facts.key == ANNOTATED:
                figures_of = derived(load_checker(aligner, runtime), data, runtime)
            given = data.rows.given.at(at.tolist())
            filled = filler.fill(given.headlines, given.texts, runtime)
            figures, right = filling(data, [blank.answer for blank in filled], at)
            figures_of = {part: figures_of.get(part, {}) | own for part, own in figures.items()}
            said = np.array([blank.probability for blank in filled], dtype=np.float64)
            curve = calibration(right.astype(np.int64), said)
            for name, figure in (("ece answer", curve.error), ("brier answer", curve.brier)):
                figures_of[""][name] = replace(figure, count=len(at))
            curves = {"answer": bins_of(curve)}
        parts = [PROGRAM, f"set:{data.facts.key}", f"part:{self.part}", system.signature or system.key]
        signature = " · ".join([*parts, f"seed:{runtime.seed}", f"resamples:{self.resamples}"])
        whole = {"count": len(at), "whole": data.facts.whole, "signature": signature, "curves": curves}
        whole["seconds"] = round(time.perf_counter() - started, 1)
        cells = cells_of(data.facts.key, system.key, figures_of, **whole)
        return Outcome(cells, {} if right is None else {"at": at, "right": right})

    def compare(self, data: OpenedRows, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        own = {system.key for system in self.systems if not system.baseline} | {PUBLISHED}
        filled = ((key, outcome.arrays) for key, outcome in outcomes.items() if key in own)
        known = [(key, arrays["at"], arrays["right"]) for key, arrays in filled if "right" in arrays]
        return compare_fillings(data.facts.key, known)

    def settings(self) -> Mapping[str, Any]:
        return {"part": str(self.part)}


def derived(judge: Checker, data: OpenedRows, runtime: Runtime) -> Figures:
    """How often the gold derivation of each number comes first; nothing is found of one that was not read."""
    rows = data.rows
    checked = judge.check(rows.headlines, rows.given.texts, runtime)
    ranked: list[list[DerivationCandidate]] = []
    for headline, start in zip(checked, rows.starts, strict=True):
        ranked.append([])
        for judged in headline.numerals:
            if judged.numeral.number_start <= start < judged.numeral.number_end and not ranked[-1]:
                ranked[-1] = [way.candidate for way in judged.derivations]
    return ranking(data, ranked)


def measure_aligners(
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
) -> NumeralBenchmark:
    if part is Part.TRAIN:
        hint = "Choose the test or the validation part."
        raise InputError("Nothing is measured on the training part.", hint=hint)
    wanted = [find_set(key).key for key in dict.fromkeys(sets)] or [known.key for known in SETS]
    systems = *BASELINES, *_systems(aligners, read, runtime)
    plan = NumeralPlan(wanted, systems, part, limit, read, resamples)
    return engine.run_plan(plan, runtime, machine=machine, on_outcome=on_outcome)


def _systems(aligners: Sequence[str], read: int, runtime: Runtime) -> list[BenchmarkSystem]:
    systems: list[BenchmarkSystem] = []
    for name in dict.fromkeys(aligners):
        systems.append(BenchmarkSystem(key=name, name=f"Aligner {name}", signature=_signature(name)))
        if systems[-1].signature == _signature(DEFAULT) and is_there():
            with suppress(CoreError):
                filler = load_filler(DEFAULT, runtime)
                drawn = f", on {read:,} drawn blanks a set" if read else ""
                both = f"Aligner {name} + language model{drawn}"
                systems.append(BenchmarkSystem(key=READ, name=both, signature=filler.system))
    return systems


def _signature(name: str) -> str:
    recipe = source_aligners.parse(name)
    parts = [source_aligners.signature(recipe)]
    with suppress(ModelUnavailableError):
        parts += weights_signature(recipe)
    return " · ".join(parts)
