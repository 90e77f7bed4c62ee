"""Agreement as tables: timelines, annotators, votes; headlines that divide people; simulated annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import merge_annotators, pairs_together, timeline_groups
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.groups.quality import quality
from core.people.ratings import Asks, FormQuestion, Ratings
from core.people.votes import (
    RESAMPLES,
    Consensus,
    Scale,
    VoteTable,
    alpha,
    pair_alpha,
    raw_agreement,
    vote_rows,
)
from core.results.render import count_words
from core.results.table import SPAN, WARNED, Row, Table, TableColumn, footnotes, percent, spanned, whole
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, draws


def with_model(annotators: IntArray, model: IntArray) -> FloatArray:
    """Of the answers on which people differ, the share on the model's side, float64 [n], 0–1 or NaN."""
    left, right, together, both = pairs_together(annotators)
    split = together < both
    left, right, together, both = left[split], right[split], together[split], both[split]
    sided = np.where(model[left] == model[right], together, both - together)
    ends = np.concatenate([left, right])
    agreeing = np.bincount(ends, weights=np.tile(sided, 2), minlength=len(annotators))
    asked = np.bincount(ends, weights=np.tile(both, 2), minlength=len(annotators))
    with np.errstate(invalid="ignore"):
        return np.asarray(agreeing / asked, dtype=np.float64)


def model_sides(annotators: IntArray, model: IntArray, *, seed: int = 0) -> tuple[IntArray, Figure]:
    """With which of two annotators, int64 [n, 2], a model sides where one of them joins a pair, one not.

    Of each headline's such pairs how many the model sees as either does, int64 [n, 2]; and the share of all
    on the side of the first. A place is all headlines that such pairs connect; its interval draws places.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, right, together, both = pairs_together(annotators)
    left, right = left[together < both], right[together < both]
    first = (annotators[left, 0] == annotators[right, 0]) == (model[left] == model[right])
    n, ends = len(annotators), np.concatenate([left, right])
    sides = [np.bincount(ends, np.tile(side, 2), minlength=n).astype(np.int64) for side in (first, ~first)]
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(n, n))
    _, place = np.unique(connected_components(graph)[1][left], return_inverse=True)
    own, pairs = np.bincount(place, first), np.bincount(place)

    def drawn() -> FloatArray:
        blocks = draws(len(pairs), resamples=RESAMPLES, seed=seed)
        return np.concatenate([block @ own / (block @ pairs) for block in blocks])

    value = float(first.mean()) if len(left) else None
    share = Figure.resampled(value, drawn, units=len(pairs), unit="places", count=len(left))
    return np.stack(sides, axis=1), share


def sides_table(timeline: Timeline, two: GroupAgreement, model: IntArray, *, seed: int = 0) -> Table:
    """The headlines on which two annotators differ, the widest first, and with whom the model sides."""
    names = [person.name for person in two.people]
    sides, share = model_sides(two.annotators, model, seed=seed)
    counts = ("Pairs that differ", *(f"Model with {name}" for name in names))
    columns = (TableColumn("Headline"), *(TableColumn(name, form=whole) for name in counts))
    total = sides.sum(axis=1)
    order = [row for row in np.argsort(-total, kind="stable").tolist() if total[row]]
    rows = tuple((timeline.texts[row], int(total[row]), *map(int, sides[row])) for row in order)
    title = "Where the two differ, and with whom the model sides"
    return Table(columns=columns, rows=rows, title=title, notes=(sided(names, share),))


def sided(names: Sequence[str], share: Figure) -> str:
    """In a sentence how often a model sides with the first of two annotators."""
    if share.value is None:
        return f"{names[0]} and {names[1]} never differ."
    pairs, own = count_words(share.count, "pair", "pairs"), round(share.value * share.count)
    said = f"{names[0]} and {names[1]} differ on {pairs} of headlines."
    more = f"The model sides with {names[0]} on {own:,} (in percent {spanned(share, percent(0))})"
    more += f", with {names[1]} on {share.count - own:,}."
    return " ".join([said, more, *footnotes([share.warning])])


if TYPE_CHECKING:
    from core.people.gold import GoldGroups, GoldLabels


MEASURES: Final[Mapping[str, str]] = {"ami": "AMI", "ari": "ARI", "pair_f1": "pair F1"}


@dataclass(frozen=True, slots=True)
class PersonAgreement:
    """One annotator, or a model, against the groups merged from the (other) annotators."""

    name: str
    headlines: int
    groups: int
    scores: dict[str, Figure]


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    """How far the annotators of one timeline agree."""

    name: str
    headlines: int  # how many somebody grouped
    annotators: IntArray  # the groups of those who grouped anything, int64 [n, k], as `people` names them
    merged: IntArray  # global groups, int64 [n], from 0; a headline that nobody grouped is one of its own
    people: tuple[PersonAgreement, ...]
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

    def mean(self, measure: str) -> float | None:
        """The annotators' mean of a measure, the paper's agreement for "ami"; None where one has no value."""
        return _mean([person.scores[measure].value for person in self.people])


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def group_agreement(timeline: Timeline, *, quorum: float | None = None, seed: int = 0) -> GroupAgreement:
    _, annotators = timeline_groups(timeline)
    grouped = np.asarray((annotators >= 0).any(axis=0))
    names = [name for name, some in zip(timeline.annotators, grouped, strict=True) if some]
    annotators = annotators[:, grouped]
    if annotators.shape[1] < 2:
        raise InputError(
            f"{timeline.name[:80] or 'The timeline'} was grouped by fewer than two annotators.",
            hint="Add columns `annot_1_group`, `annot_2_group` …, or another tool's file with `--answers`.",
        )
    most = limits.CANDIDATE_PAIRS.value
    if sum(int((np.bincount(column[column >= 0]) ** 2).sum()) for column in annotators.T) > 2 * most:
        raise InputError(
            f"The annotators' groups hold more than {most:,} pairs of headlines.",
            hint=f"Compare fewer headlines, or raise {limits.CANDIDATE_PAIRS.variable}.",
        )
    people = tuple(
        compared(name, annotators[:, at], np.delete(annotators, at, axis=1), quorum=quorum, seed=seed)
        for at, name in enumerate(names)
    )
    left, right, yes, both = pairs_together(annotators)
    ends = np.concatenate([left, right])
    split = np.bincount(ends, weights=np.tile(yes < both, 2), minlength=len(timeline))
    with np.errstate(invalid="ignore"):
        divided = split / np.bincount(ends, minlength=len(timeline))
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
) -> PersonAgreement:
    """One grouping, int64 [n], against those of others, int64 [n, k], merged; -1 for none."""
    own = (groups >= 0) & (others >= 0).any(axis=1)
    merged = merge_annotators(others, quorum=quorum, seed=seed)
    scores = quality(groups[own], merged[own].tolist()).scores
    given = groups[groups >= 0]
    measured = {measure: scores[measure] for measure in MEASURES}
    return PersonAgreement(name, len(given), len(np.unique(given)), measured)


def model_groups(timeline: Timeline, runtime: Runtime) -> tuple[str, IntArray]:
    """The program's own groups with its default settings, int64 [n], and what they are called in tables."""
    prepared = prepare(timeline, Settings(), runtime)
    ids = regroup(prepared, None).ids[prepared.position]
    return f"groups by {prepared.scorer.partition('|')[0]}", np.asarray(ids, dtype=np.int64)


