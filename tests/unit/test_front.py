"""headline_lab as a notebook uses it: frames and lists in, tables out."""

from dataclasses import dataclass
from typing import ClassVar

import headline_lab
from core.headlines.metrics import Column, HeadlineMetric, headline_metrics


def test_a_metric_of_ones_own_is_not_asked_of_an_article_that_is_missing(monkeypatch):
    @dataclass(frozen=True, kw_only=True, slots=True)
    class Share(HeadlineMetric):
        summary: ClassVar = "Length of the headline by that of the article"
        needs: ClassVar = "articles"
        columns: ClassVar = (Column("share", "Share", "length by length"),)

        def score(self, scored):
            return (len(scored.headline) / len(scored.article),)

    monkeypatch.setitem(headline_metrics._recipes, "share_of_article.v1", Share)
    systems, how = {"ours": ["Storm", "Bank"]}, {"metrics": ["share_of_article"]}

    def share(*articles):
        return headline_lab.as_frame(headline_lab.compare_headlines(systems, articles, **how)).share[0]

    assert share("A storm.", "A bank fails.") == (5 / 8 + 4 / 13) / 2
    assert share("A storm.", " ") == 5 / 8
    nothing = headline_lab.compare_headlines(systems, [None, ""], **how)
    assert "No article here has a text." in " ".join(nothing.notes)
