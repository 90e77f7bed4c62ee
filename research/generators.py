"""Pre-trained encoder-decoders of transformers that write headlines, by hub id or folder."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import new_class
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core import files
from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import FILE, Generator, HeadlineStyle, headline_generators
from core.headlines.generators.consensus import WRITER, AroundWriter
from core.headlines.generators.sentences import ranked
from core.headlines.hub import BEAM_LENGTH_PENALTY, EncoderDecoder
from core.models.cards import SHIPPED
from core.models.weights import folder_named
from core.registry import BROUGHT, derived, number, told
from core.runtime import Runtime
from research import aligners, hub  # noqa: F401  (the door brings the aligners with it)
from research.neural.model_config import read_config
from research.runs.trainer import trainers

if TYPE_CHECKING:
    from core.headlines.hub_writing import HubSearchSettings, WholeArticle

_CODE: Final = re.compile(r"[a-z]{2,3}_[A-Z]{2}")
LANGUAGE: Final = "ru_RU"  # mBART's language where neither the options nor the trained folder say one
POOL: Final[dict[str, Any]] = {"low": 1, "high": 32, "help": "headlines that the model orders"}
PENALTY: Final = "0 for the likeliest headline, 1 for the likeliest words, more for longer ones"
_LEAD: Final = "read the article from its beginning, or its most central sentences first"
LEAD: Final[dict[str, Any]] = {"choices": ("first", "textrank"), "help": _LEAD}
GIVEN: Final = files.read_tables(__file__)


@headline_generators.register("t5.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class T5(hub.HubGenerator):
    """T5 and mT5, as they come from the hub or tuned on headlines of any language.

    Source: Raffel et al. 2020; NumHG's baseline (T5-large, 4 beams).
    """

    summary: ClassVar[str] = "T5, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = hub.T5

    model: str = field(default="google-t5/t5-base", metadata=hub.MODEL)
    prefix: str = told("", "stands before every article; empty for the trained one")

    def reader(self, network: EncoderDecoder, prefix: str = "") -> WholeArticle:
        return hub.HubGenerator.reader(self, network, prefix or self.prefix)


@headline_generators.register("brio.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Brio(hub.HubGenerator):
    """Searches for 16 headlines and takes the one that the model finds likeliest for its length.

    Source: Liu et al. 2022; NumHG's best system (BART-large, 16 candidates).
    """

    summary: ClassVar[str] = "BRIO: BART, Pegasus or T5 ranks its own candidates, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"bart", "pegasus"}) | hub.T5

    model: str = field(default="Yale-LILY/brio-cnndm-uncased", metadata=hub.MODEL)
    pool: int = field(default=16, metadata=POOL)
    pool_penalty: float = field(default=1.0, metadata=BEAM_LENGTH_PENALTY)

    @property
    def search(self) -> HubSearchSettings:
        # Zero arguments to super() do not find the class that slots make anew.
        usual: HubSearchSettings = hub.HubGenerator.search.fget(self)  # type: ignore[attr-defined]
        return replace(usual, pool=self.pool, pool_penalty=self.pool_penalty)


@headline_generators.register("outlet_style.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class InOutletStyle(AroundWriter):
    """Of a writer's headlines the one most like an outlet's, learned within a timeline's events.

    Source: future work of Gusev and Smurov 2021, section 6.4; see `research.style`.
    """

    name: ClassVar[str] = "outlet_style"
    summary: ClassVar[str] = "Of a writer's headlines the one most like an outlet's"

    outlet: str = told("Reuters", "the outlet, as the timeline names it")
    timeline: str = told("sample:uci", "timeline with groups and outlets: file, or sample:NAME")
    generator: str = field(default="consensus.v3", metadata=WRITER)

    @property
    def weights(self) -> tuple[Path, ...]:
        from core.data.timelines.samples import PREFIX, info

        if self.timeline.startswith(PREFIX):
            return (info(self.timeline.removeprefix(PREFIX)).path,)
        with suppress(OSError, ValueError):  # a name that no file can have
            if (path := Path(self.timeline)).is_file():
                return (path,)
        raise InputError("The outlet's timeline is not there.", hint="Give a file, or sample:NAME.")

    @property
    def inside(self) -> tuple[object, ...]:
        return (self.writer,)

    def build(self, runtime: Runtime) -> Generator:
        from research.style import StyledWriter, learn_from

        style = learn_from(self.timeline, self.outlet)
        return StyledWriter(self.writer.build(runtime), style)


@headline_generators.register("season.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Season(hub.HubGenerator):
    """A BART or T5 that `hub_seq2seq.v1|system:season` has trained; the hub has none in this form.

    Source: Wang et al. 2022; NumHG's baseline (over BART-large).
    """

    summary: ClassVar[str] = "SEASON: BART or T5 guided by the salience of sentences, from a trained folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"bart"}) | hub.T5

    model: str = told("", "a folder that hub_seq2seq.v1 has trained")

    def folder(self, *, allow_network: bool = True) -> Path:
        if not self.model:
            said = "SEASON has no model by default: the hub holds none in this form."
            hint = (
                "Train one with `headline-lab train headlines ARTICLES --out RUN --trainer "
                "'hub_seq2seq|system:season'`, and give its folder `RUN/model`."
            )
            raise ModelUnavailableError(said, hint=hint)
        return hub.HubGenerator.folder(self, allow_network=allow_network)

    def opened(self, runtime: Runtime) -> WholeArticle:
        from research.season import open_guided

        return open_guided(self.folder(), runtime, self.article_tokens)


@headline_generators.register("mbart.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MBart(hub.HubGenerator):
    """mBART and mBART-50, tuned on headlines or summaries; article and headline are of one language.

    Source: Liu et al. 2020; Gusev 2020 for the model that is the default, tuned on summaries of Gazeta.
    """

    summary: ClassVar[str] = "mBART, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = frozenset({"mbart"})

    model: str = field(default="IlyaGusev/mbart_ru_sum_gazeta", metadata=hub.MODEL)
    language: str = told("", "the language's code, such as ru_RU, it_IT, en_XX; empty for the trained one")

    def __post_init__(self) -> None:
        hub.HubGenerator.__post_init__(self)
        if self.language and not _CODE.fullmatch(self.language):
            hint = "Give a code such as `ru_RU` or `it_IT`."
            raise InputError(f"The language cannot be {self.language!r}.", hint=hint)

    def opened(self, runtime: Runtime) -> WholeArticle:
        # Loaded anew: the language is set in the tokenizer and the model.
        folder = self.folder()
        network = hub.load(folder, device=runtime.device, half=runtime.half and runtime.device == "cuda")
        hub.speak(network, self.language or hub.noted(folder, "language") or LANGUAGE)
        return self.reader(network)


@headline_generators.register("ttgen_bottleneck.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TTGenBottleneck(hub.HubGenerator):
    """The decoder sees the encoder's vector of the first token alone.

    That vector is what the model is for: `transformers_encoder.v1|model:FOLDER/encoder|pooling:cls` groups
    by it, where FOLDER was trained with `hub_seq2seq.v1`; the Dialogue 2021 baseline's encoder is
    `IlyaGusev/gen_title_tg_bottleneck_encoder`.

    Source: Gusev and Smurov 2021, section 3.2.
    """

    summary: ClassVar[str] = "BERT that writes from one vector of the article, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"ru"})
    kinds: ClassVar[frozenset[str]] = frozenset({"encoder-decoder"})

    model: str = field(default="IlyaGusev/gen_title_tg_bottleneck", metadata=hub.MODEL)
    article_tokens: int = field(default=196, metadata=hub.ARTICLE_TOKENS)

    def reader(self, network: EncoderDecoder, prefix: str = "") -> WholeArticle:
        from research.season import FirstToken

        return FirstToken(network, prefix, self.article_tokens)


def named_after(base: type[Any], architecture: str, *, summary: str, source: str) -> type[Any]:
    """The recipe of an architecture: the base with a name, a summary and a source of its own."""
    own = {"__module__": __name__, "__slots__": (), "__doc__": f"{summary}.\n\nSource: {source}."}
    own |= {"summary": summary, "architecture": architecture}
    return new_class(f"{base.__name__}_{architecture}", (base,), exec_body=lambda space: space.update(own))


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralRecipe:
    """A generator over a headline model: the one that ships, or one from a training run."""

    summary: ClassVar[str]
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()
    architecture: ClassVar[str]

    model: str = told("", "folder `model` of a training run; empty for the model that ships")
    beam_size: int = number(5, 1, 50, "headlines that are followed at a time")
    length_penalty: float = number(1.0, 0.0, 3.0, PENALTY, step=0.1)
    lead: str = field(default="first", metadata=LEAD)
    once: bool = told(True, "write no word next to itself, and no word of more than three letters twice")
    unknown: bool = told(False, "let headlines hold the sign for an unknown word, as networks do")

    @property
    def folder(self) -> Path:
        return folder_named(self.model) if self.model else SHIPPED / self.architecture

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder,)

    def check(self) -> None:
        if not (self.folder / FILE).is_file():
            what = f"The folder {self.model} holds no headline model" if self.model else "No model ships here"
            hint = (
                "Train one with `headline-lab train headlines numhg --out RUN --trainer "
                f"{self.architecture}`, and give its folder `RUN/model`."
            )
            raise ModelUnavailableError(f"{what}.", hint=hint)
        architecture = read_config(self.folder).architecture
        if architecture != self.architecture:
            said = f"The model in {self.folder} is of architecture {architecture}, not {self.architecture}."
            hint = f"Use the generator {architecture}.v1, or give another folder."
            raise ModelUnavailableError(said, hint=hint)

    def build(self, runtime: Runtime) -> Generator:
        self.check()
        from research.neural.model import read_model
        from research.neural.search import HeadlineLimits
        from research.neural.writer import LEAST_WORDS, BeamSearchSettings, NeuralWriter

        model = read_model(self.folder)
        model.module.to(runtime.device)

        def central_first(text: str) -> str:
            # An article that is read whole keeps its order.
            if len(text.split()) <= model.config.words_read:
                return text
            return " ".join(line for line, _ in ranked(text, language=model.config.language))

        limits = HeadlineLimits(least_words=LEAST_WORDS, once=self.once, unknown=self.unknown)
        penalty = self.length_penalty
        search = BeamSearchSettings(beam_size=self.beam_size, length_penalty=penalty, limits=limits)
        return NeuralWriter(model, search, str if self.lead == "first" else central_first)


BROUGHT[trainers.kind] = trainers
for _name, _about in GIVEN["hub"].items():
    _own: dict[str, Any] = {name: frozenset(_about.pop(name)) for name in ("kinds", "languages")}
    _own |= {"__module__": __name__, "summary": _about.pop("summary")}
    headline_generators.register(f"{_name}.v1")(derived(hub.HubGenerator, _name, _own, **_about))
for _architecture, _about in GIVEN["networks"].items():
    headline_generators.register(f"{_architecture}.v1")(named_after(NeuralRecipe, _architecture, **_about))
