from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.generator import GenerationOptions, HeadlineStyle, headline_generators
from core.headlines.generators import causal_models, flan_t5
from core.headlines.hub import open_adapted, prefix_of
from core.headlines.hub_writing import WholeArticle
from core.models.language_models.allowed_numbers import NUMBER
from core.models.language_models.language_model import Decoding, Length, PromptTemplate, WrittenText
from core.runtime import Runtime
from research.neural.writer import NeuralWriter
from tests.unit.research.neural.examples import ARCHITECTURES, tiny_model

EXACT = Runtime(half=False)
ARTICLES = [
    "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt. Schools stay shut.",
    "The bank cut its rate to 2% after a long debate, and markets fell. Analysts had expected no change.",
    "A dog found 40 gold coins in a garden near Rome; the owner will keep half of them.",
    "Short one.",
    "</s> <mask> is not a token here",
]
SYSTEMS = {
    "bart.v1": "bart", "t5.v1": "t5", "pegasus.v1": "pegasus", "brio.v1": "bart", "mbart.v1": "mbart",
    "rubert_seq2seq.v1": "encoder-decoder", "ttgen_bottleneck.v1": "encoder-decoder",
}  # fmt: skip


@pytest.mark.slow
def test_beam_search_is_that_of_transformers(tiny):
    """Without limits that bind, the best headline is the one that `generate` gives with plain arguments."""
    from transformers import GenerationConfig

    how = {"headline_tokens": 14, "beams": 3, "length_penalty": 2.0}
    generator = headline_generators.get("bart.v1")(model=str(tiny("bart")), **how).build(EXACT)
    network = generator.reader.network
    batch = network.tokenizer(ARTICLES[:1], return_tensors="pt")
    plain = GenerationConfig(
        decoder_start_token_id=2,
        forced_bos_token_id=0,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        max_new_tokens=14,
        num_beams=3,
        length_penalty=2.0,
        no_repeat_ngram_size=3,
        early_stopping=True,
        suppress_tokens=[1, 3, 4],
    )
    wanted = network.model.generate(
        input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], generation_config=plain
    )
    text = network.tokenizer.decode(wanted[0], skip_special_tokens=True)
    (found,) = generator.write(ARTICLES[:1], GenerationOptions(), Runtime())[0]
    assert found.text == " ".join(
        "".join(sign for sign in text if sign.isprintable() or sign.isspace()).split()
    )


NUMBERED = [
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
def test_what_is_wished_stands_before_the_article(length, question, text):
    assert prefix_of(length, question=question) == text


def test_updates_answer_as_the_layers_in_training(flan_adapter, flan_in_training):
    network = open_adapted(flan_adapter, EXACT)
    ids = torch.tensor(WholeArticle(network, "", 40).tokens(NUMBERED[:1]))
    with torch.inference_mode():
        found = network.model(input_ids=ids, decoder_input_ids=ids).logits
        wanted = flan_in_training(input_ids=ids, decoder_input_ids=ids).logits
    assert torch.allclose(found, wanted, atol=0.05)


@pytest.mark.parametrize("rule", [name for name, allowed in flan_t5.NUMBERS.items() if allowed])
@pytest.mark.parametrize(
    "generation",
    [GenerationOptions(candidates=6), GenerationOptions(candidates=8, sample=True, temperature=3.0)],
)
def test_no_number_that_the_article_does_not_give(flan_adapter, rule, generation):
    """With random weights a free writer puts down digits of all kinds."""

    def wrong(numbers):
        writer = flan_t5.FlanT5Headlines(model=str(flan_adapter), allowed_numbers=numbers).build(EXACT)
        return sum(
            not set(NUMBER.findall(one.text)) <= flan_t5.NUMBERS[rule](article)
            for article, some in zip(NUMBERED, writer.write(NUMBERED, generation, EXACT), strict=True)
            for one in some
        )

    assert wrong("any") > 0
    assert wrong(rule) == 0


@given(st.text(alphabet="0123456789.,/ aé%$€-", max_size=60))
def test_what_stands_in_the_article_is_there(text):
    assert set(NUMBER.findall(text)) <= flan_t5.derivable_numbers(text)


LANGUAGE_MODELS = ("causal.v1", "smollm2_headlines.v1")
MORE = [
    *ARTICLES[:2], "Банк повысил ставку до 21 процента. Это второй раз за год.",
    "<b>bold</b> & \x00 \U0001f600 中央银行上调利率。", ARTICLES[4], "a b " * 30_000,
]  # fmt: skip


@pytest.fixture(scope="module", params=[*SYSTEMS, *LANGUAGE_MODELS, *ARCHITECTURES])
def name(request):
    return str(request.param)


@pytest.fixture(scope="module")
def generator(name, tiny, tiny_gpt2, adapter):
    if name in ARCHITECTURES:
        return NeuralWriter(tiny_model(name))
    if name in SYSTEMS:
        signature = f"{name}|model:{tiny(SYSTEMS[name])}|headline_tokens:14|beams:3"
        signature += "|pool:4" if name == "brio.v1" else ""
    elif name == "causal.v1":
        signature = f"{name}|model:{tiny_gpt2}|headline_tokens:20|article_tokens:100"
    else:
        signature = f"{name}|model:{adapter}"
    recipe = headline_generators.parse(signature)
    recipe.check()
    return recipe.build(EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [False, True])
def test_candidates_are_different_lines_best_first(generator, name, sample):
    for found in generator.write(MORE, GenerationOptions(candidates=3, sample=sample), EXACT):
        lines, scores = [one.text for one in found], [one.score for one in found]
        assert 1 <= len(lines) == len(set(lines)) <= 3
        assert all(line and line == line.strip() and "\n" not in line for line in lines)
        if name in LANGUAGE_MODELS:  # headlines that end stand before those that were cut
            assert not any("\ufffd" in line for line in lines)
        else:
            assert scores == sorted(scores, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [False, True])
def test_an_article_does_not_depend_on_the_others(generator, sample):
    generation = GenerationOptions(candidates=2, sample=sample)
    together = generator.write(MORE, generation, EXACT)
    backwards = generator.write(MORE[::-1], generation, EXACT)[::-1]
    for article, *others in zip(MORE, together, backwards, strict=True):
        (own,) = generator.write([article], generation, EXACT)
        for other in others:
            assert [one.text for one in own] == [one.text for one in other]
            assert [one.score for one in own] == pytest.approx([one.score for one in other], abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 3])
