"""Low-rank updates (Hu et al. 2022), trained beside frozen linear layers and merged into their weights."""

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import torch
from torch import Tensor, nn

from core import files
from core.errors import ModelUnavailableError
from core.models.networks.bert import Bert
from core.models.networks.precision import NetworkNumbers
from core.models.weights import load_state
from core.tensor_files import eight_bits, write_tensors

LOW: Final = ".lora_A.weight"
HIGH: Final = ".lora_B.weight"
SCALE: Final = ".scale"  # what the name of the scales of a tensor in 8 bits ends with
LLAMA: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""The linear layers of a block of the Llama family."""
Head = TypeVar("Head", bound=nn.Module)
_ENCODER: Final = "encoder."
_HEAD: Final = "head."


def merged(base: Mapping[str, Tensor], own: Mapping[str, Tensor], *, scale: float) -> dict[str, Tensor]:
    """The base's tensors with updates added and whole tensors of one's own put in or replaced."""
    state = dict(base)
    for name, tensor in own.items():
        if name.endswith(LOW):
            at = name.removesuffix(LOW)
            high, weight = own.get(at + HIGH), state.get(f"{at}.weight")
            if high is None or weight is None or weight.shape != (len(high), tensor.shape[1]):
                message = f"The low-rank updates do not fit their base: {at}."
                raise ModelUnavailableError(message, hint="Copy the model again, and check its base.")
            state[f"{at}.weight"] = weight.float() + scale * (high.float() @ tensor.float())
        elif not name.endswith(HIGH):
            state[name] = tensor
    return state


class LowRank(nn.Module):
    def __init__(self, base: nn.Linear, *, rank: int, scale: float, generator: torch.Generator) -> None:
        super().__init__()
        self.base = base
        self.scale = scale
        start = torch.randn(rank, base.in_features, generator=generator) / base.in_features**0.5
        self.lora_A = nn.Parameter(start)
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))

    @property
    def weight(self) -> Tensor:
        """The frozen layer's; T5 looks at its number format."""
        return self.base.weight

    def forward(self, inputs: Tensor) -> Tensor:
        """[..., in] to [..., out]; the update is computed in the inputs' number format."""
        down = nn.functional.linear(inputs, self.lora_A.to(inputs.dtype))
        update = nn.functional.linear(down, self.lora_B.to(inputs.dtype))
        whole: Tensor = self.base(inputs) + self.scale * update
        return whole


def add_low_rank(model: nn.Module, layers: Iterable[str], *, rank: int, scale: float, seed: int) -> None:
    """Puts an update beside linear layers of a model, given by their paths."""
    generator = torch.Generator().manual_seed(seed)
    for path in list(layers):
        parent, _, name = path.rpartition(".")
        layer: Any = model.get_submodule(path)
        update = LowRank(layer, rank=rank, scale=scale, generator=generator)
        setattr(model.get_submodule(parent), name, update.to(layer.weight.device))


def write_adapter(model: nn.Module, folder: Path, *, small: bool = False) -> None:
    """Writes the updates of a model as tensors NAME.lora_A and NAME.lora_B."""
    layers = {name: one for name, one in model.named_modules() if isinstance(one, LowRank)}
    parts = ((name, one, part) for name, one in layers.items() for part in ("lora_A", "lora_B"))
    tensors = {f"{name}.{part}": getattr(one, part).detach().half() for name, one, part in parts}
    files.make_folder(folder)
    for name in list(tensors) if small else ():
        along = 1 if name.endswith("lora_A") else 0
        tensors[name], tensors[name + SCALE] = eight_bits(tensors[name], along=along)
    write_tensors(folder / "adapter.safetensors", tensors)


