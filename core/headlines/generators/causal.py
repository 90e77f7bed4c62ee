"""Headlines by any causal language model that transformers can load."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from core.headlines.generator import Generator, Style, Wishes, headline_generators
from core.headlines.language_models import (
    ARTICLE_TOKENS,
    BEAM_SIZE,
    HEADLINE_TOKENS,
    LENGTH_PENALTY,
    LanguageModelWriter,
    asked,
)
from core.models.language_models.causal import Causal
from core.models.language_models.frames import PROMPTS, beginning, headline_frame
from core.models.language_models.language_model import Frame, LanguageModelRecipe
from core.runtime import Runtime


@headline_generators.register("causal.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CausalHeadlines:
    """A language model of your own: GPT-2, ruGPT, a headline generator tuned as in HLGD, …

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.

    Source: Laban et al. 2021 for generators that join article and headline with the start token.
    """

    summary: ClassVar[str] = "A language model of your own, from a folder or a hub id"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset({Style.QUESTION, Style.NUMBER})

    model: str = field(default="gpt2", metadata={"help": "a folder or a hub id"})
    prompt: str = field(
        default="plain",
        metadata={
            "choices": PROMPTS,
            "help": "what joins article and headline: the model's chat template, a line “Headline:”, or the "
            "start token (generators tuned on articles and headlines, which follow no wishes)",
        },
    )
    article_tokens: int = field(default=300, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=32, metadata=HEADLINE_TOKENS)
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    def __post_init__(self) -> None:
        """Checks the model's name and the prompt.

        Raises:
            InputError: See `core.models.language_models.causal.Causal`.
        """
        self._recipe()

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        """The language model; see `core.models.weights.taking_part`."""
        return (self._recipe(),)

    def check(self) -> None:
        """See `GeneratorRecipe`."""
        self._recipe().check()

    def build(self, runtime: Runtime) -> Generator:
        """See `GeneratorRecipe`."""
        model: Any = self._recipe().build(runtime)

        def frame(wishes: Wishes) -> Frame:
            start = beginning(model.tokenizer)
            return headline_frame(model.tokenizer, self.prompt, start, wish=asked(wishes))

        return LanguageModelWriter(
            model, frame, self.article_tokens, self.headline_tokens, self.beam_size, self.length_penalty
        )

    def _recipe(self) -> Causal:
        return Causal(model=self.model, prompt=self.prompt)