_SPANS: Final = "Brackets: 95 % intervals that hold for other events and, from three on, other annotators."
_LEFT_OUT: Final = "AMI, ARI and pair F1: each annotator against the groups merged from the others."


def timelines_table(
    agreements: Sequence[GroupAgreement], intervals: Sequence[Mapping[str, Figure]] = ()
) -> Table:
    """Table 1 of the HLGD paper: size, groups, positive pairs and agreement of each timeline."""
    parts = SPAN if intervals else ()
    columns = (
        TableColumn("Timeline", key="timeline"),
        TableColumn("Headlines", key="headlines", form=whole),
        TableColumn("Groups", key="groups", form=whole),
        TableColumn("Positive pairs", key="positive_pairs", form=whole),
        TableColumn("Annotators", key="annotators", form=whole),
        *(TableColumn(title, key=measure, parts=parts) for measure, title in MEASURES.items()),
        TableColumn("Alpha of pairs", key="alpha", parts=parts),
    )
    spans = intervals or [{} for _ in agreements]
    rows: tuple[Row, ...] = tuple(
        (
            agreement.name,
            agreement.headlines,
            agreement.groups,
            agreement.positive_pairs,
            len(agreement.people),
            *(span.get(measure, Figure(agreement.mean(measure))) for measure in MEASURES),
            span.get("alpha", Figure(agreement.alpha)),
        )
        for agreement, span in zip(agreements, spans, strict=True)
    )
    # the mean over timelines, each counted once, as the paper's .814 is
    mean, note = _mean([agreement.mean("ami") for agreement in agreements]), _LEFT_OUT
    if mean is not None and len(agreements) > 1:
        note += f" Mean AMI over {len(agreements)} timelines: {mean:.3f}."
    if intervals:
        note += " " + _SPANS
    return Table(columns=columns, rows=rows, title="Agreement of annotators", notes=(note,))


