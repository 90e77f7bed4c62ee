"""The default grouping beside baselines, on timelines whose events are known."""

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from core import __version__
from core.arrays import IntArray
from core.data.timelines.timeline import Field, Timeline
from core.errors import CoreError, InputError, ModelUnavailableError
from core.events.grouping import Settings, labels_at, prepare
from core.groups.dendrogram import Dendrogram
from core.groups.granularity import CUTS
from core.groups.grouper import GroupingInput, by_first_appearance, groupers
from core.groups.quality import quality
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.candidates import score_candidates
from core.pairs.scorer import pair_scorers
from core.pairs.timeline_context import encoder_of, timeline_context
from core.results.number_forms import footnotes
from core.results.table import Row, Table, Value, number_of, read_columns, warnings_of
from core.results.text_tables import SIGNATURES
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure

Gold = Sequence[Hashable]  # the event of each headline; None where nobody named one
Cut = tuple[IntArray, float | None, str, str]  # group of each headline; level; how it was chosen; signature
Way = Callable[[Timeline, Gold, Runtime], Iterator[Cut]]  # a second cut is the one that fits the gold best

TREES: Final = {  # scorer, method and level: that of the best mean pair F1
    "Cosine × time": ("cosine_time.v1", "average_linkage.v1", 0.61),
    "TF-IDF": ("tfidf.v1", "average_linkage.v1", 0.91),
    "HDBSCAN": ("cosine_time.v1", "hdbscan.v1", 0.37),
    "Louvain": ("cosine_time.v1", "louvain.v1", 0.39),
}
ELSEWHERE: Final = "level chosen on UCI, AllSides, ECB+"  # by `python -m benchmarks baseline_levels`
LEAST_TOPIC: Final = 5  # of 2, 5 and 10 the best on ECB+, by `python -m benchmarks peers`
WARM_UP: Final = 60  # headlines that a way groups before the clock starts, so that all is loaded and compiled
COLUMNS: Final = read_columns(Path(__file__).with_suffix(".toml"))["baselines"]
MEASURES: Final = [column.key for column in COLUMNS if column.parts]
_NUMBERS: Final = slice(2, -2)  # of a row: what means are made of


def gold_events(timeline: Timeline) -> Gold:
    """The event of each headline, None for a blank cell; InputError where they measure nothing."""
    gold: Gold = timeline.table[Field.GOLD].tolist()
    sizes = Counter(event for event in gold if event is not None)
    if len(sizes) < 2 or max(sizes.values()) < 2:
        events = f"{sizes.total():,} headlines with a gold event, of {len(sizes):,} different ones"
        hint = "Two events are needed, one with two headlines or more (--gold names their column)."
        raise InputError(f"There is nothing to measure: {events}.", hint=hint)
    return gold


def measure_baselines(
    file: str, timeline: Timeline, gold: Gold, runtime: Runtime, *, settings: Settings
) -> Iterator[Row]:
    """A row of `COLUMNS` for each way of grouping, with intervals over gold events."""
    ways: dict[str, Way] = {"Headline Lab": partial(_ours, settings)}
    ways |= {name: partial(_tree, baseline) for name, baseline in TREES.items()}
    ways |= {"Same day": _same_day, "BERTopic": _bertopic}
    quiet, count = runtime.quietly(), len(timeline)
    encode_cached(timeline.texts, encoder_of(timeline.reading, AUTOMATIC), quiet)
    for done, (method, way) in enumerate(ways.items()):
        runtime.report(f"{file}: {method}", done, len(ways))
        with suppress(Exception):  # what fails here says so below
            next(way(timeline.select(range(min(count, WARM_UP))), gold, quiet))
        started, seconds = time.perf_counter(), 0.0
        try:  # each way on a timeline that nobody has read
            for labels, level, cut, used in way(timeline.select(range(count)), gold, quiet):
                name = f"{method}, best cut" if seconds else method
                seconds = seconds or time.perf_counter() - started
                measured = quality(labels, gold, resamples=RESAMPLES, seed=runtime.seed)
                counts = measured.judged, measured.gold_groups, level
                costs = len(np.unique(labels)), seconds, cut
                signature = f"{used} · seed:{runtime.seed} · resamples:{RESAMPLES}"
                yield (file, name, *counts, *(measured[key] for key in MEASURES), *costs, signature)
        except Exception as error:  # a fault in one way must not cost the others their figures
            why = f"It stopped with an error of the program ({type(error).__name__})."
            why = f"{error.message} {error.hint}" if isinstance(error, CoreError) else why
            yield (file, method, *[None] * len(COLUMNS[_NUMBERS]), why, "")


