from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.generator import GenerationOptions, headline_generators
from core.models.language_models.language_model import Length
from core.runtime import Runtime
from research.neural.batches import batch_of
from research.neural.model import read_model, write_model
from research.neural.search import HeadlineLimits
from research.neural.transformer import PhraseAttention, renumbered
from research.neural.vocabulary import START
from research.neural.words import GLUE, LearnedStyle, article_words, is_word, join, learn_style, split
from research.neural.writer import BeamSearchSettings, NeuralWriter

from .examples import ARCHITECTURES, ARTICLES, HEADLINES, tiny_model


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_model_that_is_saved_and_read_writes_the_same(architecture, tmp_path):
    model = tiny_model(architecture)
    write_model(tmp_path, model)
    again = read_model(tmp_path)
    assert again.config == model.config
    wanted = NeuralWriter(model).write(ARTICLES, GenerationOptions(candidates=3), Runtime())
    assert NeuralWriter(again).write(ARTICLES, GenerationOptions(candidates=3), Runtime()) == wanted
    recipe = headline_generators.parse(f"{architecture}.v1|model:{tmp_path}")
    recipe.check()
    assert recipe.build(Runtime()).write(ARTICLES, GenerationOptions(candidates=3), Runtime()) == wanted


SIZES = {"width": 16, "hidden": 24, "layers": 2, "places": 5}


def tiny(phrases="1 1", *, size=60, **settings):
    return tiny_model("transformer", size=size, wild=False, phrases=phrases, **{**SIZES, **settings})


def examples(model):
    return [
        model.example(article_words(text, digits=True), split(headline, digits=True).forms)
        for text, headline in zip(ARTICLES, HEADLINES, strict=True)
    ]


def test_heads_over_single_words_are_those_of_pytorch():
    torch.manual_seed(0)
    ours = PhraseAttention(16, (1, 1, 1, 1), 0.0)
    theirs = torch.nn.MultiheadAttention(16, 4, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.out.state_dict())
    asking, read = torch.randn(3, 5, 16), torch.randn(3, 7, 16)
    seen = torch.arange(7)[None] < torch.tensor([7, 4, 1])[:, None]
    found = ours(asking, *ours.project(read), seen[:, None, None])
    wanted, _ = theirs(asking, read, read, key_padding_mask=~seen)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize(
    ("phrases", "shared"), [("1 1", False), ("1 2", False), ("2 3", False), ("1 1", True)]
)
def test_word_by_word_is_all_at_once(phrases, shared):
    """The search's decoder, which remembers keys and values, gives what the whole headline gives at once."""
    model = tiny(phrases, shared=shared)
    network: Any = model.network
    batch = batch_of(examples(model), model.vocabulary)
    with torch.no_grad():
        table, read = network.table(), network.read(batch.source)
        memory = network.encode(read, table)
        targets = renumbered(batch.targets, network.size, network.settings.places, None)
        before = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
        hidden = network.embed(before, table)
        for depth, layer in enumerate(network.decoding()):
            hidden, _ = layer(network._at(depth, hidden), layer.across.project(memory), read.seen)
        logits = network.scores(hidden, table)
        step, state = network.begin(batch.source)
        words = torch.full((len(before), 2), START)
        state = tuple(part.expand(-1, 2, *part.shape[2:]) for part in state)
        for place in range(before.shape[1]):
            scores, state = step(words, state)
            own = scores[:, 1]
            wanted = logits[:, place, : own.shape[1]].masked_fill(torch.isinf(own), -torch.inf)
            torch.testing.assert_close(own, wanted.log_softmax(dim=-1), rtol=1e-4, atol=1e-5)
            assert scores.shape[2] == network.size + batch.source.extra
            words = batch.targets[:, place : place + 1].expand(-1, 2)


TITLE = LearnedStyle(title=True, small=frozenset({"of", "for", "to", "in", "a"}), digits=True)


@pytest.mark.parametrize(
    "headline",
    [
        "Trump Fires 2 in 'Fight for $15' Case", "Peter O'Toole Dead at 81",
        "Students' Barbecue Ends With $30M Fine", "Boston's Theater: 7 Injured, 3 Held",
        "2K-Year-Old Marvel: 'Really'", "Down 65%? No", "NASA Finds 1.5M Stars (Again)", "AT&T Cuts 300 Jobs",
    ],
)  # fmt: skip
def test_a_headline_is_put_together_as_it_was(headline):
    small = frozenset({"of", "for", "to", "in", "a", "at", "with"}) - {"with", "at"}
    style = LearnedStyle(title=True, small=small)
    assert join(split(headline).written, style).replace("At 81", "at 81") == headline


