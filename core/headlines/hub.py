"""A loaded encoder-decoder and its tokenizer; FLAN-T5 with low-rank updates."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from core.errors import ModelUnavailableError
from core.models.language_models import causal
from core.models.language_models.causal import Count
from core.models.language_models.language_model import Length
from core.models.loaded import loaded
from core.models.networks import flan_t5
from core.models.weights import fingerprint
from core.runtime import Runtime

BEAMS: Final[dict[str, Any]] = {"low": 1, "high": 32, "help": "headlines that are followed at a time"}
_FAVOURED: Final = "higher favours longer headlines"
BEAM_LENGTH_PENALTY: Final[dict[str, Any]] = {"low": -5.0, "high": 5.0, "step": 0.1, "help": _FAVOURED}
ADAPTER_KIND: Final = "flan_t5_adapter"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class EncoderDecoder:
    folder: Path
    model: Any
    tokenizer: Any

    @property
    def start(self) -> int:
        for config in (self.model.generation_config, self.model.config):
            start = getattr(config, "decoder_start_token_id", None)
            if start is not None:
                return int(start)
        return int(first_of(self.tokenizer.cls_token_id, self.tokenizer.bos_token_id, self.pad))

    @property
    def end(self) -> int:
        return int(first_of(self.tokenizer.eos_token_id, self.tokenizer.sep_token_id, self.pad))

    @property
    def pad(self) -> int:
        return int(first_of(self.tokenizer.pad_token_id, self.model.config.pad_token_id, 0))

    def positions(self, side: Literal["encoder", "decoder"]) -> int:
        """Tokens that a side can take at most; a large number where nothing bounds them."""
        config = getattr(self.model.config, side, self.model.config)
        most = getattr(config, "max_position_embeddings", None)
        return most if isinstance(most, int) and most > 0 else 1 << 20


def first_of(*values: int | None) -> int:
    return next(value for value in values if value is not None)


@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Adapter:
    base: str  # name of the model that they belong to
    rank: Count  # width of the updates
    alpha: float  # they are scaled by alpha / rank
    article_tokens: Count  # tokens of an article that were read in training, with what stands before it
    headline_tokens: Count  # tokens of a headline at most

    def write(self, folder: Path) -> None:
        causal.write_note(folder, ADAPTER_KIND, dataclasses.asdict(self))


def prefix_of(length: Length, *, question: bool) -> str:
    """What stands before an article: what is wished of its headline."""
    wishes = [length.value] * (length is not Length.USUAL) + ["question"] * question
    return " ".join([*wishes, "headline: "])


def read_adapter(folder: Path) -> FlanT5Adapter:
    called = "updates of the small FLAN-T5"
    about = causal.read_note(folder, ADAPTER_KIND, FlanT5Adapter, called=called, trainer="flan_t5")
    if about.base != flan_t5.NAME:
        message = f"The updates in {folder} belong to another model, {about.base[:100]!r}."
        hint = "Copy the folder again from where it was trained, or train it anew."
        raise ModelUnavailableError(message, hint=hint)
    return about


def open_adapted(folder: Path, runtime: Runtime) -> EncoderDecoder:
    """The model with the updates of a folder added; the last one is remembered. bfloat16 on a GPU alone."""
    mark = f"{fingerprint(folder)}-{fingerprint(flan_t5.flan_t5_folder())}"
    return _adapted(folder, mark, runtime.device, runtime.half and runtime.device == "cuda")


@loaded(1)
def _adapted(folder: Path, mark: str, device: str, half: bool) -> EncoderDecoder:
    from core.models.networks.low_rank import with_updates

    about = read_adapter(folder)
    # Updates are added in float32 and rounded once.
    model, tokenizer = flan_t5.flan_t5()
    model = with_updates(model, folder / causal.WEIGHTS, rank=about.rank, scale=about.alpha / about.rank)
    if half:
        model = model.bfloat16()
    return EncoderDecoder(folder, model.to(device), tokenizer)
