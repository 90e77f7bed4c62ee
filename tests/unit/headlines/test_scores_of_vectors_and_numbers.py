import bert_score
import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF
from scipy.optimize import linprog

from core.errors import InputError, ModelUnavailableError
from core.headlines.metrics import MetricInput, headline_metrics
from core.headlines.metrics.bert_score import BertScore
from core.headlines.metrics.contextual import document_frequencies
from core.headlines.metrics.lexical import Bleu, ChrF
from core.headlines.metrics.mover_score import MoverScore
from core.headlines.metrics.numeral_support import COLUMNS, counts_of, shares
from core.models.networks.pretrained import TokenStates
from core.numerals.checked_headline import CheckedHeadline, CheckedNumeral, Light
from core.numerals.question import ReadArticle
from core.runtime import Runtime
from core.text.numerals.read import read_numerals
from core.text.tokens import word_list
from tests.unit.numerals.numerals_by_hand import claim

HEADLINES = ["bank cuts rates", "the storm hits!", "a storm", "bank cuts rates", "coast, 1,200 hits"]
REFERENCES = [
    ["the bank cuts rate"], ["storm hits the coast", "a storm"], ["bank cuts rates"], ["bank cuts rates"],
    ["the coast hits", "1200 hits", "bank."],
]  # fmt: skip
WRITTEN = MetricInput(headlines=HEADLINES, references=REFERENCES, articles=[""] * 5)


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [3, 1])
def test_is_the_librarys_on_bert(tiny_bert, layer, idf):
    theirs = bert_score.score(
        HEADLINES, REFERENCES, model_type=str(tiny_bert), num_layers=layer, idf=idf, nthreads=0, device="cpu"
    )
    metric = BertScore(encoder=str(tiny_bert), layer=layer, idf=idf)
    ours = metric.values(metric.statistics(WRITTEN, Runtime()))
    np.testing.assert_allclose(ours, np.stack([column.numpy() for column in theirs], axis=1), atol=2e-6)


def test_what_cannot_be_is_refused(tiny_bert, tmp_path, make):
    given = make(["a"], [["a"]])
    with pytest.raises(ModelUnavailableError, match="roberta-large"):
        BertScore(encoder="roberta-large").statistics(given, Runtime())
    with pytest.raises(ModelUnavailableError, match="3 layers, not 4"):
        BertScore(encoder=str(tiny_bert), layer=4).statistics(given, Runtime())
    for signature in ("bert_score|encoder:", "bert_score|layer:-1"):
        with pytest.raises(InputError):
            headline_metrics.parse(signature)
    with pytest.raises(ModelUnavailableError, match="not a model"):
        BertScore(encoder=str(tmp_path)).statistics(given, Runtime())


def by_linear_program(left, right, apart):
    """The transport problem written out: what leaves each place and what arrives at each."""
    a, b = apart.shape
    leaves = np.kron(np.eye(a), np.ones(b))
    arrives = np.kron(np.ones(a), np.eye(b))
    solved = linprog(
        apart.ravel(),
        A_eq=np.vstack([leaves, arrives]),
        b_eq=np.concatenate([left / left.sum(), right / right.sum()]),
    )
    assert solved.success
    return float(solved.fun)


def test_whole_metric_against_the_linear_program(tiny_bert):
    """All steps again, one text at a time: tokens, weights, first pieces of words, best reference."""
    headlines = ["bank cuts rates", "the storm, hits!", "coast storm"]
    references = [["the bank cuts rate."], ["storm hits the coast", "a storm"], ["bank cuts"]]
    encoder = TokenStates(tiny_bert, layers=0, device="cpu")
    ours = document_frequencies(encoder, headlines)
    theirs = document_frequencies(encoder, [one for row in references for one in row])
    want = []
    for headline, row in zip(headlines, references, strict=True):
        scores = []
        for reference in row:
            sides = []
            for one, weights in ((headline, ours), (reference, theirs)):
                tokens = encoder.tokenise([one])[0]
                kept = [
                    k for k, p in enumerate(tokens.pieces) if p[0] != "[" and "##" not in p and p not in ",.!"
                ]
                vectors = encoder.vectors([tokens], Runtime(), step="")[0].astype(np.float64)
                sides.append((np.array([weights[tokens.ids[k]] for k in kept]), vectors[kept]))
            (left, a), (right, b) = sides
            apart = np.linalg.norm(a[:, None] - b[None], axis=2)
            scores.append(1 / (1 + by_linear_program(left, right, apart)))
        want.append([max(scores)])
    metric = MoverScore(encoder=str(tiny_bert))
    given = MetricInput(headlines=headlines, references=references, articles=[""] * 3)
    np.testing.assert_allclose(metric.values(metric.statistics(given, Runtime())), want, atol=1e-5)


EMPTY = ReadArticle("", "en", (), (), (), 0)


def headline(*verdicts):
    (one,) = read_numerals("7", language="en")
    found = tuple(CheckedNumeral(one, claim(light, probability), (), None) for light, probability in verdicts)
    return CheckedHeadline("7", EMPTY, found, "pointer.v1")


def named(values):
    return {column.name: float(value) for column, value in zip(COLUMNS, values, strict=True)}


def test_the_example_of_the_docs():
    headlines = [
        headline((Light.SUPPORTED, 0.9), (Light.FOUND, 0.6)),
        headline((Light.WRONG, 0.3)),
        headline(),
    ]
    sums = np.sum([counts_of(one) for one in headlines], axis=0)
    assert named(shares(sums)) == pytest.approx(
        {
            "numeral_supported": 1 / 3, "numeral_found": 1 / 3, "numeral_check": 0,
            "numeral_wrong": 1 / 3, "numeral_support": 0.6, "headlines_passing": 1 / 2,
            "headlines_with_numerals": 2 / 3,
        }
    )  # fmt: skip
    silent = named(shares(counts_of(headline())))
    assert silent.pop("headlines_with_numerals") == 0
    assert np.isnan(list(silent.values())).all()


TEXT = st.lists(
    st.sampled_from(word_list("Bank bank cuts rates again $1,200 it's a ; ставку")), max_size=8
).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT.filter(str.strip)), min_size=1, max_size=5)
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}


def rows(metric, headlines, references):
    written = MetricInput(headlines=headlines, references=references, articles=[""] * len(headlines))
    return metric.statistics(written, Runtime())


def test_the_number_of_references_varies_where_it_is_not_known():
    for metric in (Bleu(), ChrF()):
        assert metric.signature_text().startswith("sacreBLEU nrefs:var|")


@given(PAIRS)
def test_one_headline_is_the_sentence_score(pairs):
    ours, theirs = [a for a, _ in pairs], [[b] for _, b in pairs]
    np.testing.assert_allclose(
        Bleu().values(rows(Bleu(), ours, theirs))[:, 0],
        [sacrebleu.sentence_bleu(a, b).score for a, b in zip(ours, theirs, strict=True)],
        **TOLERANCE,
    )
    for order in (0, 2):
        metric = ChrF(word_order=order)
        np.testing.assert_allclose(
            metric.values(rows(metric, ours, theirs))[:, 0],
            [
                sacrebleu.sentence_chrf(a, b, word_order=order).score
                for a, b in zip(ours, theirs, strict=True)
            ],
            **TOLERANCE,
        )


def test_corpus_score_and_signature_on_real_headlines(real, make):
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
