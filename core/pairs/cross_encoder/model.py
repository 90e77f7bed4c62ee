"""The network of a pair model, as it is trained: any encoder with a classifier on top. Imports torch."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from core import files
from core.arrays import Float32Array, FloatArray
from core.errors import ModelUnavailableError
from core.models.model_settings import has_tokenizer, read_settings
from core.models.networks import low_rank
from core.models.networks.bert import Bert
from core.models.networks.pretrained import fault, from_tensors, loading, positions
from core.models.weights import hub_allowed, load_state, locate, prepare_hub_libraries
from core.pairs.cross_encoder.found import FoundModel, unwrapped
from core.pairs.cross_encoder.tokens import Ids, PairModelConfig, PairTokenizer, TokenRows, known_days
from core.tensor_files import write_tensors

DAYS_WIDTH = 16  # width of the layer that reads the day difference; the paper's figure is not known

MOST_DAYS = 60.0  # larger day differences read as this: no set at hand has one event that far apart

NAMES = ("different event", "same event")
WEIGHTS = "model.safetensors"
ADAPTER = "adapter_model.safetensors"


class PairModel(nn.Module):
    """Two outputs for a pair of texts: different event, same event (see `same_label`).

    Without the days, or with the days as text, it is the architecture's own sequence classifier. With
    `time: concat` the encoder's first token passes a feed-forward layer (d to d, tanh), the day
    difference one of its own (1 to 16, tanh; log(1 + days), at most 60 days, because raw days would
    saturate it), and a linear layer reads both (HLGD, section 4.3; its layer sizes were lost).
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

    def given(self, rows: TokenRows) -> dict[str, Tensor]:
        """What the network reads of pairs of texts."""
        places = torch.arange(rows.ids.shape[1])[None, :]
        mask = places < torch.from_numpy(rows.lengths)[:, None]
        given = {"input_ids": torch.from_numpy(rows.ids), "attention_mask": mask.long()}
        if int(getattr(self.network.config, "type_vocab_size", 0) or 0) > 1:
            given["token_type_ids"] = (mask & (places >= torch.from_numpy(rows.firsts)[:, None])).long()
        return {name: part.to(self.network.device) for name, part in given.items()}

    def forward(self, rows: TokenRows, days: npt.NDArray[np.floating]) -> Tensor:
        output = self.network(**self.given(rows))
        if self.config.time != "concat":
            logits: Tensor = output.logits
            return logits
        first = output.last_hidden_state[:, 0]
        text = torch.tanh(self.text_layer(nn.functional.dropout(first, 0.1, self.training)))
        apart = torch.from_numpy(np.minimum(days, MOST_DAYS).astype(np.float32)).to(self.network.device)
        read: Tensor = torch.tanh(self.days_layer(torch.log1p(apart).to(text.dtype)[:, None]))
        joined: Tensor = self.classifier(torch.cat([text, read], dim=1))
        return joined

    def collate(
        self, left: Sequence[Ids], right: Sequence[Ids], days: Sequence[float] | FloatArray
    ) -> tuple[TokenRows, FloatArray]:
        """What `forward` reads of pairs of texts that the tokenizer read, and of the days between them."""
        apart = np.asarray(days, dtype=np.float64)
        if self.config.time != "none":
            apart = known_days(apart)
        pairs = zip(left, right, apart.tolist(), strict=True)
        return self.tokenizer.rows([self.tokenizer.pair(*pair) for pair in pairs]), apart

    def trained(self) -> dict[str, nn.Parameter]:
        """What training changes, by name: everything, or the updates and the head."""
        return {name: part for name, part in self.named_parameters() if part.requires_grad}


