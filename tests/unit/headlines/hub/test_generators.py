import math
import shutil
from pathlib import Path

import pytest

from core.errors import ModelUnavailableError
from core.headlines.generator import Wishes, headline_generators
from core.runtime import Runtime

ARTICLES = [
    "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt. Schools stay shut.",
    "The bank cut its rate to 2% after a long debate, and markets fell. Analysts had expected no change.",
    "A dog found 40 gold coins in a garden near Rome; the owner will keep half of them.",
    "Short one.",
    "</s> <mask> is not a token here",
]
SYSTEMS = {
    "bart.v1": "bart",
    "t5.v1": "t5",
    "pegasus.v1": "pegasus",
    "brio.v1": "bart",
    "mbart.v1": "mbart",
    "rubert_seq2seq.v1": "encoder-decoder",
    "ttgen_bottleneck.v1": "encoder-decoder",
}


def _recipe(name, folder, **options):
    given = {"headline_tokens": 14, "beams": 3, **({"pool": 4} if name.startswith("brio") else {}), **options}
    return headline_generators.get(name)(model=str(folder), **given)


def test_beam_search_is_that_of_transformers(tiny):
    """Without limits that bind, the best headline is the one that `generate` gives with plain arguments."""
    from transformers import GenerationConfig

    generator = _recipe("bart.v1", tiny("bart"), length_penalty=2.0).build(Runtime(half=False))
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
    (found,) = generator.write(ARTICLES[:1], Wishes(), Runtime())[0]
    assert found.text == " ".join(
        "".join(sign for sign in text if sign.isprintable() or sign.isspace()).split()
    )


def test_a_score_is_the_mean_log_likelihood_of_the_tokens(tiny):
    import torch

    generator = _recipe("bart.v1", tiny("bart"), length_penalty=0.5).build(Runtime(half=False))
    network = generator.reader.network
    rows = generator.reader.tokens(ARTICLES[:1])
    with torch.inference_mode():
        read = generator.reader.read(rows)
        written = generator._generate(read, None, Wishes(), num_beams=1)
        score = float(generator._scores(read, written, 0.5)[0])
        labels = written[:, 1:]
        logits = network.model(
            input_ids=torch.tensor(rows), decoder_input_ids=written[:, :-1]
        ).logits.log_softmax(dim=-1)
        by_hand = sum(float(logits[0, place, token]) for place, token in enumerate(labels[0].tolist()))
    assert score == pytest.approx(by_hand / math.sqrt(labels.shape[1]), abs=1e-4)


def test_brio_takes_the_likeliest_of_its_pool(tiny):
    folder = tiny("bart")
    every = _recipe("brio.v1", folder, pool=6).build(Runtime(half=False))
    pool = every.write(ARTICLES, Wishes(candidates=4), Runtime())
    best = every.write(ARTICLES, Wishes(), Runtime())
    for (one,), all_of_them in zip(best, pool, strict=True):
        assert one == all_of_them[0]


def test_the_bottleneck_sees_one_vector(tiny):
    generator = _recipe("ttgen_bottleneck.v1", tiny("encoder-decoder")).build(Runtime(half=False))
    read = generator.reader.read(generator.reader.tokens(ARTICLES))
    assert read.hidden.shape[1] == read.present.shape[1] == 1


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_without_the_hub_a_hub_id_is_refused(name, monkeypatch):
    monkeypatch.delenv("HEADLINE_LAB_ALLOW_HUB", raising=False)
    with pytest.raises(ModelUnavailableError, match="downloading is off"):
        headline_generators.parse(name).check()


def test_half_a_file_of_weights_is_refused(tiny, tmp_path):
    folder = Path(shutil.copytree(tiny("bart"), tmp_path / "copy"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelUnavailableError, match="damaged or incomplete"):
        _recipe("bart.v1", folder).build(Runtime())
