"""RuBERT as encoder and decoder, tuned on headlines of Russian news."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.hub.recipe import ARTICLE_TOKENS, BEAMS, MODEL, HubGenerator


@headline_generators.register("rubert_seq2seq.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class RuBertSeq2Seq(HubGenerator):
    """A BERT that reads and a BERT that writes; the default was tuned on headlines of Telegram channels.

    Beams and tokens are those of the default's card.

    Source: Rothe et al. 2020; the Dialogue 2021 report.
    """

    summary: ClassVar[str] = "RuBERT as encoder and decoder, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"ru"})
    kinds: ClassVar[frozenset[str]] = frozenset({"encoder-decoder"})

    model: str = field(default="IlyaGusev/rubert_telegram_headlines", metadata=MODEL)
    beams: int = field(default=10, metadata=BEAMS)
    article_tokens: int = field(default=256, metadata=ARTICLE_TOKENS)
