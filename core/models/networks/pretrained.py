"""A model and its tokenizer from a folder, by transformers: vectors of texts, or of every token."""

import json
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models import model_settings, weights
from core.models.networks.batches import clean, padded, spread_by_length
from core.runtime import Runtime

if TYPE_CHECKING:
    from torch import Tensor

_CLASSES: Final = {  # where transformers lists the networks of each kind
    "a text encoder": "MODEL_MAPPING",
    "a language model": "MODEL_FOR_CAUSAL_LM_MAPPING",
    "an encoder-decoder": "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING",
}
# These take a word at the beginning of a text for another one than after a space.
_SPACED: Final = ("RobertaTokenizer", "GPT2Tokenizer", "RobertaTokenizerFast", "GPT2TokenizerFast")


def from_tensors(
    kind: Any, config: Any, state: "Mapping[str, Tensor]", *, half: bool = False, **options: Any
) -> tuple[Any, list[str]]:
    """The network, and names of the tensors that it needs and was not given."""
    import torch

    network, report = kind.from_pretrained(
        None,
        config=config,
        state_dict=state,
        dtype=torch.bfloat16 if half else torch.float32,
        output_loading_info=True,
        **options,
    )
    return network, list(report["missing_keys"])


@dataclass(frozen=True, slots=True, eq=False)
class Pretrained:
    config: Any
    tokenizer: Any
    model: Any
    max_tokens: int


@contextmanager
def loading(what: str, folder: Path) -> Iterator[None]:
    """Says in one sentence what is wrong with a folder that transformers failed to load."""
    try:
        yield
    except Exception as error:  # the library raises whatever its parts raise
        if isinstance(error, MemoryError | ModelUnavailableError):
            raise
        message = f"The folder {folder} cannot be loaded as {what}: {fault(folder, error)}."
        hint = "Give a folder with config.json, tokenizer files and *.safetensors of one model."
        raise ModelUnavailableError(message, hint=hint) from error


def load_pretrained(
    folder: Path, *, device: str, half: bool, layers: int = 0, what: str = "a text encoder"
) -> Pretrained:
    weights.prepare_hub_libraries()
    import transformers

    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model_settings.read_settings(folder)
    state = weights.load_state(folder)
    with loading(what, folder):
        config = transformers.AutoConfig.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        if layers and layers > int(config.num_hidden_layers):
            message = f"The model in {folder} has {config.num_hidden_layers} layers, not {layers}."
            raise ModelUnavailableError(message, hint="Give a layer that it has, or 0.")
        if layers:
            config.num_hidden_layers = layers
        kind: Any = getattr(transformers, _CLASSES[what])[type(config)]
        model_settings.require_tokenizer(folder)
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        model, missing = from_tensors(kind, config, state, half=half)
    require_tensors(folder, [name for name in missing if "pooler" not in name])
    return Pretrained(
        config=config,
        tokenizer=tokenizer,
        model=model.eval().requires_grad_(False).to(device),
        max_tokens=min(positions(config), int(tokenizer.model_max_length)),
    )


def positions(config: Any) -> int:
    """How many tokens a network can take; RoBERTa and its kin lose those up to the padding id."""
    most = int(getattr(config, "max_position_embeddings", 512) or 512)
    shifted = "roberta" in config.model_type or config.model_type in {"camembert", "mpnet"}
    return most - (int(config.pad_token_id or 0) + 1 if shifted else 0)


def require_tensors(folder: Path, missing: Collection[str]) -> None:
    """Refuses a model that lacks tensors: transformers would fill them with random numbers."""
    if missing:
        raise ModelUnavailableError(
            f"The weights in {folder} lack {len(missing)} tensors that its config.json names, such as "
            f"{min(missing)}.",
            hint="Give a folder whose weights and config.json belong together.",
        )


