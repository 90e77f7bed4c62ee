"""The network, the trees over words, and both together: what they see, and how they run."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ModelUnavailableError
from core.models.boosted_trees import BoostedTrees
from core.models.networks.batches import NetworkNumbers
from core.models.weights import locate
from core.numerals.alignment import READ, SURE, LoadedBlend
from core.numerals.pointing import MOST_TOKENS, PointerModel, PointerNetwork, QuestionTokenizer, open_pointer
from core.numerals.question import WAYS, Alignment, NumeralQuestion, blank_of, read_article, shares_of
from core.numerals.wording import (
    ABOUT,
    NAMES,
    TREES,
    WAY_NAMES,
    LexicalModel,
    read_model,
    wording_of,
    write_model,
)
from core.runtime import Runtime
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


def test_what_is_run_is_what_was_trained(network: PointerNetwork, folder: Path) -> None:
    questions = questions_for()
    with torch.no_grad():
        trained = network(network.tokenizer.rows(questions))
    run = PointerModel(folder, device="cpu", numbers=NetworkNumbers.FLOAT32).align(questions, Runtime())
    for (scores, ways), found in zip(trained, run, strict=True):
        np.testing.assert_allclose(found.numerals, scores.numpy(), atol=5e-3)
        np.testing.assert_allclose(found.ways, torch.log_softmax(ways, 0).numpy(), atol=5e-3)


def test_tokens_of_the_numerals_and_of_the_mask() -> None:
    base = locate("minilm")
    words = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = {number: piece for piece, number in words.items()}
    question = questions_for()[0]
    row = QuestionTokenizer(base).rows([question])[0]
    read = [pieces[int(token)] for token in row.ids]
    assert read[row.blank] == "[MASK]"
    spans = zip(row.starts, row.ends, strict=True)
    assert [read[start:end] for start, end in spans] == [["19"], ["55"], ["16"]]
    assert row.first == read.index("[SEP]") + 1
    assert "arrested" not in read, "sentences without a number are left out"


def test_only_the_sentences_that_are_asked_for_are_read(folder: Path) -> None:
    question = questions_for()[0]
    model = PointerModel(folder, device="cpu", numbers=NetworkNumbers.FLOAT32)
    (whole,) = model.align([question], Runtime())
    (some,) = model.align_within([question], [{0}], Runtime())
    assert some.numerals[0] != whole.numerals[0], "the other sentences say something, too"
    assert some.numerals[1] == some.numerals[2] != whole.numerals[1], "what is not read has one score"
    (same,) = model.align_within([question], [{0, 2}], Runtime())
    np.testing.assert_array_equal(same.numerals, whole.numerals)


@pytest.mark.parametrize("numbers", NetworkNumbers)
def test_a_question_has_one_answer_in_any_company(folder: Path, numbers: NetworkNumbers) -> None:
    model = PointerModel(folder, device="cpu", numbers=numbers)
    questions = questions_for()
    # The shape of the batch, and where it lies in memory, decide in which order float32 is summed; with
    # 8 bits what stands between the products is float32, too.
    least = 0.0 if numbers is NetworkNumbers.BFLOAT16 else 1e-5
    for question, found in zip(questions, model.align(questions, Runtime()), strict=True):
        (alone,) = model.align([question], Runtime())
        np.testing.assert_allclose(alone.numerals, found.numerals, rtol=0.0, atol=least)
        np.testing.assert_allclose(alone.ways, found.ways, rtol=0.0, atol=least)


def test_what_is_too_long_is_cut_and_scored_alike(folder: Path) -> None:
    text = " ".join(f"In town {n} there were {n + 5} fires." for n in range(400))
    question = blank_of("____ Fires " + "very " * 300 + "hot", read_article(text))
    row = QuestionTokenizer(locate("minilm")).rows([question])[0]
    assert len(row.ids) == MOST_TOKENS
    unseen = row.ends == 0
    assert unseen.any()
    assert not unseen.all()
    (found,) = PointerModel(folder, device="cpu", numbers=NetworkNumbers.FLOAT32).align([question], Runtime())
    assert len(set(found.numerals[unseen])) == 1


def test_damaged_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    data = (folder / "pointer.safetensors").read_bytes()
    (tmp_path / "pointer.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelUnavailableError, match="damaged or incomplete"):
        open_pointer(tmp_path, Runtime())


TEXT = (
    "(Sep 25, 2016  1:28 PM CDT) All 11 people of the town are under investigation. "
    "The 3 top suspects hated the man. Moriarty, 70, paid $4 million and 5% of it."
)


def asked(headline: str, text: str = TEXT) -> NumeralQuestion:
    return blank_of(headline, read_article(text))


def column(question: NumeralQuestion, name: str) -> dict[str, float]:
    values = wording_of(question)[:, NAMES.index(name)]
    return {one.number: float(value) for one, value in zip(question.article.numerals, values, strict=True)}


def constant(columns: int, value: float = 0.0, *, at: int = 0) -> BoostedTrees:
    """One question of one column."""
    return BoostedTrees(
        np.full((1, 1), min(at, columns - 1)), np.full((1, 1), 0.5, np.float32), np.array([[0.0, 1.0]]), value
    )


def tiny() -> LexicalModel:
    ways = tuple(constant(len(WAY_NAMES), float(place == 1)) for place in range(len(WAYS)))
    return LexicalModel(constant(len(NAMES), at=NAMES.index("next_within")), ways)


def test_words_near_a_numeral_tell_it_from_others() -> None:
    suspects = column(asked("Police Probe ____ Top Suspects"), "near_kernel")
    people = column(asked("Police Probe ____ People"), "near_kernel")

    assert max(suspects, key=lambda number: suspects[number]) == "3"
    assert max(people, key=lambda number: people[number]) == "11"
    assert column(asked("Police Probe ____ Top Suspects"), "next_two_same")["3"] == 1.0
    assert column(asked("Police Probe ____ Top Suspects"), "near_kernel_rank")["3"] == 0.0


def test_kinds_that_do_not_fit() -> None:
    question = asked("Man Pays $____M")

    assert column(question, "factor")["4"] == 1.0
    assert column(question, "factor")["11"] == 0.0
    assert column(question, "money_clash")["4"] == 0.0
    assert column(question, "percent_clash")["5"] == 1.0
    assert column(asked("Man, ____, Pays"), "age_clash")["70"] == 0.0


@pytest.mark.parametrize(
    ("headline", "text", "number"),
    [("Погибли ____ пожарных", "В городе живут 900 человек. В огне погибли 12 пожарных и 4 собаки.", "12")],
)
def test_other_languages_share_the_measures(headline: str, text: str, number: str) -> None:
    near = column(asked(headline, text), "near_kernel")

    assert max(near, key=lambda one: near[one]) == number
    assert column(asked(headline, text), "next_same")[number] == 1.0


@pytest.mark.parametrize(
    ("name", "content"), [(ABOUT, b"{"), (ABOUT, b'{"features": ["other"], "ways": []}'), (TREES, b"nothing")]
)
def test_damage_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    write_model(tmp_path, tiny())
    (tmp_path / name).write_bytes(content)

    with pytest.raises(ModelUnavailableError):
        read_model(tmp_path)


ARTICLE = "The fire killed 19 men. It hurt 4 women and 6 boys. It cost 300 jobs. It began at 5 p.m."
EVEN = np.full(len(WAYS), -np.log(len(WAYS)))


class Words:
    """Gives shares to numerals."""

    def __init__(self, *shares: float) -> None:
        self.shares = np.array(shares)

    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        return [Alignment(np.log(self.shares), EVEN) for _ in questions]


class Network(Words):
    """Remembers which sentences it was asked to read."""

    def __init__(self, *shares: float) -> None:
        super().__init__(*shares)
        self.read: list[set[int]] = []

    def align_within(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None, runtime: Runtime
    ) -> list[Alignment]:
        self.read += [set(one) for one in within or ()]
        return self.align(questions, runtime)


def blend_questions(text: str = ARTICLE) -> list[NumeralQuestion]:
    return [blank_of("____ Dead in Fire", read_article(text))]


def test_where_words_are_sure_the_network_is_not_asked() -> None:
    rest = (1 - SURE) / 4
    network = Network(*[0.2] * 5)
    words = Words(SURE + 0.01, *[rest - 0.0025] * 4)
    (found,) = LoadedBlend(network, words).align(blend_questions(), Runtime())
    assert network.read == []
    shares = shares_of(found.numerals)
    assert shares[0] > words.shares[0], "as sure as both together would be"
    assert (shares[1:] < words.shares[1:]).all()
    assert shares[1] == pytest.approx(shares[2])


def test_where_words_doubt_the_likeliest_sentences_are_read() -> None:
    network = Network(*[0.2] * 5)
    words = Words(0.5, 0.25, 0.24, 0.006, 0.004)
    assert sum(words.shares[:3]) > READ
    (found,) = LoadedBlend(network, words).align(blend_questions(), Runtime())
    assert network.read == [{0, 1}]
    assert shares_of(found.numerals)[3:].max() < words.shares[3], "what is ruled out gets no likelier"


def test_a_language_that_the_network_does_not_read_is_left_to_the_words() -> None:
    network = Network(0.5, 0.5)
    LoadedBlend(network, Words(0.5, 0.5)).align(
        blend_questions("Трое погибли, ранены 12 человек."), Runtime()
    )
    assert network.read == []


@pytest.mark.parametrize("text", ["", "Nobody was hurt."])
def test_an_article_without_numbers_is_not_read(text: str) -> None:
    network = Network()
    (found,) = LoadedBlend(network, Words()).align(blend_questions(text), Runtime())
    assert network.read == []
    assert found.numerals.shape == (0,)
