"""BLEU and chrF against sacreBLEU and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF

from core.headlines.metrics.lexical import Bleu, ChrF
from core.headlines.metrics.metric import HeadlineMetric, MetricInput
from core.runtime import Runtime
from core.text.tokens import word_list

TEXT = st.lists(
    st.sampled_from(word_list("Bank bank cuts rates again $1,200 it's a ; ставку")),
    max_size=8,
).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT.filter(str.strip)), min_size=1, max_size=5)
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}


def rows(metric: HeadlineMetric, headlines: list[str], references: list[list[str]]) -> np.ndarray:
    written = MetricInput(headlines=headlines, references=references, articles=[""] * len(headlines))
    return metric.statistics(written, Runtime())


@given(PAIRS)
def test_one_headline_is_the_sentence_score(pairs: list[tuple[str, str]]) -> None:
    ours, theirs = [a for a, _ in pairs], [[b] for _, b in pairs]
    np.testing.assert_allclose(
        Bleu().values(rows(Bleu(), ours, theirs))[:, 0],
        [sacrebleu.sentence_bleu(a, b).score for a, b in zip(ours, theirs, strict=True)],
        **TOLERANCE,
    )
    np.testing.assert_allclose(
        ChrF().values(rows(ChrF(), ours, theirs))[:, 0],
        [sacrebleu.sentence_chrf(a, b).score for a, b in zip(ours, theirs, strict=True)],
        **TOLERANCE,
    )


def test_corpus_score_and_signature_on_real_headlines(real, make) -> None:
    """With a second reference for every item, then for some, as sacreBLEU takes them."""
    ours, first = [row["pred_cz"] for row in real[:400]], [row["reference"] for row in real[:400]]
    second = [row["pred_michal"] for row in real[:400]]
    for streams, references in (
        ([first], [[a] for a in first]),
        ([first, second], [list(pair) for pair in zip(first, second, strict=True)]),
        (
            [first, [b if k % 3 else None for k, b in enumerate(second)]],
            [[a, b] if k % 3 else [a] for k, (a, b) in enumerate(zip(first, second, strict=True))],
        ),
    ):
        for metric, reference in ((Bleu(), BLEU()), (ChrF(), CHRF())):
            want = reference.corpus_score(ours, streams)
            np.testing.assert_allclose(
                metric.values(rows(metric, ours, references).sum(axis=0))[0], want.score, **TOLERANCE
            )
            assert metric.signature_text(make(ours, references)) == f"sacreBLEU {reference.get_signature()}"


@pytest.mark.parametrize("metric", [Bleu(), ChrF()])
def test_without_references_undefined(metric: HeadlineMetric) -> None:
    found = rows(metric, ["a b c d", "a"], [[], []])
    assert not found.any()
    assert np.isnan(metric.values(found.sum(axis=0))).all()
    assert "nrefs:var" in metric.signature_text()


@given(PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_several_headlines_are_the_corpus_score(pairs: list[tuple[str, str]]) -> None:
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    for metric, reference in (
        (Bleu(), BLEU()),
        (Bleu(tokenize="char", lowercase=True), BLEU(tokenize="char", lowercase=True)),
        (ChrF(), CHRF()),
        (ChrF(word_order=2), CHRF(word_order=2)),
    ):
        sums = rows(metric, ours, [[b] for b in theirs]).sum(axis=0)
        np.testing.assert_allclose(
            metric.values(sums)[0], reference.corpus_score(ours, [theirs]).score, **TOLERANCE
        )
