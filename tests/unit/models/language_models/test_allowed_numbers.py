"""Texts that may hold certain numbers in digits alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.language_models.language_model import Decoding, Frame
from core.models.language_models.writing.allowed_numbers import (
    NUMBER,
    AllowedNumbers,
    Pieces,
    without_open_number,
)
from core.models.language_models.writing.choices import DecodingConstraints

FRAME = Frame("", " —", "\n")
ARTICLES = ["In 2019, 1,300 of 27 boats", "No number at all", "7", "It rose 3.5 points, 1/2 of 2,000,000"]

NUMBERS = st.from_regex(r"\d{1,4}([.,/]\d{1,3}){0,2}", fullmatch=True).filter(str.isascii)


def allowed_in(article):
    return set(NUMBER.findall(article))


DECODINGS = {
    "beams": Decoding(tokens=40, beams=6, results=6, no_repeat=3),
    "greedy": Decoding(tokens=40, no_repeat=3),
    "drawn": Decoding(tokens=40, results=8, sample=True, temperature=3.0, no_repeat=3, most_words=4),
}


@pytest.mark.parametrize("way", DECODINGS)
def test_no_text_holds_another_number(gpt2, way):
    def held(**options):
        found = gpt2.write(ARTICLES, frame=FRAME, prefix_tokens=60, decoding=DECODINGS[way], **options)
        return [
            (article, set(NUMBER.findall(one.text)))
            for article, texts in zip(ARTICLES, found, strict=True)
            for one in texts
        ]

    free, bound = held(), held(numbers=allowed_in)
    assert any(not numbers <= allowed_in(article) for article, numbers in free), "the model writes no digits"
    assert all(numbers <= allowed_in(article) for article, numbers in bound)
    assert len(bound) >= len(ARTICLES)


PART = "\ufffd"
"""What a part of a letter in bytes reads as; cleaning takes away those that made none."""

HIDDEN = "\u200b"
SIGNS = [*"0123456789", ".", ",", "/", "a", " ", "\n", "12", ",0", "5b", " 9", ". ", PART, f"{PART}5", HIDDEN]


def pieces():
    count = len(SIGNS)
    ends = np.array([sign == "\n" for sign in SIGNS])
    words = np.array([any(one.isalnum() or one == PART for one in sign) for sign in SIGNS])
    starts = np.array([sign.startswith(" ") for sign in SIGNS])
    return Pieces(ends, starts, words, np.zeros(count, dtype=np.bool_), tuple(SIGNS))


def following(text, allowed):
    """The signs that may follow a text."""
    import torch

    rule = AllowedNumbers(pieces(), SIGNS.index("\n"), [allowed])
    rules = DecodingConstraints(
        Decoding(no_repeat=0, least_words=0), pieces(), SIGNS.index("\n"), "cpu", numbers=rule
    )
    scores = torch.zeros(1, len(SIGNS))
    tokens = np.array([[SIGNS.index(sign) for sign in text]], dtype=np.int64).reshape(1, -1)
    rules.forbid(scores, tokens, np.zeros(1, dtype=np.int64))
    return {sign for sign, score in zip(SIGNS, scores[0].tolist(), strict=True) if score > -1}


@settings(max_examples=150)
@given(st.sets(NUMBERS, max_size=4), st.data())
def test_any_walk_ends_with_allowed_numbers(allowed, data):
    text: list[str] = []
    for _ in range(12):
        choices = sorted(following(text, allowed))
        assert choices
        chosen = data.draw(st.sampled_from(choices))
        if chosen == "\n":
            break
        text.append(chosen)
    line = without_open_number("".join(text), allowed)
    assert chosen != "\n" or line == "".join(text)
    assert set(NUMBER.findall(line)) <= allowed
    assert set(NUMBER.findall(line.replace(PART, ""))) <= allowed
