"""BART: a pre-trained encoder-decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.hub.recipe import MODEL, HubGenerator


@headline_generators.register("bart.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Bart(HubGenerator):
    """BART, as it comes from the hub (tuned on CNN/Daily Mail, XSum, …) or tuned on headlines.

    Source: Lewis et al. 2020; NumHG's baseline (BART-large, 4 beams).
    """

    summary: ClassVar[str] = "BART, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"bart"})

    model: str = field(default="facebook/bart-large-xsum", metadata=MODEL)
