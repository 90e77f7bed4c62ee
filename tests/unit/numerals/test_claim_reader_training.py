"""The second reading learns a batch, is measured as the program asks, and what is written is read again."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch

from core.data.articles.written_claims import WrittenClaim
from core.models.language_models.network import open_network
from core.models.networks.low_rank import add_updates
from core.models.weights import load_state
from core.numerals.reader import CLASSES, HEAD, SCALE, UPDATES, ClaimQuestion, log_odds_of
from core.numerals.verifier import said_at_end, tokens_of
from core.runtime import Runtime
from research.training.numerals.claim_examples import ClaimWriter
from research.training.numerals.claim_readers import VerifierNetwork, loss_of, measures, steps_of
from research.training.numerals.written_claims import WrittenQuestion, written_questions

SENTENCE = (("A fire in Hull killed 21 people.", ((22, 24),)),)
TRUE = WrittenQuestion(ClaimQuestion("Hull Fire Kills 21", 16, 18, SENTENCE), true=True)
FALSE = WrittenQuestion(ClaimQuestion("Hull Fire Spares 21", 17, 19, SENTENCE), true=False)


@pytest.fixture
def network(tiny_llama: Path) -> VerifierNetwork:
    base = open_network(tiny_llama, Runtime(half=False), prompt="plain")
    return VerifierNetwork(base.model, base.tokenizer, rank=2, seed=0)


@pytest.mark.slow
def test_it_learns_a_batch(network: VerifierNetwork) -> None:
    (step,) = steps_of([TRUE, FALSE], (), ClaimWriter(()), batch=2, made=0, seed=0)
    before = loss_of(network, step).item()
    optimizer = torch.optim.Adam([one for one in network.module.parameters() if one.requires_grad], lr=0.03)
    for _ in range(60):
        optimizer.zero_grad()
        loss_of(network, step).backward()
        optimizer.step()
    assert loss_of(network, step).item() < 0.2 < before
    assert measures(network, [TRUE, FALSE]) == {"area": 1.0, "kept": 1.0, "left": 0.0}
    assert measures(network, [TRUE]) == {"area": None, "kept": None, "left": None}
    assert measures(network, []) == {}


def test_a_question_is_the_one_that_the_program_asks() -> None:
    article = "A blast in Arden killed 27 people and injured 340. The owner lost $3.2 million. Mayors met."
    headline = "Arden Blast Costs $3.2M, Kills 27"
    at = headline.index("$3.2M")
    claims = [
        WrittenClaim(headline, at, at + 5, article, True, ""),
        WrittenClaim("Arden Blast Kills Many", 0, 5, article, False, "act"),
    ]
    (found,) = written_questions(claims, Runtime())
    assert found.true
    assert (found.question.start, found.question.end) == (at, at + 5)
    ((sentence, spans),) = found.question.sentences
    assert [sentence[start:end] for start, end in spans] == ["$3.2 million"]
    assert found.question.before == "A blast in Arden killed 27 people and injured 340."
    assert found.question.after == "Mayors met."
    assert written_questions([], Runtime()) == []


def test_what_is_written_holds_what_was_learned(
    network: VerifierNetwork, tiny_llama: Path, tmp_path: Path
) -> None:
    drawn = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, one in network.module.named_parameters():
            if name.endswith("lora_B"):
                one.normal_(std=0.05, generator=drawn)
        said = log_odds_of(network.logits([TRUE.question, FALSE.question]))
    network.write(tmp_path)
    base = open_network(tiny_llama, Runtime(half=False), prompt="plain")
    model, head = copy.deepcopy(base.model), torch.nn.Linear(16, len(CLASSES))
    add_updates(model, load_state(tmp_path / UPDATES), rank=2, scale=SCALE)
    head.load_state_dict(load_state(tmp_path / HEAD))
    rows = [tokens_of(base.tokenizer, one.question) for one in (TRUE, FALSE)]
    with torch.no_grad():
        again = log_odds_of(said_at_end(model, head, rows))
        plain = log_odds_of(said_at_end(base.model, head, rows))
    assert again == pytest.approx(said, abs=0.05)
    assert np.abs(plain - said).max() > 0.1
