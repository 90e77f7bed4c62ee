"""Tiny random models of every architecture that the hub generators run, with tokenizers made on the spot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tiny_models import sizes

TEXTS = [
    "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt. Schools stay shut.",
    "The bank cut its rate to 2% after a long debate, and markets fell. Analysts had expected no change.",
    "A dog found 40 gold coins in a garden near Rome; the owner will keep half of them.",
    "Scientists described a new whale. It was seen 12 times last year off the coast of Chile.",
    "Short one.",
]
WORDS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def _bpe(folder: Path, specials: list[str], language_codes: list[str] | None = None) -> Any:
    """A byte-level tokenizer trained on the texts, its specials at the first places."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=340,
        special_tokens=[*specials, *(language_codes or [])],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    end = tokenizer.token_to_id("</s>")
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", end)])
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    if "<mask>" in specials:
        names["mask_token"] = "<mask>"
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names)
    fast.save_pretrained(folder)
    return fast


def _wordpiece(folder: Path) -> int:
    """A BERT tokenizer trained on the texts; its size."""
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertTokenizerFast

    trained = BertWordPieceTokenizer(lowercase=False)
    trained.train_from_iterator(TEXTS, vocab_size=200, show_progress=False)
    trained.save_model(str(folder))
    BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder)
    return trained.get_vocab_size()


def _bart(folder: Path) -> None:
    from transformers import BartConfig, BartForConditionalGeneration

    size = len(_bpe(folder, WORDS))
    config = BartConfig(
        vocab_size=size,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.5,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_bos_token_id=0,
        forced_eos_token_id=2,
    )
    model = BartForConditionalGeneration(config)
    # As bart-large-cnn has them; a headline must not follow.
    model.generation_config.update(forced_bos_token_id=0, min_length=56, max_length=142)
    model.save_pretrained(folder)


def _pegasus(folder: Path) -> None:
    from transformers import PegasusConfig, PegasusForConditionalGeneration

    size = len(_bpe(folder, ["<pad>", "</s>", "<unk>", "<s>"]))
    config = PegasusConfig(
        vocab_size=size,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.5,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    PegasusForConditionalGeneration(config).save_pretrained(folder)


def _t5(folder: Path) -> None:
    from transformers import T5Config, T5ForConditionalGeneration

    size = len(_bpe(folder, ["<pad>", "</s>", "<unk>", "<s>"]))
    config = T5Config(
        vocab_size=size,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        initializer_factor=2.0,
        dropout_rate=0.0,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)


def _mbart(folder: Path) -> None:
    from transformers import MBartConfig, MBartForConditionalGeneration

    size = len(_bpe(folder, ["<s>", "<pad>", "</s>", "<unk>"], ["ru_RU", "it_IT"]))
    config = MBartConfig(
        vocab_size=size,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.5,
    )
    MBartForConditionalGeneration(config).save_pretrained(folder)


def _encoder_decoder(folder: Path) -> None:
    from transformers import BertConfig, EncoderDecoderConfig, EncoderDecoderModel

    size = _wordpiece(folder)
    bert = BertConfig(
        vocab_size=size,
        **{**sizes(), "num_hidden_layers": 1},
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.5,
    )
    config = EncoderDecoderConfig.from_encoder_decoder_configs(bert, bert)
    config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = 2, 3, 0
    EncoderDecoderModel(config).save_pretrained(folder)


MAKERS: dict[str, Callable[[Path], None]] = {
    "bart": _bart,
    "pegasus": _pegasus,
    "t5": _t5,
    "mbart": _mbart,
    "encoder-decoder": _encoder_decoder,
}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A folder with a tiny random model of an architecture; the same for the same name."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            import torch

            made[name] = tmp_path_factory.mktemp(name)
            torch.manual_seed(0)
            MAKERS[name](made[name])
        return made[name]

    return folder
