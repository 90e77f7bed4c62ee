"""ROUGE against rouge-score and by hand."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.headlines.metrics.lexical import EQUAL_TO, Rouge, rouge_pairs
from core.runtime import Runtime
from core.text.tokens import word_list

KINDS = ["rouge1", "rouge2", "rougeL"]
SCORERS = {stems: RougeScorer(KINDS, use_stemmer=stems) for stems in (True, False)}
WORDS = word_list("bank banks cut cuts cutting the a of rates rate 1,200 -- Straße İ don't")
HEADLINES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def by_rouge_score(headlines: list[str], references: list[str], stems: bool = True) -> np.ndarray:
    """Precision, recall and F1 of three kinds, [3, m, 3]."""
    rows = [SCORERS[stems].score(want, got) for got, want in zip(headlines, references, strict=True)]
    return np.array([[[row[kind][at] for kind in KINDS] for row in rows] for at in range(3)]).reshape(
        3, -1, 3
    )


def all_of(headlines: list[str], references: list[str], stems: bool = True) -> np.ndarray:
    found = rouge_pairs(headlines, references, stems=stems)
    return np.stack([found.precision, found.recall, found.f1])


@given(st.lists(st.tuples(HEADLINES, HEADLINES), max_size=6), st.booleans())
def test_is_rouge_score_on_words_that_repeat(pairs: list[tuple[str, str]], stems: bool) -> None:
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    np.testing.assert_allclose(
        all_of(ours, theirs, stems), by_rouge_score(ours, theirs, stems), rtol=0, atol=1e-12
    )


def test_is_rouge_score_on_real_headlines(real) -> None:
    ours, theirs = [row["pred_cz"] for row in real], [row["reference"] for row in real]
    np.testing.assert_allclose(all_of(ours, theirs), by_rouge_score(ours, theirs), rtol=0, atol=1e-12)


def test_the_published_column_is_rouge_l_without_stems(real) -> None:
    found = rouge_pairs([row["pred_michal"] for row in real], [row["reference"] for row in real], stems=False)
    published = [float(row["rougeL_michal"]) for row in real]
    np.testing.assert_allclose(found.f1[:, 2], published, rtol=0, atol=1e-12)


def test_best_reference_for_each_kind_by_itself(make) -> None:
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


def test_russian_needs_a_tokenizer_of_its_own(make) -> None:
    """rouge-score alone gives a perfect Russian headline 0."""
    text, other = "Банк России повысил ставку", "Банк России повышает ставки"
    assert SCORERS[True].score(text, text)["rouge1"].fmeasure == 0
    metric = Rouge()
    values = metric.values(metric.statistics(make([text, text], [[text], [other]], language="ru"), Runtime()))
    np.testing.assert_allclose(values[0], 1)
    np.testing.assert_allclose(values[1, :3], [0.75, 1 / 3, 0.75])  # банк, росс, ставк


def test_blank_references_are_none(make) -> None:
    metric = Rouge()
    rows = metric.statistics(make(["a", "a", "a"], [[], [" "], ["", "a"]]), Runtime())
    np.testing.assert_array_equal(rows[:2], 0)
    assert np.isnan(metric.values(rows[0])).all()
    assert metric.values(rows[2])[0] == 1


def test_the_version_named_is_the_one_tested() -> None:
    assert f"rouge-score {version('rouge-score')}" == EQUAL_TO
    assert EQUAL_TO in Rouge().signature_text()


@pytest.mark.parametrize(("language", "stems"), [("en", "Porter"), ("ru", "(ru)"), ("fi", "no stems")])
def test_the_signature_names_tokens_and_stems(make, language: str, stems: str) -> None:
    text = Rouge().signature_text(make([], language=language))
    assert stems in text
    assert (EQUAL_TO in text) == (language == "en")