_RIGHT_IS: Final = (
    "Expected F1: twice the pairs that an annotator joins and are probably right, by all joined and all "
    "right; 95 % intervals over events."
)


def people_table(
    agreement: GroupAgreement, others: Sequence[PersonAgreement] = (), gold: GoldGroups | None = None
) -> Table:
    """Each annotator of a timeline; below, what else is compared with the groups merged from all."""
    columns = (
        TableColumn("Annotator", key="annotator"),
        TableColumn("Headlines", key="headlines", form=whole),
        TableColumn("Groups", key="groups", form=whole),
        *(TableColumn(title, key=measure, better="higher") for measure, title in MEASURES.items()),
        *([TableColumn("Expected F1", key="expected_f1", parts=SPAN, better="higher")] if gold else []),
    )
    rows, below = _person_rows(agreement.people), _person_rows(others)
    if gold:
        rows = tuple((*row, figure) for row, figure in zip(rows, gold.people, strict=True))
        below = tuple((*row, "") for row in below)
    more = " What is no annotator is compared with those merged from all." if others else ""
    notes = (_LEFT_OUT + more, *([_RIGHT_IS] if gold else []))
    return Table(columns=columns, rows=rows, below=below, title=agreement.name, notes=notes)


def _person_rows(people: Sequence[PersonAgreement]) -> tuple[Row, ...]:
    return tuple(
        (person.name, person.headlines, person.groups, *(person.scores[measure] for measure in MEASURES))
        for person in people
    )


def merged_table(
    timelines: Sequence[Timeline],
    agreements: Sequence[GroupAgreement],
    gold: Sequence[IntArray],
    likely: Sequence[GoldGroups],
) -> Table:
    """Every headline with its groups; those on which the annotators differ most first.

    `gold` are the merged groups as adjudicated, `likely` those with a probability.
    """
    columns = (
        TableColumn("Timeline", key="timeline"),
        TableColumn("Headline", key="headline"),
        TableColumn("Group", key="group"),
        TableColumn("Pairs on which people differ %", key="divided", form=percent()),
        TableColumn("Likeliest group", key="likeliest_group"),
        TableColumn("Probability %", key="probability", form=percent(), parts=SPAN),
    )
    rows = [
        (
            *(agreement.name, text, int(group) + 1, Figure(None if np.isnan(share) else float(share))),
            *(int(likeliest) + 1, sure.chances[likeliest]),
        )
        for timeline, agreement, groups, sure in zip(timelines, agreements, gold, likely, strict=True)
        for text, group, share, likeliest in zip(
            timeline.texts, groups, agreement.divided, sure.groups, strict=True
        )
    ]
    rows.sort(key=lambda row: (row[0], -(row[3].value or 0.0)))
    return Table(columns=columns, rows=tuple(rows), title="Merged groups")


def votes_table(votes: VoteTable, *, scale: Scale, seed: int = 0) -> Table:
    """What people answered, in one row: counts, raw agreement and alpha."""
    columns = (
        TableColumn("Items", key="items", form=whole),
        TableColumn("People", key="people", form=whole),
        TableColumn("Answers", key="answers", form=whole),
        TableColumn("Equal pairs of answers %", key="raw", form=percent()),
        TableColumn(f"Alpha ({scale.value})", key="alpha", parts=SPAN),
    )
    figure = alpha(votes, scale, seed=seed)
    again = count_words(votes.repeated, "further answer", "further answers")
    left_out = f"{again} of a person to an item {'was' if votes.repeated == 1 else 'were'} left out."
    reasons = f"No alpha: {figure.reason}." if figure.reason else ""
    return Table(
        columns=columns,
        rows=((len(votes.items), len(votes.people), votes.count, Figure(raw_agreement(votes)), figure),),
        title="Agreement of votes",
        notes=tuple(filter(None, (figure.warning, reasons, left_out if votes.repeated else ""))),
    )


