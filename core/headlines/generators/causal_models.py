"""Headlines by causal language models: asked in a prompt, or tuned."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from core.data.articles.article_files import READ_CHARACTERS
from core.errors import ModelUnavailableError
from core.files import read_tables
from core.headlines.generator import (
    GenerationOptions,
    Generator,
    HeadlineCandidate,
    HeadlineStyle,
    headline_generators,
    options_met,
)
from core.headlines.headline_text import clean_headline, shortened
from core.models.cards import SHIPPED
from core.models.language_models import causal
from core.models.language_models.language_model import (
    LONG_WORDS,
    PROMPTS,
    SHORT_WORDS,
    Decoding,
    Length,
    PromptTemplate,
    WrittenText,
    after_text,
    beginning,
    headline_template,
)
from core.models.language_models.network import CausalNetwork
from core.models.language_models.recipe import LanguageModelRecipe
from core.models.weights import TrainedRecipe
from core.runtime import Runtime
from core.text import desk_marks, normalise

EXAMPLES: Final = tuple(  # articles and headlines that the model reads first; written for this program
    (example["article"], example["headline"]) for example in read_tables(__file__)["examples"]
)
SPARE: Final = 2  # texts beyond those asked for: two may read alike, or miss what is wished
_READ: Final = "tokens of an article that are read"
ARTICLE_TOKENS: Final[dict[str, Any]] = {"help": _READ, "low": 8, "high": 8_000}
HEADLINE_TOKENS: Final[dict[str, Any]] = {"help": "tokens of a headline at most", "low": 4, "high": 200}
BEAM_SIZE: Final[dict[str, Any]] = {"help": "headlines that are followed at a time", "low": 1, "high": 20}
_FAVOURED: Final = "0 for the likeliest headline, 1 for the likeliest words, more for longer ones"
LENGTH_PENALTY: Final[dict[str, Any]] = {"help": _FAVOURED, "low": 0.0, "high": 3.0, "step": 0.1}
_WISHES: Final = {
    Length.SHORT: f"Use at most {SHORT_WORDS} words.",
    Length.LONG: f"Use at least {LONG_WORDS} words.",
    HeadlineStyle.QUESTION: "Put it as a question.",
    HeadlineStyle.NUMBER: "Use a number of the article.",
}


def wish_of(options: GenerationOptions) -> str:
    """What a model that was not trained on control tags is asked of the headline, "" for nothing."""
    return " ".join(_WISHES[option] for option in (options.length, options.style) if option in _WISHES)


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModelWriter:
    model: CausalNetwork
    template: Callable[[GenerationOptions], PromptTemplate]
    article_tokens: int
    headline_tokens: int
    beam_size: int
    length_penalty: float

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        read = [desk_marks.without_dateline(text[:READ_CHARACTERS]) for text in articles]
        distinct = [text for text in dict.fromkeys(read) if any(map(str.isalnum, text))]
        least, most = options.bounds()
        picky = options.candidates > 1 or options.style is not HeadlineStyle.NEUTRAL
        results = options.candidates + SPARE * picky
        decoding = Decoding(
            tokens=self.headline_tokens,
            # All that a search has followed, so that one which ends is among them.
            results=results if options.sample else max(results, self.beam_size),
            beams=self.beam_size,
            length_penalty=self.length_penalty,
            least_words=least,
            most_words=most,
            sample=options.sample,
            temperature=options.temperature,
            top_p=options.top_p,
        )
        # The loaded model is shared; who is told of progress is not.
        model = dataclasses.replace(self.model, runtime=runtime)
        texts = model.write(
            distinct, template=self.template(options), prefix_tokens=self.article_tokens, decoding=decoding
        )
        chosen = {text: _chosen(some, text, options) for text, some in zip(distinct, texts, strict=True)}
        return [chosen.get(text, [HeadlineCandidate("", 0.0)]) for text in read]


def _chosen(
    texts: Sequence[WrittenText], article: str, options: GenerationOptions
) -> list[HeadlineCandidate]:
    candidates: dict[str, tuple[int, bool, float, str]] = {}
    for text in sorted(texts, key=lambda text: not text.ended):
        line = clean_headline(text.text, most_words=options.most_words)
        if line:
            order = (-options_met(line, options), not text.ended, -text.score, line)
            candidates.setdefault(normalise.comparison_key(line), order)
    if not candidates:
        # Tokens that make no word; the article's beginning is better than nothing.
        return [HeadlineCandidate(shortened(article, options.most_words or LONG_WORDS), texts[0].score)]
    ranked = sorted(candidates.values(), key=lambda order: order[:3])[: options.candidates]
    return [HeadlineCandidate(line, -score) for *_, score, line in ranked]


class PromptedRecipe:
    """A language model that is asked for a headline; a subclass names the model and how it is asked."""

    __slots__ = ()

    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset({HeadlineStyle.QUESTION, HeadlineStyle.NUMBER})

    # Declared as fields below, after each recipe's own: signatures keep that order.
    article_tokens: int
    headline_tokens: int
    beam_size: int
    length_penalty: float

    @property
    def language_model(self) -> LanguageModelRecipe:
        raise NotImplementedError

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        return (self.language_model,)

    def check(self) -> None:
        self.language_model.check()

    def template(self, tokenizer: Any, options: GenerationOptions) -> PromptTemplate:
        raise NotImplementedError

    def build(self, runtime: Runtime) -> Generator:
        model: Any = self.language_model.build(runtime)
        most, beams = (self.article_tokens, self.headline_tokens), self.beam_size
        ask = partial(self.template, model.tokenizer)
        return LanguageModelWriter(model, ask, *most, beams, self.length_penalty)


@headline_generators.register("smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SmolLM2Headlines(PromptedRecipe):
    """SmolLM2-135M-Instruct, asked for a headline; English.

    It was not trained to write headlines: it says more than the article does, and is a baseline.

    Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big"; Brown et al. 2020 for the examples in the
    prompt.
    """

    summary: ClassVar[str] = "The small language model as it comes, asked in a prompt"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    examples: bool = field(default=False, metadata={"help": "show three articles with headlines first"})
    article_tokens: int = field(default=200, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=32, metadata=HEADLINE_TOKENS)
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    @property
    def language_model(self) -> causal.SmolLM2:
        return causal.SmolLM2()

    def template(self, tokenizer: Any, options: GenerationOptions) -> PromptTemplate:
        examples = EXAMPLES if self.examples else ()
        return headline_template(tokenizer, "chat", causal.START, wish=wish_of(options), examples=examples)


@headline_generators.register("causal.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CausalHeadlines(PromptedRecipe):
    """A language model of your own: GPT-2, ruGPT, a headline generator tuned as in HLGD, …

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.

    Source: Laban et al. 2021 for generators that join article and headline with the start token.
    """

    summary: ClassVar[str] = "A language model of your own, from a folder or a hub id"
    languages: ClassVar[frozenset[str]] = frozenset()

    model: str = field(default="gpt2", metadata={"help": "a folder or a hub id"})
    prompt: str = field(
        default="plain",
        metadata={
            "choices": PROMPTS,
            "help": "what joins article and headline: the model's chat template, a line “Headline:”, or the "
            "start token (generators tuned on articles and headlines, which follow no options)",
        },
    )
    article_tokens: int = field(default=300, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=32, metadata=HEADLINE_TOKENS)
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    def __post_init__(self) -> None:
        _ = self.language_model

    @property
    def language_model(self) -> causal.Causal:
        return causal.Causal(model=self.model, prompt=self.prompt)

    def template(self, tokenizer: Any, options: GenerationOptions) -> PromptTemplate:
        return headline_template(tokenizer, self.prompt, beginning(tokenizer), wish=wish_of(options))


@headline_generators.register("smollm2_headlines.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TunedSmolLM2(TrainedRecipe):
    """SmolLM2-135M-Instruct with low-rank updates trained on the articles and headlines of NumHG; English.

    Control tags say how long the headline should be, whether to ask a question and whether to hold a number.

    Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big"; Hu et al. 2022, "LoRA: Low-Rank Adaptation
    of Large Language Models"; Huang et al. 2023, "NumHG".
    """

    summary: ClassVar[str] = "The small language model, trained to write headlines"
    shipped: ClassVar[Path] = SHIPPED / "smollm2_headlines"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset({HeadlineStyle.QUESTION, HeadlineStyle.NUMBER})

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the adapter that ships"}
    )
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder,)

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        return (causal.base_of(self.folder),)

    def check(self) -> None:
        if not self.model and not (self.shipped / causal.ABOUT).is_file():
            raise ModelUnavailableError(
                "No adapter for headlines ships here.",
                hint="Train one with `headline-lab train headlines numhg --trainer language_model "
                "--out RUN`, and give its folder `RUN/model`.",
            )
        causal.base_of(self.folder).check()

    def build(self, runtime: Runtime) -> Generator:
        self.check()
        about = causal.read_about(self.folder)

        def template(options: GenerationOptions) -> PromptTemplate:
            question, number = (
                options.style is style for style in (HeadlineStyle.QUESTION, HeadlineStyle.NUMBER)
            )
            after = after_text(options.length, question=question, number=number)
            return PromptTemplate(about.before, after, about.end)

        model, most = causal.with_adapter(self.folder, runtime), (about.article_tokens, about.headline_tokens)
        return LanguageModelWriter(model, template, *most, self.beam_size, self.length_penalty)
