"""Real headlines with references, and tiny encoders with random weights."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.metrics.headlines.metric import Written

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def written(
    headlines: list[str],
    references: list[list[str]] | None = None,
    articles: list[str] | None = None,
    **more: Any,
) -> Written:
    """Headlines without references and articles where none are given."""
    n = len(headlines)
    return Written(
        headlines=headlines,
        references=[[]] * n if references is None else references,
        articles=[""] * n if articles is None else articles,
        **more,
    )


@pytest.fixture(scope="session")
def make() -> Callable[..., Written]:
    return written


@pytest.fixture(scope="session")
def real(shared: Path) -> list[dict[str, str]]:
    """The items of the SemEval-2024 file with two systems' headlines."""
    with gzip.open(shared / "data/numeval2024/dev_headlines_two_systems.csv.gz", "rt", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def _tiny(folder: Path, kind: str) -> Path:
    """Three random layers of width 16 over pieces of words; large weights, so that context matters."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import (
        BertConfig,
        BertModel,
        BertTokenizer,
        PreTrainedTokenizerFast,
        RobertaConfig,
        RobertaModel,
    )

    torch.manual_seed(0)
    shape: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 66,
        "initializer_range": 0.5,
    }
    if kind == "bert":
        words = ["bank", "cuts", "rate", "storm", "hits", "coast", "the", "##s", ",", ".", "!"]
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *LETTERS]
        pieces += [f"##{sign}" for sign in LETTERS if sign != "s"]
        (folder / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
        BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}).save_pretrained(folder)
        BertModel(BertConfig(vocab_size=len(pieces), **shape)).save_pretrained(folder)
        return folder
    signs = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    vocabulary = {sign: i for i, sign in enumerate(signs)}
    bytes_ = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_.normalizer = normalizers.Sequence([])
    bytes_.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_.decoder = decoders.ByteLevel()
    bytes_.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=bytes_,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=64,
    ).save_pretrained(folder)
    RobertaModel(RobertaConfig(vocab_size=len(signs), pad_token_id=1, **shape)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session", params=["bert", "roberta"])
def tiny_encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _tiny(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _tiny(tmp_path_factory.mktemp("tiny_bert"), "bert")
