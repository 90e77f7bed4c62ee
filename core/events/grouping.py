"""The main job: a timeline in, groups of headlines that report the same event out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import numpy as np

from core import __version__
from core.arrays import Float32Array, IntArray
from core.data.identity import SHARED
from core.data.timelines.duplicates import find_duplicates, fold
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.events.corrections import Corrections, Marks
from core.events.stories import Story, stories
from core.files import read_tables
from core.groups.constraints import enforce
from core.groups.granularity import GranularityChoice, choose_granularity
from core.groups.grouper import GroupingInput, Hierarchy, groupers
from core.groups.quality import GroupQuality, quality
from core.groups.stable_ids import stable_ids
from core.models.encoders.cached import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, default_encoder, encoders
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.candidates import score_candidates
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.event_blend import sampled_probabilities
from core.pairs.scoring import check_needs, encoder_of, pair_context
from core.results.render import count_words
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.language import timeline_language

NO_E5 = (
    "multilingual-e5-small is not installed here (its package is for Linux on x86-64), so headlines in other "
    "languages than English are compared with an older encoder: look at the groups twice."
)
SAME_GRANULARITY = 5e-4  # this near to the one chosen from the timeline is that one, to a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to group; every value is a registered name or a full signature."""

    encoder: str = AUTOMATIC  # the text encoder, or "auto" for the one that fits the language
    scorer: str = "event_similarity"  # what makes two headlines alike
    method: str = "average_linkage"  # how alike headlines become groups
    fold: bool = False  # leave out copies of an earlier headline; they get the group of the first


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Everything that does not change when the slider moves."""

    source: Timeline  # the timeline as it was given
    timeline: Timeline  # what was grouped: the source, or the source without copies
    position: IntArray  # row in `timeline` of each row of `source`, int64 [n]
    language: str  # its language (ISO 639-1) or "mixed"
    encoder: str  # full signatures of what was used
    scorer: str  # full signatures of what was used
    method: str  # full signatures of what was used
    vectors: Float32Array  # unit vectors, float32 [n, d]
    similarities: Similarities  # of the n headlines, time included
    hierarchy: Hierarchy  # what is cut
    start: GranularityChoice  # the granularity chosen from the timeline itself, and why
    reference: IntArray  # groups at the start, int64 [n]; group ids are matched to them
    previous: Mapping[str, int] | None  # group numbers of an earlier version, by `headline_keys`
    signature: str  # all that the hierarchy depends on, in one line; kept, for pages ask at every rerun
    device: str  # what computed it; see `Runtime`


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

    @property
    def events(self) -> int:
        """How many groups have two or more headlines."""
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
    if settings.fold:
        folded = fold(source, find_duplicates(source.texts, publishers=source.publishers))
        timeline, position = folded.timeline, folded.position
    if not len(timeline):
        raise InputError(
            "The timeline has no headline.", hint="Load a file with at least one row that has a headline."
        )
    language = timeline_language(timeline.texts)
    scorer = pair_scorers.parse(settings.scorer)
    encoder = encoder_of(timeline.texts, settings.encoder, scorer)
    grouper = groupers.parse(settings.method)
    vectors = encode_cached(timeline.texts, encoder, runtime)
    context = pair_context(timeline, vectors)
    check_needs(scorer, context)
    similarities = score_candidates(scorer, context, runtime)
    hierarchy = grouper.fit(GroupingInput(similarities, vectors), runtime)
    days = context.days
    start = choose_granularity(
        hierarchy,
        similarities,
        *sampled_probabilities(context, runtime),
        fade=lambda rows: scorer.fade(days[rows, None], days[None, :]),
    )
    methods = (encoders.signature(encoder), pair_scorers.signature(scorer), groupers.signature(grouper))
    # The start asks the learned scorer, whatever the similarities came from.
    weights = weights_signature(encoder, scorer, grouper, pair_scorers.parse("event_blend"))
    numbers = numbers_of_vectors(timeline.texts, encoder, runtime) + numbers_signature(runtime, scorer)
    parts = [
        f"headline-lab {__version__}",
        f"data:{source.fingerprint}{' (copies folded)' if len(timeline) < len(source) else ''}",
        *methods,
        *weights,
        *dict.fromkeys(numbers),
    ]
    if previous is not None:
        parts.append(f"since:{sha256(repr(sorted(previous.items())).encode()).hexdigest()[:16]}")
    return Prepared(
        source=source,
        timeline=timeline,
        position=position,
        language=language,
        encoder=methods[0],
        scorer=methods[1],
        method=methods[2],
        vectors=vectors,
        similarities=similarities,
        hierarchy=hierarchy,
        start=start,
        reference=hierarchy.cut(start.granularity),
        previous=previous,
        signature=" · ".join(parts),
        device=runtime.device,
    )


def start_of(prepared: Prepared, corrections: Corrections | None = None) -> float:
    """The granularity to start with: the one that corrections were refitted to, or the timeline's own."""
    level = None if corrections is None else corrections.level(method_of(prepared))
    return prepared.start.granularity if level is None else level