def test_headlines_keep_to_the_number_of_words(generator, most):
    for found in generator.write(MORE, GenerationOptions(candidates=2, most_words=most), EXACT):
        assert all(1 <= len(one.text.split()) <= most for one in found)


@pytest.mark.slow
def test_a_draw_follows_its_seed(generator):
    generation = GenerationOptions(candidates=2, sample=True, temperature=2.0, top_p=1.0)
    drawn = [str(generator.write(MORE[:3], generation, Runtime(half=False, seed=seed))) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]


NEWS = "The crew of the station came home on Sunday. They had spent 204 days in orbit."


def test_a_dateline_is_not_read(tiny_gpt2, adapter):
    plain = causal_models.CausalHeadlines(model=str(tiny_gpt2), headline_tokens=20, article_tokens=100)
    for recipe in (plain, causal_models.TunedSmolLM2(model=str(adapter))):
        both = [NEWS, f"(Sep 25, 2016  1:28 PM CDT) {NEWS}"]
        bare, dated = recipe.build(EXACT).write(both, GenerationOptions(), EXACT)
        assert bare == dated


def writer_saying(monkeypatch, folder, *texts):
    """A writer over a language model that says what it was told to say, and what that model was asked."""
    told: list[tuple[PromptTemplate, Decoding]] = []

    def write(self, prefixes, *, template, decoding, **_):
        told.append((template, decoding))
        return [
            [WrittenText(text, -float(place), True) for place, text in enumerate(texts)] for _ in prefixes
        ]

    writer: Any = causal_models.TunedSmolLM2(model=str(folder)).build(EXACT)
    monkeypatch.setattr(type(writer.model), "write", write)
    return writer, told


def test_wishes_choose_among_texts(adapter, monkeypatch):
    said = ("Bank raises rates.", "Bank Raises Rates", "Will rates rise?", "Rates rise by 2 points")
    writer, told = writer_saying(monkeypatch, adapter, *said)

    def first(generation):
        return writer.write([NEWS], generation, EXACT)[0][0].text

    assert first(GenerationOptions()) == "Bank raises rates"
    assert first(GenerationOptions(style=HeadlineStyle.QUESTION)) == "Will rates rise?"
    assert first(GenerationOptions(style=HeadlineStyle.NUMBER)) == "Rates rise by 2 points"
    all_of_them = writer.write([NEWS], GenerationOptions(candidates=4), EXACT)[0]
    assert [(one.text, one.score) for one in all_of_them] == [
        ("Bank raises rates", 0.0), ("Will rates rise?", -2.0), ("Rates rise by 2 points", -3.0),
    ]  # fmt: skip
    assert told[-1][1].results == 6
