"""BRIO: BART or Pegasus that has learned which of its headlines are good."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core.headlines.generator import headline_generators
from core.headlines.hub.recipe import LENGTH_PENALTY, MODEL, HubGenerator

if TYPE_CHECKING:
    from core.headlines.hub.writing import Search

POOL: Final[dict[str, Any]] = {"low": 1, "high": 32, "help": "headlines that the model orders"}


@headline_generators.register("brio.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Brio(HubGenerator):
    """Searches for 16 headlines and takes the one that the model finds likeliest for its length.

    Source: Liu et al. 2022; NumHG's best system (BART-large, 16 candidates).
    """

    summary: ClassVar[str] = "BRIO, a BART or Pegasus that ranks its own candidates, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"bart", "pegasus"})

    model: str = field(default="Yale-LILY/brio-cnndm-uncased", metadata=MODEL)
    pool: int = field(default=16, metadata=POOL)
    pool_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    @property
    def search(self) -> Search:
        """See `HubGenerator`."""
        # Zero arguments to super() do not find the class that slots make anew.
        usual = HubGenerator.search.fget(self)  # type: ignore[attr-defined]
        found: Search = replace(usual, pool=self.pool, pool_penalty=self.pool_penalty)
        return found
