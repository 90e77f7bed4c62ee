"""Headlines by a language model at an address."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import msgspec

from core.data.articles.article_files import READ_CHARACTERS
from core.headlines.generator import (
    GenerationOptions,
    Generator,
    HeadlineCandidate,
    HeadlineStyle,
    headline_generators,
    options_met,
)
from core.headlines.generators.causal_models import wish_of
from core.headlines.headline_text import clean_headline, shortened
from core.models.endpoints import asking, recipe
from core.models.language_models.language_model import LONG_WORDS
from core.registry import number
from core.runtime import Runtime
from core.text import desk_marks, normalise

INSTEAD: Final = "The model's answer holds no headline: this is the article's beginning."


class _Headlines(msgspec.Struct):
    headlines: list[str]


def _chosen(article: str, answer: asking.Answer, options: GenerationOptions) -> list[HeadlineCandidate]:
    read = recipe.parsed(answer.text, _Headlines)
    lines: dict[str, str] = {}
    for text in () if read is None else read.headlines:
        if line := clean_headline(text, most_words=options.most_words):
            lines.setdefault(normalise.comparison_key(line), line)
    if not lines:
        return [HeadlineCandidate(shortened(article, options.most_words or LONG_WORDS), 0.0, INSTEAD)]
    ranked = sorted(lines.values(), key=lambda line: -options_met(line, options))[: options.candidates]
    return [HeadlineCandidate(line, -float(place)) for place, line in enumerate(ranked)]


@headline_generators.register("endpoint.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointHeadlines(recipe.EndpointModel):
    """A language model at an address, asked for all candidates of an article at once.

    An answer that holds no headline is counted: the article's beginning stands in its place, and says so.

    Source: Brown et al. 2020, "Language Models are Few-Shot Learners", for tasks put in a prompt.
    """

    summary: ClassVar[str] = "A language model of your own, by its address"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset({HeadlineStyle.QUESTION, HeadlineStyle.NUMBER})
    holds: ClassVar[tuple[str, ...]] = ("count", "wish", "article")
    what: ClassVar[str] = "Articles"
    usual_prompt: ClassVar[str] = "headlines.v1"

    article_characters: int = number(4_000, 100, READ_CHARACTERS, "characters of an article that are sent")
    headline_tokens: int = number(
        60, 8, 500, "tokens of an answer at most, for each headline that is asked for"
    )

    def build(self, runtime: Runtime) -> Generator:
        self.check()
        return self

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        read = [desk_marks.without_dateline(text)[: self.article_characters] for text in articles]
        distinct = [text for text in dict.fromkeys(read) if any(map(str.isalnum, text))]
        given = {"count": str(options.candidates), "wish": wish_of(options)}
        headlines = {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": options.candidates,
        }
        how = {"schema": recipe.object_of(headlines=headlines), "seed": self.seed + runtime.seed}
        how |= {"tokens": self.headline_tokens * options.candidates}
        how |= {"temperature": options.temperature} if options.sample else {}
        answers = self.ask([{"article": text, **given} for text in distinct], runtime, **how)
        chosen = {text: _chosen(text, each, options) for text, each in zip(distinct, answers, strict=True)}
        return [chosen.get(text, [HeadlineCandidate("", 0.0)]) for text in read]
