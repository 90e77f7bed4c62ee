"""Headlines to test, scores of all their pairs in both orders, what the tests find, and suites."""

import datetime
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from core import __version__, limits
from core.arrays import BoolArray, Float32Array, IntArray
from core.consistency import score_matrix
from core.consistency.certificate import Census, census
from core.consistency.checks import check
from core.data.pair_sets.assembly import timeline_groups, timeline_headlines
from core.data.pair_sets.load import is_known, load_pair_set, sets_by_name
from core.data.pair_sets.pair_file import is_pair_table, read_pair_file
from core.data.pair_sets.pair_set import SAME, UNKNOWN, PairSet
from core.data.timelines.load import DEFAULT, FOLDER, PREFIX, load_named, read_bytes, read_table
from core.data.timelines.timeline import Timeline
from core.errors import InputError, UnknownNameError
from core.models.encoders.encoder import AUTOMATIC, EncoderRecipe, encode_cached, encoders, numbers_of_vectors
from core.models.networks.batches import numbers_signature
from core.models.weights import weights_signature
from core.pairs.scorer import Need, PairContext, PairScorer, ScoreScale, check_scores, pair_scorers
from core.pairs.scoring import context_of, encoder_of, held
from core.parts import Part
from core.runtime import Runtime
from core.text.differences import learn_names

EPOCH: Final = datetime.date(1970, 1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class StudySubject:
    """Headlines of one timeline or several; only pairs inside a timeline are compared."""

    headlines: PairSet
    fingerprint: str
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.headlines.texts)

    @property
    def together(self) -> BoolArray:
        """Pairs of one timeline, bool [n, n], the diagonal false."""
        timelines = self.headlines.timelines
        inside = timelines[:, None] == timelines[None, :]
        np.fill_diagonal(inside, False)
        return np.asarray(inside)


def date_of(day: float) -> datetime.date | None:
    """The date of a publication time in days since 1970; None where it is NaN."""
    return None if math.isnan(day) else EPOCH + datetime.timedelta(days=math.floor(day))


Truth = tuple[IntArray, IntArray, IntArray]  # rows left and right, 1 for the same event


def subject_of_timeline(timeline: Timeline) -> StudySubject:
    """All headlines of a timeline, with its gold groups where it has some."""
    gold, annotators = timeline_groups(timeline)
    headlines = timeline_headlines(timeline, gold, annotators, Part.TEST)
    return StudySubject(headlines, timeline.fingerprint, timeline.report.ledger)


def truth_of(subject: StudySubject, scored: BoolArray) -> Truth:
    """The scored pairs with a known answer, left < right: by gold groups where there are any, or labels."""
    headlines = subject.headlines
    if np.any(headlines.groups >= 0):
        known = headlines.groups >= 0
        left, right = np.nonzero(np.triu(scored & known[:, None] & known[None, :], k=1))
        same = headlines.groups[left] == headlines.groups[right]
        return left, right, same.astype(np.int64)
    judged = (headlines.labels != UNKNOWN) & scored[headlines.left, headlines.right]
    left = np.minimum(headlines.left[judged], headlines.right[judged])
    right = np.maximum(headlines.left[judged], headlines.right[judged])
    return left, right, (headlines.labels[judged] == SAME).astype(np.int64)


def open_headlines(wanted: str, *, part: str | None = None, most: int | None = None) -> StudySubject:
    """The headlines of a timeline, a sample, a pair file or a pair set."""
    if wanted.startswith(PREFIX) or (
        os.path.isfile(wanted)
        and not is_pair_table(read_table(read_bytes(wanted), Path(wanted).name).columns)
    ):
        if part is not None:
            raise InputError("A timeline has no parts.", hint="Leave the part out, or name a pair set.")
        return first_published(subject_of_timeline(load_named(wanted)), most)
    # Names that no file can have do not exist either.
    if not os.path.exists(wanted) and not is_known(wanted):
        raise UnknownNameError(
            f"There is no file and no pair set called {wanted[:200]!r}.",
            hint=f"Give a path, sample:NAME, or one of: {', '.join(sets_by_name())}.",
        )
    pairs = load_pair_set(wanted)
    if part is not None:
        if part not in set(Part):
            raise InputError(f"There is no part {part[:40]!r}.", hint=f"Choose one of: {', '.join(Part)}.")
        pairs = pairs.part(Part(part))
    if not len(pairs.texts):
        raise InputError(f"{wanted} has no headline in this part.", hint="Choose another part.")
    ledger = read_pair_file(wanted).ledger if os.path.isfile(wanted) else {}
    return first_published(StudySubject(pairs, pairs.fingerprint, ledger), most)


