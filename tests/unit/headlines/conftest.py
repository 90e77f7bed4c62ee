"""Tiny random models of every architecture that generators run, with tokenizers made on the spot."""

import copy
import csv
import gzip
from pathlib import Path
from typing import Any

import pytest

from core.headlines.metrics import MetricInput
from tests.tiny_models import SPECIAL, save_network, sizes, stand_for_flan_t5

TEXTS = [
    "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt. Schools stay shut.",
    "The bank cut its rate to 2% after a long debate, and markets fell. Analysts had expected no change.",
    "A dog found 40 gold coins in a garden near Rome; the owner will keep half of them.",
    "Scientists described a new whale. It was seen 12 times last year off the coast of Chile.",
    "Short one.",
]
PLAIN = {"vocab_size": 0, "d_model": 16, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
LAYERS = {
    **{f"{side}_layers": 1 for side in ("encoder", "decoder")},
    **{f"{side}_attention_heads": 2 for side in ("encoder", "decoder")},
    **{f"{side}_ffn_dim": 32 for side in ("encoder", "decoder")},
    **{"max_position_embeddings": 64, "dropout": 0.0, "init_std": 0.5},
}
BART_IDS = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
BART = {**LAYERS, **BART_IDS, "encoder_layers": 2, "decoder_layers": 2}
T5 = {"d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, "initializer_factor": 2.0, "dropout_rate": 0.0}
SEQUENCES = {
    "bart": ("Bart", ["<s>", "<pad>", "</s>", "<unk>", "<mask>"], BART | {"forced_eos_token_id": 2}),
    "pegasus": ("Pegasus", ["<pad>", "</s>", "<unk>", "<s>"], PLAIN | LAYERS),
    "t5": ("T5", ["<pad>", "</s>", "<unk>", "<s>", "<extra_id_0>"], PLAIN | T5),
    "mt5": ("MT5", ["<pad>", "</s>", "<unk>", "<s>", "<extra_id_0>"], PLAIN | T5),
    "mbart": ("MBart", ["<s>", "<pad>", "</s>", "<unk>", "ru_RU", "it_IT"], LAYERS),
}
"""Class of transformers, special tokens, and config by name."""


def _bpe(folder, specials):
    """A byte-level tokenizer trained on the texts, its specials at the first places; its size."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=specials, initial_alphabet=letters, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    end = tokenizer.token_to_id("</s>")
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", end)])
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    if "<mask>" in specials:
        names["mask_token"] = "<mask>"
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names)
    fast.save_pretrained(folder)
    return len(fast)


def _sequence(folder, name):
    import transformers

    kind, specials, settings = SEQUENCES[name]
    given = {"d_model": 16, **settings, "vocab_size": _bpe(folder, specials)}
    config = getattr(transformers, f"{kind}Config")(**given)
    model = getattr(transformers, f"{kind}ForConditionalGeneration")(config)
    if name == "bart":
        # As bart-large-cnn has them; a headline must not follow.
        model.generation_config.update(forced_bos_token_id=0, min_length=56, max_length=142)
    model.save_pretrained(folder)


def _encoder_decoder(folder):
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertTokenizerFast, EncoderDecoderConfig, EncoderDecoderModel

    trained = BertWordPieceTokenizer(lowercase=False)
    trained.train_from_iterator(TEXTS, vocab_size=200, show_progress=False)
    trained.save_model(str(folder))
    BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder)
    bert = BertConfig(
        vocab_size=trained.get_vocab_size(),
        **{**sizes(), "num_hidden_layers": 1},
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.5,
    )
    config = EncoderDecoderConfig.from_encoder_decoder_configs(bert, bert)
    config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = 2, 3, 0
    EncoderDecoderModel(config).save_pretrained(folder)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A folder with a tiny random model of an architecture; the same for the same name."""
    made: dict[str, Path] = {}

    def folder(name):
        if name not in made:
            import torch

            made[name] = tmp_path_factory.mktemp(name)
            torch.manual_seed(0)
            if name in SEQUENCES:
                _sequence(made[name], name)
            else:
                _encoder_decoder(made[name])
        return made[name]

    return folder


@pytest.fixture(scope="session")
def adapter(tiny_llama, tmp_path_factory):
    import torch

    from core.headlines.generator import headline_generators
    from core.models.language_models.causal import AdapterConfig
    from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter
    from core.runtime import Runtime

    folder = tmp_path_factory.mktemp("adapter")
    about = AdapterConfig(
        **{"base": f"causal.v1|model:{tiny_llama}", "rank": 2, "alpha": 2.0, "first_block": 0},
        **{"article_tokens": 60, "headline_tokens": 20, "before": "<|endoftext|>", "end": "\n"},
    )
    base: Any = headline_generators.parse(about.base).build(Runtime(half=False))
    model = copy.deepcopy(base.model.model)
    add_low_rank(model, llama_layers(model, 0), rank=about.rank, scale=about.alpha / about.rank, seed=0)
    torch.manual_seed(0)
    for name, value in model.named_parameters():
        if name.endswith("lora_B"):
            value.data = torch.randn_like(value)
    write_adapter(model, folder)
    about.write(folder)
    return folder


@pytest.fixture(scope="session")
def flan_in_training(tiny_t5):
    """A tiny T5 with random low-rank updates beside its layers."""
    import torch
    from transformers import T5ForConditionalGeneration

    from core.models.networks.low_rank import add_low_rank, t5_layers

    model: Any = T5ForConditionalGeneration.from_pretrained(tiny_t5)
    add_low_rank(model, t5_layers(model), rank=2, scale=0.5, seed=0)
    torch.manual_seed(0)
    for name, value in model.named_parameters():
        if "lora" in name:
            # As they are kept: in half precision.
            value.data = torch.randn_like(value).half().float()
    return model.eval()


@pytest.fixture
def flan_adapter(tiny_t5, flan_in_training, tmp_path_factory, monkeypatch):
    """A folder with these updates; their base stands in the place of FLAN-T5-small."""
    from core.headlines.hub import FlanT5Adapter
    from core.models.networks.flan_t5 import NAME
    from core.models.networks.low_rank import write_adapter

    stand_for_flan_t5(monkeypatch, tiny_t5)
    folder = tmp_path_factory.mktemp("flan_adapter")
    write_adapter(flan_in_training, folder)
    FlanT5Adapter(base=NAME, rank=2, alpha=1.0, article_tokens=60, headline_tokens=20).write(folder)
    return folder


@pytest.fixture(scope="session")
def make():
    def written(headlines, references=None, articles=None, **more):
        n = len(headlines)
        references = [[]] * n if references is None else references
        articles = [""] * n if articles is None else articles
        return MetricInput(headlines=headlines, references=references, articles=articles, **more)

    return written


@pytest.fixture(scope="session")
def real(shared):
    """The items of the SemEval-2024 file with two systems' headlines."""
    with gzip.open(shared / "data/numeval2024/dev_headlines_two_systems.csv.gz", "rt", encoding="utf-8") as f:
        return list(csv.DictReader(f))


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SHAPE = {
    "num_hidden_layers": 3,
    "max_position_embeddings": 66,
    "initializer_range": 0.5,  # large weights, so that context matters
}


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    """A three-layer BERT of width 16 with random weights that cuts words into pieces."""
    from transformers import BertTokenizer

    folder = tmp_path_factory.mktemp("tiny_bert")
    words = ["bank", "cuts", "rate", "storm", "hits", "coast", "the", "##s", ",", ".", "!"]
    pieces = [*SPECIAL, *words, *LETTERS]
    pieces += [f"##{sign}" for sign in LETTERS if sign != "s"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    BertTokenizer(vocab=vocabulary, model_max_length=64).save_pretrained(folder)
    save_network(folder, "bert", len(pieces), **SHAPE)
    return folder
