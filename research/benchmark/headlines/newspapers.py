"""What an article's newspaper does to scores; section 5 of Cafagna et al. 2019, as further work."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.data.timelines.raw import RawTable, listing
from core.errors import InputError
from core.people.evaluation import NOBODY
from core.people.ratings import Ratings
from core.results.number_forms import footnotes, percent, whole
from core.results.render import count_words
from core.results.table import WARNED, Row, Table, TableColumn
from core.statistics.bootstrap import Figure
from core.statistics.crossed import BRACKETS, crossed_estimates, crossed_mean

_FEWEST: Final = 2  # articles of a newspaper, and of all others


def newspapers_in(table: RawTable, name: str, ratings: Ratings) -> dict[str, str]:
    """The newspaper of each article that was judged, from a table with `article` and `newspaper`."""
    missing = [column for column in ("article", "newspaper") if column not in table.columns]
    if missing:
        hint = "Give a row an article, with both columns."
        raise InputError(f"{name[:80]} lacks {listing(missing)}.", hint=hint)
    cells = table.cells[["article", "newspaper"]].fillna("").astype(str)
    given = dict(zip(cells["article"].str.strip(), cells["newspaper"].str.strip(), strict=True))
    lacking = [article for article in ratings.task.articles if not given.get(article)]
    if lacking:
        count = count_words(len(lacking), "article has", "articles have")
        raise InputError(f"{count} no newspaper in {name[:80]}: {listing(lacking, 3)}.", hint="Add them.")
    if len({given[article] for article in ratings.task.articles}) < 2:
        raise InputError(f"{name[:80]} has one newspaper only.", hint="Give articles of two or more.")
    return given


def newspaper_table(ratings: Ratings, newspapers: Mapping[str, str]) -> Table:
    """Each system's scores on each newspaper's articles, and how far they lie from those on all others'."""
    rows: list[Row] = []
    warnings: list[str] = []
    counted, systems = ratings.counted(), ratings.task.systems
    names = np.array([newspapers[article] for article in ratings.task.articles])
    for at, question in enumerate(ratings.form.questions):
        if question.about_pairs:
            continue
        most = question.most(len(systems))
        for place, system in enumerate(systems):
            points = counted[:, at, :, place] / most
            for newspaper in dict.fromkeys(names.tolist()):
                own: BoolArray = names == newspaper
                least = question.least / most
                share = crossed_mean(points[:, own], unit="articles", lowest=least, reason=NOBODY)
                gap = _gap(points, own)
                warnings += [share.warning, gap.warning]
                rows.append((question.label, system, newspaper, share.count, share, gap))
    named = (TableColumn(name.capitalize(), key=name) for name in ("question", "system", "newspaper"))
    shown = {"score": "Score", "difference": "To all others"}
    shares = (TableColumn(title, key=key, form=percent(), parts=WARNED) for key, title in shown.items())
    return Table(
        columns=(*named, TableColumn("Answers", key="answers", form=whole), *shares),
        rows=tuple(rows),
        title="Scores by newspaper",
        notes=(BRACKETS, *footnotes(warnings)),
        signatures=(("form", ratings.form.name), ("headlines", ratings.task.fingerprint)),
    )


def _gap(points: FloatArray, own: BoolArray) -> Figure:
    judges, items = np.nonzero(~np.isnan(points))
    given, inside = points[judges, items], own[items]
    if min(len(np.unique(items[inside])), len(np.unique(items[~inside]))) < _FEWEST:
        return Figure(None, "too few articles")
    means = [given[inside].mean(), given[~inside].mean()]
    pull = np.where(inside, (given - means[0]) / inside.sum(), -(given - means[1]) / (~inside).sum())
    values = np.array([means[0] - means[1]])
    return crossed_estimates(values, pull[:, None], items, judges, unit="articles", bounds=(-1.0, 1.0))[0]
