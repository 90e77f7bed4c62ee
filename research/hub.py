"""Pre-trained encoder-decoders of transformers: found by folder or hub id, loaded, and their recipe."""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core import files
from core.errors import DataSourceError, InputError, ModelUnavailableError
from core.headlines import hub
from core.headlines.generator import FILE, Generator, HeadlineStyle
from core.models.language_models.language_model import Length
from core.models.loaded import loaded
from core.models.model_settings import read_settings, require_tokenizer
from core.models.networks import flan_t5
from core.models.networks.pretrained import load_pretrained, loading
from core.models.weights import fingerprint, hub_allowed, locate, shipped_or_own
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.hub_writing import HubSearchSettings, WholeArticle

T5: Final = frozenset({"t5", "mt5"})
_SPECIAL = ("decoder_start_token_id", "forced_bos_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
MODEL: Final[dict[str, Any]] = {"help": "a folder or a hub id"}
_READ: Final = "tokens of an article that are read; no more than the model can"
ARTICLE_TOKENS: Final[dict[str, Any]] = {"low": 8, "high": 16_384, "help": _READ}
HEADLINE_TOKENS: Final[dict[str, Any]] = {"low": 4, "high": 200, "help": "tokens of a headline at most"}
FORMAT: Final = "headline-lab-headline-model"
_DAMAGED: Final = (DataSourceError, OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)


def find(model: str, kinds: frozenset[str], *, allow_network: bool = True) -> Path:
    """The folder of a model of one of some architectures, without loading it."""
    updates = shipped_or_own(model.removesuffix(".v1"), FILE)
    if updates is not None and noted(updates, "kind") == hub.ADAPTER_KIND:
        folder, tokens, kind = updates, flan_t5.flan_t5_folder(), "t5"
    else:
        folder = tokens = locate(model, allow_network=allow_network and hub_allowed())
        kind = read_settings(folder).get("model_type", "")
    if kind not in kinds:
        raise ModelUnavailableError(
            f"The architecture of {model} is {kind!r}, and this generator runs {' or '.join(sorted(kinds))}.",
            hint="Choose the generator that fits the model, or another model.",
        )
    require_tokenizer(tokens)
    return folder


def load(folder: Path, *, device: str, half: bool) -> hub.EncoderDecoder:
    """Loads a folder anew, the small FLAN-T5 with the folder's updates too; see `HubGenerator.opened`."""
    if noted(folder, "kind") == hub.ADAPTER_KIND:
        network = hub.open_adapted(folder, Runtime(device=device, half=half))
        return replace(network, model=copy.deepcopy(network.model))
    what = "an encoder-decoder"
    opened = load_pretrained(folder, device=device, half=half, what=what)
    from transformers import GenerationConfig

    settings, given = read_settings(folder), opened.model.generation_config
    with loading(what, folder):
        # Keeps the special tokens of generation_config.json, or of config.json, and nothing else.
        if (folder / "generation_config.json").is_file():
            given = GenerationConfig.from_pretrained(str(folder), local_files_only=True)
        known = {name: getattr(given, name, None) for name in _SPECIAL}
        kept = {name: settings.get(name) if own is None else own for name, own in known.items()}
        opened.model.generation_config = GenerationConfig(**kept)  # type: ignore[no-untyped-call]
    return hub.EncoderDecoder(folder, opened.model, opened.tokenizer)


@loaded(1)
def _remembered(folder: Path, mark: str, device: str, half: bool) -> hub.EncoderDecoder:
    return load(folder, device=device, half=half)


def speak(network: hub.EncoderDecoder, code: str) -> None:
    """Sets the language: mBART's decoder begins with its code, that of mBART-50 is made to write it first."""
    tokenizer, model = network.tokenizer, network.model
    token = tokenizer.convert_tokens_to_ids(code)
    if token is None or token == tokenizer.unk_token_id:
        said = f"The model {network.folder} does not know the language {code}."
        raise ModelUnavailableError(said, hint="Choose a language that the model was trained on.")
    tokenizer.src_lang = tokenizer.tgt_lang = code
    if "50" in type(tokenizer).__name__:
        model.generation_config.forced_bos_token_id = token
    else:
        model.generation_config.forced_bos_token_id = None
        model.generation_config.decoder_start_token_id = token


@dataclass(frozen=True, kw_only=True, slots=True)
class HubGenerator:
    """A generator over a pre-trained encoder-decoder, from a folder or a hub id.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run. A folder that
    `headline-lab train headlines` made with `hub_seq2seq.v1` is a `model` too.
    """

    kinds: ClassVar[frozenset[str]]
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()

    model: str = field(metadata=MODEL)
    beams: int = field(default=4, metadata=hub.BEAMS)
    length_penalty: float = field(default=1.0, metadata=hub.BEAM_LENGTH_PENALTY)
    article_tokens: int = field(default=512, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=40, metadata=HEADLINE_TOKENS)

    def __post_init__(self) -> None:
        if "|" in self.model:
            raise InputError("The model cannot hold '|'.", hint="Rename the folder.")
        if self.beams < 1 or self.article_tokens < 1 or self.headline_tokens < 1:
            raise InputError("Beams and tokens must be 1 or more.", hint="4 beams are usual.")

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder(allow_network=False),)

    def folder(self, *, allow_network: bool = True) -> Path:
        return find(self.model, self.kinds, allow_network=allow_network)

    def check(self) -> None:
        self.folder()

    def build(self, runtime: Runtime) -> Generator:
        from core.headlines.hub_writing import writer_of

        return writer_of(self.opened(runtime), self.search)

    def opened(self, runtime: Runtime) -> "WholeArticle":
        """The model; the last one is remembered, and nobody may change it."""
        # In float32 on a CPU, so that a headline does not hang on what else is in its batch.
        folder, half = self.folder(), runtime.half and runtime.device == "cuda"
        return self.reader(_remembered(folder, fingerprint(folder), runtime.device, half))

    def reader(self, network: hub.EncoderDecoder, prefix: str = "") -> "WholeArticle":
        from core.headlines.hub_writing import WholeArticle

        return WholeArticle(network, before_articles(network, prefix), self.article_tokens)

    @property
    def search(self) -> "HubSearchSettings":
        from core.headlines.hub_writing import HubSearchSettings

        return HubSearchSettings(
            beams=self.beams, length_penalty=self.length_penalty, most_tokens=self.headline_tokens
        )


@contextmanager
def readable(what: str, folder: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGED as error:
        said = f"The {what} of the headline model {folder} is missing, damaged or of another version."
        raise ModelUnavailableError(said, hint="Copy the model again, or train it again.") from error


def write_note(folder: Path, **values: str) -> None:
    about = {"format": FORMAT, "kind": "hub_seq2seq", **values}
    files.write(folder / FILE, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())


def before_articles(network: hub.EncoderDecoder, prefix: str = "") -> str:
    """What a T5 reads before an article: a prefix given or trained, or Raffel et al.'s for summaries."""
    if network.model.config.model_type not in T5:
        return ""
    if prefix:
        return prefix
    if noted(network.folder, "kind") == hub.ADAPTER_KIND:
        return hub.prefix_of(Length.USUAL, question=False)
    trained = noted(network.folder, "prefix")
    return "summarize: " if trained is None else trained


def noted(folder: Path, name: str) -> str | None:
    if not (folder / FILE).is_file():
        return None
    with readable(FILE, folder):
        value = json.loads((folder / FILE).read_text(encoding="utf-8")).get(name)
        return None if value is None else str(value)
