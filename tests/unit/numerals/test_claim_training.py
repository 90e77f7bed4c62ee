"""What the claim model learns from is right or wrong as it says; it learns a batch, stops and resumes."""

from __future__ import annotations

from random import Random

import pytest

from research.training.numerals import claim_changes as change
from research.training.numerals.claim_changes import (
    WRONG_BOUNDS,
    Pair,
    bounded,
    claim_words,
    plain_pair,
    rounded_with_bound,
)
from research.training.numerals.claim_facts import ClaimFact, MarkedText, claim_fact, passages

BLAST = """(Mar 3, 2014 8:00 AM CDT) A blast at a plant in Arden killed 27 people and injured 340 workers. \
The owner, Holt Chemicals, lost $3.2 million. Mayor Anna Cruz said the fire burned for nine days. \
A museum in Bellmoor sent 19 trucks."""
ROWS = (
    ("Arden Blast Kills ____ People", "27", "Copy( 27 )"),
    ("Owner Lost $____M", "3.2", "Copy( 3.2 )"),
    ("Arden Plant Burns for ____ Days", "9", "Trans( nine )"),
    ("Arden Blast Hurts ____ Workers", "340", "Copy( 340 )"),
    ("More Than ____ Trucks Sent", "19", "Copy( 19 )"),
    ("____ Killed or Injured", "367", "Add( 27 , 340 )"),
)


@pytest.fixture(scope="module")
def facts() -> list[ClaimFact]:
    found = [claim_fact(*row[:2], BLAST, row[2], at) for at, row in enumerate(ROWS)]
    return [one for one in found if one is not None]


def pair_of(headline: str, number: str, sentence: str, source: str) -> Pair:
    def marked(text: str, part: str) -> MarkedText:
        return MarkedText(text, ((text.index(part), text.index(part) + len(part)),))

    return marked(headline, number), (marked(sentence, source),)


def test_facts_name_the_sentences_of_the_sources(facts: list[ClaimFact]) -> None:
    assert len(facts) == len(ROWS)
    sums = passages(facts[5].sources)
    assert [text[start:end] for text, spans in sums for start, end in spans] == ["27", "340"]
    assert not facts[5].copied
    assert facts[2].copied
    assert {one.numeral.number for one in facts[0].others} == {"340", "3.2", "nine", "19"}, "no dateline"
    assert {one.name: one.place for one in facts[0].holders}["Bellmoor"]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_changed_in_both_agrees_and_what_is_changed_in_one_does_not(seed: int) -> None:
    draw = Random(seed)
    pair = pair_of("Fund Gains 20 Dollars", "20", "The fund gains 20 dollars.", "20")
    both = change.flip_both(pair, draw)
    assert both is not None
    wrong = {"loses", "sheds", "losses"}
    assert {both[0].text.split()[1].lower(), both[1][0].text.split()[2]} <= wrong | {"falls", "drops"} | set(
        claim_words().flips["gains"]
    )
    unit = change.unit_both(pair, draw)
    assert unit is not None
    assert unit[0].text.split()[-1].lower() == unit[1][0].text.split()[-1].strip(".")
    one = change.unit_headline(pair, draw)
    assert one is not None
    assert "Dollars" not in one[0].text
    assert one[1] == pair[1]


def test_bounds_that_contradict(facts: list[ClaimFact]) -> None:
    words = claim_words()
    for seed in range(8):
        right = bounded(facts[0], plain_pair(facts[0]), Random(seed), right=True)
        assert right is not None
        kinds = [found[2] for text in (right[0], right[1][0]) if (found := change.bound_before(text))]
        assert len(kinds) == 2
        assert kinds[0] == kinds[1]
        turned = change.bound_headline(plain_pair(facts[4]), Random(seed))
        assert turned is not None
        found = change.bound_before(turned[0])
        assert found is not None
        assert found[2] in WRONG_BOUNDS["more"]
        near = rounded_with_bound(facts[3], plain_pair(facts[3]), Random(seed), right=True)
        assert near is None or any(
            near[0].text.lower().startswith(f"arden blast hurts {phrase}") for phrase in words.bound_of
        )
