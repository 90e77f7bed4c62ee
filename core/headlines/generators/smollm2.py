"""Headlines by the small language model as it comes, asked in a prompt."""

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
from core.models.language_models.frames import headline_frame
from core.models.language_models.language_model import Frame, LanguageModelRecipe
from core.models.language_models.smollm2 import START, SmolLM2
from core.runtime import Runtime

EXAMPLES = (
    (
        "A freight train left the rails near Harlow on Tuesday after heavy rain washed out part of the "
        "track. Nobody was hurt, but the line will stay closed for at least three days, the rail company "
        "said.",
        "Freight Train Derails After Heavy Rain",
    ),
    (
        "Researchers who followed 12,000 people for ten years say that those who slept less than six hours "
        "a night were twice as likely to catch a cold. The study does not show that short sleep is the "
        "cause, its authors warn.",
        "People Who Sleep Less Catch Twice as Many Colds",
    ),
    (
        "The city council voted 9 to 4 on Monday to raise bus fares by 20 cents from January. It is the "
        "second rise in two years; the mayor, who had opposed it, said she would not use her veto.",
        "Bus Fares to Rise by 20 Cents",
    ),
)
"""Articles and headlines that the model reads first; written for this program."""


@headline_generators.register("smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SmolLM2Headlines:
    """SmolLM2-135M-Instruct, asked for a headline; English.

    It was not trained to write headlines: it says more than the article does, and is here to be compared
    with.

    Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big"; Brown et al. 2020 for the examples in the
    prompt.
    """

    summary: ClassVar[str] = "The small language model as it comes, asked in a prompt"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    styles: ClassVar[frozenset[Style]] = frozenset({Style.QUESTION, Style.NUMBER})

    examples: bool = field(default=False, metadata={"help": "show three articles with headlines first"})
    article_tokens: int = field(default=200, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=32, metadata=HEADLINE_TOKENS)
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        """The language model; see `core.models.weights.taking_part`."""
        return (SmolLM2(),)

    def check(self) -> None:
        """See `GeneratorRecipe`."""
        SmolLM2().check()

    def build(self, runtime: Runtime) -> Generator:
        """See `GeneratorRecipe`."""
        model: Any = SmolLM2().build(runtime)

        def frame(wishes: Wishes) -> Frame:
            examples = EXAMPLES if self.examples else ()
            return headline_frame(model.tokenizer, "chat", START, wish=asked(wishes), examples=examples)

        return LanguageModelWriter(
            model, frame, self.article_tokens, self.headline_tokens, self.beam_size, self.length_penalty
        )
