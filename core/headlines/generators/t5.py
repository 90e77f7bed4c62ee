"""T5: an encoder-decoder that is told its task by a prefix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from core.headlines.generator import headline_generators
from core.headlines.hub.opening import EncoderDecoder
from core.headlines.hub.recipe import MODEL, PREFIX, HubGenerator, noted

if TYPE_CHECKING:
    from core.headlines.hub.reading import Reader

SUMMARIZE: Final = "summarize: "
"""The prefix that T5 was pre-trained with for summaries (Raffel et al. 2020, appendix D)."""


@headline_generators.register("t5.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class T5(HubGenerator):
    """T5 and mT5, as they come from the hub or tuned on headlines of any language.

    Source: Raffel et al. 2020; NumHG's baseline (T5-large, 4 beams).
    """

    summary: ClassVar[str] = "T5, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = frozenset({"t5", "mt5"})

    model: str = field(default="google-t5/t5-base", metadata=MODEL)
    prefix: str = field(default="", metadata=PREFIX)

    def reader(self, network: EncoderDecoder) -> Reader:
        """See `HubGenerator`."""
        from core.headlines.hub.reading import WholeArticle

        trained = noted(network.folder, "prefix")
        prefix = self.prefix or (SUMMARIZE if trained is None else trained)
        return WholeArticle(network, prefix, self.article_tokens)
