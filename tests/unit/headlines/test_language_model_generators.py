from typing import Any

import pytest

from core.errors import ModelUnavailableError
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.generators.neural import CausalHeadlines, TunedSmolLM2
from core.models.language_models.language_model import Decoding, Frame, Length, WrittenText
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLES = [
    "The crew of the station came home on Sunday. They had spent 204 days in orbit.",
    "Банк повысил ставку до 21 процента. Это второй раз за год.",
    "<p>Il governo ha approvato la legge.</p>",
    "中央银行上调利率。",
]


@pytest.fixture(params=["causal", "adapter"])
def generator(request, tiny_gpt2, adapter):
    if request.param == "causal":
        return CausalHeadlines(model=str(tiny_gpt2), headline_tokens=20, article_tokens=100).build(EXACT)
    return TunedSmolLM2(model=str(adapter)).build(EXACT)


def test_a_dateline_is_not_read(generator):
    bare, dated = generator.write(
        [ARTICLES[0], f"(Sep 25, 2016  1:28 PM CDT) {ARTICLES[0]}"], Wishes(), EXACT
    )
    assert bare == dated


def writer_saying(monkeypatch, folder, *texts):
    """A writer over a language model that says what it was told to say, and what that model was asked."""
    told: list[tuple[Frame, Decoding]] = []

    def write(self, prefixes, *, frame, decoding, **_):
        told.append((frame, decoding))
        return [
            [WrittenText(text, -float(place), True) for place, text in enumerate(texts)] for _ in prefixes
        ]

    writer: Any = TunedSmolLM2(model=str(folder)).build(EXACT)
    monkeypatch.setattr(type(writer.model), "write", write)
    return writer, told


def test_wishes_choose_among_texts(adapter, monkeypatch):
    said = ("Bank raises rates.", "Bank Raises Rates", "Will rates rise?", "Rates rise by 2 points")
    writer, told = writer_saying(monkeypatch, adapter, *said)

    def first(wishes):
        return writer.write(ARTICLES[:1], wishes, EXACT)[0][0].text

    assert first(Wishes()) == "Bank raises rates"
    assert first(Wishes(style=HeadlineStyle.QUESTION)) == "Will rates rise?"
    assert first(Wishes(style=HeadlineStyle.NUMBER)) == "Rates rise by 2 points"
    all_of_them = writer.write(ARTICLES[:1], Wishes(candidates=4), EXACT)[0]
    assert [one.text for one in all_of_them] == [
        "Bank raises rates",
        "Will rates rise?",
        "Rates rise by 2 points",
    ]
    assert [one.score for one in all_of_them] == [0.0, -2.0, -3.0]
    assert told[-1][1].results == 6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smollm2.v1", "smollm2_headlines.v1"])
def test_the_real_models(name):
    recipe = headline_generators.parse(name)
    try:
        recipe.check()
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    wishes = Wishes(candidates=3, length=Length.SHORT)
    (found,) = recipe.build(Runtime()).write(ARTICLES[:1], wishes, Runtime())
    assert len(found) == 3
    assert all(len(one.text.split()) <= 6 for one in found)
    words = {word.strip(".,'’").casefold() for one in found for word in one.text.split()}
    assert words & {"crew", "station", "orbit", "204", "home"}
