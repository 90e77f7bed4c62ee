"""The network of a pair model, as it is trained: any encoder of transformers with a classifier on top.

Imports torch; scorers import it inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import ModelUnavailableError
from core.models.networks.pretrained import from_tensors
from core.models.weights import fault, hub_allowed, load_state, locate, prepare_hub_libraries, read_settings
from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.tokens import PairTokenizer, TokenRows, input_texts, known_days

DAYS_WIDTH = 16
"""Width of the layer that reads the day difference; the paper's figure is not known."""

MOST_DAYS = 60.0
"""Larger day differences read as this: no set at hand has two headlines of one event that far apart."""

NAMES = ("different event", "same event")


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some pairs, ready for the network.

    Attributes:
        ids: Token ids, int64 [b, w].
        mask: 1 for tokens and 0 for padding, int64 [b, w].
        types: Token types, int64 [b, w].
        days: Whole days apart, float32 [b]; 0 where the model does not read them.
    """

    ids: Tensor
    mask: Tensor
    types: Tensor
    days: Tensor

    def to(self, device: str) -> Batch:
        """The same batch on another device."""
        return Batch(*(part.to(device) for part in (self.ids, self.mask, self.types, self.days)))


class PairModel(nn.Module):
    """Two outputs for a pair of texts: different event, same event (see `same_label`).

    Without the days, or with the days as text, it is the architecture's own sequence classifier. With
    `time: concat` the encoder's first token passes a feed-forward layer (d to d, tanh), the day
    difference one of its own (1 to 16, tanh; log(1 + days), at most 60 days, because raw days would
    saturate it), and a linear layer reads both (HLGD, section 4.3; its layer sizes were lost).

    Args:
        config: What it is.
        network: transformers' sequence classifier, or encoder where the days are concatenated.
        tokenizer: Makes its input.
    """

    def __init__(self, config: PairModelConfig, network: Any, tokenizer: PairTokenizer) -> None:
        super().__init__()
        self.config = config
        self.tokenizer = tokenizer
        self.network = network
        if config.time == "concat":
            width = int(network.config.hidden_size)
            self.text_layer = nn.Linear(width, width)
            self.days_layer = nn.Linear(1, DAYS_WIDTH)
            self.classifier = nn.Linear(width + DAYS_WIDTH, 2)
            for layer in (self.text_layer, self.classifier):
                nn.init.normal_(layer.weight, std=0.02)
                nn.init.zeros_(layer.bias)

    def forward(self, batch: Batch) -> Tensor:
        """Logits, [b, 2]."""
        given = {"input_ids": batch.ids, "attention_mask": batch.mask}
        if self._types:
            given["token_type_ids"] = batch.types
        output = self.network(**given)
        if self.config.time != "concat":
            logits: Tensor = output.logits
            return logits
        first = output.last_hidden_state[:, 0]
        text = torch.tanh(self.text_layer(nn.functional.dropout(first, 0.1, self.training)))
        days = torch.log1p(batch.days.clamp(max=MOST_DAYS)).to(text.dtype)
        read: Tensor = torch.tanh(self.days_layer(days[:, None]))
        joined: Tensor = self.classifier(torch.cat([text, read], dim=1))
        return joined

    @property
    def _types(self) -> bool:
        return int(getattr(self.network.config, "type_vocab_size", 0) or 0) > 1

    def trained(self) -> dict[str, nn.Parameter]:
        """What training changes, by name: everything, or the updates and the head."""
        return {name: part for name, part in self.named_parameters() if part.requires_grad}


def build(config: PairModelConfig, *, seed: int = 0) -> PairModel:
    """A pair model over its base, with a new head; ready to be trained.

    Args:
        config: What to build.
        seed: Of the new weights.

    Raises:
        ModelUnavailableError: The base is not at hand, is no text encoder, or has no tokenizer.
    """
    folder = locate(config.base, allow_network=hub_allowed())
    return assemble(config, folder, load_state(folder), head_given=False, seed=seed)


def assemble(
    config: PairModelConfig,
    folder: Path,
    state: dict[str, Tensor],
    *,
    head_given: bool,
    settings: Path | None = None,
    seed: int = 0,
) -> PairModel:
    """A pair model from tensors.

    Args:
        config: What to build.
        folder: Has the tokenizer.
        state: Tensors of an encoder or a sequence classifier, by transformers' names.
        head_given: The tensors must hold the classifier too.
        settings: Folder of config.json; the same one when None.
        seed: Of weights that are not given.

    Raises:
        ModelUnavailableError: transformers cannot build the network, or a tensor is missing or of
            another shape.
    """
    prepare_hub_libraries()
    where = settings or folder
    architecture = architecture_of(where)
    if not head_given:
        architecture.num_labels = 2
        architecture.id2label = dict(enumerate(NAMES))
        architecture.label2id = {name: label for label, name in enumerate(NAMES)}
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            network, missing = _network(architecture, state, plain=config.time == "concat")
            tokenizer = PairTokenizer(folder, config, positions=positions(architecture))
            model = PairModel(config, network, tokenizer)
            adapt(model)
    except ModelUnavailableError:
        raise
    except Exception as error:  # the library raises whatever its parts raise
        if isinstance(error, MemoryError):
            raise
        raise ModelUnavailableError(
            f"The model {where} cannot be built as a pair classifier: {fault(where, error)}.",
            hint="Give a text encoder such as BERT, ELECTRA or RoBERTa, with weights of that architecture.",
        ) from error
    needed = [name for name in missing if head_given or not _in_head(model, name)]
    if needed:
        raise ModelUnavailableError(
            f"The weights in {folder} lack {len(needed)} tensors that {architecture.model_type} needs, "
            f"such as {sorted(needed)[0]}.",
            hint="Give weights of the architecture that config.json names"
            + (", with a trained classifier." if head_given else "."),
        )
    return model


def _network(architecture: Any, state: dict[str, Tensor], *, plain: bool) -> tuple[Any, list[str]]:
    """transformers' network with these tensors, plain or with a classifier, and names of those missing."""
    from transformers import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING, MODEL_MAPPING
    from transformers import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    mapping: Any = MODEL_MAPPING if plain else MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING
    unpooled = {"add_pooling_layer": False} if plain and architecture.model_type == "bert" else {}
    return from_tensors(mapping[type(architecture)], architecture, state, **unpooled)


