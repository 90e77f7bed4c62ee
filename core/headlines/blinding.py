"""Systems whose names are hidden from a reader: drawn orders, letters, a comparison without names."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.data.articles.outputs import Outputs
from core.headlines.comparison.comparison import Comparison

HIDDEN: Final = "hidden"


def shuffled(systems: Sequence[str], article: str, *, seed: int = 0) -> list[int]:
    """Places of the systems as an article shows them, drawn by names, article and seed alone."""

    def drawn(place: int) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{article}\x1f{systems[place]}".encode()).digest()

    return sorted(range(len(systems)), key=drawn)


def blinded(outputs: Sequence[Outputs], *, seed: int = 0) -> list[Outputs]:
    """The systems in a drawn order as "System 1", "System 2", …, without source or published scores."""
    order = shuffled([output.system for output in outputs], "", seed=seed)
    drawn = enumerate((outputs[place] for place in order), 1)
    return [replace(each, system=f"System {at}", source=HIDDEN, published={}) for at, each in drawn]


def blinded_comparison(comparison: Comparison, *, seed: int = 0) -> Comparison:
    """The same comparison with its systems `blinded`; nothing is scored again."""
    order = np.array(shuffled(comparison.systems, "", seed=seed), dtype=np.int64)
    return replace(
        comparison,
        outputs=tuple(blinded(comparison.outputs, seed=seed)),
        measured=tuple(
            replace(
                measured,
                statistics=measured.statistics[order],
                scores=measured.scores[order],
                values=measured.values[order],
                resampled=measured.resampled[:, order],
            )
            for measured in comparison.measured
        ),
        fingerprint=hashlib.sha256(f"blind {seed} {comparison.fingerprint}".encode()).hexdigest()[:16],
    )
