import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.article_numbers import derivable_numbers
from core.headlines.generator import Wishes, headline_generators
from core.models.language_models.writing.choices import NUMBER
from core.runtime import Runtime
from research.neural.model import NeuralWriter
from tests.unit.research.neural.examples import ARCHITECTURES, tiny_model

EXACT = Runtime(half=False)
ARTICLE = "Three of 65,000 boats sank on Sunday; the loss of $3.2 million and 968 sailors was felt."


def test_numbers_as_they_stand_as_digits_in_magnitudes_and_rounded():
    found = derivable_numbers(ARTICLE)
    assert found >= {"3", "65,000", "65", "3.2", "968"}
    assert "966" not in found
    assert "4,711" not in found


@given(st.text(alphabet="0123456789.,/ aé%$€-", max_size=60))
def test_what_stands_in_the_article_is_there(text):
    assert set(NUMBER.findall(text)) <= derivable_numbers(text)


HUB = {
    "bart.v1": "bart",
    "brio.v1": "bart",
    "mbart.v1": "mbart",
    "pegasus.v1": "pegasus",
    "rubert_seq2seq.v1": "encoder-decoder",
    "t5.v1": "t5",
    "ttgen_bottleneck.v1": "encoder-decoder",
}
LANGUAGE_MODELS = ("causal.v1", "smollm2_headlines.v1")
ARTICLES = [
    "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt. Schools stay shut.",
    "The bank cut its rate to 2% after a long debate, and markets fell. Analysts had expected no change.",
    "Банк повысил ставку до 21 процента. Это второй раз за год.",
    "<b>bold</b> & \x00 \U0001f600 中央银行上调利率。",
    "</s> <mask> is not a token here",
    "a b " * 30_000,
]


@pytest.fixture(scope="module", params=[*HUB, *LANGUAGE_MODELS, *ARCHITECTURES])
def name(request):
    return str(request.param)


@pytest.fixture(scope="module")
def generator(name, tiny, tiny_gpt2, adapter):
    if name in ARCHITECTURES:
        return NeuralWriter(tiny_model(name))
    if name in HUB:
        signature = f"{name}|model:{tiny(HUB[name])}|headline_tokens:14|beams:3"
        signature += "|pool:4" if name == "brio.v1" else ""
    elif name == "causal.v1":
        signature = f"{name}|model:{tiny_gpt2}|headline_tokens:20|article_tokens:100"
    else:
        signature = f"{name}|model:{adapter}"
    recipe = headline_generators.parse(signature)
    recipe.check()
    return recipe.build(EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [False, True])
def test_candidates_are_different_lines_best_first(generator, name, sample):
    for found in generator.write(ARTICLES, Wishes(candidates=3, sample=sample), EXACT):
        lines, scores = [one.text for one in found], [one.score for one in found]
        assert 1 <= len(lines) == len(set(lines)) <= 3
        assert all(line and line == line.strip() and "\n" not in line for line in lines)
        if name in LANGUAGE_MODELS:  # headlines that end stand before those that were cut
            assert not any("\ufffd" in line for line in lines)
        else:
            assert scores == sorted(scores, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [False, True])
def test_an_article_does_not_depend_on_the_others(generator, sample):
    wishes = Wishes(candidates=2, sample=sample)
    together = generator.write(ARTICLES, wishes, EXACT)
    backwards = generator.write(ARTICLES[::-1], wishes, EXACT)[::-1]
    for article, *others in zip(ARTICLES, together, backwards, strict=True):
        (own,) = generator.write([article], wishes, EXACT)
        for other in others:
            assert [one.text for one in own] == [one.text for one in other]
            assert [one.score for one in own] == pytest.approx([one.score for one in other], abs=1e-3)


@pytest.mark.parametrize("most", [1, 3])
def test_headlines_keep_to_the_number_of_words(generator, most):
    for found in generator.write(ARTICLES, Wishes(candidates=2, most_words=most), EXACT):
        assert all(1 <= len(one.text.split()) <= most for one in found)


@pytest.mark.slow
def test_a_draw_follows_its_seed(generator):
    wishes = Wishes(candidates=2, sample=True, temperature=2.0, top_p=1.0)
    drawn = [str(generator.write(ARTICLES[:3], wishes, Runtime(half=False, seed=seed))) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]
