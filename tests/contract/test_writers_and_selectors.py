"""What every headline generator and every headline selector keeps to."""

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.headlines.generator import GenerationOptions, Generator, HeadlineStyle, headline_generators
from core.headlines.generators.consensus import ConsensusWriter
from core.headlines.generators.sentences import SentenceRecipe
from core.headlines.selection import Choices, headline_selectors
from core.numerals.checking import load_checker
from core.runtime import Runtime

RUNTIME = Runtime(half=False)
QUICK = [
    name for name in headline_generators.names() if issubclass(headline_generators.get(name), SentenceRecipe)
]
ARTICLES = [
    "A bus crash near Lyon killed 14 people on Monday. Another 30 were hurt. It was the third since 2015.",
    "Банк повысил ставку до 21 процента. Это второй раз за год.",
    "No number stands here. Nor here.",
    "",
    "?!",
]


@pytest.mark.parametrize("name", headline_generators.names())
def test_a_recipe_says_what_it_is(name):
    recipe = headline_generators.parse(name)
    assert all(len(code) == 2 for code in recipe.languages)
    assert all(isinstance(style, HeadlineStyle) for style in recipe.styles)


@pytest.mark.parametrize("name", headline_generators.names())
def test_weights_that_are_missing_are_told_of_before_anything_is_loaded(name):
    told = ("A sentence.", "A hint.")
    try:
        headline_generators.parse(name).check()
    except ModelUnavailableError as error:
        told = (error.message, error.hint)
    assert told[0].endswith(".")
    assert told[1]


@pytest.fixture(scope="module")
def checker():
    return load_checker(None, RUNTIME)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [GenerationOptions(), GenerationOptions(candidates=3, style=HeadlineStyle.NUMBER, most_words=8)],
)
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("name", QUICK)
def test_what_is_written(name, agreed, options, checker):
    generator: Generator = headline_generators.parse(name).build(RUNTIME)
    if agreed:
        generator = ConsensusWriter(generator, checker, 4, frozenset())
    found = generator.write(ARTICLES, options, RUNTIME)
    assert len(found) == len(ARTICLES)
    for article, some in zip(ARTICLES, found, strict=True):
        texts = [one.text for one in some]
        assert 1 <= len(texts) <= options.candidates
        assert len(set(texts)) == len(texts)
        assert all(text == " ".join(text.split()) for text in texts)
        assert all(texts) == any(map(str.isalnum, article))
        assert not options.most_words or all(len(text.split()) <= options.most_words for text in texts)
    assert generator.write(ARTICLES[:1], options, RUNTIME) == found[:1]


TEXTS = [
    "Storm shuts three airports in northern Italy", "Airports closed by storm",
    "Storm: 3 airports in Italy shut, 40 flights cancelled",
    "Шторм закрыл три аэропорта на севере Италии", "", "!!! ???",
    "Storm shuts three airports in northern Italy", "W" * 900,
]  # fmt: skip
DAYS = np.array([10.0, 11.5, np.nan, 9.0, 10.0, 12.0, 10.0, np.nan])


def vectors(n, seed=0):
    drawn = np.random.default_rng(seed).normal(size=(n, 16)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def choices(rows):
    return Choices([TEXTS[row] for row in rows], DAYS[rows], vectors(len(TEXTS))[rows])


def ranked(name, given):
    return headline_selectors.parse(name).build(Runtime()).rank(given)


@pytest.fixture(scope="module", params=headline_selectors.names())
def name(request):
    return str(request.param)


def test_every_headline_gets_a_finite_score_and_a_sentence(name):
    found = ranked(name, choices(list(range(len(TEXTS)))))
    assert found.scores.dtype == np.float64
    assert found.scores.shape == (len(TEXTS),)
    assert np.isfinite(found.scores).all()
    assert len(found.reasons) == len(TEXTS)
    assert all(reason.endswith(".") and "\n" not in reason for reason in found.reasons)


def test_the_order_plays_no_part(name):
    rows = list(range(len(TEXTS)))
    there, back = ranked(name, choices(rows)), ranked(name, choices(rows[::-1]))
    np.testing.assert_array_equal(there.scores, back.scores[::-1])
    assert there.reasons == back.reasons[::-1]


def test_equal_headlines_get_equal_scores(name):
    given = Choices(["A storm shut airports"] * 3, np.full(3, 5.0), np.repeat(vectors(1), 3, axis=0))
    assert len(set(ranked(name, given).scores.tolist())) == 1
    assert ranked(name, given).best == 0


@pytest.mark.parametrize("row", range(len(TEXTS)))
def test_one_headline_is_the_best(name, row):
    assert ranked(name, choices([row])).best == 0


def test_nothing_is_known_but_the_words(name):
    given = Choices(TEXTS[:3], np.full(3, np.nan), np.zeros((3, 0), dtype=np.float32))
    assert np.isfinite(ranked(name, given).scores).all()
