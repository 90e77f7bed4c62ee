"""What every headline generator keeps; around each that needs no weights also inside a consensus."""

import pytest

from core.errors import ModelUnavailableError
from core.headlines.extractive import SentenceRecipe
from core.headlines.generator import Generator, HeadlineStyle, Wishes, headline_generators
from core.headlines.generators.consensus import ConsensusWriter
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
    assert recipe.summary
    assert "\n" not in recipe.summary
    assert all(len(code) == 2 for code in recipe.languages)
    assert all(isinstance(style, HeadlineStyle) for style in recipe.styles)
    signature = headline_generators.signature(recipe)
    assert signature.startswith(name)
    assert headline_generators.parse(signature) == recipe


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
@pytest.mark.parametrize("wishes", [Wishes(), Wishes(candidates=3, style=HeadlineStyle.NUMBER, most_words=8)])
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("name", QUICK)
def test_what_is_written(name, agreed, wishes, checker):
    generator: Generator = headline_generators.parse(name).build(RUNTIME)
    if agreed:
        generator = ConsensusWriter(generator, checker, 4, 4, frozenset())
    found = generator.write(ARTICLES, wishes, RUNTIME)
    assert len(found) == len(ARTICLES)
    for article, some in zip(ARTICLES, found, strict=True):
        texts = [one.text for one in some]
        assert 1 <= len(texts) <= wishes.candidates
        assert len(set(texts)) == len(texts)
        assert all(text == " ".join(text.split()) for text in texts)
        assert all(texts) == any(map(str.isalnum, article))
        assert not wishes.most_words or all(len(text.split()) <= wishes.most_words for text in texts)
    assert generator.write(ARTICLES[:1], wishes, RUNTIME) == found[:1]
