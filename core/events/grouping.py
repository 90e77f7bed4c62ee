"""The main job: a timeline in, groups of headlines that report the same event out."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np

from core import __version__
from core.arrays import Float32Array, IntArray
from core.data.timelines.duplicates import find_duplicates, fold
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.events.corrections import Corrections, Marks
from core.groups.constraints import enforce
from core.groups.granularity import GranularityChoice, choose_granularity
from core.groups.grouper import Grouper, GroupingInput, Hierarchy, groupers
from core.groups.quality import GroupQuality, quality
from core.groups.stable_ids import stable_ids
from core.models.encoders.cached import numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, EncoderRecipe, encoders
from core.models.endpoints.recipe import answers_signature
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.candidates import score_candidates
from core.pairs.context import PairContext
from core.pairs.growing_tolls import join_growing_tolls
from core.pairs.look_alikes import part_look_alikes
from core.pairs.scorer import PairScorer, pair_scorers
from core.pairs.scorers.event_blend import sampled_probabilities, sampled_rows
from core.pairs.timeline_context import encoder_of, scorer_of, timeline_context
from core.runtime import Runtime
from core.similarities import Similarities

ODDS_UNDERSAID = 3.5
"""On desks that taught nothing the odds of one event are so many times what calibrated scorers say of two
headlines with dates (docs/decisions/0017)."""
DOUBTFUL = 0.1, 0.4  # similarities that say little
SURE = 0.8
CROWDED = 8.0
"""From so many doubtful pairs for each headline and sure pair on, most tell look-alikes of many events."""
SAME_GRANULARITY = 5e-4  # this near to the one chosen from the timeline is that one, to a person

_Methods = tuple[EncoderRecipe, PairScorer, Grouper]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to group; every value is a registered name or a full signature."""

    encoder: str = AUTOMATIC  # the text encoder, or "auto" for the one that fits the language
    scorer: str = AUTOMATIC  # what makes two headlines alike, or "auto" for what encoder and languages allow
    method: str = "average_linkage.v1"  # how alike headlines become groups
    fold: bool = False  # leave out copies of an earlier headline; they get the group of the first
    events_alone: bool = False  # set formats that repeat aside: live blogs, horoscopes and the like


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that does not change when the slider moves."""

    source: Timeline  # the timeline as it was given
    timeline: Timeline  # what was grouped: the source, or the source without copies and repeated formats
    position: IntArray  # row in `timeline` of each row of `source`, int64 [n]; -1 where it was set aside
    encoder: str  # full signatures of what was used
    scorer: str  # full signatures of what was used
    method: str  # full signatures of what was used
    context: PairContext  # its headlines as scorers see them, vectors included
    similarities: Similarities  # of the n headlines, time included
    hierarchy: Hierarchy  # what is cut
    start: GranularityChoice  # the granularity chosen from the timeline itself, and why
    reference: IntArray  # groups at the start, int64 [n]; group ids are matched to them
    previous: Mapping[str, int] | None  # group numbers of an earlier version, by `headline_keys`
    signature: str  # all that the hierarchy depends on, in one line; kept, for pages ask at every rerun
    device: str  # what computed it; see `Runtime`

    @property
    def set_aside(self) -> tuple[str, ...]:
        return tuple(self.source.formats[row] for row in np.flatnonzero(self.position < 0).tolist())

    @property
    def folded(self) -> int:
        return len(self.source) - len(self.timeline) - len(self.set_aside)

    def spread(self, numbers: IntArray) -> IntArray:
        """Numbers of the headlines for every row of the source; one set aside has a new number of its own."""
        alone = self.position < 0
        rows = numbers[self.position]
        rows[alone] = int(numbers.max()) + 1 + np.arange(alone.sum())
        return rows

    @cached_property
    def copies(self) -> IntArray:
        """Which headlines are copies of one another: equal numbers, int64 [n]."""
        return find_duplicates(self.timeline.texts, publishers=self.timeline.publishers).duplicate_of


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """Groups at one granularity."""

    ids: IntArray  # group id of each headline, int64 [n], from 1; the same group keeps its id
    granularity: float  # where the hierarchy was cut, 0–1
    automatic: bool  # the timeline's own level, or the one it was refitted to
    quality: GroupQuality | None  # against the gold groups; None where the timeline has none
    signature: str  # everything that this result depends on, in one line
    marks: Marks = field(default_factory=Marks)  # what corrections say about the headlines and groups
    corrections: Corrections | None = None  # those in force; None for none
    titles: str = ""  # language of the titles of events in several; "" for that of most headlines

    @property
    def events(self) -> int:
        return int((np.unique_counts(self.ids).counts > 1).sum())

    def title(self, group: int, usual: str) -> str:
        return self.marks.titles.get(group, usual)


def headline_keys(timeline: Timeline) -> list[str]:
    """What identifies each headline when others are added: time and text, in sortable form."""
    published = timeline.table[Field.PUBLISHED]
    times = published.dt.strftime("%Y-%m-%dT%H:%M:%S").fillna("~")
    return [f"{time} {text}" for time, text in zip(times, timeline.texts, strict=True)]


def prepare(
    timeline: Timeline, settings: Settings, runtime: Runtime, *, previous: Mapping[str, int] | None = None
) -> Prepared:
    """Encodes, scores and builds the hierarchy; groups keep the `previous` numbers by `headline_keys`."""
    source, position = timeline, np.arange(len(timeline))
    if settings.events_alone:
        reports = np.array([not name for name in source.formats], dtype=bool)
        if reports.any() and not reports.all():
            timeline, position = source.select(np.flatnonzero(reports)), np.cumsum(reports) - 1
            position[~reports] = -1
    if settings.fold:
        folded = fold(timeline, find_duplicates(timeline.texts, publishers=timeline.publishers))
        timeline = folded.timeline
        position = np.where(position < 0, -1, folded.position[position])
    if not len(timeline):
        message = "The timeline has no headline."
        raise InputError(message, hint="Load a file with at least one row that has a headline.")
    scorer = scorer_of(settings.scorer, settings.encoder, timeline.reading)
    grouper = groupers.parse(settings.method)
    encoder = encoder_of(timeline.reading, settings.encoder, scorer)
    context = timeline_context(timeline, encoder, runtime)
    similarities = score_candidates(scorer, context, runtime)
    if scorer.calibrated:
        part_look_alikes(similarities, context, timeline.publishers)
        similarities = join_growing_tolls(similarities, context)
    similarities = _with_edits(similarities, timeline.editions.article)
    hierarchy = grouper.fit(GroupingInput(similarities, context.vectors), runtime)
    days = context.days
    start = choose_granularity(
        hierarchy,
        similarities,
        *(_sampled(similarities, context) if scorer.calibrated else sampled_probabilities(context, runtime)),
        fade=lambda rows: scorer.fade(days[rows, None], days[None, :]),
    )
    methods = encoder, scorer, grouper
    used = _signatures(methods)
    return Prepared(
        source=source,
        timeline=timeline,
        position=position,
        encoder=used[0],
        scorer=used[1],
        method=used[2],
        context=context,
        similarities=similarities,
        hierarchy=hierarchy,
        start=start,
        reference=hierarchy.cut(start.granularity),
        previous=previous,
        signature=_signature(source, timeline, methods, runtime, previous, aside=int((position < 0).sum())),
        device=runtime.device,
    )


def _with_edits(similarities: Similarities, article: IntArray) -> Similarities:
    """With 1 between the headlines that an outlet gave one article, which is of one event."""
    order = np.argsort(article, kind="stable")
    starts = np.flatnonzero(np.diff(article[order])) + 1
    if len(starts) + 1 >= len(order):
        return similarities
    return similarities.raised_within([rows for rows in np.split(order, starts) if len(rows) > 1], 1.0)


def _sampled(similarities: Similarities, context: PairContext) -> tuple[IntArray, Float32Array]:
    rows = sampled_rows(context)
    said = similarities.between(rows, rows)
    dated = np.isfinite(context.days[rows])
    odds = said * np.where(dated[:, None] & dated, np.float32(_odds_factor(similarities)), np.float32(1))
    return rows, np.asarray(odds / (1 - said + odds), dtype=np.float32)


def _odds_factor(similarities: Similarities) -> float:
    _, _, said = similarities.edges(DOUBTFUL[0])
    doubtful, sure = np.count_nonzero(said < DOUBTFUL[1]), np.count_nonzero(said >= SURE)
    crowding = doubtful / (len(similarities) + sure)
    return ODDS_UNDERSAID * min(1.0, (CROWDED / crowding) ** 4 if crowding else 1.0)


def _signature(
    source: Timeline, timeline: Timeline, methods: _Methods, runtime: Runtime,
    previous: Mapping[str, int] | None, *, aside: int,
) -> str:  # fmt: skip
    left_out = " (copies folded)" if len(timeline) < len(source) - aside else ""
    left_out += f" (repeated formats set aside: {aside})" if aside else ""
    encoder, scorer, _ = methods
    # The start asks a learned scorer where the similarities are no probabilities.
    asked = () if scorer.calibrated else (pair_scorers.parse("event_blend"),)
    weights = weights_signature(*methods, *asked)
    numbers = numbers_of_vectors(timeline.texts, encoder, runtime) + numbers_signature(runtime, scorer)
    parts = [
        f"headline-lab {__version__}",
        f"data:{source.fingerprint}{left_out}",
        *_signatures(methods),
        *weights,
        *dict.fromkeys(numbers),
        *answers_signature(runtime, scorer),
    ]
    if previous is not None:
        parts.append(f"since:{sha256(repr(sorted(previous.items())).encode()).hexdigest()[:16]}")
    return " · ".join(parts)


def _signatures(methods: _Methods) -> tuple[str, str, str]:
    encoder, scorer, grouper = methods
    return encoders.signature(encoder), pair_scorers.signature(scorer), groupers.signature(grouper)


def start_of(prepared: Prepared, corrections: Corrections | None = None) -> float:
    """The granularity to start with: the one that corrections were refitted to, or the timeline's own."""
    level = None if corrections is None else corrections.level(method_of(prepared))
    return prepared.start.granularity if level is None else level