def first_published(subject: StudySubject, most: int | None) -> StudySubject:
    """The headlines published first, in their order; all where `most` is None or as large."""
    if most is None or most >= len(subject):
        return subject
    earliest = np.zeros(len(subject), dtype=np.bool_)
    earliest[np.argsort(subject.headlines.days, kind="stable")[:most]] = True
    pairs = subject.headlines.with_headlines(earliest)
    return StudySubject(pairs, pairs.fingerprint, subject.ledger)


SCORER: Final = "finetuned_time.v1"  # tested where nobody says which: the system that the paper tests

SHIPPED: Final = FOLDER / DEFAULT / "scores.npz"  # by `SCORER`; see samples/iss/make.py

_ROWS = 64  # rows of scores at once: a cross-encoder reports and can be stopped between them


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How pairs are scored."""

    scorer: str = SCORER
    encoder: str = AUTOMATIC
    threshold: float | None = None
    windowed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSubject:
    """A subject with the scores of all its pairs."""

    subject: StudySubject
    scores: score_matrix.ScoreMatrix
    vectors: Float32Array
    signature: str
    note: str = ""  # what its threshold rests on, where that is nothing

    @property
    def not_compared(self) -> int:
        """Headlines in no scored pair: without what the scorer reads, or with no other near in time."""
        return int(np.count_nonzero(~self.scores.scored.any(axis=1)))


def score_both_orders(subject: StudySubject, how: Scoring, runtime: Runtime) -> ScoredSubject:
    """Scores every pair of headlines of a timeline, each with either headline first."""
    most = limits.DENSE_HEADLINES.value
    if len(subject) > most:
        raise InputError(
            f"The consistency lab compares all pairs of at most {most:,} headlines; there are "
            f"{len(subject):,}.",
            hint=f"Choose a part of them, or raise {limits.DENSE_HEADLINES.variable}.",
        )
    scorer = pair_scorers.parse(how.scorer)
    headlines = subject.headlines
    vectors = np.empty((len(subject), 0), dtype=np.float32)
    encoded_by = [encoder_of(headlines.texts, how.encoder, scorer)] if Need.VECTORS in scorer.needs else []
    numbers: tuple[str, ...] = ()
    for recipe in encoded_by:
        vectors = encode_cached(headlines.texts, recipe, runtime)
        numbers = numbers_of_vectors(headlines.texts, recipe, runtime)
    has = np.logical_and.reduce([each for each, _ in held(headlines, scorer.needs)])
    both = has[:, None] & has[None, :]
    if Need.ANNOTATORS in scorer.needs:
        answered = (headlines.annotators >= 0).astype(np.float32).reshape(len(has), -1)
        both &= (answered @ answered.T) > 0
    mask = subject.together & np.asarray(both)
    if how.windowed and math.isfinite(scorer.window_days):
        days = np.floor(headlines.days)
        mask &= ~(np.abs(days[:, None] - days[None, :]) > scorer.window_days)
    if len(subject) > 1 and not mask.any():
        raise InputError(
            "The scorer can compare no two of these headlines: they lack what it needs.",
            hint="Choose a scorer that reads headlines alone, or load a file with dates and articles.",
        )
    made_by = [f"data:{subject.fingerprint}", *map(encoders.signature, encoded_by)]
    made_by += [pair_scorers.signature(scorer), *weights_signature(*encoded_by, scorer)]
    known = shipped_scores(" · ".join(made_by))
    values = _scores(headlines, scorer, vectors, runtime) if known is None else known
    check_scores(
        scorer, values[mask], lambda at: (headlines.texts[row] for row in np.argwhere(mask)[at].tolist())
    )
    threshold = scorer.threshold if how.threshold is None else how.threshold
    numbers += numbers_signature(runtime if known is None else replace(runtime, half=False), scorer)
    parts = [f"headline-lab {__version__}", *made_by, *numbers, f"threshold:{threshold:g}"]
    parts += ["inside the window"] if how.windowed else []
    values, threshold = from_0_to_1(values, scorer.scale), from_0_to_1(threshold, scorer.scale)
    matrix = score_matrix.score_matrix(np.clip(values, 0.0, 1.0), threshold, mask=mask)
    note = scorer.unfitted if how.threshold is None else ""
    return ScoredSubject(subject, matrix, vectors, " · ".join(parts), note=note)


Values = TypeVar("Values", float, Float32Array)


def from_0_to_1(values: Values, scale: ScoreScale) -> Values:
    """Scores of a scale that goes beyond 0 to 1, stretched onto it; others as they are."""
    if scale.low >= 0.0 and scale.high <= 1.0:
        return values
    return (values - scale.low) / (scale.high - scale.low)


def _scores(headlines: PairSet, scorer: PairScorer, vectors: Float32Array, runtime: Runtime) -> Float32Array:
    values = np.zeros((len(headlines.texts), len(headlines.texts)), dtype=np.float32)
    for timeline in np.unique(headlines.timelines).tolist():
        rows = np.flatnonzero(headlines.timelines == timeline)
        if len(rows) > 1:
            prepared = scorer.prepare(context_of(headlines, rows, vectors), runtime)
            for start in runtime.track(range(0, len(rows), _ROWS), "Scoring both orders"):
                some = slice(start, min(start + _ROWS, len(rows)))
                values[np.ix_(rows[some], rows)] = prepared.block(some, slice(0, len(rows)))
    return values


def shipped_scores(made_by: str) -> Float32Array | None:
    """The scores that ship with the first sample, float32 [n, n], if they are of what is asked for."""
    try:
        with np.load(SHIPPED, allow_pickle=False) as archive:
            if str(archive["made_by"]) != made_by:
                return None
            return np.asarray(archive["values"], dtype=np.float32)
    except (OSError, KeyError, ValueError):
        # Without the file they are computed as for any other timeline.
        return None


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """A suite put to a scorer."""

    results: tuple[check.CheckResult, ...]
    threshold: float
    signature: str


_PAIRS_DRAWN: Final = 2_000


def synthetic_suite(
    scored: ScoredSubject, *, names: Sequence[str] | None = None, most: int = 100, seed: int = 0
) -> list[check.Case]:
    """Cases of every family, from all headlines, and linked and denied pairs in equal parts."""
    headlines = scored.subject.headlines
    dated = [
        check.DatedHeadline(text, date_of(day))
        for text, day in zip(headlines.texts, headlines.days.tolist(), strict=True)
    ]
    random = np.random.default_rng(seed)
    links = scored.scores.links
    drawn: list[tuple[int, int]] = []
    for kind in (links, scored.scores.scored & ~links):
        left, right = np.nonzero(np.triu(kind, k=1))
        chosen = random.permutation(len(left))[: _PAIRS_DRAWN // 2]
        drawn += zip(left[chosen].tolist(), right[chosen].tolist(), strict=True)
    given = check.Material(dated, drawn, learn_names(headlines.texts))
    return [
        case
        for name in (check.checks.names() if names is None else names)
        for case in check.make_cases(name, given, most=most, seed=seed)
    ]


def put_suite(cases: Sequence[check.Case], how: Scoring, runtime: Runtime) -> SuiteReport:
    """Puts cases to a scorer; one that looks at its surroundings sees the headlines of a check's cases."""
    scorer = pair_scorers.parse(how.scorer)
    if scorer.needs & {Need.BODIES, Need.ANNOTATORS}:
        raise InputError(
            "This scorer reads articles or annotators' groups; cases of a suite have headlines alone.",
            hint="Choose a scorer that reads headlines.",
        )
    threshold = scorer.threshold if how.threshold is None else how.threshold

    encoded_by: dict[str, EncoderRecipe] = {}
    numbers = dict.fromkeys(numbers_signature(runtime, scorer))

    def score(pairs: Sequence[check.Pair]) -> Float32Array:
        headlines = [*((a, day) for a, _, day, _ in pairs), *((b, day) for _, b, _, day in pairs)]
        places: dict[tuple[str, datetime.date | None], int] = {}
        rows = np.array([places.setdefault(headline, len(places)) for headline in headlines], dtype=np.int64)
        texts = [text for text, _ in places]
        days = np.array([math.nan if day is None else (day - EPOCH).days for _, day in places])
        vectors = np.empty((len(texts), 0), dtype=np.float32)
        if Need.VECTORS in scorer.needs:
            encoder = encoder_of(texts, how.encoder, scorer)
            encoded_by[encoders.signature(encoder)] = encoder
            vectors = encode_cached(texts, encoder, runtime)
            numbers.update(dict.fromkeys(numbers_of_vectors(texts, encoder, runtime)))
        prepared = scorer.prepare(PairContext(texts, days, vectors), runtime)
        left, right = rows[: len(pairs)], rows[len(pairs) :]
        scores = np.asarray(prepared.pairs(left, right), dtype=np.float32).copy()
        if Need.DATES in scorer.needs:
            scores[np.isnan(days[left]) | np.isnan(days[right])] = np.nan
        return scores

    results: list[check.CheckResult] = []
    for name in runtime.track(list(dict.fromkeys(case.check for case in cases)), "Running the suite"):
        results += check.run_suite([case for case in cases if case.check == name], score, threshold)
    named = [*encoded_by, pair_scorers.signature(scorer), *weights_signature(*encoded_by.values(), scorer)]
    signature = " · ".join([*named, *numbers, f"threshold:{threshold:g}"])
    return SuiteReport(tuple(results), threshold, signature)