def _unpacked(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    unpacked = {}
    for name, value in tensors.items():
        at = name.removesuffix(SCALE)
        if at != name:
            if at not in tensors:
                raise ValueError(f"its scale of {at[:100]!r} belongs to no tensor")
            continue
        scale = tensors.get(name + SCALE)
        if scale is not None and scale.shape not in {(len(value), 1), (1, *value.shape[1:])}:
            raise ValueError(f"its scale of {at[:100]!r} has another shape than the tensor")
        unpacked[name] = value if scale is None else value.float() * scale
    return unpacked


def read_adapter(path: Path) -> dict[str, Tensor]:
    return {f"{name}.weight": value for name, value in _unpacked(load_state(path)).items()}


def llama_layers(model: Any, first_block: int) -> list[str]:
    """Paths of the linear layers of a causal model's blocks from `first_block` on."""
    return [
        f"model.layers.{number}.{path}"
        for number, block in enumerate(model.model.layers)
        if number >= first_block
        for path in _linear(block)
        if path.rpartition(".")[2] in LLAMA
    ]


def t5_layers(model: Any) -> list[str]:
    sides = {side: _linear(model.get_submodule(side)) for side in ("encoder", "decoder")}
    return [f"{side}.{path}" for side, paths in sides.items() for path in paths]


def _linear(module: nn.Module) -> list[str]:
    return [path for path, layer in module.named_modules() if isinstance(layer, nn.Linear)]


def add_updates(model: nn.Module, updates: Mapping[str, Tensor], *, rank: int, scale: float) -> None:
    """Adds what `write_adapter` wrote to a model's weights, in place, computed in float32."""
    if not updates:
        raise ValueError("it has no tensors")
    updates = _unpacked(updates)
    modules = dict(model.named_modules())
    for name, tensor in updates.items():
        at, _, part = name.rpartition(".")
        layer = modules.get(at)
        both = {f"{at}.lora_A", f"{at}.lora_B"}
        if name not in both or not both <= updates.keys() or not isinstance(layer, nn.Linear):
            raise ValueError(f"its tensors of {at[:100]!r} belong to no layer of the model")
        low, high = (rank, layer.in_features), (layer.out_features, rank)
        if tuple(tensor.shape) != (low if part == "lora_A" else high):
            raise ValueError(f"its tensors of {at[:100]!r} have another shape than the layer")
        if not bool(torch.isfinite(tensor).all()):
            raise ValueError(f"its tensors of {at[:100]!r} hold what is no number")
    own = {f"{name}.weight": tensor for name, tensor in updates.items()}
    whole = {name: value.cpu() for name, value in model.state_dict().items()}
    model.load_state_dict(merged(whole, own, scale=scale))


def with_updates(model: Any, weights: Path, *, rank: int, scale: float) -> Any:
    """A copy of a model with the updates of a file added to its weights; see `add_updates`."""
    model = copy.deepcopy(model)
    try:
        add_updates(model, load_state(weights), rank=rank, scale=scale)
    except ValueError as error:
        message = f"The updates in {weights.parent} cannot be used: {error}."
        hint = "Copy the folder again from where it was trained, or train it anew."
        raise ModelUnavailableError(message, hint=hint) from error
    return model


def open_adapted(
    weights: Path,
    base: Path,
    head_of: Callable[[int], Head],
    *,
    scale: float,
    device: str,
    numbers: NetworkNumbers,
    called: str,
) -> tuple[Bert, Head]:
    own = load_state(weights)
    updates = {name.removeprefix(_ENCODER): part for name, part in own.items() if name.startswith(_ENCODER)}
    settings = json.loads((base / "config.json").read_text(encoding="utf-8"))
    state = merged(load_state(base), updates, scale=scale)
    bert = Bert(
        state,
        settings,
        device=device,
        dtype=torch.bfloat16 if numbers is NetworkNumbers.BFLOAT16 else torch.float32,
        eight_bits=numbers is NetworkNumbers.INT8,
    )
    head = head_of(bert.dimensions)
    parts = {name.removeprefix(_HEAD): part.float() for name, part in own.items() if name.startswith(_HEAD)}
    try:
        head.load_state_dict(parts)
    except RuntimeError as error:
        message = f"The weights in {weights.parent} are no {called}."
        raise ModelUnavailableError(message, hint="Copy the model again, or train it.") from error
    return bert, head.eval().to(device)
