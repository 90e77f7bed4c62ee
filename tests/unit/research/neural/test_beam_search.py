"""Search over a decoder whose every headline can be listed."""

import itertools

import pytest
import torch

from research.neural.batches import ArticleExample
from research.neural.search import BeamConstraints, HeadlineLimits, beam_search
from research.neural.vocabulary import END, SPECIALS, START, Vocabulary

WORDS = ("x", "y", "z")
VOCABULARY = Vocabulary((*SPECIALS, *WORDS))
LONGEST = 4


def table_decoder(rows, seed):
    """The next word depends on the last one and on how many there are; a table for each article."""
    size = len(VOCABULARY)
    tables = torch.randn(rows, LONGEST, size, size, generator=torch.Generator().manual_seed(seed)) * 2
    tables = tables.log_softmax(dim=-1)

    def step(words, state):
        place = state[0]
        each = torch.arange(rows)[:, None].expand(words.shape)
        return tables[each, place, words], (place + 1,)

    return step, (torch.zeros(rows, 1, dtype=torch.int64),), tables


def rules(rows, limits):
    examples = [ArticleExample(source=(4,), extra=(), written={})] * rows
    return BeamConstraints(limits, VOCABULARY, examples, 0, "cpu")


def listed(table, penalty, shortest):
    """Every headline with its score, best first."""
    found = []
    for length in range(shortest, LONGEST):
        for words in itertools.product(range(4, 4 + len(WORDS)), repeat=length):
            chain = (START, *words, END)
            total = sum(float(table[at, chain[at], chain[at + 1]]) for at in range(length + 1))
            found.append((words, total / (length + 1) ** penalty))
    return sorted(found, key=lambda one: -one[1])


@pytest.mark.parametrize("penalty", [0.0, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("shortest", [1, 2])
def test_a_wide_beam_finds_what_listing_finds(penalty, shortest):
    step, state, tables = table_decoder(5, seed=3)
    limits = HeadlineLimits(least_words=shortest, most_steps=LONGEST, repeat=0, once=False)
    found = beam_search(step, state, rules(5, limits), width=40, length_penalty=penalty)
    for row, table in zip(found, tables, strict=True):
        wanted = listed(table, penalty, shortest)
        assert [one.numbers for one in row] == [numbers for numbers, _ in wanted][: len(row)]
        assert [one.score for one in row] == pytest.approx(
            [score for _, score in wanted[: len(row)]], abs=1e-5
        )


def test_nothing_is_written_three_words_long_twice():
    def same(words, state):
        scores = torch.full((*words.shape, len(VOCABULARY)), -5.0)
        scores[..., 4] = -0.1
        return scores, state

    start = (torch.zeros(1, 1),)
    plain = beam_search(same, start, rules(1, HeadlineLimits(most_steps=8, repeat=0, once=False)), width=2)[
        0
    ][0]
    assert plain.numbers == (4,) * 7
    ruled = beam_search(same, start, rules(1, HeadlineLimits(most_steps=8, repeat=3, once=False)), width=2)[
        0
    ][0]
    grams = list(zip(ruled.numbers, ruled.numbers[1:], ruled.numbers[2:], strict=False))
    assert len(grams) == len(set(grams))
