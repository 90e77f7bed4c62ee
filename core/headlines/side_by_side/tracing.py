"""What the systems say that the articles do not support, over all articles and for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.runtime import Runtime
from core.text.copied import read_source
from core.text.support import Trace, names_of, read_evidence, trace

STEP: Final = "Holding headlines against their articles"


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """s systems on n articles.

    Attributes:
        names: Normal forms of the names in all articles.
        unsupported: Names and numbers of each headline that its article lacks, float64 [s, n]; NaN where
            the article has no text or the headline no word.
    """

    names: frozenset[str]
    unsupported: npt.NDArray[np.float64]


def traced(articles: Articles, outputs: Sequence[Outputs], runtime: Runtime) -> Traced:
    """Holds every headline against its article.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    names = names_of(read_source(text) for text in runtime.track(articles.texts, "Reading names"))
    found = np.full((len(outputs), len(articles)), np.nan)
    for row, text in enumerate(runtime.track(articles.texts, STEP)):
        if not text.strip():
            continue
        evidence = read_evidence(read_source(text))
        for place, one in enumerate(outputs):
            held = trace(one.headlines[row], evidence, known=names)
            if held.coverage is not None:
                found[place, row] = len(held.names) + len(held.numbers)
    return Traced(names, found)


def traces(text: str, headlines: Sequence[str], names: frozenset[str]) -> list[Trace]:
    """The headlines of one article, each held against it."""
    evidence = read_evidence(read_source(text))
    return [trace(headline, evidence, known=names) for headline in headlines]