def architecture_of(folder: Path) -> Any:
    """The transformers config of a model folder.

    Raises:
        ModelUnavailableError: It cannot be read.
    """
    from transformers import AutoConfig

    read_settings(folder)
    try:
        return AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the library raises whatever its parts raise
        if isinstance(error, MemoryError):
            raise
        raise ModelUnavailableError(
            f"The model in {folder} cannot be built: {fault(folder, error)}.",
            hint="Give a model folder in the transformers format.",
        ) from error


def adapt(model: PairModel) -> None:
    """Freezes what the config wants frozen, and adds the low-rank updates."""
    if model.config.adapter == "full":
        return
    head = {name for name, _ in model.named_parameters() if _in_head(model, name.removeprefix("network."))}
    if model.config.adapter == "lora":
        from peft import LoraConfig, inject_adapter_in_model

        wanted = [
            name
            for name, layer in model.network.named_modules()
            if isinstance(layer, nn.Linear) and not _in_head(model, name)
        ]
        updates = LoraConfig(
            r=model.config.rank, lora_alpha=model.config.alpha, lora_dropout=0.05, target_modules=wanted
        )
        inject_adapter_in_model(updates, model.network)
    for name, part in model.named_parameters():
        part.requires_grad_(name in head or ".lora_" in name)


def collate(
    model: PairModel,
    left: Sequence[list[int]],
    right: Sequence[list[int]],
    days: Sequence[float] | np.ndarray[Any, Any],
) -> Batch:
    """A batch of pairs of texts that `model.tokenizer.tokenise` has read.

    Args:
        model: Whose tokenizer and config are used.
        left: Token ids of the first text of each pair.
        right: Those of the second.
        days: Whole days apart; not read where time plays no part.

    Raises:
        InputError: A day difference is wanted and not known.
    """
    apart = np.asarray(days, dtype=np.float64)
    if model.config.time != "none":
        apart = known_days(apart)
    pairs = [model.tokenizer.pair(a, b, day) for a, b, day in zip(left, right, apart.tolist(), strict=True)]
    return batch_of(model.tokenizer.rows(pairs), apart if model.config.time == "concat" else None)


def batch_of(rows: TokenRows, days: np.ndarray[Any, Any] | None) -> Batch:
    """Rows of tokens as tensors."""
    places = torch.arange(rows.ids.shape[1])[None, :]
    mask = places < torch.from_numpy(rows.lengths)[:, None]
    types = mask & (places >= torch.from_numpy(rows.firsts)[:, None])
    apart = np.zeros(len(rows.ids)) if days is None else days
    return Batch(
        torch.from_numpy(rows.ids), mask.long(), types.long(), torch.from_numpy(apart.astype(np.float32))
    )


def texts_of(model: PairModel, texts: Sequence[str], bodies: Sequence[str]) -> list[list[int]]:
    """Token ids of what the model reads of each article: headline, or beginning of the body.

    Raises:
        InputError: It reads bodies, and one is missing.
    """
    return model.tokenizer.tokenise(input_texts(model.config, texts, bodies))


def positions(architecture: Any) -> int:
    """How many tokens a network can take; RoBERTa and its kin lose those up to the padding id."""
    most = int(getattr(architecture, "max_position_embeddings", 512) or 512)
    shifted = "roberta" in architecture.model_type or architecture.model_type in {"camembert", "mpnet"}
    return most - (int(architecture.pad_token_id or 0) + 1 if shifted else 0)


def _in_head(model: PairModel, name: str) -> bool:
    """Whether a module or tensor of the network (or of the model) is part of the head, not the encoder."""
    if "pooler" in name.split("."):
        return True
    if model.config.time == "concat":
        return name.split(".", maxsplit=1)[0] in {"text_layer", "days_layer", "classifier"}
    return name.split(".", maxsplit=1)[0] != str(model.network.base_model_prefix)
