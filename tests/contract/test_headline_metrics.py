"""What every registered metric of written headlines promises."""

import math
import threading
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import Cancelled
from core.headlines.comparison.compare import compare
from core.headlines.comparison.table import comparison_table
from core.headlines.comparison.written_table import notes
from core.headlines.metrics import Column, HeadlineMetric, MetricInput, headline_metrics
from core.runtime import Runtime

NAMES = headline_metrics.names()
LANGUAGES = tomllib.loads((Path(__file__).parents[1] / "data" / "languages" / "anchors.toml").read_text())
NEEDS = {"nothing", "references", "articles", "numbers", "others"}
LACKS = (
    "{metric} gives {found} to a headline that lacks its {needs}, where it is undefined: leave such "
    "headlines to the base class, or give NaN; a column that is known without them says `alone=True`."
)


class Naive(HeadlineMetric):
    """What a newcomer writes: nothing is said of headlines that lack what is needed."""

    __slots__ = ()
    columns = (Column("naive", "Naive", "share of the source in the headline", True),)


class ShareOfArticle(Naive):
    needs = "articles"

    def score(self, scored):
        return (min(1, len(scored.headline) / len(scored.article)),)


class HasNumber(Naive):
    needs = "numbers"

    def score(self, scored):
        return (float(scored.number[0] in scored.headline),)


class IsReference(Naive):
    needs = "references"

    def score(self, scored):
        return (float(scored.headline == scored.references[0]),)


NAIVE = {kind.__name__: kind for kind in (ShareOfArticle, HasNumber, IsReference)}

ENGLISH = MetricInput(
    headlines=[
        "Bank cuts rates to 3% as growth slows", "Storm hits the coast; 12 hurt", "",
        "Storm hits the coast; 12 hurt", "?!", "the the the",
    ],
    references=[
        ("Bank cuts rates to 3% as growth slows",),
        ("Twelve hurt as storm reaches coast", "Storm injures 12 on coast"), ("Team wins cup",), (),
        ("Market falls",), ("", "A court rules"),
    ],
    articles=[
        "The bank cut rates to 3% on Monday. Growth slows, it said.",
        "A storm hit the coast. Twelve people were hurt, police said.", "The team won the cup.", "",
        "Shares fell.", "A court ruled on Friday.",
    ],
    numbers=["3", "12", "", "", "7", "1,200"],
    operations=["copy", "reasoning", "", "", "copy", "reasoning"],
)  # fmt: skip
RUSSIAN = MetricInput(
    headlines=["Банк снизил ставку до 3%", "Шторм у побережья", "«Зенит» выиграл кубок"],
    references=[("Банк снизил ставку до 3%",), ("Шторм обрушился на побережье",), ("Зенит взял кубок",)],
    articles=[
        "Банк снизил ставку до 3% в понедельник.",
        "Шторм дошёл до побережья.",
        "«Зенит» выиграл кубок.",
    ],
    language="ru",
    numbers=["3", "", ""],
    operations=["copy", "", ""],
)
OTHER = MetricInput(
    headlines=["日本銀行が利下げ", "बैंक ने दरें घटाईं", "\ud800 \u202e🚀", "x" * 3000],
    references=[("日本銀行が利下げ",), ("बैंक ने दरें घटाईं",), ("🚀",), ("x",)],
    articles=["日本銀行が利下げを決めた。", "बैंक ने दरें घटाईं।", "🚀", "x"],
    language="mixed",
)
ALL = {"en": ENGLISH, "ru": RUSSIAN, "other": OTHER}


@pytest.fixture(scope="module", params=[*NAMES, *NAIVE])
def metric(request):
    return NAIVE[request.param]() if request.param in NAIVE else headline_metrics.parse(request.param)


def depends_on_others(metric):
    """Whether the figures of a headline depend on the file that it is in."""
    return metric.needs == "others" or bool(getattr(metric, "idf", False))


def rows_of(written, rows):
    names = ("headlines", "references", "articles", "numbers", "operations")
    given = {name: getattr(written, name) for name in names}
    return replace(written, **{name: [one[row] for row in rows] for name, one in given.items() if one})


def test_what_it_says_of_itself(metric):
    assert metric.needs in NEEDS
    for text in (metric.signature_text(), metric.signature_text(ENGLISH)):
        assert text
        assert "\n" not in text


@pytest.mark.parametrize("given", ALL.values(), ids=ALL.keys())
def test_shapes_and_ranges(metric, given):
    statistics = metric.statistics(given, Runtime())
    assert statistics.dtype == np.float64
    assert len(statistics) == len(given.headlines)
    assert np.isfinite(statistics).all(), "statistics are added up: a headline without a value has zeros"
    each = metric.values(statistics)
    whole = metric.values(statistics.sum(axis=0))
    assert each.shape == (len(given.headlines), len(metric.columns))
    assert whole.shape == (len(metric.columns),)
    for at, column in enumerate(metric.columns):
        known = [value for value in (*each[:, at], whole[at]) if not math.isnan(value)]
        assert all(column.low - 1e-9 <= value <= column.high + 1e-9 for value in known), column.name


