"""SEASON: BART guided by how salient each sentence of the article is."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from core.errors import ModelUnavailableError
from core.headlines.generator import Generator, headline_generators
from core.headlines.hub.opening import find, load
from core.headlines.hub.recipe import HubGenerator
from core.models.weights import fingerprint
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.hub.opening import EncoderDecoder
    from core.headlines.hub.season import Salience


@headline_generators.register("season.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Season(HubGenerator):
    """A BART that `hub_seq2seq.v1|system:season` has trained; the hub has none in this form.

    Source: Wang et al. 2022; NumHG's baseline (over BART-large).
    """

    summary: ClassVar[str] = "SEASON, a BART guided by the salience of sentences, from a trained folder"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    kinds: ClassVar[frozenset[str]] = frozenset({"bart"})

    model: str = field(default="", metadata={"help": "a folder that hub_seq2seq.v1 has trained"})

    @property
    def weights(self) -> tuple[Path, ...]:
        """See `HubGenerator`."""
        return (self._find(),)

    def check(self) -> None:
        """See `HubGenerator`."""
        self._find()

    def build(self, runtime: Runtime) -> Generator:
        """See `HubGenerator`."""
        from core.headlines.hub.season import MarkedSentences
        from core.headlines.hub.writing import writer_of

        folder = self._find()
        half = runtime.half and runtime.device == "cuda"
        network, salience = _guided(folder, fingerprint(folder), runtime.device, half)
        return writer_of(MarkedSentences(network, salience, self.article_tokens), self.search)

    def _find(self) -> Path:
        if not self.model:
            raise ModelUnavailableError(
                "SEASON has no model by default: the hub holds none in this form.",
                hint="Train one with `headline-lab train headlines ARTICLES --out RUN --trainer "
                "'hub_seq2seq|system:season'`, and give its folder `RUN/model`.",
            )
        return find(self.model, self.kinds)


@lru_cache(maxsize=1)
def _guided(folder: Path, mark: str, device: str, half: bool) -> tuple[EncoderDecoder, Salience]:
    """A BART of its own, since guiding changes it."""
    from core.headlines.hub.season import guide, read_salience

    network = load(folder, device=device, half=half)
    salience = read_salience(network)
    guide(network.model, salience)
    return network, salience