def build(config: PairModelConfig, *, seed: int = 0) -> PairModel:
    """A pair model over its base, with a new head; ready to be trained."""
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
            plain = config.time == "concat"
            from transformers import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING, MODEL_MAPPING
            from transformers import logging as transformers_logging

            transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
            mapping: Any = MODEL_MAPPING if plain else MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING
            unpooled = {"add_pooling_layer": False} if plain and architecture.model_type == "bert" else {}
            network, missing = from_tensors(mapping[type(architecture)], architecture, state, **unpooled)
            tokenizer = PairTokenizer(folder, config, positions=positions(architecture))
            model = PairModel(config, network, tokenizer)
            adapt(model)
    except ModelUnavailableError:
        raise
    except Exception as error:  # the library raises whatever its parts raise
        if isinstance(error, MemoryError):
            raise
        message = f"The model {where} cannot be built as a pair classifier: {fault(where, error)}."
        hint = "Give a text encoder such as BERT, ELECTRA or RoBERTa, with weights of that architecture."
        raise ModelUnavailableError(message, hint=hint) from error
    needed = [name for name in missing if head_given or not _in_head(model, name)]
    if needed:
        raise ModelUnavailableError(
            f"The weights in {folder} lack {len(needed)} tensors that {architecture.model_type} needs, "
            f"such as {sorted(needed)[0]}.",
            hint="Give weights of the architecture that config.json names"
            + (", with a trained classifier." if head_given else "."),
        )
    return model


def architecture_of(folder: Path) -> Any:
    from transformers import AutoConfig

    read_settings(folder)
    with loading("a pair classifier", folder):
        return AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def adapt(model: PairModel) -> None:
    """Freezes what the config wants frozen, and adds the low-rank updates."""
    if model.config.adapter == "full":
        return
    head = {name for name, _ in model.named_parameters() if _in_head(model, name.removeprefix("network."))}
    if model.config.adapter == "lora":
        from peft import LoraConfig, inject_adapter_in_model

        linear = (name for name, layer in model.network.named_modules() if isinstance(layer, nn.Linear))
        wanted = [name for name in linear if not _in_head(model, name)]
        updates = LoraConfig(
            r=model.config.rank, lora_alpha=model.config.alpha, lora_dropout=0.05, target_modules=wanted
        )
        inject_adapter_in_model(updates, model.network)
    for name, part in model.named_parameters():
        part.requires_grad_(name in head or ".lora_" in name)


def _in_head(model: PairModel, name: str) -> bool:
    if "pooler" in name.split("."):
        return True
    if model.config.time == "concat":
        return name.split(".", maxsplit=1)[0] in {"text_layer", "days_layer", "classifier"}
    return name.split(".", maxsplit=1)[0] != str(model.network.base_model_prefix)


def save(model: PairModel, folder: Path) -> None:
    """Writes a pair model: whole with `adapter: full` and no days beside, else what was trained."""
    files.make_folder(folder)
    settings = model.network.config.to_dict()
    settings.pop("_name_or_path", None)  # a path on this machine, or nothing
    settings["architectures"] = [type(model.network).__name__]
    text = json.dumps(settings, indent=2, sort_keys=True, ensure_ascii=False)
    files.write(folder / "config.json", f"{text}\n".encode())
    full = model.config.adapter == "full"
    if full and model.config.time != "concat":
        tensors = dict(model.network.state_dict())
    else:
        state = model.state_dict() if full else model.trained()
        tensors = {name.replace(".default.weight", ".weight"): part.detach() for name, part in state.items()}
    dtype = torch.float32 if full else torch.float16
    types = {name: dtype if part.is_floating_point() else part.dtype for name, part in tensors.items()}
    ready = {name: part.to("cpu", types[name]) for name, part in tensors.items()}
    write_tensors(folder / (WEIGHTS if full else ADAPTER), ready)
    if full:
        model.tokenizer.save(folder)
    model.config.write(folder)


def load(folder: Path) -> PairModel:
    """Reads a pair model that `save` wrote; it can be trained on."""
    config = PairModelConfig.read(folder)
    state = load_state(folder)
    if config.adapter == "full" and config.time != "concat":
        return assemble(config, tokenizer_folder(folder, config), state, head_given=True, settings=folder)
    if config.adapter == "full":
        inner = {
            name.removeprefix("network."): part for name, part in state.items() if name.startswith("network.")
        }
        model = assemble(config, tokenizer_folder(folder, config), inner, head_given=False, settings=folder)
    else:
        model = build(config)
    wanted = {name.replace(".default.weight", ".weight"): part for name, part in model.trained().items()}
    wrong = sorted(set(wanted) ^ set(state)) or sorted(
        name for name, part in wanted.items() if part.shape != state[name].shape
    )
    if wrong:
        message = f"The weights in {folder} do not fit its `pair_model.json`: {wrong[0]} is of another model."
        raise ModelUnavailableError(message, hint="Copy the model again, with all its files.")
    with torch.no_grad():
        for name, part in wanted.items():
            part.copy_(state[name])
    return model