def method_of(prepared: Prepared) -> str:
    return " · ".join((prepared.encoder, prepared.scorer, prepared.method))


def regroup(
    prepared: Prepared, granularity: float | None = None, *, corrections: Corrections | None = None,
    titles: str = "",
) -> Grouping:  # fmt: skip
    start = start_of(prepared, corrections)
    automatic = granularity is None or math.isclose(granularity, start, abs_tol=SAME_GRANULARITY)
    cut = start if granularity is None or automatic else float(granularity)
    labels = labels_at(prepared, cut, corrections)
    timeline = prepared.timeline
    ids = stable_ids(
        labels, headline_keys(timeline), reference=prepared.reference, previous=prepared.previous
    )
    gold = timeline.table[Field.GOLD].tolist() if timeline.has_gold else None
    how = (" (automatic)" if cut == prepared.start.granularity else " (refitted)") if automatic else ""
    return Grouping(
        ids=ids,
        granularity=cut,
        automatic=automatic,
        quality=quality(ids, gold) if gold else None,
        signature=f"{prepared.signature} · granularity:{cut:g}{how}"
        + (f" · corrections:{corrections.history.digest}" if corrections else "")
        + "".join(f" · asked:{each}" for each in (corrections.history.asked if corrections else ()))
        + (f" · titles:{titles}" if titles else ""),
        marks=corrections.marks(ids) if corrections else Marks(),
        corrections=corrections or None,
        titles=titles,
    )


def labels_at(prepared: Prepared, cut: float, corrections: Corrections | None) -> IntArray:
    """Group of each headline where the hierarchy is cut, as corrected, int64 [n], from 0."""
    labels = prepared.reference if cut == prepared.start.granularity else prepared.hierarchy.cut(cut)
    if not corrections:
        return labels
    # Ties are decided by what a headline is, not by its row.
    keys, outlets = headline_keys(prepared.timeline), prepared.timeline.publishers
    order = sorted(range(len(keys)), key=lambda row: (keys[row], outlets[row] or ""))
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys))
    return enforce(labels, corrections.constraints, prepared.similarities, rank=rank)
