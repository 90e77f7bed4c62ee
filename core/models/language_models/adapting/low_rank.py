"""Low-rank updates of a frozen causal model: what training adds to it, and how they are written.

Source: Hu et al. 2022, "LoRA: Low-Rank Adaptation of Large Language Models".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from core import files
from core.tensor_files import write_tensors

FORMAT: Final = "headline-lab-headline-model"
KIND: Final = "language_model_adapter"
LAYERS: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""The linear layers of a block of the Llama family."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AdapterConfig:
    """What an adapter is.

    Attributes:
        base: Signature of the language model that it belongs to.
        rank: Width of the update.
        alpha: The update is scaled by alpha / rank.
        first_block: Blocks before this one are left as they are.
        article_tokens: Tokens of an article that were read in training.
        headline_tokens: Tokens of a headline at most.
        before, end: See `Frame`; the text between is `core.headlines.control_tags.after_text`.
    """

    base: str
    rank: int
    alpha: float
    first_block: int
    article_tokens: int
    headline_tokens: int
    before: str
    end: str

    def write(self, folder: Path, **more: Any) -> None:
        """Writes headline_model.json, with what else a reader wants to know."""
        about = {"format": FORMAT, "kind": KIND, **asdict(self), **more}
        files.write(folder / "headline_model.json", (json.dumps(about, indent=2) + "\n").encode())


class LowRank(nn.Module):
    """A frozen linear layer with an update of low rank beside it.

    Args:
        base: The layer.
        rank: Width of the update.
        scale: Factor of the update.
        generator: Where the first weights come from; the update is zero in the beginning.
    """

    def __init__(self, base: nn.Linear, *, rank: int, scale: float, generator: torch.Generator) -> None:
        super().__init__()
        self.base = base
        self.scale = scale
        self.lora_A = nn.Parameter(
            torch.randn(rank, base.in_features, generator=generator) / base.in_features**0.5
        )
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, inputs: Tensor) -> Tensor:
        """[..., in] to [..., out]; the update is computed in the inputs' number format."""
        down = nn.functional.linear(inputs, self.lora_A.to(inputs.dtype))
        update = nn.functional.linear(down, self.lora_B.to(inputs.dtype))
        whole: Tensor = self.base(inputs) + self.scale * update
        return whole


def add_low_rank(model: Any, config: AdapterConfig, *, seed: int) -> None:
    """Puts an update beside every linear layer of a model's blocks from `config.first_block` on."""
    generator = torch.Generator().manual_seed(seed)
    for _, parent, name, layer in _linear_layers(model, config.first_block):
        update = LowRank(layer, rank=config.rank, scale=config.alpha / config.rank, generator=generator)
        setattr(parent, name, update.to(layer.weight.device))


def write_adapter(model: nn.Module, folder: Path) -> None:
    """Writes the updates of a model as half-precision tensors NAME.lora_A and NAME.lora_B."""
    tensors = {
        f"{name}.{part}": getattr(module, part).detach().half()
        for name, module in model.named_modules()
        if isinstance(module, LowRank)
        for part in ("lora_A", "lora_B")
    }
    files.make_folder(folder)
    write_tensors(folder / "adapter.safetensors", tensors)


def _linear_layers(model: Any, first_block: int) -> Iterator[tuple[str, nn.Module, str, nn.Linear]]:
    blocks: Sequence[nn.Module] = model.model.layers
    for number, block in enumerate(blocks):
        if number < first_block:
            continue
        modules: Mapping[str, nn.Module] = dict(block.named_modules())
        for path, module in modules.items():
            name = path.rpartition(".")[2]
            if name in LAYERS and isinstance(module, nn.Linear):
                yield path, modules[path.rpartition(".")[0]], name, module