def tokenizer_folder(folder: Path, config: PairModelConfig) -> Path:
    """Where the tokenizer of a pair model lies: in its own folder, or in that of its base."""
    if has_tokenizer(folder):
        return folder
    return locate(config.base, allow_network=hub_allowed())


class BertPairs:
    """Logits of pairs, low-rank updates merged, only the first token at the end; threads may share it."""

    def __init__(
        self,
        state: dict[str, Tensor],
        settings: dict[str, Any],
        config: PairModelConfig,
        *,
        device: str,
        dtype: torch.dtype,
    ) -> None:
        self._bert = Bert(state, settings, device=device, dtype=dtype)
        self._concat = config.time == "concat"
        names = ("text_layer", "days_layer", "classifier") if self._concat else ("pooler.dense", "classifier")
        missing = [f"{name}.{part}" for name in names for part in ("weight", "bias")]
        missing = [name for name in missing if name not in state]
        if missing:
            message = f"The pair model has no {missing[0]}."
            raise ModelUnavailableError(message, hint="Train it first, or copy it again.")
        self._head = {name: state[name].to(device, torch.float32) for name in state if name.startswith(names)}
        self._device = device

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        with torch.inference_mode():
            pooled = self._pooled(rows, days)
            logits = F.linear(pooled, self._head["classifier.weight"], self._head["classifier.bias"])
            result: Float32Array = logits.cpu().numpy()
            return result

    def pooled(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """What the classifier reads of each pair."""
        with torch.inference_mode():
            result: Float32Array = self._pooled(rows, days).cpu().numpy()
            return result

    def _pooled(self, rows: TokenRows, days: Float32Array) -> Tensor:
        asked = np.zeros((len(rows.ids), 1), dtype=np.int64)
        first = self._bert.hidden(rows.ids, rows.lengths, rows.firsts, asked=asked)[:, 0].float()
        if not self._concat:
            return self._layer("pooler.dense", first)
        apart = torch.from_numpy(days).to(self._device).clamp(max=MOST_DAYS)
        read = self._layer("days_layer", torch.log1p(apart)[:, None])
        return torch.cat([self._layer("text_layer", first), read], dim=1)

    def _layer(self, name: str, given: Tensor) -> Tensor:
        return torch.tanh(F.linear(given, self._head[f"{name}.weight"], self._head[f"{name}.bias"]))


def reads(settings: dict[str, Any]) -> bool:
    """Whether `BertPairs` can run a model with this config.json."""
    return (
        settings.get("model_type") == "bert"
        and settings.get("hidden_act") == "gelu"
        and settings.get("position_embedding_type", "absolute") == "absolute"
        and not settings.get("is_decoder")
    )


def merged(trained: FoundModel) -> dict[str, Tensor]:
    """All tensors of a pair model over BERT by their bare names, low-rank updates merged."""
    own = bare(unwrapped(load_state(trained.weights)))
    if trained.config.adapter == "full" or trained.plain:
        return own
    state = bare(load_state(locate(trained.config.base, allow_network=hub_allowed())))
    return low_rank.merged(state, own, scale=trained.config.alpha / trained.config.rank)


def bare(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Tensors by names without the network's own prefixes."""
    return {name.removeprefix("network.").removeprefix("bert."): tensor for name, tensor in state.items()}


class TransformersPairs:
    """Logits of pairs; it changes nothing while it runs, so threads may share it."""

    def __init__(self, model: PairModel, device: str, dtype: torch.dtype) -> None:
        for layer in model.network.modules():
            if hasattr(layer, "lora_A"):
                layer.merge()
        self._model = model.eval().to(device, dtype)

    def pooled(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """The encoder's first token of each pair."""
        with torch.inference_mode():
            encoder = self._model.network.base_model
            first = encoder(**self._model.given(rows)).last_hidden_state[:, 0]
            result: Float32Array = first.float().cpu().numpy()
            return result

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        with torch.inference_mode():
            logits: Float32Array = self._model(rows, days).float().cpu().numpy()
            return logits
