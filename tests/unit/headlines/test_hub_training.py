from typing import Any

import pytest
import torch
from transformers import BertModel

from core.data.articles.articles import articles_of
from core.errors import CoreError
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.hub_writing import WholeArticle, logits_of
from core.models.networks import flan_t5
from core.parts import Part
from core.runtime import Runtime
from research.catalogue.training import TrainingOrder, carry_out, created, model_signature
from research.hub import before_articles, load, noted
from research.runs.run_folder import RunState
from research.runs.trainer import trainers
from research.season import MARGIN, MarkedSentences, guide, new_salience, ranking_loss, unguide
from tests.training_data import started

SYSTEMS = (
    *(("bart", "bart"), ("t5", "t5"), ("pegasus", "pegasus"), ("brio", "bart"), ("brio", "t5")),
    *(("season", "bart"), ("season", "t5"), ("mbart", "mbart")),
    *(("rubert_seq2seq", "encoder-decoder"), ("ttgen_bottleneck", "encoder-decoder")),
)
TOWNS = ("Paris", "Rome", "Chile", "Monday")


def _articles():
    texts = [f"The river rose in {town} by {day} feet. Nobody was hurt." for town in TOWNS for day in (3, 40)]
    headlines = [(f"River rose in {town}",) for town in TOWNS for _ in (3, 40)]
    parts = [Part.TRAIN] * 6 + [Part.VALIDATION] * 2
    return articles_of("tiny", texts, references=headlines, parts=parts)


def _trainer(system, folder, **options):
    quick = {"epochs": 6, "batch_size": 6, "headline_tokens": 12, "candidates": 3, "rank": 2, "patience": 0}
    given = {"system": system, "base": str(folder), "learning_rate": 1e-2, **quick, **options}
    return trainers.get("hub_seq2seq.v1")(**given)


@pytest.mark.parametrize(
    ("system", "base", "adapter"), [("bart", "bart", "full"), *((*pair, "lora") for pair in SYSTEMS)]
)
def test_a_step_lowers_the_loss_and_the_folder_writes(system, base, adapter, tiny, tmp_path):
    trainer = _trainer(system, tiny(base), adapter=adapter)
    trainer.check(_articles())
    run = started(tmp_path / "run")
    trainer.train(_articles(), run, Runtime(half=False))
    losses = [line["validation"]["loss"] for line in run.progress() if "validation" in line]
    steps = [line["loss"] for line in run.progress() if "loss" in line]
    assert steps[-1] < steps[0]
    recipe: Any = headline_generators.get(trainer.result)(model=str(run.model), headline_tokens=12)
    written = recipe.build(Runtime(half=False)).write(
        _articles().texts, GenerationOptions(candidates=2), Runtime()
    )
    assert all(1 <= len(found) <= 2 and found[0].text for found in written)
    assert run.about()["validation"]["loss"] == pytest.approx(min(losses), rel=1e-3)


def test_the_command_trains_a_model_that_its_generator_opens(tiny, tmp_path):
    table = tmp_path / "articles.csv"
    rows = [
        f'"{text}","{one[0]}"' for text, one in zip(_articles().texts, _articles().references, strict=True)
    ]
    table.write_text("text,headline\n" + "\n".join(rows) + "\n", encoding="utf-8")
    signature = trainers.signature(_trainer("bart", tiny("bart"), epochs=1))
    run = created(TrainingOrder(trainer=signature, data=(str(table),)), tmp_path / "run")
    carry_out(run, Runtime())
    assert run.state() is RunState.FINISHED
    found = model_signature(run)
    assert found == f"bart.v1|model:{run.model}"
    headline_generators.parse(found).check()


def test_the_bottleneck_leaves_an_encoder(tiny, tmp_path):
    run = started(tmp_path / "run")
    _trainer("ttgen_bottleneck", tiny("encoder-decoder"), epochs=1).train(
        _articles(), run, Runtime(half=False)
    )
    encoder = BertModel.from_pretrained(run.model / "encoder")
    whole = load(run.model, device="cpu", half=False)
    ids = torch.tensor([whole.tokenizer("The river rose.")["input_ids"]])
    with torch.no_grad():
        torch.testing.assert_close(
            encoder(ids).last_hidden_state, whole.model.get_encoder()(ids).last_hidden_state
        )


def test_the_ranking_loss_is_that_of_every_pair():
    torch.manual_seed(0)
    scores = torch.randn(4, 5)
    wanted = 0.0
    for apart in range(1, 5):
        missed = [
            max(0.0, float(row[place + apart] - row[place]) + MARGIN * apart)
            for row in scores
            for place in range(5 - apart)
        ]
        wanted += sum(missed) / len(missed)
    assert float(ranking_loss(scores)) == pytest.approx(wanted, rel=1e-5)


def test_the_small_flan_t5_learns_with_its_prefix_and_a_copy_of_its_weights(flan_adapter, tmp_path):
    shared = flan_t5.flan_t5()[0]
    before = {name: value.clone() for name, value in shared.state_dict().items()}
    run = started(tmp_path / "run")
    trainer = _trainer("brio", flan_adapter, epochs=1)
    trainer.check(_articles())
    trainer.train(_articles(), run, Runtime(half=False))
    assert noted(run.model, "prefix") == "headline: "
    recipe: Any = headline_generators.get("brio.v1")(model=str(run.model), headline_tokens=12)
    assert recipe.opened(Runtime(half=False)).prefix == "headline: "
    assert all(torch.equal(value, before[name]) for name, value in shared.state_dict().items())
    with pytest.raises(CoreError, match="no token that could stand before a sentence"):
        _trainer("season", flan_adapter).train(_articles(), run, Runtime(half=False))


@pytest.mark.parametrize("base", ["bart", "t5"])
def test_salience_begins_without_effect_and_reaches_the_keys_of_each_sentence(base, tiny):
    network = load(tiny(base), device="cpu", half=False)
    salience = new_salience(network)
    reader = MarkedSentences(network, before_articles(network), 60, salience)
    ids, sentences = reader.sentences(_articles().texts[0])
    assert ids.count(reader.mark) == len(sentences) == 2
    labels = torch.tensor([[9, 8, 7, network.end]])
    with torch.no_grad():
        read = WholeArticle.read(reader, [ids])
        plain = logits_of(network, read, labels)
        guide(network.model, salience)
        torch.testing.assert_close(logits_of(network, reader.read([ids]), labels), plain)
        salience.embeddings.copy_(torch.randn_like(salience.embeddings))
        assert not torch.allclose(logits_of(network, reader.read([ids]), labels), plain)
        unguide(network.model)
        torch.testing.assert_close(logits_of(network, read, labels), plain)
