"""What a run goes on from; `state.json` is written last, so a killed process leaves a whole checkpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from core import files
from core.errors import DataSourceError
from core.tensor_files import write_tensors

if TYPE_CHECKING:
    import torch

Tensors = Mapping[str, "torch.Tensor"]
Count = Annotated[int, msgspec.Meta(ge=0)]
RESUME: Final = "Check that there is space; then go on with --resume."


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    step: Count = 0
    seconds: float = 0.0
    best: float | None = None
    best_step: Count = 0
    waited: Count = 0
    ended: bool = False


def learned(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of a module that training changes: what is trained, and the persistent buffers."""
    kept = {name for name, value in module.named_parameters() if value.requires_grad}
    kept |= {name for name, _ in module.named_buffers()}
    return {name: value.detach() for name, value in module.state_dict().items() if name in kept}


def restore(module: torch.nn.Module, tensors: Tensors, folder: Path) -> None:
    import torch

    own = learned(module)
    if own.keys() != tensors.keys() or any(own[name].shape != tensors[name].shape for name in own):
        hint = "Resume with the settings that the run was started with, or start a new run."
        raise DataSourceError(f"The checkpoint in {folder} belongs to another model.", hint=hint)
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(tensors[name])


def save_checkpoint(
    folder: Path, position: Position, module: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    import torch

    tensors = {f"model/{name}": value for name, value in learned(module).items()}
    for place, values in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{place}/{name}": torch.as_tensor(value) for name, value in values.items()}
    tensors["random/cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random/cuda"] = torch.cuda.get_rng_state()
    name = f"step-{position.step:07d}.safetensors"
    files.make_folder(folder, hint=RESUME)
    write_tensors(folder / name, tensors, hint=RESUME)
    state = json.dumps({"tensors": name, **asdict(position)}, indent=2) + "\n"
    files.write(folder / "state.json", state.encode(), hint=RESUME)
    # Of the one before, and of a process that was killed while it wrote.
    for old in (*folder.glob("step-*.safetensors"), *folder.glob(f"*{files.PARTIAL}")):
        if old.name != name:
            with suppress(OSError):
                old.unlink()


def load_checkpoint(
    folder: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> Position | None:
    import torch

    if (state := _state(folder)) is None:
        return None
    name, position = state
    tensors = read_tensors(folder / name)
    restore(module, _under("model/", tensors), folder)
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    values: dict[int, dict[str, torch.Tensor]] = {}
    try:
        for key, value in _under("optimizer/", tensors).items():
            place, _, kind = key.partition("/")
            if int(place) < 0 or (value.ndim and value.shape != parameters[int(place)].shape):
                raise ValueError(key)
            values.setdefault(int(place), {})[kind] = value
        if not values and position.step:
            raise ValueError("optimizer")
        optimizer.load_state_dict({**optimizer.state_dict(), "state": values})
        torch.set_rng_state(tensors["random/cpu"])
        if torch.cuda.is_available() and "random/cuda" in tensors:
            torch.cuda.set_rng_state(tensors["random/cuda"])
    except (ValueError, TypeError, LookupError, RuntimeError) as error:
        raise _damaged_checkpoint(folder) from error
    return position


def _under(head: str, tensors: Tensors) -> dict[str, torch.Tensor]:
    return {name.removeprefix(head): value for name, value in tensors.items() if name.startswith(head)}


def _state(folder: Path) -> tuple[str, Position] | None:
    try:
        state = msgspec.json.decode((folder / "state.json").read_bytes())
        name = state.pop("tensors")
        if Path(name).name != name or state.keys() != {field.name for field in fields(Position)}:
            raise ValueError(name)
        return name, msgspec.convert(state, Position)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, msgspec.MsgspecError) as error:
        raise _damaged_checkpoint(folder) from error


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise _damaged_checkpoint(path.parent) from error


def _damaged_checkpoint(folder: Path) -> DataSourceError:
    hint = "Start the run again in another folder."
    return DataSourceError(f"The checkpoint in {folder} is damaged.", hint=hint)
