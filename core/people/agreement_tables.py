"""Agreement as tables: of timelines, annotators, votes and judges, over time, and what is likely by all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.pair_alpha import pair_alpha
from core.data.timelines.timeline import Field, Timeline
from core.journal.entries import Entry
from core.people.agreement import (
    GroupAgreement,
    Record,
    alpha,
    mean_of,
    model_sides,
    raw_agreement,
    scale_of,
)
from core.people.forms import OPEN, Asks, Gives
from core.people.gold import GoldGroups, GoldLabels
from core.people.grouping import GroupingTask, everybody
from core.people.ratings import Ratings
from core.people.store import dated
from core.people.votes import VoteConsensus, VoteTable, vote_rows
from core.results.number_forms import decimals, footnotes, percent, spanned, whole
from core.results.render import count_words
from core.results.table import WARNED, Row, Table, TableColumn, read_columns
from core.statistics.bootstrap import ENOUGH, RESAMPLES, Figure
from core.statistics.crossed import BRACKETS, crossed_mean
from core.statistics.krippendorff import Scale, alpha_of
from core.statistics.marked_words import read_places, token_f1

COLUMNS: Final = read_columns(Path(__file__).with_name("columns.toml"))
F1: Final = "token F1"
_SPANS: Final = "Brackets: 95 % intervals that hold for other events and, from three on, other annotators."
_LEFT_OUT: Final = "AMI, ARI and pair F1: each annotator against the groups merged from the others."
_OWN_ITEMS: Final = (
    "No item was answered by two people: each row is an item of its own. Name the columns that say what was "
    "judged, as the item."
)
_RIGHT_IS: Final = (
    "Expected F1: twice the pairs that an annotator joins and are probably right, by all joined and all "
    "right. 95 % intervals over events."
)


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


def timelines_table(
    agreements: Sequence[GroupAgreement], intervals: Sequence[Mapping[str, Figure]] = ()
) -> Table:
    """Table 1 of the HLGD paper: size, groups, positive pairs and agreement of each timeline."""
    rows: list[Row] = []
    for agreement, figures in zip(agreements, intervals or [each.means for each in agreements], strict=True):
        size = agreement.headlines, agreement.groups, agreement.positive_pairs, len(agreement.people)
        rows.append((agreement.name, *size, *figures.values()))
    # the mean over timelines, each counted once, as the paper's .814 is
    mean, note = mean_of([agreement.means["ami"].value for agreement in agreements]), _LEFT_OUT
    if mean is not None and len(agreements) > 1:
        note += f" Mean AMI over {len(agreements)} timelines: {mean:.3f}."
    if intervals:
        note += f" {_SPANS}"
    columns, title = COLUMNS["timelines"], "Agreement of annotators"
    return Table(columns=columns, rows=tuple(rows), title=title, notes=(note,))


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
        below=tuple((*other.values(), *(["not asked"] if gold else [])) for other in others),
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
    lines = repeat(None, len(timeline)) if timeline.lines is None else timeline.lines.tolist()
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    return zip(lines, days, timeline.texts, strict=True)


def votes_table(votes: VoteTable, *, scale: Scale) -> Table:
    """What people answered, in one row: counts, raw agreement and alpha."""
    figure = alpha(votes, scale)
    again = count_words(votes.repeated, "further answer", "further answers")
    were = "was" if votes.repeated == 1 else "were"
    left_out = f"{again} of a person to an item {were} left out." * bool(votes.repeated)
    counts = len(votes.items), len(votes.people), votes.count
    alone = len(votes.people) > 1 and bool(((votes.codes >= 0).sum(axis=1) < 2).all())
    reasons = _OWN_ITEMS if alone else f"No alpha: {figure.reason}." if figure.reason else ""
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


def alpha_table(ratings: Ratings) -> Table:
    """Alpha of each question for each system, where each has answers of its own, and over all."""
    task, counted = ratings.task, ratings.counted()
    systems, rows = len(task.systems), list[Row]()
    published = [question.published_alpha for question in ratings.form.questions]
    published = published if any(alpha is not None for alpha in published) else []
    for at, question in enumerate(ratings.form.questions):
        values = counted[:, at][..., list(question.places(systems))]
        if question.gives is Gives.TEXT:
            continue
        own: list[Figure | None] = [None] * systems
        if question.gives in OPEN:
            own = [marked_alike(ratings, at, [place]) for place in range(systems)]
            whole = marked_alike(ratings, at, range(systems))
            rows.append((question.label, F1, *own, whole, *published[at : at + 1]))
            continue
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
            *["Token F1: of marked words, 1 where all mark the same; chance is not taken off."]
            * any(row[1] == F1 for row in rows),
            *footnotes(figure.warning for figure in figures),
        ),
    )


def marked_alike(ratings: Ratings, at: int, places: Sequence[int]) -> Figure:
    """How far judges mark the same words of the headlines, or articles, of some systems."""
    values = ratings.values[:, at][..., list(places)]

    def marked(given: FloatArray) -> list[frozenset[int]]:
        return [read_places(ratings.texts[int(value)]) for value in given if not np.isnan(value)]

    return token_f1([list(map(marked, row.T)) for row in np.moveaxis(values, 1, 0)], unit="articles")


def answers_table(ratings: Ratings, at: int) -> Table:
    """How often each answer was given to the headlines of each system, or the mean of numbers."""
    question, systems = ratings.form.questions[at], ratings.task.systems
    given, number = ratings.values[:, at, :, : len(systems)], question.gives is Gives.NUMBER
    ends = (float(question.levels[at].value) for at in (0, -1)) if number else (0.0, 1.0)
    (low, high), rows = ends, list[Row]()
    for level in question.levels[-1:] if number else question.levels:
        held = np.nan_to_num(given).astype(np.int64)
        held = held & level.value if question.gives is Gives.SEVERAL else held == level.value
        said = np.moveaxis(given if number else np.where(np.isnan(given), np.nan, held > 0), -1, 0)
        shares = [crossed_mean(each, unit="articles", lowest=low, highest=high) for each in said]
        rows.append(("Mean" if number else level.wording, *shares))
    form = decimals(2) if number else percent()
    columns = (TableColumn("Answer"), *(TableColumn(name, form=form, parts=WARNED) for name in systems))
    return Table(columns=columns, rows=tuple(rows), title=question.label, notes=(BRACKETS,))


def likely_groups_table(timeline: Timeline, gold: GoldGroups) -> Table:
    """The groups that have the highest expected F1 of pairs, the least sure first."""
    note = (
        "How likely a group is exactly right, by who joined its headlines and how far they can be trusted. "
        "Brackets: 95 % intervals over events."
    )
    order = np.argsort(timeline.days, kind="stable")
    firsts = {int(gold.groups[row]): timeline.texts[row] for row in order[::-1].tolist()}
    sizes = np.bincount(gold.groups)
    sure = [(group, chance) for group, chance in enumerate(gold.chances) if chance.value is not None]
    sure.sort(key=lambda entry: entry[1].value or 0.0)
    rows = tuple((chance, int(sizes[group]), firsts[group]) for group, chance in sure)
    return Table(columns=COLUMNS["groups"], rows=rows, title="Groups with their probability", notes=(note,))


def over_time(codes: IntArray, given: npt.NDArray[np.object_], figure: Callable[[IntArray], Figure]) -> Table:
    """Answers a day, alpha by period, and by version; days join until ten items have two answers."""
    versions, days = given[..., 0], given[..., 1]
    known = (codes >= 0) & (days != "")

    def within(version: str, held: Sequence[str]) -> IntArray:
        return np.where(known & (versions == version) & np.isin(days, held), codes, -1)

    def twice(own: IntArray) -> int:
        return int(((own >= 0).sum(axis=1) >= 2).sum())

    def line(version: str, held: Sequence[str]) -> Row:
        own = within(version, held)
        answers = int((own >= 0).sum())
        return version, held[0], held[-1], figure(own), answers, Figure(answers / len(held)), twice(own)

    rows, below = list[Row](), list[Row]()
    days_of = {str(name): sorted(set(days[known & (versions == name)])) for name in set(versions[known])}
    for version, every in sorted(days_of.items(), key=lambda item: (item[1][0], item[0])):
        periods: list[list[str]] = [[]]
        for day in every:
            if twice(within(version, periods[-1])) >= ENOUGH:
                periods.append([])
            periods[-1].append(day)
        if len(periods) > 1 and twice(within(version, periods[-1])) < ENOUGH:
            last = periods.pop()
            periods[-1] += last
        rows += [line(version, held) for held in periods]
        below.append(line(version, every))
    warnings = (row[3].warning for row in rows if isinstance(row[3], Figure))
    table = Table(
        columns=COLUMNS["over_time"],
        rows=tuple(rows),
        below=tuple(below) if len(below) > 1 else (),
        title="Agreement over time",
        notes=("Alpha of the answers of these days alone; days with few are joined.", *footnotes(warnings)),
    )
    return table if any(days_of) else table.only(*range(1, len(table.columns)))


def voted_over_time(votes: VoteTable, scale: Scale = Scale.NOMINAL) -> Table | None:
    """Alpha of votes over time; None where no vote has a day."""
    if votes.dated is None:
        return None
    values = votes.values(scale)
    return over_time(
        votes.codes, votes.dated, lambda own: alpha_of(np.where(own >= 0, values, np.nan), scale)
    )


def grouped_over_time(task: GroupingTask, entries: Sequence[Entry]) -> Table | None:
    """Alpha of pairs over time, of those who grouped a timeline here; None where fewer than two did."""
    people = everybody(task, entries)
    if len(people) < 2:
        return None
    codes = np.stack([made.numbers for made in people.values()], axis=1)
    given = np.full((*codes.shape, 2), "", dtype=object)
    when = {entry.id: dated(entry) for entry in entries}
    for at, made in enumerate(people.values()):
        for row, placed in made.placed.items():
            given[row, at] = when[placed.entry]
    return over_time(codes, given, partial(pair_alpha, resamples=RESAMPLES))
