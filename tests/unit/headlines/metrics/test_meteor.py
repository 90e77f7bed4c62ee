"""METEOR against nltk's own function with an empty WordNet, and by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.meteor_score import meteor_score

from core.headlines.metrics.lexical import Meteor
from core.headlines.metrics.metric import MetricInput
from core.runtime import Runtime

CUT = NLTKWordTokenizer().tokenize
TEXT = st.lists(
    st.sampled_from(
        ["Bank", "banks", "cut", "cuts", "the", "rates,", "rate", "don't", "«ставку»", "$5", "."]
    ),
    max_size=8,
).map(" ".join)


class NoWordNet:
    def synsets(self, _word: str) -> list[object]:
        return []


def scores(headlines: list[str], references: list[list[str]], language: str = "en") -> np.ndarray:
    written = MetricInput(
        headlines=headlines, references=references, articles=[""] * len(headlines), language=language
    )
    return Meteor().values(Meteor().statistics(written, Runtime()))[:, 0]


@given(TEXT, st.lists(TEXT.filter(str.strip), min_size=1, max_size=3))
def test_is_nltks(headline: str, references: list[str]) -> None:
    want = meteor_score(
        [CUT(one) for one in references], CUT(headline), stemmer=PorterStemmer(), wordnet=NoWordNet()
    )
    np.testing.assert_allclose(scores([headline], [references])[0], want, rtol=0, atol=1e-12)


def test_russian_stems() -> None:
    assert scores(["ставки"], [["ставку"]], "ru")[0] == 0.5  # one match in one chunk
    assert scores(["ставки"], [["ставку"]], "en")[0] == 0