def test_nothing_is_undefined(metric):
    nothing = metric.statistics(MetricInput(headlines=[], references=[], articles=[]), Runtime())
    assert nothing.shape == (0, metric.statistics(ENGLISH, Runtime()).shape[1])
    values = metric.values(nothing.sum(axis=0))
    assert np.isnan(values).all(), f"of no headlines everything is undefined (NaN), not {values}"


def test_what_it_needs_is_missing(metric):
    if metric.needs in {"nothing", "others"}:
        pytest.skip("the headlines are enough")
    bare = MetricInput(headlines=["Bank cuts rates"], references=[()], articles=[""])
    values = metric.values(metric.statistics(bare, Runtime()))[0]
    named = dict(zip(metric.columns, values, strict=True))
    found = {column.name: value for column, value in named.items() if not (column.alone or math.isnan(value))}
    assert not found, LACKS.format(metric=type(metric).__name__, found=found, needs=metric.needs)
    assert not any(math.isnan(value) for column, value in named.items() if column.alone)


def test_the_persons_headline_is_the_best(metric):
    if metric.needs != "references":
        pytest.skip("not compared with people's headlines")
    headlines = [one[0] for one in ENGLISH.references if one and one[0]]
    given = MetricInput(
        headlines=headlines, references=[(one,) for one in headlines], articles=[""] * len(headlines)
    )
    turned = replace(given, headlines=headlines[1:] + headlines[:1])
    best = metric.values(metric.statistics(given, Runtime()))
    other = metric.values(metric.statistics(turned, Runtime()))
    why = "a column whose better end is higher is at its best for the person's own headline"
    assert (best >= other).all(), why
    assert (best > other).any(axis=0).all(), why
    high = np.array([column.high for column in metric.columns])
    if metric.columns[0].name != "meteor_no_synonyms":  # a perfect METEOR is 1 − 0.5 / matches³
        np.testing.assert_allclose(best, np.tile(high, (len(best), 1)), rtol=2e-3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_copy_is_the_best_and_a_stranger_near_nothing_in_every_language(metric, language, tmp_path):
    """As *Compare* measures them, which finds the language; a model that cannot read a script is named."""
    if metric.needs != "references" or type(metric).__name__ in NAIVE:
        pytest.skip("not compared with people's headlines")
    lines = LANGUAGES[language]
    articles = articles_of("six", lines, references=[(line,) for line in lines])
    systems = {"copy": lines, "stranger": lines[2:] + lines[:2]}
    outputs = [Outputs(system=name, headlines=given, source=name) for name, given in systems.items()]
    result = compare(articles, outputs, [headline_metrics.signature(metric)], Runtime(cache=tmp_path))
    assert result.language == language
    said = " ".join(notes(result, comparison_table(result)))
    for at, column in enumerate(metric.columns):
        copy, stranger = result.measured[0].values[:, at]
        assert copy >= 0.98 * column.high
        if metric.quick:
            assert stranger <= 0.3 * copy
        assert stranger <= 0.8 * copy or f"{column.label}" in said


def test_an_empty_headline_is_the_worst(metric):
    if metric.needs not in {"references", "numbers"}:
        pytest.skip("without words there is nothing to measure")
    given = MetricInput(
        headlines=[""], references=[("Bank cuts rates",)], articles=["a"], numbers=["3"], operations=["copy"]
    )
    values = metric.values(metric.statistics(given, Runtime()))[0]
    assert all(value == 0 or math.isnan(value) for value in values), f"an empty headline is worth 0: {values}"
    assert values[0] == 0


@pytest.mark.parametrize("given", [ENGLISH, RUSSIAN], ids=["en", "ru"])
def test_the_order_of_headlines_does_not_matter(metric, given):
    order = np.random.default_rng(1).permutation(len(given.headlines)).tolist()
    np.testing.assert_allclose(
        metric.statistics(rows_of(given, order), Runtime()),
        metric.statistics(given, Runtime())[order],
        rtol=1e-5,
        atol=1e-6,
    )


def test_a_whole_is_the_sum_of_its_parts(metric):
    if depends_on_others(metric):
        pytest.skip("a headline's figures depend on the others")
    parts = [[0, 3], [1], [2, 4, 5]]
    sums = sum(metric.statistics(rows_of(ENGLISH, rows), Runtime()).sum(axis=0) for rows in parts)
    whole = metric.statistics(ENGLISH, Runtime()).sum(axis=0)
    np.testing.assert_allclose(metric.values(sums), metric.values(whole), rtol=1e-5, atol=1e-6)


def test_it_stops_when_asked(metric):
    if type(metric).__name__ == "Duplication":
        pytest.skip("done at once")
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        metric.statistics(ENGLISH, Runtime(stop=stop))