SHOWN: Final = 50  # worst flips, triangles and changes that a page and a JSON object list


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What the tests found; rows are those of the subject's headlines."""

    commutative: score_matrix.CommutativeTest
    census: Census
    triangles: score_matrix.BrokenTriangles
    breaks: IntArray
    changes: score_matrix.DecisionChanges
    signature: str

    def left_out(self, most: int) -> dict[str, int]:
        """How many flips, triangles and changes there are beyond so many of each."""
        totals = {
            "flips": self.commutative.flips,
            "triangles": self.census.two,
            "changes": self.changes.total,
        }
        return {kind: max(0, total - most) for kind, total in totals.items()}


def examine(scored: ScoredSubject, *, most: int = SHOWN) -> Findings:
    """Runs both tests."""
    scores = scored.scores
    links = scores.links
    return Findings(
        commutative=score_matrix.commutative_test(scores, most=most),
        census=census(links, scored=scores.scored),
        triangles=score_matrix.worst_triangles(scores, most=most),
        breaks=score_matrix.break_counts(links, scores.scored),
        changes=score_matrix.best_changes(scores, most=most),
        signature=scored.signature,
    )


def contradictions(scores: score_matrix.ScoreMatrix, findings: Findings) -> IntArray:
    """Rows with a = b and a = c, but not b = c, the strongest first, int64 [k, 3]; flips before others."""
    worst, values, says = findings.commutative.worst, scores.probabilities, scores.decisions
    severities: dict[tuple[int, int, int], float] = {}
    for i, j in zip(worst.left.tolist(), worst.right.tolist(), strict=True):
        a, b = (i, j) if says[i, j] else (j, i)
        broken = says[a] & scores.scored[b] & ~says[b]
        broken[[a, b]] = False
        if not broken.any():
            continue
        severity = np.where(broken, np.minimum(values[a, b], values[a]) - values[b], -1)
        c = int(severity.argmax())
        severities[a, b, c] = float(severity[c] + abs(values[a, b] - values[b, a]))
    if severities:
        return np.array(sorted(severities, key=lambda rows: -severities[rows]), dtype=np.int64)
    triangles = findings.triangles
    return np.stack([triangles.centre, triangles.left, triangles.right], axis=1)


