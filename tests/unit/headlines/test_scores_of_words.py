import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer

from core.headlines.metrics import MetricInput, headline_metrics
from core.headlines.metrics.lexical import Meteor, Rouge, rouge_pairs
from core.headlines.metrics.numeral_accuracy import NumeralAccuracy
from core.headlines.metrics.wording import Compression, Duplication, Novelty, UnknownWords
from core.runtime import Runtime
from core.text.tokens import word_list


def test_numeral_accuracy_apart(make):
    given = make(
        ["3 dead", "4 dead", "1 of 2", "7", "8"],
        numbers=["3", "5", "1", "", "8"],
        operations=["copy", "copy", "reasoning", "reasoning", ""],
    )
    rows = NumeralAccuracy().statistics(given, Runtime())
    np.testing.assert_allclose(NumeralAccuracy().values(rows.sum(axis=0)), [2 / 4, 1 / 2, 0])
    assert np.isnan(NumeralAccuracy().values(rows[3])).all()


@pytest.mark.parametrize(
    ("metric", "headlines", "articles", "wanted"),
    [
        # Words: the · bank · cut · rates · today. Runs: "the bank" and "rates"; cut and today are new.
        (Novelty(), ["The Bank cut rates today"], ["On Monday the bank said it lowers rates."],
         [[2 / 5, 3 / 4, 3 / 5, (4 + 1) / 5, 2 / 5]]),
        (Compression(), ["Bank cuts", "", "Bank"], ["The bank, it said, cuts.", "a", ""],
         [[2.5, 2], [math.nan, 0], [math.nan, 1]]),
        (Duplication(), ["the bank the bank cuts", "Bank cuts", "BANK CUTS!", "", "bank"], list("abcde"),
         [[2 / 5, 1 / 4, 0], [0, 0, 1], [0, 0, 1], [math.nan] * 3, [0, math.nan, 0]]),
        # One headline for the same article again is not reused.
        (Duplication(), ["Bank cuts"] * 3, ["one"] * 3, [[0, 0, 0]] * 3),
        (Duplication(), ["Bank cuts"] * 3, None, [[0, 0, 1]] * 3),
        (UnknownWords(), ["Bank <UNK> rates", "Bank ⁇", "unknown bank", "[unk]"], None, [[1], [1], [0], [1]]),
    ],
)  # fmt: skip
def test_by_hand(make, metric, headlines, articles, wanted):
    statistics = metric.statistics(make(headlines, articles=articles), Runtime())
    np.testing.assert_allclose(metric.values(statistics), wanted)


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


def scores(headlines, references, language="en"):
    written = MetricInput(
        headlines=headlines, references=references, articles=[""] * len(headlines), language=language
    )
    return Meteor().values(Meteor().statistics(written, Runtime()))[:, 0]


@given(TEXT, st.lists(TEXT.filter(str.strip), min_size=1, max_size=3))
def test_is_nltks(headline, references):
    want = meteor_score(
        [CUT(one) for one in references], CUT(headline), stemmer=PorterStemmer(), wordnet=NoWordNet()
    )
    np.testing.assert_allclose(scores([headline], [references])[0], want, rtol=0, atol=1e-12)


def test_russian_stems():
    assert scores(["ставки"], [["ставку"]], "ru")[0] == 0.5  # one match in one chunk
    assert scores(["ставки"], [["ставку"]], "en")[0] == 0


KINDS = ["rouge1", "rouge2", "rougeL"]
SCORERS = {stems: RougeScorer(KINDS, use_stemmer=stems) for stems in (True, False)}
WORDS = word_list("bank banks cut cuts cutting the a of rates rate 1,200 -- Straße İ don't")
HEADLINES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@given(st.lists(st.tuples(HEADLINES, HEADLINES), max_size=6), st.booleans())
def test_is_rouge_score_on_words_that_repeat(pairs, stems):
    found = rouge_pairs([a for a, _ in pairs], [b for _, b in pairs], stems=stems)
    rows = [SCORERS[stems].score(want, got) for got, want in pairs]
    for at, ours in enumerate((found.precision, found.recall, found.f1)):
        theirs = np.array([[row[kind][at] for kind in KINDS] for row in rows]).reshape(-1, 3)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_the_published_column_is_rouge_l_without_stems(real):
    found = rouge_pairs([row["pred_michal"] for row in real], [row["reference"] for row in real], stems=False)
    published = [float(row["rougeL_michal"]) for row in real]
    np.testing.assert_allclose(found.f1[:, 2], published, rtol=0, atol=1e-12)


def test_best_reference_for_each_kind_by_itself(make):
    """The first reference shares the pairs, the second more words."""
    references = ["bank cuts elsewhere and yesterday", "rates cuts bank"]
    metric = Rouge()
    values = metric.values(metric.statistics(make(["bank cuts rates"], [references]), Runtime()))[0]
    alone = rouge_pairs(["bank cuts rates"] * 2, references).f1
    np.testing.assert_array_equal(values[:3], alone.max(axis=0))
    assert alone[0, 1] > alone[1, 1]
    assert alone[1, 0] > alone[0, 0]
    best = SCORERS[True].score_multi(references, "bank cuts rates")
    np.testing.assert_allclose(values[:3], [best[kind].fmeasure for kind in KINDS])


def test_russian_needs_a_tokenizer_of_its_own(make):
    """rouge-score alone gives a perfect Russian headline 0."""
    text, other = "Банк России повысил ставку", "Банк России повышает ставки"
    assert SCORERS[True].score(text, text)["rouge1"].fmeasure == 0
    metric = Rouge()
    values = metric.values(metric.statistics(make([text, text], [[text], [other]], language="ru"), Runtime()))
    np.testing.assert_allclose(values[0], 1)
    np.testing.assert_allclose(values[1, :3], [0.75, 1 / 3, 0.75])  # банк, росс, ставк


HIGHER = {
    *("bert_score_f1_minilm", "bert_score_p_minilm", "bert_score_r_minilm", "mover_score_minilm"),
    *("bleu", "chrf", "meteor_no_synonyms", "rouge1", "rouge2", "rougeL", "rouge_mean"),
    *("headlines_passing", "numeral_accuracy", "numeral_accuracy_copy", "numeral_accuracy_reasoning"),
    *("numeral_found", "numeral_support", "numeral_supported"),
}
LOWER = {"numeral_check", "numeral_wrong", "repeated_bigrams", "repeated_words", "reused"}
NEITHER = {
    *("compression", "coverage", "density", "headlines_with_numerals", "longest_copy"),
    *("novel_bigrams", "novel_words", "words"),
}
SHIPPED = {**dict.fromkeys(HIGHER, True), **dict.fromkeys(LOWER, False), **dict.fromkeys(NEITHER, None)}
"""Columns that ship; a metric that is added declares its own."""


def test_every_score_that_ships_has_its_better_end():
    found = {
        column.name: column.higher_is_better
        for name in headline_metrics.names()
        for column in headline_metrics.parse(name).columns
    }
    assert {name: found[name] for name in SHIPPED} == SHIPPED