def fault(folder: Path, error: BaseException) -> str:
    """What is wrong with a folder that transformers failed to load, as the end of a sentence."""
    from transformers import CONFIG_MAPPING

    try:
        kind = model_settings.read_settings(folder).get("model_type")
        weights.load_state(folder)
    except ModelUnavailableError as unavailable:
        return unavailable.message[0].lower() + unavailable.message[1:].removesuffix(".")
    if kind not in CONFIG_MAPPING:
        unknown = f"transformers does not know its architecture, {str(kind)[:60]!r}"
        return "its config.json names no architecture" if kind is None else unknown
    if isinstance(error, KeyError) and isinstance(
        next(iter(error.args), None), type
    ):  # of a table of classes
        return f"a model of its architecture, {str(kind)!r}, does not do that"
    for path in sorted(folder.glob("*token*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return f"its {path.name} cannot be read as JSON"
    if re.search(r"size mismatch|shape|mismatched", str(error)):
        return "its weights have other shapes than its config.json says"
    return "its config.json, tokenizer and weights do not fit together, or one of them is damaged"


class _Network:
    def __init__(self, opened: Pretrained, max_tokens: int, device: str) -> None:
        self._lock = threading.Lock()
        self._tokenizer, self._model, self._device = opened.tokenizer, opened.model, device
        self._max_tokens = max_tokens
        self.pad = int(self._tokenizer.pad_token_id or 0)

    def _encoded(self, texts: list[str]) -> Any:
        with self._lock:
            return self._tokenizer(texts, truncation=True, max_length=self._max_tokens)

    def _hidden(self, ids: IntArray, lengths: IntArray) -> "tuple[Tensor, Tensor]":
        import torch

        present = torch.arange(ids.shape[1])[None, :] < torch.from_numpy(lengths)[:, None]
        present = present.to(self._device)
        read = torch.from_numpy(ids).to(self._device)
        hidden = self._model(input_ids=read, attention_mask=present.long()).last_hidden_state.float()
        return hidden, present


class Pooled(_Network):
    """Token ids → unit vectors through any encoder of transformers."""

    def __init__(self, folder: Path, *, pooling: str, max_tokens: int, device: str, half: bool) -> None:
        opened = load_pretrained(folder, device=device, half=half)
        super().__init__(opened, min(max_tokens, opened.max_tokens), device)
        self._cls = pooling == "cls"
        self.dimensions = int(opened.config.hidden_size)

    def tokenise(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self._encoded(texts)["input_ids"]
        return ids

    def embed(self, ids: IntArray, lengths: IntArray) -> Float32Array:
        """Unit vectors float32 [b, d] of ids int64 [b, w], padded on the right."""
        import torch

        with torch.inference_mode():
            hidden, present = self._hidden(ids, lengths)
            pooled = hidden[:, 0] if self._cls else (hidden * present[..., None]).sum(dim=1)
            vectors: Float32Array = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
            return vectors


@dataclass(frozen=True, slots=True)
class Tokens:
    ids: tuple[int, ...]
    words: tuple[int | None, ...]
    pieces: tuple[str, ...]


class TokenStates(_Network):
    """Token vectors from the first layers of any encoder of transformers, in float32."""

    def __init__(self, folder: Path, *, layers: int, device: str) -> None:
        opened = load_pretrained(folder, device=device, half=False, layers=layers)
        if opened.config.is_encoder_decoder or not opened.tokenizer.is_fast:
            hint = "Give an encoder such as BERT or RoBERTa that has a tokenizer.json."
            raise ModelUnavailableError(f"The model in {folder} gives no vectors of words.", hint=hint)
        super().__init__(opened, opened.max_tokens, device)
        self._space = " " if type(self._tokenizer).__name__ in _SPACED else ""
        ends = (self._tokenizer.cls_token_id, self._tokenizer.sep_token_id)
        self.framing = frozenset(int(token) for token in ends if token is not None)
        """Ids of the tokens that begin and end a text."""

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        if not texts:
            return []
        spaced = [self._space + clean(text).strip() for text in texts]
        encoded, pieces = self._encoded(spaced), self._tokenizer.convert_ids_to_tokens
        rows = enumerate(encoded["input_ids"])
        return [Tokens(tuple(ids), tuple(encoded.word_ids(row)), tuple(pieces(ids))) for row, ids in rows]

    def vectors(self, texts: Sequence[Tokens], runtime: Runtime, *, step: str) -> list[Float32Array]:
        """Unit vectors of the tokens of each text, float32 [tokens, d]; equal texts are read once."""
        places: dict[tuple[int, ...], int] = {}
        where = [places.setdefault(text.ids, len(places)) for text in texts]
        rows = list(places)
        by_row: list[Float32Array] = [None] * len(rows)  # type: ignore[list-item]

        def read(batch: IntArray) -> None:
            ids, lengths = padded([rows[row] for row in batch], self.pad)
            states = self._states(ids, lengths)
            for row, length, vectors in zip(batch, lengths, states, strict=True):
                by_row[row] = vectors[:length].copy()

        spread_by_length([len(row) for row in rows], read, self._device, runtime, step=step)
        return [by_row[place] for place in where]

    def _states(self, ids: IntArray, lengths: IntArray) -> Float32Array:
        import torch

        with torch.inference_mode():
            unit = torch.nn.functional.normalize(self._hidden(ids, lengths)[0], dim=-1)
            states: Float32Array = unit.cpu().numpy()
            return states
