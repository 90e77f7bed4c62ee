"""How large a study of two systems has to be: simulated studies, from the answers of a pilot."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.errors import InputError
from core.people.ratings import Ratings, differences
from core.results.number_forms import percent
from core.results.render import count_words
from core.results.table import Table, TableColumn
from core.statistics import crossed, simulated_studies
from core.statistics.bootstrap import ENOUGH, Crossed, Figure
from core.statistics.study_size import MOST_ITEMS, MOST_JUDGES, AnswerSpread, needed, simulate, spread_of

ITEMS, JUDGES = 100, 3  # of a study that is planned, before anybody said otherwise
_SHARE: Final = percent()


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