def ask(
    scored: ScoredSubject, rows: tuple[int, ...], texts: Mapping[int, str], how: Scoring, runtime: Runtime
) -> Float32Array:
    """Asks the model about some headlines, `texts` of them changed, among all others; float32 [k, k]."""
    headlines = scored.subject.headlines
    changed = [texts.get(row, text) for row, text in enumerate(headlines.texts)]
    headlines = replace(headlines, texts=changed)
    scorer = pair_scorers.parse(how.scorer)
    vectors = np.empty((len(changed), 0), dtype=np.float32)
    if Need.VECTORS in scorer.needs:
        vectors = encode_cached(
            changed, encoder_of(scored.subject.headlines.texts, how.encoder, scorer), runtime
        )
    same = np.flatnonzero(headlines.timelines == headlines.timelines[rows[0]])
    prepared = scorer.prepare(context_of(headlines, same, vectors), runtime)
    k = len(rows)
    left, right = np.nonzero(~np.eye(k, dtype=np.bool_))
    places = np.searchsorted(same, np.array(rows))
    values = np.asarray(prepared.pairs(places[left], places[right]), dtype=np.float32)
    check_scores(scorer, values, lambda at: (headlines.texts[rows[side[at]]] for side in (left, right)))
    answers = np.zeros((k, k), dtype=np.float32)
    answers[left, right] = np.clip(from_0_to_1(values, scorer.scale), 0.0, 1.0)
    return answers
