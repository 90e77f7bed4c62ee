"""How large a study of two systems has to be: simulated studies, from the answers of a pilot."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.people.ratings import Ratings, differences
from core.results.number_forms import percent
from core.results.render import count_words
from core.results.table import Table, TableColumn
from core.statistics import crossed, simulated_studies
from core.statistics.bootstrap import ENOUGH, Crossed, Figure

FEWEST_ITEMS, MOST_ITEMS, MOST_JUDGES = ENOUGH, 1_000, 100  # of a study that is planned
ITEMS, JUDGES = 100, 3  # of a study that is planned, before anybody said otherwise
_SHARE: Final = percent()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSpread:
    """Standard deviations of the difference of two systems, as shares of the most points, 0-1."""

    items: float  # between items: one system is better on some articles
    judges: float  # between judges: some favour one system on all items
    answers: float  # between single answers, when item and judge are accounted for

    @property
    def variances(self) -> tuple[float, float, float]:
        return self.items**2, self.judges**2, self.answers**2

    def __post_init__(self) -> None:
        given = (self.items, self.judges, self.answers)
        if not all(0 <= share <= 1 for share in given) or not any(given):  # NaN is no share either
            said = "A spread is a share of the most points: 0 to 100 %, and one of the three above 0."
            raise InputError(said, hint="Give three percentages: between items, judges and answers.")


def spread_of(points: FloatArray) -> AnswerSpread:
    """The spread in a pilot; where only one judge answered, judges are taken to agree."""
    given = ~np.isnan(points)
    if given.any(axis=0).sum() < 2:
        said = "The pilot has answers about fewer than two items."
        raise InputError(said, hint="Give more answers about both systems.")
    if np.ptp(points[given]) == 0:
        said = "All answers of the pilot give the two systems the same difference, so it has no spread."
        raise InputError(said, hint="Give more answers, or the spread itself.")
    items, judges, answers = map(math.sqrt, crossed.variances(points))
    return AnswerSpread(items=items, judges=judges, answers=answers)


def simulate(
    spread: AnswerSpread, *, items: int, judges: int, studies: int = simulated_studies.STUDIES, seed: int = 0
) -> simulated_studies.SimulatedStudies:
    drawn = {"answers": items * judges, "studies": studies, "seed": seed}
    return simulated_studies.simulated(spread.variances, items=items, judges=judges, **drawn)


def needed(
    spread: AnswerSpread,
    difference: float,
    *,
    items: int | None = None,
    judges: int | None = None,
    wanted: float = simulated_studies.WANTED,
    seed: int = 0,
) -> tuple[int | None, simulated_studies.SimulatedStudies]:
    """The fewest items, or judges, that find a difference often enough, and studies with so many."""
    most = MOST_ITEMS if items is None else MOST_JUDGES
    counts = range(FEWEST_ITEMS if items is None else crossed.FEW_JUDGES, most + 1)

    def studies(count: int) -> simulated_studies.SimulatedStudies:
        return simulate(spread, items=items or count, judges=judges or count, seed=seed)

    place = bisect_left(counts, wanted, key=lambda count: studies(count).power(difference))
    return (counts[place], studies(counts[place])) if place < len(counts) else (None, studies(most))


SUMMEVAL: Final = AnswerSpread(items=0.17, judges=0.03, answers=0.15)  # median over pairs of systems


def pilot(
    ratings: Ratings, question: str, systems: Sequence[str]
) -> tuple[AnswerSpread, int, int, Crossed | None]:
    """The spread in answers about two systems, items, judges an item, and what its interval rests on."""
    keys = [asked.key for asked in ratings.form.questions if asked.scored]
    names = ratings.task.systems
    if question not in keys or len(set(systems)) != 2 or not set(systems) <= set(names):
        choose = f"Name one of {', '.join(keys)} (--question) and two of {', '.join(names)[:300]} (--system)."
        raise InputError("A spread is that of one question and two systems.", hint=choose)
    at = [asked.key for asked in ratings.form.questions].index(question)
    points = differences(ratings, at, *map(names.index, systems))
    counts = (~np.isnan(points)).sum(axis=0)
    spread, answered = spread_of(points), counts[counts > 0]
    gap = crossed.crossed_mean(points, unit="articles", lowest=-1.0)
    finished = None if gap.warning else gap.crossed
    return spread, max(ENOUGH, len(answered)), round(float(answered.mean())), finished


def plan_table(
    spread: AnswerSpread,
    difference: float,
    *,
    items: int = ITEMS,
    judges: int = JUDGES,
    finished: Crossed | None = None,
    wanted: float = simulated_studies.WANTED,
    seed: int = 0,
) -> Table:
    """How many items, how many judges, and what difference can be seen, in a study that is `finished` too."""
    if not 0 < difference <= 1:
        said = f"A difference of {100 * difference:g} % of the maximum cannot be looked for."
        raise InputError(said, hint="Give more than 0 % and up to 100 %; in Python a share, as .1 for 10 %.")
    if not 0.5 <= wanted <= 0.99:
        raise InputError(f"{100 * wanted:g} % of the studies cannot be asked for.", hint="Give 50 to 99.")
    more, with_items = needed(spread, difference, judges=judges, wanted=wanted, seed=seed)
    others, with_judges = needed(spread, difference, items=items, wanted=wanted, seed=seed)
    here = simulate(spread, items=items, judges=judges, seed=seed)
    if finished:
        here = simulated_studies.repeated([finished], seed=seed)
    seen, given = here.detectable(wanted), count_words(judges, "judge", "judges")
    looked = f"a difference of {_SHARE(difference)} %"
    more_items = f"{more} items show {looked} to {given}."
    if not more:
        more_items = f"{MOST_ITEMS:,} items do not show {looked} to {given}: ask more judges."
    more_judges = f"{others} judges of {items:,} items see {looked}."
    if not others:
        more_judges = f"{MOST_JUDGES} judges of {items:,} items do not see {looked}: take more items."
    design = f"These {finished.answers:,.0f} answers" if finished else f"{items:,} items and {given}"
    both = f"{design} show a difference of {_SHARE(seen)} % or more."
    answers = (
        ("How many items?", more_items, with_items, difference),
        ("How many judges?", more_judges, with_judges, difference),
        ("What difference can be seen?", both, here, seen),
    )
    spreads = map(_SHARE, (spread.items, spread.judges, spread.answers))
    return Table(
        columns=(
            TableColumn("Question", key="question"),
            TableColumn("Answer", key="answer"),
            TableColumn("Studies that find it %", key="power", form=_SHARE),
            TableColumn("False alarms %", key="false_alarms", form=_SHARE),
        ),
        rows=tuple(
            (question, answer, Figure(drawn.power(size)), Figure(drawn.false_alarms))
            for question, answer, drawn, size in answers
        ),
        title="What a study needs",
        notes=(
            f"Differences are in % of the maximum, found in {100 * wanted:.0f} % of "
            f"{simulated_studies.STUDIES:,} simulated studies, which is right to about 1 percentage point.",
            "Spread of the difference of two systems, % of the maximum, between items {}, judges {}, answers "
            "{}.".format(*spreads),
            "False alarms: studies that find a difference where there is none. Intervals are those of the "
            "results. One judge's interval takes the judge as given; with more, it holds for other judges.",
        ),
    )
