"""The claim model as it is trained and as it is run: the same scores, the right tokens, files that hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ModelUnavailableError
from core.models.networks.precision import NetworkNumbers
from core.models.weights import locate
from core.numerals.entailing.calibration import (
    CALIBRATION,
    WRONG,
    GateCalibration,
    Line,
    least,
    write_calibration,
)
from core.numerals.entailing.network import ClaimModel, ClaimNetwork, open_claims
from core.numerals.entailing.question import CLASSES, ClaimClass, ClaimQuestion
from core.numerals.entailing.tokens import MOST_TOKENS, WEIGHTS, ClaimTokenizer
from core.runtime import Runtime
from research.training.numerals.claim_training import write_claims

SENTENCE = "The blast killed 27 people and injured 340 more."


def question(headline: str, number: str, *sentences: tuple[str, str]) -> ClaimQuestion:
    start = headline.index(number)
    marked = tuple(
        (text, ((text.index(source), text.index(source) + len(source)),)) for text, source in sentences
    )
    return ClaimQuestion(headline, start, start + len(number), marked)


QUESTIONS = (
    question("Blast Kills 27", "27", (SENTENCE, "27")),
    question("Blast Kills $3.2M", "$3.2M", (SENTENCE, "340"), ("It began.", "It")),
    ClaimQuestion("27 Killed", 0, 2, ()),
)


@pytest.fixture(scope="module")
def network() -> ClaimNetwork:
    made = ClaimNetwork(locate("minilm"), rank=2, seed=3)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():  # the updates begin at zero, and would prove nothing
        for name, part in made.named_parameters():
            if "lora_B" in name:
                part.normal_(std=0.2, generator=generator)
    return made.eval()


@pytest.fixture(scope="module")
def folder(network: ClaimNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("claims")
    write_claims(network, made)
    return made


def test_what_is_run_is_what_was_trained(network: ClaimNetwork, folder: Path) -> None:
    with torch.no_grad():
        trained = network(network.tokenizer.rows(QUESTIONS))
    model = ClaimModel(folder, device="cpu", numbers=NetworkNumbers.FLOAT32)
    found = model.log_probabilities(QUESTIONS, Runtime())
    assert found.shape == (len(QUESTIONS), len(CLASSES))
    np.testing.assert_allclose(found, torch.log_softmax(trained, 1).numpy(), atol=5e-3)
    odds = trained[:, 0] - torch.logsumexp(trained[:, 1:], 1)
    np.testing.assert_allclose(model.log_odds(QUESTIONS, Runtime()), odds.numpy(), atol=2e-2)
    assert model.log_odds([], Runtime()).shape == (0,)


@pytest.mark.parametrize("numbers", NetworkNumbers)
def test_a_question_has_one_answer_in_any_company(folder: Path, numbers: NetworkNumbers) -> None:
    model = ClaimModel(folder, device="cpu", numbers=numbers)
    alone = [model.log_odds([one], Runtime())[0] for one in QUESTIONS]
    # The shape of the batch, and where it lies in memory, decide in which order float32 is summed.
    least = 1e-5 if numbers is NetworkNumbers.FLOAT32 else 0.0
    np.testing.assert_allclose(model.log_odds(QUESTIONS, Runtime()), alone, rtol=0.0, atol=least)


def test_numbers_stand_between_marks() -> None:
    base = locate("minilm")
    words = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = {number: piece for piece, number in words.items()}
    row = ClaimTokenizer(base).rows([question("«Blast» Kills 27", "27", (SENTENCE, "340"))])[0]
    read = [pieces[int(token)] for token in row.ids]
    assert [read[place] for place in row.looked_at] == ["[CLS]", "«", "«"]
    assert [read[place + 1] for place in row.looked_at[1:]] == ["27", "340"]
    assert read.count("«") == 2, "the headline's own quotation marks are no marks"
    assert row.first == read.index("[SEP]") + 1
    long = "word " * 300 + "The blast killed 27 people." + " word" * 300
    asked = question("very " * 100 + "Big Blast Kills 27", "27", (long, "27"), (SENTENCE, "27"))
    row = ClaimTokenizer(base).rows([asked])[0]
    assert len(row.ids) <= MOST_TOKENS
    assert min(row.looked_at[1:]) > 0, "both numbers are still there"


def test_the_calibration_is_applied(folder: Path, tmp_path: Path) -> None:
    (tmp_path / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes())
    plain = open_claims(tmp_path, Runtime(half=False)).gate_odds(QUESTIONS, Runtime())
    gates = {ClaimClass.UNIT: Line(0.5, -1), ClaimClass.BOUND: Line(2, 1)}
    write_calibration(GateCalibration(gates, Line(2, 3)), tmp_path)
    model = open_claims(tmp_path, Runtime(half=False))
    unit, bound = (WRONG.index(one) for one in gates)
    found = model.gate_odds(QUESTIONS, Runtime())
    np.testing.assert_allclose(found[:, unit], plain[:, unit] / 2 - 1)
    np.testing.assert_allclose(found[:, bound], 2 * plain[:, bound] + 1)
    assert np.isinf(np.delete(found, [unit, bound], axis=1)).all(), "ways that are not judged"
    np.testing.assert_allclose(model.log_odds(QUESTIONS, Runtime()), 3 + 2 * least(found))
    assert (least(found) <= found.min(axis=1)).all()
    (tmp_path / CALIBRATION).write_text('{"gates": "steep"}', encoding="utf-8")
    with pytest.raises(ModelUnavailableError, match="damaged"):
        open_claims(tmp_path, Runtime(half=False))


def test_another_training_starts_from_the_weights(network: ClaimNetwork, folder: Path) -> None:
    other = ClaimNetwork(locate("minilm"), rank=2, seed=9).eval()
    other.start_from(folder)
    rows = network.tokenizer.rows(QUESTIONS)
    with torch.no_grad():
        np.testing.assert_allclose(other(rows), network(rows), atol=5e-3)
        plain = ClaimNetwork(locate("minilm"), rank=2, seed=3).eval()
        assert (plain(rows) - network(rows)).abs().max() > 1e-3, "the updates change the scores"
    with pytest.raises(ModelUnavailableError, match="no claim model of this rank"):
        ClaimNetwork(locate("minilm"), rank=3, seed=9).start_from(folder)