def skills_table(votes: VoteTable, result: Consensus, gold: GoldLabels | None = None) -> Table:
    """Each person's answers and how many of them are what the item's answer is, best first."""
    columns = (
        TableColumn("Person", key="person"),
        TableColumn("To decided items", key="answers", form=whole),
        TableColumn("As decided %", key="skill", form=percent(), better="higher"),
        *([TableColumn("Accuracy %", key="accuracy", form=percent(), parts=SPAN)] if gold else []),
    )
    rows = [
        (who, int(count), Figure(None if np.isnan(skill) else float(skill)), *own)
        for who, count, skill, *own in zip(
            votes.people,
            result.votes.tolist(),
            result.skills.tolist(),
            *([gold.people] if gold else []),
            strict=True,
        )
    ]
    rows.sort(key=lambda row: (-(row[2].value or 0.0), -row[1], row[0]))
    return Table(columns=columns, rows=tuple(rows), title=f"People, by {result.method}")


def labels_table(votes: VoteTable, result: Consensus, gold: GoldLabels | None = None) -> Table:
    columns = (
        TableColumn("Item", key="item"),
        TableColumn("Answer", key="answer"),
        TableColumn("Share of votes %", key="share", form=percent()),
        *([TableColumn("Likeliest", key="likeliest")] if gold else []),
        *([TableColumn("Probability %", key="probability", form=percent(), parts=SPAN)] if gold else []),
    )
    likely = [] if gold is None else [[votes.answers[at] for at in gold.chosen], gold.chances]
    rows = zip(votes.items, result.labels, map(Figure, result.shares.tolist()), *likely, strict=True)
    return Table(columns=columns, rows=tuple(rows), title=f"Answers, by {result.method}")


def given_table(votes: VoteTable) -> Table:
    """One line a vote, with who gave it and, where that is known, under which instructions and when."""
    rows = vote_rows(votes)
    columns = tuple(TableColumn(str(name)) for name in rows)
    return Table(columns=columns, rows=tuple(rows.itertuples(index=False, name=None)), title="Votes")


ALL = "All"


def scale_of(question: FormQuestion) -> Scale:
    ordered = question.asks in (Asks.ORDER, Asks.BEST_WORST) or (
        len(question.levels) > 2 and not question.about_pairs
    )
    return Scale.ORDINAL if ordered else Scale.NOMINAL


def alpha_table(ratings: Ratings, *, seed: int = 0) -> Table:
    """Alpha of each question for each system, where each has answers of its own, and over all."""
    task, counted = ratings.task, ratings.counted()
    systems, rows = len(task.systems), list[Row]()
    published = [question.published_alpha for question in ratings.form.questions]
    published = published if any(alpha is not None for alpha in published) else []
    for at, question in enumerate(ratings.form.questions):
        values = counted[:, at][..., list(question.places(systems))]
        own: list[Figure | None] = [None] * systems
        if question.asks is Asks.ONE:
            known = ~np.isnan(values).any(axis=-1)
            whole = _alpha((np.where(known, np.nan_to_num(values).argmax(axis=-1), np.nan)), question, seed)
        else:
            whole = _alpha(values.reshape(len(values), -1), question, seed)
            if not question.about_pairs:
                own = [_alpha(values[..., place], question, seed) for place in range(systems)]
        rows.append((question.label, scale_of(question).value, *own, whole, *published[at : at + 1]))
    figures = [value for row in rows for value in row if isinstance(value, Figure)]
    columns = (
        TableColumn("Question", key="question"),
        TableColumn("Scale", key="scale"),
        *(TableColumn(name) for name in task.systems),
        TableColumn(ALL, key="all", parts=WARNED),
        *([TableColumn("Published", key="published")] if published else []),
    )
    return Table(
        columns=columns,
        rows=tuple(rows),
        title="Agreement of judges",
        notes=(
            "Krippendorff's alpha: 1 in full agreement, 0 as by chance. Brackets: 95 % intervals, bootstrap "
            "of pairs of answers; fewer than ten items have none.",
            *footnotes(figure.warning for figure in figures),
        ),
    )


def _alpha(values: FloatArray, question: FormQuestion, seed: int) -> Figure:
    import pandas as pd

    answered = values[:, (~np.isnan(values)).any(axis=0)].T
    if not answered.size:
        return Figure(None, "no item has two answers")
    codes, worth = pd.factorize(answered.ravel(), sort=True)
    items, people = (tuple(map(str, range(count))) for count in answered.shape)
    votes = VoteTable(items, people, tuple(f"{value:g}" for value in worth), codes.reshape(answered.shape))
    return alpha(votes, scale_of(question), seed=seed)