def test_numbers_are_found_whichever_way_they_are_written():
    wanted = ("$", "30", f"{GLUE}m")
    assert split("$30 million", digits=True).forms == wanted
    assert split("$30M", digits=True).forms == wanted
    assert split("38,000 pounds", digits=True).forms == split("38K pounds", digits=True).forms
    assert split("Seven people", digits=True).forms == ("7", "people")
    assert split("Seven people").forms == ("seven", "people")
    assert split("sette persone, seven", language="it", digits=True).forms[-1] == "seven"


def test_russian_is_split_by_razdel():
    words = split("В Москве открыли 3-й «Музей» — впервые за 10 лет.", language="ru")
    assert words.forms[:3] == ("в", "москве", "открыли")
    assert '"' in words.forms
    assert f'{GLUE}"' in words.forms
    assert join(words.written, LearnedStyle()) == 'В Москве открыли 3-й "Музей" — впервые за 10 лет.'


def test_the_dateline_is_not_read():
    words = article_words("(Sep 25, 2016  1:28 PM CDT) Authorities say so.")
    assert words.written[0] == "Authorities"
    assert article_words("one two three four", most=2).forms == ("one", "two")
    assert article_words("", most=5).forms == ()


def test_style_is_learned_from_headlines():
    title = learn_style(
        ["2 Old Men Die in the Big Storm", "A Good Day in the Sun", "Heavy Rain in the City"], language="en"
    )
    assert title.title
    assert title.small == {"in", "the"}
    assert title.digits
    sentence = learn_style(["Two men die in the storm", "A day in the sun"], language="en")
    assert sentence == LearnedStyle()


@given(st.text(max_size=200), st.sampled_from(["en", "ru", "it"]))
def test_any_text_has_words_of_two_equal_columns(text, language):
    words = split(text, language=language, digits=True)
    assert len(words.forms) == len(words.written)
    line = join(words.written, TITLE)
    assert line == line.strip()
    assert "\n" not in line
    assert GLUE not in line or GLUE in text
    if any(map(is_word, words.forms)):
        assert line


def texts(found):
    return [[one.text for one in row] for row in found]


def test_lengths_are_kept():
    writer = NeuralWriter(tiny_model("pointer"))
    for options, least, most in (
        (GenerationOptions(length=Length.SHORT), 1, 6),
        (GenerationOptions(length=Length.LONG), 10, 100),
        (GenerationOptions(most_words=2), 1, 2),
        (GenerationOptions(length=Length.LONG, most_words=12, sample=True), 10, 12),
    ):
        for row in texts(writer.write(ARTICLES, options, Runtime())):
            assert least <= len(row[0].split()) <= most


def test_the_sign_for_unknown_words_is_written_only_where_asked():
    model = tiny_model("s2s", size=14)
    with torch.no_grad():
        model.module.bias[1] = 50.0
    plain = texts(NeuralWriter(model).write(ARTICLES, GenerationOptions(), Runtime()))
    assert not any("unk" in row[0].lower() for row in plain)
    open_search = BeamSearchSettings(limits=HeadlineLimits(unknown=True, repeat=0, once=False, most_steps=5))
    loud = texts(NeuralWriter(model, open_search).write(ARTICLES, GenerationOptions(), Runtime()))
    assert all("unk" in row[0].lower() for row in loud)


def test_shared_layers_are_one_layer_that_is_told_its_depth(tmp_path):
    once, shared = (tiny(layers=layers, shared=layers > 1) for layers in (1, 3))
    assert shared.module.state_dict().keys() == once.module.state_dict().keys()
    network: Any = shared.network
    hidden = torch.zeros(1, 2, 16)
    assert len(network.decoding()) == 3
    assert not torch.equal(network._at(0, hidden), network._at(2, hidden))
    write_model(tmp_path, shared)
    again = read_model(tmp_path)
    wanted = NeuralWriter(shared).write(ARTICLES, GenerationOptions(candidates=2), Runtime())
    assert NeuralWriter(again).write(ARTICLES, GenerationOptions(candidates=2), Runtime()) == wanted
