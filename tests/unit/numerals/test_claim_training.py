"""What the claim model learns from is right or wrong as it says; it learns a batch, stops and resumes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch
from core.numerals.entailing.network import ClaimNetwork

from core.models.weights import locate
from core.numerals.entailing.question import CLASSES, ClaimClass
from research.training.numerals import claim_changes as change
from research.training.numerals.claim_changes import (
    WRONG_BOUNDS,
    Pair,
    asked,
    bounded,
    claim_words,
    plain_pair,
    rounded_with_bound,
)
from research.training.numerals.claim_examples import ClaimWriter
from research.training.numerals.claim_facts import ClaimFact, MarkedText, claim_fact, passages
from research.training.numerals.claim_rivals import (
    ORIGINAL,
    claim_trials,
    figures,
)
from research.training.numerals.rereader_trainer import calibration_of

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


def test_wrong_headlines_of_each_kind(facts: list[ClaimFact]) -> None:
    kinds = {trial.kind for trial in claim_trials(facts, 7)}
    changes = {"number of the same kind", "unit", "claim word", "bound added", "bound turned", "holder"}
    assert kinds >= {ORIGINAL, *changes}
    first = {one.kind: one.question for one in claim_trials(facts[:1], 7)}
    other = first["number of the same kind"]
    assert other.headline in {"Arden Blast Kills 340 People", "Arden Blast Kills 19 People"}
    assert first["claim word"].headline != first[ORIGINAL].headline
    assert "Bellmoor" in first["holder"].headline


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


def test_the_network_learns_a_batch(facts: list[ClaimFact]) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other take minutes where other work is done
    network = ClaimNetwork(locate("minilm"), rank=4, seed=0)
    writer = ClaimWriter(facts)
    examples = [one for fact in facts[:3] for one in writer.examples(fact, 0)][:12]
    assert {one.answer for one in examples} > {ClaimClass.SUPPORTED, ClaimClass.OTHER}
    rows = network.tokenizer.rows([one.question for one in examples])
    answers = torch.tensor([CLASSES.index(one.answer) for one in examples])
    trained = [part for part in network.parameters() if part.requires_grad]
    optimizer = torch.optim.Adam(trained, lr=5e-3)
    for _ in range(25):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(rows), answers)
        loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    assert float(loss.detach()) < 0.5


def test_gates_are_fitted_for_each_class(facts: list[ClaimFact]) -> None:
    trials = claim_trials(facts, 7)
    # The network sees wrong units and nothing else, and is never sure.
    wrong = np.array([trial.kind == "unit" for trial in trials])
    told = np.full((len(trials), len(CLASSES)), np.log(0.1))
    told[:, 0], told[:, CLASSES.index(ClaimClass.UNIT)] = np.where(wrong, -2, -1), np.where(wrong, -1, -2)
    fitted = calibration_of(trials, told)
    assert ClaimClass.WORD not in fitted.gates, "no trial is wrong by it"
    odds = fitted.log_odds(told)
    assert odds[wrong].max() < odds[~wrong].min()
    assert figures(trials, odds)["unit"].caught == (1, 1)


def test_recall_at_a_share_of_false_alarms(facts: list[ClaimFact]) -> None:
    trials = claim_trials(facts, 7)
    scores = np.array([1.0 if trial.kind == ORIGINAL else -1.0 for trial in trials])
    told = figures(trials, scores)
    assert all(figure.auc == 1 and figure.caught == (1, 1) for figure in told.values())
    told = figures(trials, -scores)
    assert all(figure.auc == 0 and figure.caught == (0, 0) for figure in told.values())
    assert asked(plain_pair(facts[0])) == trials[0].question
