"""Support of numerals as a metric: counted by hand, and the same as the checker's own verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data.articles.load import open_sample
from core.errors import ModelUnavailableError, UnknownNameError
from core.headlines.metrics.metric import MetricInput, headline_metrics
from core.headlines.metrics.numerals import COLUMNS, NumeralSupport, counts_of, shares
from core.numerals.checking import load_checker
from core.numerals.claims.verdict import Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.numerals.question import ReadArticle
from core.runtime import Runtime
from core.text.numerals.read import read_numerals
from tests.unit.numerals.numerals_by_hand import claim

EMPTY = ReadArticle("", "en", (), (), (), 0)


def headline(*verdicts: tuple[Light, float]) -> CheckedHeadline:
    (one,) = read_numerals("7", language="en")
    found = tuple(CheckedNumeral(one, claim(light, probability), (), None) for light, probability in verdicts)
    return CheckedHeadline("7", EMPTY, found, "pointer.v1")


def named(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, float]:
    return {column.name: float(value) for column, value in zip(COLUMNS, values, strict=True)}


def test_the_example_of_the_docs() -> None:
    headlines = [
        headline((Light.SUPPORTED, 0.9), (Light.FOUND, 0.6)),
        headline((Light.WRONG, 0.3)),
        headline(),
    ]
    sums = np.sum([counts_of(one) for one in headlines], axis=0)
    assert named(shares(sums)) == pytest.approx(
        {
            "numeral_supported": 1 / 3,
            "numeral_found": 1 / 3,
            "numeral_check": 0,
            "numeral_wrong": 1 / 3,
            "numeral_support": 0.6,
            "headlines_passing": 1 / 2,
            "headlines_with_numerals": 2 / 3,
        }
    )
    silent = named(shares(counts_of(headline())))
    assert silent.pop("headlines_with_numerals") == 0
    assert np.isnan(list(silent.values())).all()


@pytest.mark.slow
def test_it_says_what_the_checker_says() -> None:
    articles = open_sample("articles").articles.at(range(12))
    headlines = [given[0] for given in articles.references]
    metric = NumeralSupport()
    found = metric.statistics(
        MetricInput(headlines=headlines, references=articles.references, articles=articles.texts), Runtime()
    )
    checked = load_checker(metric.attacher, Runtime()).check(headlines, articles.texts, Runtime())
    np.testing.assert_allclose(found, [counts_of(one) for one in checked], atol=1e-6)
    numerals = [one for each in checked for one in each.numerals]
    assert named(metric.values(found.sum(axis=0)))["numeral_supported"] == pytest.approx(
        sum(one.claim.light is Light.SUPPORTED for one in numerals) / len(numerals)
    )


def test_a_headline_without_an_article_takes_no_part() -> None:
    written = MetricInput(headlines=["3 Dead", "3 Dead"], references=[(), ()], articles=["Three died.", " "])
    found = NumeralSupport().statistics(written, Runtime())
    assert found[0, :2].tolist() == [1, 1]
    assert not found[1].any()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no numeral attacher called 'nobody'"):
        headline_metrics.parse("numeral_support|attacher:nobody")
    metric = headline_metrics.parse(f"numeral_support|attacher:(pointer|model:{tmp_path})")
    assert "not on this machine" in metric.signature_text()
    with pytest.raises(ModelUnavailableError):
        metric.statistics(MetricInput(headlines=["3"], references=[()], articles=["3"]), Runtime())
