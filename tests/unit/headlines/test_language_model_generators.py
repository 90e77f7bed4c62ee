"""Generators over language models, with tiny random models; and the real ones where they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, ModelUnavailableError
from core.headlines.extractive import LanguageModelWriter
from core.headlines.generator import Generator, HeadlineCandidate, HeadlineStyle, Wishes, headline_generators
from core.headlines.generators import neural
from core.headlines.generators.neural import CausalHeadlines, TunedSmolLM2
from core.models.language_models.language_model import Decoding, Frame, Length, WrittenText, after_text
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLES = [
    "The crew of the station came home on Sunday. They had spent 204 days in orbit.",
    "Банк повысил ставку до 21 процента. Это второй раз за год.",
    "<p>Il governo ha approvato la legge.</p>",
    "中央银行上调利率。",
]


@pytest.fixture(params=["causal", "adapter"])
def generator(request: pytest.FixtureRequest, tiny_gpt2: Path, adapter: Path) -> Generator:
    if request.param == "causal":
        return CausalHeadlines(model=str(tiny_gpt2), headline_tokens=20, article_tokens=100).build(EXACT)
    return TunedSmolLM2(model=str(adapter)).build(EXACT)


def test_a_dateline_is_not_read(generator: Generator) -> None:
    bare, dated = generator.write(
        [ARTICLES[0], f"(Sep 25, 2016  1:28 PM CDT) {ARTICLES[0]}"], Wishes(), EXACT
    )
    assert bare == dated


def writer_saying(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *texts: str
) -> tuple[LanguageModelWriter, list[tuple[Frame, Decoding]]]:
    """A writer over a language model that says what it was told to say, and what that model was asked."""
    told: list[tuple[Frame, Decoding]] = []

    def write(
        self: object, prefixes: Sequence[str], *, frame: Frame, decoding: Decoding, **_: object
    ) -> list[list[WrittenText]]:
        told.append((frame, decoding))
        return [
            [WrittenText(text, -float(place), True) for place, text in enumerate(texts)] for _ in prefixes
        ]

    writer: Any = TunedSmolLM2(model=str(folder)).build(EXACT)
    monkeypatch.setattr(type(writer.model), "write", write)
    return writer, told


def test_wishes_choose_among_texts(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ("Bank raises rates.", "Bank Raises Rates", "Will rates rise?", "Rates rise by 2 points")
    writer, told = writer_saying(monkeypatch, adapter, *said)

    def first(wishes: Wishes) -> str:
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


def test_headlines_that_end_come_first(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, _ = writer_saying(monkeypatch, adapter, "Bank raises rates by a", "Bank raises rates")
    whole = [WrittenText("Bank raises rates by a", -0.1, False), WrittenText("Bank raises rates", -0.5, True)]
    monkeypatch.setattr(type(writer.model), "write", lambda *_, **__: [whole])
    found = writer.write(ARTICLES[:1], Wishes(candidates=2), EXACT)[0]
    assert [one.text for one in found] == ["Bank raises rates", "Bank raises rates by a"]


def test_wishes_reach_the_model(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, told = writer_saying(monkeypatch, adapter, "Bank raises rates")
    writer.write(ARTICLES[:1], Wishes(), EXACT)
    writer.write(ARTICLES[:1], Wishes(length=Length.SHORT, style=HeadlineStyle.QUESTION), EXACT)
    writer.write(ARTICLES[:1], Wishes(length=Length.LONG, style=HeadlineStyle.NUMBER, most_words=8), EXACT)
    frames, decodings = zip(*told, strict=True)
    assert [frame.after for frame in frames] == [
        after_text(Length.USUAL, question=False, number=False),
        after_text(Length.SHORT, question=True, number=False),
        after_text(Length.LONG, question=False, number=True),
    ]
    assert [(one.least_words, one.most_words) for one in decodings] == [(1, 0), (1, 6), (8, 8)]


def test_tokens_that_make_no_word_give_the_articles_beginning(
    adapter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, _ = writer_saying(monkeypatch, adapter, "\ufffd")
    (found,) = writer.write(ARTICLES[:1], Wishes(), EXACT)
    assert found == [HeadlineCandidate("The crew of the station came home on Sunday. They", 0.0)]


def test_an_adapter_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelUnavailableError, match="holds no adapter"):
        TunedSmolLM2(model=str(tmp_path)).check()
    monkeypatch.setattr(neural, "OURS", tmp_path)
    with pytest.raises(ModelUnavailableError, match="No adapter for headlines ships here") as caught:
        TunedSmolLM2().check()
    assert "headline-lab train headlines" in caught.value.hint


def test_a_causal_model_that_cannot_be() -> None:
    with pytest.raises(InputError, match="prompt cannot be 'loud'"):
        CausalHeadlines(prompt="loud")
    with pytest.raises(ModelUnavailableError, match="gpt2"):
        CausalHeadlines().check()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smollm2.v1", "smollm2_headlines.v1"])
def test_the_real_models(name: str) -> None:
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
