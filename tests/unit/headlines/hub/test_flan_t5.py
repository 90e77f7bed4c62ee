"""The small FLAN-T5 as a writer: its updates, what it is told, and the numbers that it may write."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.generators.neural import NUMBERS, FlanT5Headlines
from core.headlines.hub.opening import open_adapted, prefix_of
from core.headlines.hub.writing import WholeArticle
from core.headlines.numeral_safety import derivable_numbers, restated_numbers
from core.models.language_models.language_model import Length
from core.models.language_models.writing.allowed_numbers import NUMBER
from core.models.weights import load_state
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLES = [
    "Three of 65,000 boats sank; 968 sailors are lost.",
    "Nobody came.",
    "It rose by 3.5 to 21 in 2019.",
]


@pytest.mark.parametrize(
    ("length", "question", "text"),
    [
        (Length.USUAL, False, "headline: "),
        (Length.SHORT, False, "short headline: "),
        (Length.LONG, True, "long question headline: "),
    ],
)
def test_what_is_wished_stands_before_the_article(length: Length, question: bool, text: str) -> None:
    assert prefix_of(length, question=question) == text


def test_updates_answer_as_the_layers_in_training(flan_adapter: Path, flan_in_training: Any) -> None:
    import torch

    network = open_adapted(flan_adapter, EXACT)
    ids = torch.tensor(WholeArticle(network, "", 40).tokens(ARTICLES[:1]))
    with torch.inference_mode():
        found = network.model(input_ids=ids, decoder_input_ids=ids).logits
        wanted = flan_in_training(input_ids=ids, decoder_input_ids=ids).logits
    assert torch.allclose(found, wanted, atol=0.05)


def test_updates_in_8_bits_say_nearly_the_same(
    flan_adapter: Path, flan_in_training: Any, tmp_path: Path
) -> None:

    from core.models.networks.low_rank import write_adapter

    (tmp_path / "headline_model.json").write_bytes((flan_adapter / "headline_model.json").read_bytes())
    write_adapter(flan_in_training, tmp_path, small=True)
    whole, small = (open_adapted(folder, EXACT).model.state_dict() for folder in (flan_adapter, tmp_path))
    name = "encoder.block.0.layer.0.SelfAttention.q.weight"
    apart = (small[name] - whole[name]).norm()
    assert 0 < apart < 0.02 * whole[name].norm()
    kept = load_state(tmp_path)
    assert {str(value.dtype) for name, value in kept.items() if not name.endswith(".scale")} == {"torch.int8"}


@pytest.mark.parametrize("rule", [name for name, allowed in NUMBERS.items() if allowed])
@pytest.mark.parametrize("wishes", [Wishes(candidates=6), Wishes(candidates=8, sample=True, temperature=3.0)])
def test_no_number_that_the_article_does_not_give(flan_adapter: Path, rule: str, wishes: Wishes) -> None:
    """With random weights a free writer puts down digits of all kinds."""

    def wrong(numbers: str) -> int:
        writer = FlanT5Headlines(model=str(flan_adapter), numbers=numbers).build(EXACT)
        return sum(
            not set(NUMBER.findall(one.text)) <= NUMBERS[rule](article)  # type: ignore[misc]
            for article, some in zip(ARTICLES, writer.write(ARTICLES, wishes, EXACT), strict=True)
            for one in some
        )

    assert wrong("any") > 0
    assert wrong(rule) == 0


def test_an_article_keeps_its_own_numbers_beside_others(flan_adapter: Path) -> None:
    writer = FlanT5Headlines(model=str(flan_adapter), numbers="restated").build(EXACT)
    together = writer.write(ARTICLES, Wishes(candidates=3), EXACT)
    for article, some in zip(ARTICLES, together, strict=True):
        (alone,) = writer.write([article], Wishes(candidates=3), EXACT)
        assert [one.text for one in alone] == [one.text for one in some]


def test_restated_numbers_come_from_one_numeral() -> None:
    article = "Of the 40 rescued, 15 are children. The ship cost $3.2 million."
    assert restated_numbers(article) >= {"40", "15", "3.2", "3"}
    assert "25" not in restated_numbers(article)
    assert restated_numbers(article) < derivable_numbers(article)


def changed(**values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        about = json.loads((folder / "headline_model.json").read_text())
        (folder / "headline_model.json").write_text(json.dumps({**about, **values}))

    return change


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda folder: (folder / "adapter.safetensors").unlink(), "holds no updates"),
        (lambda folder: (folder / "adapter.safetensors").write_bytes(b"\x80\x04"), "damaged or incomplete"),
        (lambda folder: (folder / "headline_model.json").write_text("[1]"), "damaged or of another version"),
        (changed(rank=0), "damaged or of another version"),
        (changed(rank=3), "another shape"),
    ],
)
def test_damaged_updates(flan_adapter: Path, tmp_path: Path, damage: Any, sentence: str) -> None:
    for file in flan_adapter.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    damage(tmp_path)
    with pytest.raises(ModelUnavailableError, match=sentence) as caught:
        FlanT5Headlines(model=str(tmp_path)).build(EXACT)
    assert caught.value.hint


def test_its_settings() -> None:
    with pytest.raises(InputError, match="numbers cannot be 'some'"):
        FlanT5Headlines(numbers="some")
    recipe = replace(FlanT5Headlines(), numbers="restated", beams=6)
    assert headline_generators.parse(headline_generators.signature(recipe)) == recipe


def test_a_wish_is_read(flan_adapter: Path) -> None:
    writer = FlanT5Headlines(model=str(flan_adapter)).build(EXACT)
    usual, short = (
        writer.write(ARTICLES, wishes, EXACT) for wishes in (Wishes(), Wishes(length=Length.SHORT))
    )
    assert all(len(some[0].text.split()) <= 6 for some in short)
    numbered = writer.write(ARTICLES, Wishes(style=HeadlineStyle.NUMBER), EXACT)
    likeliest = sum(any(map(str.isdigit, some[0].text)) for some in usual)
    assert sum(any(map(str.isdigit, some[0].text)) for some in numbered) >= likeliest
