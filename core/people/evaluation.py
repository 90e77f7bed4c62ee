"""The tables of what judges answered, as that of the NumHG paper (Huang et al. 2023, 4.3 and table 5)."""

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Final

import numpy as np

from core import __version__
from core.headlines.comparison.published import paper_table
from core.people.agreement_tables import alpha_table, answers_table
from core.people.choices import CHOOSE, choices_of
from core.people.forms import Asks, Gives
from core.people.ratings import Ratings, SystemOrder, asked_of, differences, unasked
from core.people.strengths import strengths_table
from core.results import json_files, render, table_files, ties
from core.results.number_forms import footnotes, percent
from core.results.table import WARNED, Row, Table, TableColumn, number_of
from core.statistics.bootstrap import Figure
from core.statistics.crossed import BRACKETS, crossed_mean
from core.statistics.simulated_studies import WANTED

MOST_TESTED: Final = 10  # systems whose differences are tested
NOBODY: Final = "nobody has answered it"
PUBLISHED: Final = "published"
_PARTS: Final = (
    *(*WARNED, ("{}_points", "points"), ("{}_most", "most"), ("{}_answers", "count")),
    *(("{}_missing", "missing"), ("{}_reason", "reason")),
)


@dataclass(frozen=True, slots=True)
class PointShare(Figure):
    """What one system got for one question: points over the most there could be, 0–1; `count` answers."""

    points: float | None = None  # of all articles, mean of the judges; None where an answer is missing
    most: int = 0  # what one judge can give for all articles
    missing: int = 0  # how many answers there should be besides


def ratings_table(ratings: Ratings, *, tested: bool = True) -> Table:
    """The shares of all systems, with intervals for other articles and judges; `tested`: who differ."""
    task, every = ratings.task, ratings.form.questions
    # Answers about pairs are no system's.
    places = [at for at, question in enumerate(every) if question.scored]
    systems, judges, articles = len(task.systems), len(ratings.judges), len(task.articles)
    counted = ratings.counted()
    # Where articles are handed out in sheets, a judge owes answers about those that were begun.
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    wanted = asked_of(ratings.form, task)  # [q, n, subjects]
    left = unasked(ratings.form, ratings.values)
    due = begun.sum(axis=0) if ratings.form.judges else np.full(articles, judges)

    def share(at: int, place: int) -> PointShare:
        most, values = every[at].most(systems), counted[:, at, :, place]
        mean = crossed_mean(values / most, unit="articles", lowest=every[at].least / most, reason=NOBODY)
        owed = int(due[wanted[at, :, place]].sum()) - int((begun & left[:, at, :, place]).sum())
        whole = mean.count == owed == judges * articles and mean.count > 0
        points = float(values.sum()) / judges if whole else None
        return PointShare(**asdict(mean), points=points, most=most * articles, missing=owed - mean.count)

    shares = [[share(at, place) for at in places] for place in range(systems)]
    of = render.count_words(articles, "article", "articles"), render.count_words(judges, "judge", "judges")
    spread = f" {BRACKETS}" if any(each.low is not None for line in shares for each in line) else ""
    notes = [f"{', '.join(of)}. Score, % of maximum.{spread}"]
    notes += footnotes(each.warning for line in shares for each in line)
    missing = [sum(each.missing for each in column) for column in zip(*shares, strict=True)]
    if any(missing):
        counts = zip(missing, (every[at].label for at in places), strict=True)
        listed = ", ".join(f"{count:,} for {label}" for count, label in counts if count)
        notes.append(
            f"Missing answers: {listed}. They count neither for nor against a system; an order counts only "
            "when it is complete."
        )
    if tested and systems <= MOST_TESTED:
        notes += filter(None, (_differing(ratings, at) for at in places))
    below: list[Row] = []
    if ratings.form.published:
        paper = paper_table(ratings.form.published)
        notes.append(f"Published: {paper.title}. {paper.notes[0]}")
        orders = [every[at].label for at in places if every[at].asks is Asks.ORDER]
        if orders and systems != len(paper.rows):
            counts_of = systems, len(paper.rows)
            means = [f"{50 * (count + 1) / count:.0f} % over {count:,}" for count in counts_of]
            notes.append(
                f"{', '.join(orders)} averages {', but '.join(means)} systems. Compare it with "
                "published rows only where as many systems were judged."
            )
        for name, *figures in paper.rows:
            values = (None if value is None else value / 100 for value in map(number_of, figures))
            below.append((f"{name} ({PUBLISHED})", f"{PUBLISHED}: {paper.title}", None, None, *values))
    named = zip(task.systems, shares, strict=True)
    about = [TableColumn(name, files_only=True) for name in ("source", "judges", "articles")]
    asked = [
        TableColumn(every[at].label, key=every[at].key, form=percent(), better="higher", parts=_PARTS)
        for at in places
    ]
    return Table(
        columns=(TableColumn("System", key="system"), *about, *asked),
        rows=tuple((name, "here", judges, articles, *line) for name, line in named),
        below=tuple(below),
        title="Scores",
        notes=tuple(notes),
        signatures=(("form", ratings.form.name), ("headlines", task.fingerprint)),
    )


