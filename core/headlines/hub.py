"""From a folder or hub id to a loaded encoder-decoder and its tokenizer; FLAN-T5 with low-rank updates."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core import files
from core.data.articles.articles import READ_CHARACTERS
from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import (
    FILE,
    FORMAT,
    MOST_CANDIDATES,
    GenerationOptions,
    Generator,
    HeadlineCandidate,
    HeadlineStyle,
    options_met,
    readable,
)
from core.models.language_models import causal
from core.models.language_models.causal import Count
from core.models.language_models.language_model import Length
from core.models.networks import flan_t5
from core.models.networks.pretrained import load_pretrained, loading
from core.models.weights import fingerprint, hub_allowed, locate, read_settings, require_tokenizer
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.hub_writing import HubSearchSettings, Reader

_SPECIAL = ("decoder_start_token_id", "forced_bos_token_id", "bos_token_id", "eos_token_id", "pad_token_id")


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
    def positions(self) -> int:
        """Tokens that it can read at most; a large number where nothing bounds them."""
        return self._places("encoder")

    @property
    def written_positions(self) -> int:
        """Tokens that it can write at most, see `positions`."""
        return self._places("decoder")

    def _places(self, side: str) -> int:
        config = getattr(self.model.config, side, self.model.config)
        most = getattr(config, "max_position_embeddings", None)
        return most if isinstance(most, int) and most > 0 else 1 << 20


def first_of(*values: int | None) -> int:
    return next(value for value in values if value is not None)


def find(model: str, kinds: frozenset[str], *, allow_network: bool = True) -> Path:
    """The folder of a model of one of some architectures, without loading it."""
    folder = locate(model, allow_network=allow_network and hub_allowed())
    kind = read_settings(folder).get("model_type")
    if kind not in kinds:
        raise ModelUnavailableError(
            f"The architecture of {model} is {kind!r}, and this generator runs {' or '.join(sorted(kinds))}.",
            hint="Choose the generator that fits the model, or another model.",
        )
    require_tokenizer(folder)
    return folder


def open_encoder_decoder(folder: Path, runtime: Runtime) -> EncoderDecoder:
    """Loads a folder; the last one is remembered, and nobody may change it.

    The weights are float32 on a CPU, so that a headline does not hang on what else is in its batch;
    bfloat16 on a GPU where `runtime.half` says so.
    """
    return _remembered(folder, fingerprint(folder), runtime.device, runtime.half and runtime.device == "cuda")


@lru_cache(maxsize=1)
def _remembered(folder: Path, mark: str, device: str, half: bool) -> EncoderDecoder:
    return load(folder, device=device, half=half)


def load(folder: Path, *, device: str, half: bool) -> EncoderDecoder:
    """Loads a folder anew; see `open_encoder_decoder`."""
    what = "an encoder-decoder"
    opened = load_pretrained(folder, device=device, half=half, what=what)
    from transformers import GenerationConfig

    settings, given = read_settings(folder), opened.model.generation_config
    with loading(what, folder):
        # Keeps the special tokens of generation_config.json, or of config.json, and nothing else.
        if (folder / "generation_config.json").is_file():
            given = GenerationConfig.from_pretrained(str(folder), local_files_only=True)
        opened.model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
            **{
                name: settings.get(name) if (own := getattr(given, name, None)) is None else own
                for name in _SPECIAL
            }
        )
    return EncoderDecoder(folder, opened.model, opened.tokenizer)


def speak(network: EncoderDecoder, code: str) -> None:
    """Sets the language of articles and headlines.

    mBART's decoder begins with the code; that of mBART-50 begins with the end sign and is made to write
    the code first.
    """
    tokenizer, model = network.tokenizer, network.model
    token = tokenizer.convert_tokens_to_ids(code)
    if token is None or token == tokenizer.unk_token_id:
        raise ModelUnavailableError(
            f"The model {network.folder} does not know the language {code}.",
            hint="Choose a language that the model was trained on.",
        )
    tokenizer.src_lang = tokenizer.tgt_lang = code
    if "50" in type(tokenizer).__name__:
        model.generation_config.forced_bos_token_id = token
    else:
        model.generation_config.forced_bos_token_id = None
        model.generation_config.decoder_start_token_id = token


KIND: Final = "hub_seq2seq"

MODEL: Final[dict[str, Any]] = {"help": "a folder or a hub id"}
BEAMS: Final[dict[str, Any]] = {"low": 1, "high": 32, "help": "headlines that are followed at a time"}
BEAM_LENGTH_PENALTY: Final[dict[str, Any]] = {
    "low": -5.0,
    "high": 5.0,
    "step": 0.1,
    "help": "higher favours longer headlines",
}
ARTICLE_TOKENS: Final[dict[str, Any]] = {
    "low": 8,
    "high": 16_384,
    "help": "tokens of an article that are read; no more than the model can",
}
HEADLINE_TOKENS: Final[dict[str, Any]] = {"low": 4, "high": 200, "help": "tokens of a headline at most"}
PREFIX: Final[dict[str, Any]] = {"help": "stands before every article; empty for the trained one"}


@dataclass(frozen=True, kw_only=True, slots=True)
class HubGenerator:
    """A generator over a pre-trained encoder-decoder, from a folder or a hub id.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run. A folder that
    `headline-lab train headlines` made with `hub_seq2seq.v1` is a `model` too.
    """

    kinds: ClassVar[frozenset[str]]
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()

    model: str = field(metadata=MODEL)
    beams: int = field(default=4, metadata=BEAMS)
    length_penalty: float = field(default=1.0, metadata=BEAM_LENGTH_PENALTY)
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
        """The model's folder, downloaded where that is allowed.

        Raises:
            ModelUnavailableError: It is not on this machine and may not or cannot be downloaded, or is of
                another architecture.
        """
        return find(self.model, self.kinds, allow_network=allow_network)

    def check(self) -> None:
        self.folder()

    def build(self, runtime: Runtime) -> Generator:
        from core.headlines.hub_writing import writer_of

        return writer_of(self.opened(runtime), self.search)

    def opened(self, runtime: Runtime) -> Reader:
        return self.reader(open_encoder_decoder(self.folder(), runtime))

    def reader(self, network: EncoderDecoder) -> Reader:
        from core.headlines.hub_writing import WholeArticle

        return WholeArticle(network, "", self.article_tokens)

    @property
    def search(self) -> HubSearchSettings:
        from core.headlines.hub_writing import HubSearchSettings

        return HubSearchSettings(
            beams=self.beams, length_penalty=self.length_penalty, most_tokens=self.headline_tokens
        )


def write_note(folder: Path, **values: str) -> None:
    about = {"format": FORMAT, "kind": KIND, **values}
    files.write(folder / FILE, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())


def noted(folder: Path, name: str) -> str | None:
    if not (folder / FILE).is_file():
        return None
    with readable(FILE, folder):
        value = json.loads((folder / FILE).read_text(encoding="utf-8")).get(name)
        return None if value is None else str(value)


ADAPTER_KIND: Final = "flan_t5_adapter"


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
    told = [*([] if length is Length.USUAL else [length.value]), *(["question"] if question else [])]
    return " ".join([*told, "headline: "])


def read_adapter(folder: Path) -> FlanT5Adapter:
    called = "updates of the small FLAN-T5"
    about = causal.read_note(folder, ADAPTER_KIND, FlanT5Adapter, called=called, trainer="flan_t5")
    if about.base != flan_t5.NAME:
        raise ModelUnavailableError(
            f"The updates in {folder} belong to another model, {about.base[:100]!r}.",
            hint="Copy the folder again from where it was trained, or train it anew.",
        )
    return about


def base_network(*, device: str, half: bool) -> EncoderDecoder:
    """The model as it comes, shared: nobody may change it."""
    model, tokenizer = flan_t5.flan_t5(device=device, half=half)
    return EncoderDecoder(flan_t5.flan_t5_folder(), model, tokenizer)


def open_adapted(folder: Path, runtime: Runtime) -> EncoderDecoder:
    """The model with the updates of a folder added to its weights; the last one is remembered.

    The weights are float32 on a CPU, bfloat16 on a GPU where `runtime.half` says so.
    """
    mark = f"{fingerprint(folder)}-{fingerprint(flan_t5.flan_t5_folder())}"
    return _adapted(folder, mark, runtime.device, runtime.half and runtime.device == "cuda")


@lru_cache(maxsize=1)
def _adapted(folder: Path, mark: str, device: str, half: bool) -> EncoderDecoder:
    from core.models.networks.low_rank import with_updates

    about = read_adapter(folder)
    # Updates are added in float32 and rounded once.
    model, tokenizer = flan_t5.flan_t5()
    model = with_updates(model, folder / causal.WEIGHTS, rank=about.rank, scale=about.alpha / about.rank)
    if half:
        model = model.bfloat16()
    return EncoderDecoder(folder, model.to(device), tokenizer)


@dataclass(frozen=True, slots=True, eq=False)
class FlanT5Writer:
    network: EncoderDecoder  # the model with its updates
    article_tokens: int  # tokens of an article that are read
    search: HubSearchSettings  # how headlines are searched for
    # the numbers in digits that the headlines of an article may hold; None for any
    numbers: Callable[[str], Collection[str]] | None = None

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        from core.headlines.hub_writing import WholeArticle, writer_of

        styled = options.style is not HeadlineStyle.NEUTRAL
        prefix = prefix_of(options.length, question=options.style is HeadlineStyle.QUESTION)
        reader = WholeArticle(self.network, prefix, self.article_tokens)
        writer = dataclasses.replace(writer_of(reader, self.search), numbers=self.numbers)
        # One of several may keep a wish that the likeliest does not.
        more = min(MOST_CANDIDATES, max(options.candidates, self.search.beams))
        asked = dataclasses.replace(options, candidates=more) if styled else options
        found = writer.write([text[:READ_CHARACTERS] for text in articles], asked, runtime)
        return [
            sorted(some, key=lambda one: -options_met(one.text, options))[: options.candidates]
            for some in found
        ]
