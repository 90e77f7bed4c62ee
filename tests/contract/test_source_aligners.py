"""What every registered source aligner keeps to."""

import threading

import numpy as np
import pytest

from core.errors import Cancelled
from core.numerals.question import WAYS, blank_of, questions_of, read_article, source_aligners
from core.runtime import Runtime

ARTICLE = (
    "(Jun 11, 2010 5:29 PM CDT) At least 30 gunmen burst into a drug rehabilitation center in a Mexican "
    "border state capital and opened fire, killing 19 men and wounding four people, police said. Gunmen "
    "also killed 16 people in another drug-plagued northern city."
)
TEXTS = [
    ARTICLE, "", "Nobody was hurt.", "7",
    "Трое погибли, 12 ранены в аварии на трассе. В больнице остаются 5 человек.",
    "Il terremoto ha ucciso 299 persone; i feriti sono 1.500.",
    "1/0 " + "9" * 400 + " ½ ٣ \u200b12\u202f345", "Profit was $3.2bn. " * 800,
]  # fmt: skip
HEADLINE = "Mexico Gunmen Kill ____"


@pytest.fixture(scope="module", params=source_aligners.names())
def aligner(request):
    recipe = source_aligners.parse(str(request.param))
    recipe.check()
    return recipe.build(Runtime())


def asked(texts):
    return [blank_of(HEADLINE, read_article(text)) for text in texts]


def shares(scores):
    powers = np.exp(scores - scores.max(initial=0.0))
    return powers / powers.sum() if len(powers) else powers


def same(one, other):
    np.testing.assert_allclose(shares(one.numerals), shares(other.numerals), atol=1e-6)
    np.testing.assert_allclose(np.exp(one.ways), np.exp(other.ways), atol=1e-6)


def test_every_numeral_gets_a_finite_score(aligner):
    assert aligner.align([], Runtime()) == []
    questions = asked(TEXTS)
    for question, found in zip(questions, aligner.align(questions, Runtime()), strict=True):
        assert found.numerals.shape == (len(question.article.numerals),)
        assert found.numerals.dtype == found.ways.dtype == np.float64
        assert np.isfinite(found.numerals).all()
        assert found.ways.shape == (len(WAYS),)
        assert np.exp(found.ways).sum() == pytest.approx(1, abs=1e-6)


def test_one_question_does_not_depend_on_the_others(aligner):
    together = aligner.align(asked(TEXTS), Runtime())
    for text, found in zip(TEXTS, together, strict=True):
        same(aligner.align(asked([text]), Runtime())[0], found)


def test_the_number_itself_is_not_seen(aligner):
    article = read_article(ARTICLE)
    right, wrong = (questions_of(f"Mexico Gunmen Kill {n}", article)[0] for n in (35, 71))
    found = aligner.align([right, wrong], Runtime())
    same(*found)


@pytest.mark.parametrize(
    ("headline", "number"),
    [("Gunmen Kill ____ Men in Rehab Center", "19"), ("____ Gunmen Attack Rehab Center", "30")],
)
def test_it_points_to_what_is_told_of(aligner, headline, number):
    article = read_article(ARTICLE)
    found = aligner.align([blank_of(headline, article)], Runtime())[0]
    assert article.numerals[int(found.numerals.argmax())].number == number


def test_it_can_be_stopped(aligner):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        aligner.align(asked([f"{ARTICLE} {n}" for n in range(20)]), Runtime(stop=stop))
