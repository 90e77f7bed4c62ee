"""Which numbers in digits a headline may take from its article, and a writer that is held to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.headlines.generator import Wishes
from core.headlines.generators.neural import CausalHeadlines
from core.headlines.numeral_safety import derivable_numbers
from core.models.language_models.writing.allowed_numbers import NUMBER
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLE = "Three of 65,000 boats sank on Sunday; the loss of $3.2 million and 968 sailors was felt."


def test_numbers_as_they_stand_as_digits_in_magnitudes_and_rounded() -> None:
    found = derivable_numbers(ARTICLE)
    assert found >= {"3", "65,000", "65", "3.2", "968"}
    assert "966" not in found
    assert "4,711" not in found


@given(st.text(alphabet="0123456789.,/ aé%$€-", max_size=60))
def test_what_stands_in_the_article_is_there(text: str) -> None:
    assert set(NUMBER.findall(text)) <= derivable_numbers(text)


def test_a_writer_that_is_held_to_them(tiny_gpt2: Path) -> None:
    """A model with random weights writes digits of all kinds; held to the article it writes only its own."""
    articles = [ARTICLE, "Nobody came.", "It rose by 3.5 points to 21 percent in 2019."]

    def numbers(writer: Any, wishes: Wishes) -> list[tuple[str, set[str]]]:
        found = writer.write(articles, wishes, EXACT)
        return [
            (article, set(NUMBER.findall(one.text)))
            for article, some in zip(articles, found, strict=True)
            for one in some
        ]

    free: Any = CausalHeadlines(model=str(tiny_gpt2), headline_tokens=40).build(EXACT)
    bound = replace(free, numbers=derivable_numbers)
    for wishes in (Wishes(candidates=6), Wishes(candidates=10, sample=True, temperature=3.0)):
        assert any(not found <= derivable_numbers(article) for article, found in numbers(free, wishes))
        assert all(found <= derivable_numbers(article) for article, found in numbers(bound, wishes))
