"""The whole benchmark: baselines and attachers on every set."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.files import sample
from core.digests import code_digest
from core.errors import CoreError, InputError, ModelUnavailableError
from core.models.weights import everything_inside, weights_told
from core.numerals.checking import Checker, load_checker
from core.numerals.claims.verdict import PASSING
from core.numerals.filling import DEFAULT, Filler, is_there, load_filler
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.numerals.question import numeral_attachers, question_at
from core.parts import Part
from core.runtime import Runtime
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, OnSet, Outcome
from research.benchmark.numerals.baselines import (
    BASELINES,
    FILLED,
    PUBLISHED,
    OpenedRows,
    has_no_place,
    judged_baseline,
)
from research.benchmark.numerals.measuring import (
    RESAMPLES,
    Figures,
    Scope,
    Wrong,
    compare_fillings,
    filling,
    kinds_of,
    make_wrong,
    ranking,
    read_articles,
)
from research.benchmark.numerals.sets import (
    SETS,
    CorruptionFacts,
    NumeralBenchmark,
    NumeralSetFacts,
    facts_of,
    find_set,
    open_rows,
)
from research.benchmark.results import BenchmarkSystem, SystemComparison
from research.training.numerals.corruptions import SEEDS, Corruption


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What a judge says of one number of each of n headlines."""

    numerals: tuple[CheckedNumeral | None, ...]
    support: FloatArray
    flagged: BoolArray  # whether something speaks against the number, bool [n]


def judge_all(
    judge: Checker, scope: Scope, wrongs: Sequence[Wrong], runtime: Runtime
) -> tuple[Verdicts, dict[Corruption, Verdicts]]:
    """Checks every headline as it was and as it was made wrong; those of one article one after the other."""
    rows = scope.rows
    asked = [(row, -1, headline) for row, headline in enumerate(rows.headlines)]
    for k, wrong in enumerate(wrongs):
        asked += [
            (row, k, headline) for row, headline in zip(wrong.rows.tolist(), wrong.headlines, strict=True)
        ]
    asked.sort(key=lambda one: one[:2])
    checked = judge.check(
        [headline for _, _, headline in asked], [rows.texts[row] for row, _, _ in asked], runtime
    )
    found: dict[int, list[tuple[int, CheckedHeadline]]] = {k: [] for k in range(-1, len(wrongs))}
    for (row, k, _), one in zip(asked, checked, strict=True):
        found[k].append((row, one))
    found_by = {k: verdicts((rows.starts[row], one) for row, one in pairs) for k, pairs in found.items()}
    return found_by[-1], {wrong.how: found_by[k] for k, wrong in enumerate(wrongs)}


def verdicts(checked: Iterable[tuple[int, CheckedHeadline]]) -> Verdicts:
    numerals = tuple(
        next((n for n in one.numerals if n.numeral.number_start <= start < n.numeral.number_end), None)
        for start, one in checked
    )
    return Verdicts(
        numerals=numerals,
        support=np.array(
            [np.nan if numeral is None else numeral.claim.probability for numeral in numerals],
            dtype=np.float64,
        ),
        flagged=np.array(
            [one is not None and one.claim.light not in PASSING for one in numerals], dtype=np.bool_
        ),
    )


def judged(
    scope: Scope, originals: Verdicts, corrupted: Mapping[Corruption, Verdicts], wrongs: Sequence[Wrong]
) -> Figures:
    """All figures of a judge.

    A number that was not read where it stands counts against the judge: as not supported where the headline
    was right, as supported where it was made wrong. Calibration leaves it out, for nothing was said of it.
    """
    ranked = [
        [] if numeral is None else [way.candidate for way in numeral.derivations]
        for numeral in originals.numerals
    ]
    found, alike = ranking(scope, ranked)
    read = ~np.isnan(originals.support)
    found.add(scope.shares("found", read & ~originals.flagged))
    found.add(scope.shares("false_alarm", originals.flagged))
    support = np.nan_to_num(originals.support, nan=0.0)
    for wrong in wrongs:
        said = corrupted[wrong.how]
        found.add(scope.areas(support, np.nan_to_num(said.support, nan=1.0), wrong))
        found.add(scope.shares(f"flagged {wrong.how}", said.flagged, at=wrong.rows))
    found.add(scope.probabilities("support", *even_mixture(originals, corrupted, wrongs, seed=scope.seed)))
    derived = [bool(one and one.derivations) for one in originals.numerals]
    sure = [one.derivations[0].probability for one in originals.numerals if one and one.derivations]
    found.add(scope.probabilities("derivation", alike[derived], np.array(sure, dtype=np.float64)))
    return found


def even_mixture(
    originals: Verdicts, corrupted: Mapping[Corruption, Verdicts], wrongs: Sequence[Wrong], *, seed: int
) -> tuple[BoolArray, FloatArray]:
    """As many right numbers as wrong ones: of each row that could be made wrong, one wrong number, drawn.

    Returns:
        Whether each number is right, bool [m], and its support, float64 [m].
    """
    choices: dict[int, list[float]] = {}
    for wrong in wrongs:
        for row, support in zip(wrong.rows.tolist(), corrupted[wrong.how].support.tolist(), strict=True):
            choices.setdefault(row, []).append(support)
    generator = np.random.default_rng(seed)
    rows = sorted(choices)
    drawn = np.array([choices[row][generator.integers(len(choices[row]))] for row in rows], dtype=np.float64)
    said = np.concatenate([originals.support[rows], drawn])
    labels = np.concatenate([np.ones(len(rows)), np.zeros(len(rows))]).astype(np.bool_)
    return labels[~np.isnan(said)], said[~np.isnan(said)]


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
        hows = Corruption if about.judged else ()
        wrongs = tuple(make_wrong(questions, how, SEEDS[self.part]) for how in hows)
        facts = replace(
            facts_of(about),
            fingerprint=rows.fingerprint,
            count=len(rows),
            whole=rows.whole,
            units=len(np.unique(rows.articles)),
            notes=(rows.note,) if rows.note else (),
            corruptions=tuple(
                CorruptionFacts(
                    how=str(wrong.how),
                    seed=wrong.seed,
                    rows=len(wrong.rows),
                    impossible=wrong.impossible,
                    unread=wrong.unread,
                    landed=int(wrong.landed.sum()),
                )
                for wrong in wrongs
            ),
        )
        scope = Scope(rows, kinds_of(questions), resamples=self.resamples, seed=runtime.seed)
        drawn = np.array(sample(len(rows), self.read, seed=runtime.seed), dtype=np.int64)
        return OpenedRows(facts, scope, questions, wrongs, drawn, runtime)

    def closed(self, key: str, error: CoreError) -> NumeralSetFacts:
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
            found = judged_baseline(system.key, data)
        elif system.baseline:
            found, right = filling(data.scope, FILLED[system.key][1](data))
        elif system.key == READ:
            at = data.read
            found, right = _filled(data, load_filler(DEFAULT, runtime), at, runtime)
        else:
            if data.rows.about.judged:
                checker = load_checker(system.key, runtime)
                originals, corrupted = judge_all(checker, data.scope, data.wrongs, runtime)
                found = judged(data.scope, originals, corrupted, data.wrongs)
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
