"""TTGenBottleneck: RuBERT as encoder and decoder, with one vector between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from core.headlines.generator import headline_generators
from core.headlines.hub.opening import EncoderDecoder
from core.headlines.hub.recipe import ARTICLE_TOKENS, MODEL, HubGenerator

if TYPE_CHECKING:
    from core.headlines.hub.reading import Reader


@headline_generators.register("ttgen_bottleneck.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TTGenBottleneck(HubGenerator):
    """The decoder sees the encoder's vector of the first token alone.

    That vector is what the model is for: `transformers_encoder.v1|model:FOLDER/encoder|pooling:cls` groups
    by it, where FOLDER was trained with `hub_seq2seq.v1`; the Dialogue 2021 baseline's encoder is
    `IlyaGusev/gen_title_tg_bottleneck_encoder`.

    Source: Gusev and Smurov 2021, section 3.2.
    """

    summary: ClassVar[str] = "BERT that writes from one vector of the article, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"ru"})
    kinds: ClassVar[frozenset[str]] = frozenset({"encoder-decoder"})

    model: str = field(default="IlyaGusev/gen_title_tg_bottleneck", metadata=MODEL)
    article_tokens: int = field(default=196, metadata=ARTICLE_TOKENS)

    def reader(self, network: EncoderDecoder) -> Reader:
        """See `HubGenerator`."""
        from core.headlines.hub.reading import FirstToken

        return FirstToken(network, "", self.article_tokens)
