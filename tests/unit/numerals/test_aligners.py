"""The network and the trees over words: what they see, and how they run."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ModelUnavailableError
from core.files import ROOT
from core.models.networks.precision import NetworkNumbers
from core.models.weights import locate
from core.numerals.lexical import ABOUT, TREES, read_model
from core.numerals.question import NumeralQuestion, blank_of, read_article
from core.runtime import Runtime
from research.aligners import POINTER_BASE, POINTER_FILE
from research.pointing import PointerModel, PointerNetwork, open_pointer
from research.pointing_rows import MOST_TOKENS, QuestionTokenizer
from research.training.numerals.aligner import write_pointer

ARTICLES = (
    "Gunmen killed 19 men on Monday. Nobody was arrested. Police found 55 bodies in May, and 16 in June.",
    "The fund lost $3.2bn in two years.",
    "Nothing is counted here.",
)
HEADLINES = ("Gunmen Kill ____ in Mexico", "Fund Loses $____B", "____ Hurt")


def questions_for() -> list[NumeralQuestion]:
    pairs = zip(HEADLINES, ARTICLES, strict=True)
    return [blank_of(headline, read_article(text)) for headline, text in pairs]


@pytest.fixture(scope="module")
def network() -> PointerNetwork:
    made = PointerNetwork(locate("minilm"), rank=2, seed=3)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():  # the updates begin at zero, and would prove nothing
        for name, part in made.named_parameters():
            if "lora_B" in name:
                part.normal_(std=0.2, generator=generator)
    return made.eval()


@pytest.fixture(scope="module")
def folder(network: PointerNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pointer")
    write_pointer(network, made)
    return made


def opened(folder: Path, numbers: NetworkNumbers = NetworkNumbers.FLOAT32) -> PointerModel:
    return PointerModel(folder / POINTER_FILE, locate(POINTER_BASE), device="cpu", numbers=numbers)


@pytest.mark.slow
def test_what_is_run_is_what_was_trained(network: PointerNetwork, folder: Path) -> None:
    questions = questions_for()
    with torch.no_grad():
        trained = network(network.tokenizer.rows(questions))
    run = opened(folder).align(questions, Runtime())
    for (scores, ways), found in zip(trained, run, strict=True):
        np.testing.assert_allclose(found.numerals, scores.numpy(), atol=5e-3)
        np.testing.assert_allclose(found.ways, torch.log_softmax(ways, 0).numpy(), atol=5e-3)


@pytest.mark.slow
def test_only_the_sentences_that_are_asked_for_are_read(folder: Path) -> None:
    question = questions_for()[0]
    model = opened(folder)
    (whole,) = model.align([question], Runtime())
    (some,) = model.align_within([question], [{0}], Runtime())
    assert some.numerals[0] != whole.numerals[0], "the other sentences say something, too"
    assert some.numerals[1] == some.numerals[2] != whole.numerals[1], "what is not read has one score"
    (same,) = model.align_within([question], [{0, 2}], Runtime())
    np.testing.assert_array_equal(same.numerals, whole.numerals)


@pytest.mark.slow
@pytest.mark.parametrize("numbers", NetworkNumbers)
def test_a_question_has_one_answer_in_any_company(folder: Path, numbers: NetworkNumbers) -> None:
    model = opened(folder, numbers)
    questions = questions_for()
    # The shape of the batch, and where it lies in memory, decide in which order float32 is summed; with
    # 8 bits what stands between the products is float32, too.
    least = 0.0 if numbers is NetworkNumbers.BFLOAT16 else 1e-5
    for question, found in zip(questions, model.align(questions, Runtime()), strict=True):
        (alone,) = model.align([question], Runtime())
        np.testing.assert_allclose(alone.numerals, found.numerals, rtol=0.0, atol=least)
        np.testing.assert_allclose(alone.ways, found.ways, rtol=0.0, atol=least)


@pytest.mark.slow
def test_what_is_too_long_is_cut_and_scored_alike(folder: Path) -> None:
    text = " ".join(f"In town {n} there were {n + 5} fires." for n in range(400))
    question = blank_of("____ Fires " + "very " * 300 + "hot", read_article(text))
    row = QuestionTokenizer(locate("minilm")).rows([question])[0]
    assert len(row.ids) == MOST_TOKENS
    unseen = row.ends == 0
    assert unseen.any()
    assert not unseen.all()
    (found,) = opened(folder).align([question], Runtime())
    assert len(set(found.numerals[unseen])) == 1


def test_damaged_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    data = (folder / "pointer.safetensors").read_bytes()
    (tmp_path / "pointer.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelUnavailableError, match="damaged or incomplete"):
        open_pointer(tmp_path / POINTER_FILE, locate(POINTER_BASE), Runtime())


@pytest.mark.parametrize(
    ("name", "content"), [(ABOUT, b"{"), (ABOUT, b'{"features": ["other"], "ways": []}'), (TREES, b"nothing")]
)
def test_damage_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    folder = shutil.copytree(ROOT / "models" / "numeral_lexical", tmp_path / "lexical")
    (folder / name).write_bytes(content)
    with pytest.raises(ModelUnavailableError):
        read_model(folder)