def _differing(ratings: Ratings, at: int) -> str:
    systems = ratings.task.systems
    gaps = {
        pair: crossed_mean(differences(ratings, at, *pair), unit="articles", lowest=-1.0)
        for pair in combinations(range(len(systems)), 2)
    }
    least = ties.smallest_difference([*gaps.values()])
    if least is None:
        return ""
    differ = ties.differing(gaps)
    ordered = [pair if (gap.value or 0) > 0 else pair[::-1] for pair, gap in gaps.items() if pair in differ]
    said = ", ".join(f"{systems[better]} > {systems[worse]}" for better, worse in ordered)
    said = said or "no two systems differ"
    many = f" (mean of {len(gaps)} pairs)" if len(gaps) > 1 else ""
    seen = f"{WANTED:.0%} of such studies would see a difference of {percent()(least)} %{many}."
    return f"{ratings.form.questions[at].label}: {said} (at {ties.LEVEL:g}, Holm). {seen}"


def as_json(table: Table, ratings: Ratings) -> str:
    """Every figure of a form's table; what is undefined is null, with a reason. And how much each judged."""
    frame = table_files.as_frame(table).astype(object)
    judged = zip(ratings.judges, ratings.complete().sum(axis=1).tolist(), strict=True)
    about = {"program": __version__, "title": ratings.task.title, **dict(table.signatures)}
    rows = frame.where(frame.notna(), None).to_dict("records")
    return json_files.object_json({**about, "judges": dict(judged), "notes": table.notes, "systems": rows})


def question_tables(ratings: Ratings, order: SystemOrder) -> list[Table]:
    """What the questions give besides scores: pairs, strengths by choices, and how far judges agree."""
    tables = []
    for at, question in enumerate(ratings.form.questions):
        if question.asks is Asks.PAIRS:
            tables.append(pair_table(ratings, at))
        elif question.gives in (Gives.ONE_OF, Gives.SEVERAL, Gives.NUMBER):
            tables.append(answers_table(ratings, at))
        elif question.asks in CHOOSE:
            choices = choices_of(ratings, question, order)
            tables += [strengths_table(choices)] if len(choices) else []
    return [*tables, *([alpha_table(ratings)] if len(ratings.judges) > 1 else [])]


def pair_table(ratings: Ratings, at: int) -> Table:
    """How often people gave a pair of systems the highest answer ("yes"), a pair a row, most often first."""
    question, systems = ratings.form.questions[at], ratings.task.systems
    top = question.levels[-1]
    rows: list[tuple[str, int, Figure]] = []
    for place in question.places(len(systems)):
        values = ratings.values[:, at, :, place]
        said = np.where(np.isnan(values), np.nan, values == top.value)
        share = crossed_mean(said, unit="articles", lowest=0.0, reason=NOBODY)
        rows.append((ratings.subjects[place], share.count, share))
    rows.sort(key=lambda row: -(row[2].value or 0.0))
    return Table(
        columns=(
            TableColumn("Pair", key="pair"),
            TableColumn("Answers", key="answers"),
            TableColumn(f"{question.label}: {top.wording} %", key="share", form=percent(), parts=WARNED),
        ),
        rows=tuple(rows),
        title=question.label,
        notes=(BRACKETS, *footnotes(share.warning for *_, share in rows)),
    )