def method_of(prepared: Prepared) -> str:
    return " · ".join((prepared.encoder, prepared.scorer, prepared.method))


def regroup(
    prepared: Prepared, granularity: float | None = None, *, corrections: Corrections | None = None
) -> Grouping:
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
        + (f" · corrections:{corrections.history.digest}" if corrections else ""),
        marks=corrections.marks(ids) if corrections else Marks(),
        corrections=corrections or None,
    )


def stories_of(prepared: Prepared, grouping: Grouping) -> list[Story]:
    return stories(prepared.vectors, prepared.timeline.days, grouping.ids)


def story_of(prepared: Prepared, grouping: Grouping) -> IntArray:
    """Number of the story of each headline, int64 [n]; of an event of no other story, its own."""
    numbers = grouping.ids.copy()
    for story in stories_of(prepared, grouping):
        numbers[np.isin(grouping.ids, story.events)] = story.number
    return numbers


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


def encoder_notes(prepared: Prepared) -> list[str]:
    """A sentence where an older encoder stands in for the default, which has no build for every system."""
    older = "use_multilingual.v1"
    stands_in = prepared.encoder.startswith(older) and default_encoder(prepared.language) == older
    return [NO_E5] if stands_in else []


def groups_as_object(prepared: Prepared, grouping: Grouping) -> dict[str, Any]:
    """Plain data: counts, method, granularity, quality (None without gold) and signature."""
    _, sizes = np.unique(grouping.ids[prepared.position], return_counts=True)
    quality = grouping.quality
    return {
        "headlines": len(prepared.source),
        "rejected": len(prepared.source.report.rejected),
        "encoding": prepared.source.report.encoding,
        "notes": [*prepared.source.report.notes, *encoder_notes(prepared), *prepared.source.unread_notes()],
        "unread": prepared.source.unread(),
        "ledger": dict(prepared.source.report.ledger),
        "groups": len(sizes),
        "singletons": int((sizes == 1).sum()),
        "stories": len(stories_of(prepared, grouping)),
        "undated": prepared.source.undated,
        "language": prepared.language,
        "method": prepared.method,
        "device": prepared.device,
        "granularity": round(grouping.granularity, 4),
        "automatic": grouping.automatic,
        "corrections": 0 if grouping.corrections is None else grouping.corrections.applied,
        "quality": None if quality is None else {name: score.value for name, score in quality.scores.items()},
        "signature": grouping.signature,
    }


def groups_as_text(summary: Mapping[str, Any]) -> str:
    how = "chosen from the timeline" if summary["automatic"] else "as given"
    if "(refitted)" in summary["signature"]:
        how = "refitted from corrections"
    lines = [
        f"{count_words(summary['headlines'], 'headline', 'headlines')} in "
        f"{count_words(summary['groups'], 'group', 'groups')} "
        f"({count_words(summary['singletons'], 'single report', 'single reports')})"
        + f", {count_words(summary['stories'], 'story', 'stories')} of several groups"
        * bool(summary["stories"]),
        f"granularity {summary['granularity']:.3f}, {how}",
    ]
    if summary["automatic"] and 1 < summary["headlines"] == summary["groups"]:
        lines.append("No two headlines look like one event: each is a group of its own.")
    if summary["corrections"]:
        lines.append(f"{count_words(summary['corrections'], 'correction', 'corrections')} by people in force")
    if summary["quality"] is not None:
        scores = summary["quality"]
        lines.append(
            "against gold: "
            + ", ".join(
                f"{label} {scores[name]:.3f}"
                for name, (label, _) in LABELS.items()
                if scores.get(name) is not None
            )
        )
    lines.append(summary["signature"])
    return "\n".join(lines)


LABELS: Final[dict[str, list[str]]] = read_tables(__file__)["measures"]  # in the order for people


_GROUP_NUMBER = re.compile(r"0*[1-9][0-9]{0,14}")  # what int64 holds, with room for new groups


def extends(later: Timeline, earlier: Timeline) -> bool:
    """Whether a timeline is a later version of another: it holds at least half of its headlines."""
    before = set(headline_keys(earlier))
    return len(before & set(headline_keys(later))) >= SHARED * len(before)


def group_numbers(prepared: Prepared) -> dict[str, int]:
    """Group number of each headline where the slider starts, by `headline_keys`."""
    ids = regroup(prepared).ids.tolist()
    return dict(zip(headline_keys(prepared.timeline), ids, strict=True))


def written_numbers(earlier: Timeline) -> dict[str, int]:
    """Group numbers from a table that was written before: its column `group`."""
    if "group" not in earlier.original.columns:
        raise InputError(
            "The earlier table has no column 'group'.",
            hint="Give a CSV that `headline-lab group --out` wrote.",
        )
    values = [str(value) for value in earlier.original["group"]]
    if not all(_GROUP_NUMBER.fullmatch(value) for value in values):
        raise InputError(
            "The column 'group' of the earlier table holds something other than group numbers.",
            hint="Give a CSV that `headline-lab group --out` wrote.",
        )
    return dict(zip(headline_keys(earlier), map(int, values), strict=True))