def _ours(settings: Settings, timeline: Timeline, gold: Gold, runtime: Runtime) -> Iterator[Cut]:
    prepared = prepare(timeline, settings, runtime)
    level, used = prepared.start.granularity, prepared.signature
    yield prepared.reference, level, "the file's own level", f"{used} · granularity:{level:g} (automatic)"
    yield _best_cut(lambda cut: labels_at(prepared, cut, None), gold, used)


def _tree(
    baseline: tuple[str, str, float], timeline: Timeline, gold: Gold, runtime: Runtime
) -> Iterator[Cut]:
    scorer, grouper, level = pair_scorers.parse(baseline[0]), groupers.parse(baseline[1]), baseline[2]
    encoder = encoder_of(timeline.reading, AUTOMATIC, scorer)
    context = timeline_context(timeline, encoder, runtime)
    similarities = score_candidates(scorer, context, runtime)
    hierarchy = grouper.fit(GroupingInput(similarities, context.vectors), runtime)
    names = pair_scorers.signature(scorer), groupers.signature(grouper)
    used = _signature(timeline, encoders.signature(encoder), *names)
    yield hierarchy.cut(level), level, ELSEWHERE, f"{used} · granularity:{level:g}"
    if isinstance(hierarchy, Dendrogram):  # only a tree has all its cuts at no cost
        yield _best_cut(hierarchy.cut, gold, used)


def _best_cut(cut: Callable[[float], IntArray], gold: Gold, used: str) -> Cut:
    best = max(map(float, CUTS), key=lambda level: quality(cut(level), gold)["pair_f1"].value or 0.0)
    return cut(best), best, "best cut, chosen with the gold column", f"{used} · granularity:{best:g} (best)"


def _same_day(timeline: Timeline, gold: Gold, runtime: Runtime) -> Iterator[Cut]:
    days = np.floor(timeline.days)
    if np.isnan(days).all():
        raise InputError("It needs dates, and no headline has one.", hint="Give a column of dates.")
    labels: IntArray = np.unique(days, return_inverse=True, equal_nan=False)[1]  # without a date: alone
    yield labels, None, "days of UTC", _signature(timeline, "same_day")


def _bertopic(timeline: Timeline, gold: Gold, runtime: Runtime) -> Iterator[Cut]:
    try:
        from bertopic import BERTopic
        from umap import UMAP
    except ImportError:
        raise ModelUnavailableError("It needs BERTopic.", hint="Run `pip install bertopic`.") from None
    encoder = encoder_of(timeline.reading, AUTOMATIC)
    vectors = encode_cached(timeline.texts, encoder, runtime)
    flat = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=runtime.seed)
    topics, _ = BERTopic(umap_model=flat, min_topic_size=LEAST_TOPIC).fit_transform(timeline.texts, vectors)
    used = _signature(timeline, encoders.signature(encoder), f"bertopic:{LEAST_TOPIC}")
    yield by_first_appearance(topics), None, f"topics of {LEAST_TOPIC} or more, chosen on ECB+", used


def _signature(timeline: Timeline, *used: str) -> str:
    return " · ".join([f"headline-lab {__version__}", f"data:{timeline.fingerprint}", *used])


def mean_table(table: Table) -> Table:
    """Of each method the mean over the files that it grouped, with intervals over files."""
    count, means = len({row[0] for row in table.rows}), list[Row]()
    for method in dict.fromkeys(row[1] for row in table.rows):
        own = [row for row in table.rows if row[1] == method]
        done = [row for row in own if row[-3] is not None] or own  # those that took some seconds
        numbers = map(_mean, zip(*(row[_NUMBERS] for row in done), strict=True))
        part = f"; {len(done)} of {count} files" if len(done) < count else ""
        means.append((f"mean of {count} files", method, *numbers, f"{done[0][-2]}{part}", ""))
    return replace(baseline_table(means, unit="files"), signatures=table.signatures)


def baseline_table(rows: Sequence[Row], *, unit: str = "gold events") -> Table:
    signatures = tuple((f"{row[0]}, {row[1]}", f"{row[-1]}") for row in rows if row[-1])
    table = Table(title=f"{rows[0][0]}", columns=COLUMNS, rows=tuple(rows), signatures=signatures)
    about = f"{table.title}; in brackets 95 % intervals over {unit}; time without loading and encoding."
    return replace(table, notes=(*footnotes(warnings_of(table)), about, SIGNATURES))


def _mean(cells: Sequence[Value]) -> Value:
    numbers = [(number, 1.0) for cell in cells if (number := number_of(cell)) is not None]
    figure = Figure.ratio(np.array(numbers).reshape(-1, 2), unit="files")
    return figure if isinstance(cells[0], Figure) else figure.value
