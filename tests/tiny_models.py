"""Tiny models with random weights and a tokenizer of whole words, made on the spot; a large one, shared."""

import os
from pathlib import Path

LANGUAGE_MODELS = "language_models"
"""Folder in a cache folder where the language model is unpacked, which takes a third of a minute."""


def sharing(cache):
    """A cache folder of its own that shares the unpacked language model with the other tests."""
    shared = Path(os.environ["HEADLINE_LAB_CACHE"], LANGUAGE_MODELS)
    for folder in (shared, cache):
        folder.mkdir(parents=True, exist_ok=True)
    (cache / LANGUAGE_MODELS).symlink_to(shared.resolve())
    return cache


SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def sizes(kind="bert"):
    """Two layers of width 16, in the words of a kind of encoder."""
    return {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 64,
        **({"embedding_size": 8} if kind == "electra" else {}),
    }


def save_network(folder, kind, vocabulary, **more):
    """An encoder ("bert", "roberta", "electra"), the same at each call.

    Args:
        folder: Where it goes.
        kind: What transformers calls the architecture.
        vocabulary: How many tokens it knows.
        more: Settings beside or in place of `sizes`.
    """
    import torch
    from transformers import AutoConfig, AutoModel

    torch.manual_seed(0)
    config = AutoConfig.for_model(kind, vocab_size=vocabulary, **{**sizes(kind), **more})
    AutoModel.from_config(config).save_pretrained(folder)


def save_words(folder, words):
    """A tokenizer that knows the special tokens and these words, and joins two texts."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *words])}
    known = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    known.normalizer = normalizers.BertNormalizer(lowercase=True)
    known.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    known.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=known,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)


def save_encoder(folder, kind, words, **more):
    """A folder with an encoder and its tokenizer; see `save_network` and `save_words`."""
    save_network(folder, kind, len(SPECIAL) + len(words), **more)
    save_words(folder, words)
    return folder


def stand_for_flan_t5(patch, folder):
    """Puts the T5 of a folder in the place of FLAN-T5-small."""
    from transformers import AutoTokenizer, T5ForConditionalGeneration

    from core.models.networks import flan_t5

    model = T5ForConditionalGeneration.from_pretrained(folder).eval().requires_grad_(False)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    patch.setattr(flan_t5, "flan_t5", lambda **_: (model, tokenizer))
    patch.setattr(flan_t5, "flan_t5_folder", lambda: folder)


def save_classifier(folder, words):
    """A classifier of pairs as transformers saves it, without `pair_model.json`."""
    from transformers import AutoConfig, AutoModelForSequenceClassification

    config = AutoConfig.for_model("bert", vocab_size=len(SPECIAL) + len(words), num_labels=2, **sizes())
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    save_words(folder, words)
    return folder
