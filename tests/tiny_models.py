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


def save_writer(folder, name):
    """A writer of an architecture, a key of `SEQUENCES` or "encoder-decoder", the same at each call."""
    import torch

    torch.manual_seed(0)
    if name in SEQUENCES:
        _sequence(folder, name)
    else:
        _encoder_decoder(folder)
    return folder
