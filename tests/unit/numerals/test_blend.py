"""When the blend asks its network, about what, and what it makes of what was not read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest

from core.numerals.attachments import READ, SURE, LoadedBlend
from core.numerals.question import WAYS, Attachment, NumeralQuestion, blank_of, read_article, shares_of
from core.runtime import Runtime

ARTICLE = "The fire killed 19 men. It hurt 4 women and 6 boys. It cost 300 jobs. It began at 5 p.m."
EVEN = np.full(len(WAYS), -np.log(len(WAYS)))


class Words:
    """Gives shares to numerals."""

    def __init__(self, *shares: float) -> None:
        self.shares = np.array(shares)

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        return [Attachment(np.log(self.shares), EVEN) for _ in questions]


class Network(Words):
    """Remembers which sentences it was asked to read."""

    def __init__(self, *shares: float) -> None:
        super().__init__(*shares)
        self.read: list[set[int]] = []

    def attach_within(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None, runtime: Runtime
    ) -> list[Attachment]:
        self.read += [set(one) for one in within or ()]
        return self.attach(questions, runtime)


def asked(text: str = ARTICLE) -> list[NumeralQuestion]:
    return [blank_of("____ Dead in Fire", read_article(text))]


def test_where_words_are_sure_the_network_is_not_asked() -> None:
    rest = (1 - SURE) / 4
    network = Network(*[0.2] * 5)
    words = Words(SURE + 0.01, *[rest - 0.0025] * 4)
    (found,) = LoadedBlend(network, words).attach(asked(), Runtime())
    assert network.read == []
    shares = shares_of(found.numerals)
    assert shares[0] > words.shares[0], "as sure as both together would be"
    assert (shares[1:] < words.shares[1:]).all()
    assert shares[1] == pytest.approx(shares[2])


def test_where_words_doubt_the_likeliest_sentences_are_read() -> None:
    network = Network(*[0.2] * 5)
    words = Words(0.5, 0.25, 0.24, 0.006, 0.004)
    assert sum(words.shares[:3]) > READ
    (found,) = LoadedBlend(network, words).attach(asked(), Runtime())
    assert network.read == [{0, 1}]
    assert shares_of(found.numerals)[3:].max() < words.shares[3], "what is ruled out gets no likelier"


def test_a_language_that_the_network_does_not_read_is_left_to_the_words() -> None:
    network = Network(0.5, 0.5)
    LoadedBlend(network, Words(0.5, 0.5)).attach(asked("Трое погибли, ранены 12 человек."), Runtime())
    assert network.read == []


@pytest.mark.parametrize("text", ["", "Nobody was hurt."])
def test_an_article_without_numbers_is_not_read(text: str) -> None:
    network = Network()
    (found,) = LoadedBlend(network, Words()).attach(asked(text), Runtime())
    assert network.read == []
    assert found.numerals.shape == (0,)
