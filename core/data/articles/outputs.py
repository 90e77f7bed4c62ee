"""Headlines that one system wrote for a set of articles."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Outputs:
    """The headlines of one system, beside n articles and in their order.

    Attributes:
        system: What people call the system, unique in a comparison.
        headlines: One line each; "" where the system gave none.
        source: Where they come from: a generator's signature, or a file's name.
        published: Scores that came with the headlines, by their name there, float64 [n], NaN where
            missing; shown as published and never mixed with ours.
    """

    system: str
    headlines: tuple[str, ...]
    source: str
    published: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over name, headlines and source."""
        whole = repr((self.system, self.headlines, self.source))
        return hashlib.sha256(whole.encode("utf-8", errors="surrogatepass")).hexdigest()[:16]
