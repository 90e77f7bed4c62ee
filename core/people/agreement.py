"""Agreement as tables: timelines, annotators, votes; headlines that divide people; simulated annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import merge_annotators, pairs_together, timeline_groups
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.groups.quality import quality
from core.people.ratings import Asks, FormQuestion, Ratings
from core.people.votes import VoteConsensus, VoteTable, alpha, pair_alpha, raw_agreement, vote_rows
from core.results.render import count_words
from core.results.table import Row, Table, TableColumn, footnotes, percent, read_columns, spanned, whole
from core.statistics.bootstrap import Figure
from core.statistics.krippendorff import Scale, alpha_of

if TYPE_CHECKING:
    from core.people.gold import GoldGroups, GoldLabels

COLUMNS: Final = read_columns(Path(__file__).with_name("columns.toml"))


def at_headlines(left: IntArray, right: IntArray, pairs: npt.ArrayLike, n: int) -> FloatArray:
    """What the pairs of each of n headlines add up to, float64 [n], from both ends of each pair."""
    values = np.broadcast_to(pairs, left.shape)
    totals = np.bincount(np.concatenate([left, right]), np.tile(values, 2), minlength=n)
    return np.asarray(totals, dtype=np.float64)


def _differing(annotators: IntArray, model: IntArray) -> tuple[npt.NDArray[Any], ...]:
    """Ends of the pairs on which people differ, how many join, how many placed both, if a model joins."""
    left, right, together, both = pairs_together(annotators)
    pairs = np.stack([left, right, together, both, model[left] == model[right]])
    return tuple(pairs[:, together < both])


def with_model(annotators: IntArray, model: IntArray) -> FloatArray:
    """Of the answers on which people differ, the share on the model's side, float64 [n], 0–1 or NaN."""
    left, right, together, both, same = _differing(annotators, model)
    sided = np.where(same, together, both - together)
    agreeing, asked = (at_headlines(left, right, counts, len(annotators)) for counts in (sided, both))
    with np.errstate(invalid="ignore"):
        return agreeing / asked


