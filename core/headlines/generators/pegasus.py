"""Pegasus: an encoder-decoder pre-trained on sentences taken out of texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.hub.recipe import MODEL, HubGenerator


@headline_generators.register("pegasus.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Pegasus(HubGenerator):
    """Pegasus, as it comes from the hub (tuned on newsrooms' summaries, XSum, …) or tuned on headlines.

    Source: Zhang et al. 2020; NumHG's baseline (Pegasus-large, 4 beams).
    """

    summary: ClassVar[str] = "Pegasus, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"pegasus"})

    model: str = field(default="google/pegasus-newsroom", metadata=MODEL)
