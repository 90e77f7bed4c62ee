"""Low-rank updates: trained beside frozen linear layers, and merged into their weights.

Source: Hu et al. 2022, "LoRA: Low-Rank Adaptation of Large Language Models".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from core import files
from core.errors import ModelUnavailableError
from core.tensor_files import write_tensors

LOW: Final = ".lora_A.weight"
HIGH: Final = ".lora_B.weight"
LAYERS: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""The linear layers of a block of the Llama family."""


def merged(base: Mapping[str, Tensor], own: Mapping[str, Tensor], *, scale: float) -> dict[str, Tensor]:
    """The base's tensors with updates added and whole tensors of one's own put in or replaced.

    Args:
        base: Tensors by name.
        own: Updates `NAME.lora_A.weight` [r, in] and `NAME.lora_B.weight` [out, r] of a base's
            `NAME.weight` [out, in], and other tensors by their names.
        scale: Factor of the updates.

    Raises:
        ModelUnavailableError: An update has no counterpart, or does not fit.
    """
    state = dict(base)
    for name, tensor in own.items():
        if name.endswith(LOW):
            at = name.removesuffix(LOW)
            high, weight = own.get(at + HIGH), state.get(f"{at}.weight")
            if high is None or weight is None or weight.shape != (len(high), tensor.shape[1]):
                raise ModelUnavailableError(
                    f"The low-rank updates do not fit their base: {at}.",
                    hint="Copy the model again, and check its base.",
                )
            state[f"{at}.weight"] = weight.float() + scale * (high.float() @ tensor.float())
        elif not name.endswith(HIGH):
            state[name] = tensor
    return state


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


def add_low_rank(model: Any, *, rank: int, scale: float, first_block: int, seed: int) -> None:
    """Puts an update beside every linear layer of a causal model's blocks from `first_block` on."""
    generator = torch.Generator().manual_seed(seed)
    for _, parent, name, layer in _linear_layers(model, first_block):
        update = LowRank(layer, rank=rank, scale=scale, generator=generator)
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