def model_sides(annotators: IntArray, model: IntArray) -> tuple[IntArray, Figure]:
    """With which of two annotators, int64 [n, 2], a model sides where one of them joins a pair, one not.

    Of each headline's such pairs how many the model sees as either does, int64 [n, 2]; and the share of all
    on the side of the first. A place is all headlines that such pairs connect; its interval draws places.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, right, _, _, same = _differing(annotators, model)
    first, n = (annotators[left, 0] == annotators[right, 0]) == same, len(annotators)
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(n, n))
    _, place = np.unique(connected_components(graph)[1][left], return_inverse=True)
    share = Figure.ratio(np.stack([np.bincount(place, first), np.bincount(place)], axis=1), unit="places")
    sides = [at_headlines(left, right, side, n) for side in (first, ~first)]
    return np.stack(sides, axis=1).astype(np.int64), share


def sides_table(timeline: Timeline, two: GroupAgreement, model: IntArray) -> Table:
    """The headlines on which two annotators differ, the widest first, and with whom the model sides."""
    names = [person["annotator"] for person in two.people]
    sides, share = model_sides(two.annotators, model)
    counts = ("Pairs that differ", *(f"Model with {name}" for name in names))
    total = sides.sum(axis=1)
    order = [row for row in np.argsort(-total, kind="stable").tolist() if total[row]]
    return Table(
        columns=(TableColumn("Headline"), *(TableColumn(name, form=whole) for name in counts)),
        rows=tuple((timeline.texts[row], int(total[row]), *map(int, sides[row])) for row in order),
        title="Where the two differ, and with whom the model sides",
        notes=(sided(names, share),),
    )


def sided(names: Sequence[str], share: Figure) -> str:
    """In a sentence how often a model sides with the first of two annotators."""
    if share.value is None:
        return f"{names[0]} and {names[1]} never differ."
    pairs, own = count_words(share.count, "pair", "pairs"), round(share.value * share.count)
    said = f"{names[0]} and {names[1]} differ on {pairs} of headlines."
    more = f"The model sides with {names[0]} on {own:,} (in percent {spanned(share, percent(0))})"
    more += f", with {names[1]} on {share.count - own:,}."
    return " ".join([said, more, *footnotes([share.warning])])


MEASURES: Final = ("ami", "ari", "pair_f1")
Record = Mapping[str, Any]
"""A line of a table by the keys of its columns."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    """How far the annotators of one timeline agree."""

    name: str
    headlines: int  # how many somebody grouped
    annotators: IntArray  # the groups of those who grouped anything, int64 [n, k], as `people` names them
    merged: IntArray  # global groups, int64 [n], from 0; a headline that nobody grouped is one of its own
    people: tuple[Record, ...]  # each against the groups merged from the others, as `compared` measures it
    alpha: float | None  # Krippendorff's, over pairs of headlines, "same group" or not
    divided: FloatArray  # of each headline's pairs that somebody put together, the share that others did not

    @property
    def groups(self) -> int:
        """How many global groups there are, without headlines that nobody grouped."""
        return int(self.merged.max(initial=-1)) + 1 - (len(self.merged) - self.headlines)

    @property
    def positive_pairs(self) -> int:
        sizes = np.bincount(self.merged)
        return int((sizes * (sizes - 1) // 2).sum())

    @property
    def means(self) -> dict[str, Figure]:
        """The annotators' means, the paper's agreement for "ami", None where one has no value; and alpha."""
        means = {name: _mean([person[name].value for person in self.people]) for name in MEASURES}
        return {name: Figure(value) for name, value in {**means, "alpha": self.alpha}.items()}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def group_agreement(timeline: Timeline, *, quorum: float | None = None, seed: int = 0) -> GroupAgreement:
    _, annotators = timeline_groups(timeline)
    grouped = np.asarray((annotators >= 0).any(axis=0))
    names = [name for name, some in zip(timeline.annotators, grouped, strict=True) if some]
    annotators = annotators[:, grouped]
    if annotators.shape[1] < 2:
        said = f"{timeline.name[:80] or 'The timeline'} was grouped by fewer than two annotators."
        hint = "Add columns `annot_1_group`, `annot_2_group` …, or another tool's file with `--answers`."
        raise InputError(said, hint=hint)
    most = limits.CANDIDATE_PAIRS.value
    if sum(int((np.bincount(column[column >= 0]) ** 2).sum()) for column in annotators.T) > 2 * most:
        said = f"The annotators' groups hold more than {most:,} pairs of headlines."
        raise InputError(said, hint=f"Compare fewer headlines, or raise {limits.CANDIDATE_PAIRS.variable}.")
    people = tuple(
        compared(name, annotators[:, at], np.delete(annotators, at, axis=1), quorum=quorum, seed=seed)
        for at, name in enumerate(names)
    )
    left, right, yes, both = pairs_together(annotators)
    counts = (at_headlines(left, right, pairs, len(timeline)) for pairs in (yes < both, 1))
    with np.errstate(invalid="ignore"):
        divided = np.divide(*counts)
    return GroupAgreement(
        name=timeline.name,
        headlines=int((annotators >= 0).any(axis=1).sum()),
        annotators=annotators,
        merged=merge_annotators(annotators, quorum=quorum, seed=seed),
        people=people,
        alpha=pair_alpha(annotators).value,
        divided=divided,
    )


def compared(
    name: str, groups: IntArray, others: IntArray, *, quorum: float | None = None, seed: int = 0
) -> Record:
    """One grouping, int64 [n], against those of others, int64 [n, k], merged; -1 for none."""
    own = (groups >= 0) & (others >= 0).any(axis=1)
    merged = merge_annotators(others, quorum=quorum, seed=seed)
    scores = quality(groups[own], merged[own].tolist()).scores
    given = groups[groups >= 0]
    sizes = {"annotator": name, "headlines": len(given), "groups": len(np.unique(given))}
    return {**sizes, **{measure: scores[measure] for measure in MEASURES}}


_SPANS: Final = "Brackets: 95 % intervals that hold for other events and, from three on, other annotators."
_LEFT_OUT: Final = "AMI, ARI and pair F1: each annotator against the groups merged from the others."


def timelines_table(
    agreements: Sequence[GroupAgreement], intervals: Sequence[Mapping[str, Figure]] = ()
) -> Table:
    """Table 1 of the HLGD paper: size, groups, positive pairs and agreement of each timeline."""
    rows: list[Row] = []
    for agreement, figures in zip(agreements, intervals or [each.means for each in agreements], strict=True):
        size = agreement.headlines, agreement.groups, agreement.positive_pairs, len(agreement.people)
        rows.append((agreement.name, *size, *figures.values()))
    # the mean over timelines, each counted once, as the paper's .814 is
    mean, note = _mean([agreement.means["ami"].value for agreement in agreements]), _LEFT_OUT
    if mean is not None and len(agreements) > 1:
        note += f" Mean AMI over {len(agreements)} timelines: {mean:.3f}."
    if intervals:
        note += f" {_SPANS}"
    columns, title = COLUMNS["timelines"], "Agreement of annotators"
    return Table(columns=columns, rows=tuple(rows), title=title, notes=(note,))


_RIGHT_IS: Final = (
    "Expected F1: twice the pairs that an annotator joins and are probably right, by all joined and all "
    "right. 95 % intervals over events."
)


def people_table(
    agreement: GroupAgreement, others: Sequence[Record] = (), gold: GoldGroups | None = None
) -> Table:
    """Each annotator of a timeline; below, what else is compared with the groups merged from all."""
    right = gold.people if gold else ()
    rows = tuple((*person.values(), *right[at : at + 1]) for at, person in enumerate(agreement.people))
    more = " What is no annotator is compared with those merged from all." if others else ""
    return Table(
        columns=COLUMNS["annotators"][: len(rows[0])],
        rows=rows,
        below=tuple((*other.values(), *([""] if gold else [])) for other in others),
        title=agreement.name,
        notes=(_LEFT_OUT + more, *([_RIGHT_IS] if gold else [])),
    )


def merged_table(
    timelines: Sequence[Timeline],
    agreements: Sequence[GroupAgreement],
    gold: Sequence[IntArray],
    likely: Sequence[GoldGroups],
) -> Table:
    """Every headline with its groups, merged as adjudicated and likeliest; the most divided first."""
    rows: list[Any] = []
    for timeline, of, groups, sure in zip(timelines, agreements, gold, likely, strict=True):
        cells = zip(_named(timeline), groups, of.divided, sure.groups, strict=True)
        for named, group, share, at in cells:
            rows.append((of.name, *named, int(group) + 1, float(share), int(at) + 1, sure.chances[at]))
    rows.sort(key=lambda row: (row[0], -np.nan_to_num(row[5])))
    return Table(columns=COLUMNS["merged"], rows=tuple(rows), title="Merged groups")


def _named(timeline: Timeline) -> Iterator[tuple[int | None, str, str]]:
    """Line in the file, day and text of each headline, by which a table can be joined with the file."""
    lines = repeat(None, len(timeline)) if timeline.lines is None else timeline.lines.tolist()
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    return zip(lines, days, timeline.texts, strict=True)


def votes_table(votes: VoteTable, *, scale: Scale) -> Table:
    """What people answered, in one row: counts, raw agreement and alpha."""
    figure = alpha(votes, scale)
    again = count_words(votes.repeated, "further answer", "further answers")
    were = "was" if votes.repeated == 1 else "were"
    left_out = f"{again} of a person to an item {were} left out." * bool(votes.repeated)
    reasons = f"No alpha: {figure.reason}." if figure.reason else ""
    counts = len(votes.items), len(votes.people), votes.count
    return Table(
        columns=COLUMNS["votes"],
        rows=((*counts, raw_agreement(votes), scale.value, figure),),
        title="Agreement of votes",
        notes=tuple(filter(None, (*votes.left_out, figure.warning, reasons, left_out))),
    )


def skills_table(votes: VoteTable, result: VoteConsensus, gold: GoldLabels | None = None) -> Table:
    """Each person's answers and how many of them are what the item's answer is, best first."""
    counted = votes.people, result.votes.tolist(), result.skills.tolist(), *([gold.people] if gold else [])
    rows = sorted(zip(*counted, strict=True), key=lambda row: (-np.nan_to_num(row[2]), -row[1], row[0]))
    columns = COLUMNS["people"][: len(counted)]
    return Table(columns=columns, rows=tuple(rows), title=f"People, by {result.method}")


def labels_table(votes: VoteTable, result: VoteConsensus, gold: GoldLabels | None = None) -> Table:
    likely = [] if gold is None else [[votes.answers[at] for at in gold.chosen], gold.chances]
    cells = votes.items, result.labels, result.shares.tolist(), *likely
    columns, rows = COLUMNS["labels"][: len(cells)], tuple(zip(*cells, strict=True))
    return Table(columns=columns, rows=rows, title=f"Answers, by {result.method}")


def given_table(votes: VoteTable) -> Table:
    """One line a vote, with who gave it and, where that is known, under which instructions and when."""
    rows = vote_rows(votes)
    columns = tuple(TableColumn(str(name)) for name in rows)
    return Table(columns=columns, rows=tuple(rows.itertuples(index=False, name=None)), title="Votes")


def scale_of(question: FormQuestion) -> Scale:
    graded = len(question.levels) > 2 and not question.about_pairs
    return Scale.ORDINAL if graded or question.asks in (Asks.ORDER, Asks.BEST_WORST) else Scale.NOMINAL


def alpha_table(ratings: Ratings) -> Table:
    """Alpha of each question for each system, where each has answers of its own, and over all."""
    task, counted = ratings.task, ratings.counted()
    systems, rows = len(task.systems), list[Row]()
    published = [question.published_alpha for question in ratings.form.questions]
    published = published if any(alpha is not None for alpha in published) else []
    for at, question in enumerate(ratings.form.questions):
        values = counted[:, at][..., list(question.places(systems))]
        own: list[Figure | None] = [None] * systems
        scale, asked = scale_of(question), values.reshape(len(values), -1)
        if question.asks is Asks.ONE:
            known = ~np.isnan(values).any(axis=-1)
            asked = np.where(known, np.nan_to_num(values).argmax(axis=-1), np.nan)
        elif not question.about_pairs:
            own = [alpha_of(values[..., place].T, scale, unit="articles") for place in range(systems)]
        units = np.repeat(np.arange(len(task.articles)), asked.shape[1] // len(task.articles))
        whole = alpha_of(asked.T, scale, units=units, unit="articles")
        rows.append((question.label, scale.value, *own, whole, *published[at : at + 1]))
    figures = [value for row in rows for value in row if isinstance(value, Figure)]
    first, scale_column, last, paper = COLUMNS["judges"]
    systems_columns = (TableColumn(name) for name in task.systems)
    columns = (first, scale_column, *systems_columns, last, *([paper] if published else []))
    return Table(
        columns=columns,
        rows=tuple(rows),
        title="Agreement of judges",
        notes=(
            "Krippendorff's alpha: 1 in full agreement, 0 as by chance. Brackets: 95 % intervals for "
            "other articles with the same judges; fewer than ten have none.",
            *footnotes(figure.warning for figure in figures),
        ),
    )


class Faults(NamedTuple):
    """Chances of each fault."""

    split: float  # a group is cut in two at a moment in time
    joined: float  # a group is taken for the one that began before it
    alone: float  # a headline is left alone


FAULTS: Final = Faults(0.15, 0.1, 0.05)
MOST: Final = 100
SIMULATED: Final = "annotator_simulated "  # begins the name of the column of one who is made up


def with_simulated(timeline: Timeline, people: int, *, seed: int = 0) -> Timeline:
    """The timeline with annotators made by putting faults into gold groups; no estimate of what people do."""
    if not 2 <= people <= MOST:
        raise InputError(f"{people} annotators cannot be simulated.", hint=f"Choose from 2 to {MOST}.")
    gold, _ = timeline_groups(timeline)
    if len(gold) == 0 or (gold < 0).any():
        raise InputError(
            f"{timeline.name[:80] or 'The timeline'} lacks gold groups, from which annotators are simulated.",
            hint="Add a column `gold_group` with a group for each headline.",
        )
    order = np.argsort(timeline.days, kind="stable")
    generator = np.random.default_rng(seed)
    table = timeline.table.drop(columns=timeline.annotators)
    for person in range(1, people + 1):
        groups = np.empty_like(gold)
        groups[order] = with_faults(gold[order], generator)
        table[f"{SIMULATED}{person}"] = [str(group) for group in groups]
    return replace(timeline, table=table, name=f"{timeline.name} (simulated annotators)")


def with_faults(groups: IntArray, generator: np.random.Generator, faults: Faults = FAULTS) -> IntArray:
    split, joined, alone = faults
    changed = groups.copy()
    names = list(dict.fromkeys(groups.tolist()))
    fresh = int(groups.max()) + 1
    for before, name in pairwise(names):
        if generator.random() < joined:
            changed[groups == name] = changed[groups == before][0]
    for name in names:
        rows = np.flatnonzero(groups == name)
        if len(rows) > 1 and generator.random() < split:
            changed[rows[generator.integers(1, len(rows)) :]] = fresh
            fresh += 1
    single = np.flatnonzero(generator.random(len(groups)) < alone)
    changed[single] = np.arange(fresh, fresh + len(single))
    return changed
