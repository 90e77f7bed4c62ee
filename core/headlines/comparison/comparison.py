"""What several systems wrote for the same articles, with every metric of every headline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core import __version__
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import UnknownNameError
from core.headlines.metrics.metric import Column, HeadlineMetric

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One metric over s systems and n articles; c columns, k statistics, b resamples.

    Attributes:
        signature: Name and settings, as the registry reads them.
        library: The metric's own word for library, version and settings.
        metric: The metric.
        statistics: float64 [s, n, k]; empty in its last axis where the metric could not run.
        scores: Value of each headline, float64 [s, n, c]; NaN where undefined.
        values: Value of each system, float64 [s, c]; NaN where undefined.
        resampled: Values in each resample, float64 [b, s, c]; the same draws for every metric.
        why_not: Why it could not run, a sentence; "" where it did.
    """

    signature: str
    library: str
    metric: HeadlineMetric
    statistics: FloatArray
    scores: FloatArray
    values: FloatArray
    resampled: FloatArray
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    """A column of the table.

    Attributes:
        key: Unique in a comparison: the column's name, with the metric's signature where two share it.
        column: What it says.
        metric: Which of `Comparison.measured`.
        at: Which column of that metric.
    """

    key: str
    column: Column
    metric: int
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """s systems on n articles.

    Attributes:
        articles: The articles.
        outputs: What each system wrote, in the order given.
        language: ISO 639-1 code that tokens and stems were chosen by.
        measured: One a metric, in the order asked for.
        places: All columns of all metrics, in order.
        units: What is resampled: the unit of each article, int64 [n]; articles of one event share one.
        resamples: How many.
        seed: Of all draws.
        fingerprint: 16 hex digits over articles, headlines, metrics and seed.
    """

    articles: Articles
    outputs: tuple[Outputs, ...]
    language: str
    measured: tuple[Measured, ...]
    places: tuple[ComparisonColumn, ...]
    units: IntArray
    resamples: int
    seed: int
    fingerprint: str

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order."""
        return tuple(one.system for one in self.outputs)

    @property
    def signature(self) -> str:
        """All that the figures depend on, in one line; systems by fingerprint, in the order of the table."""
        measured = [f"{one.signature} ({one.library})" for one in self.measured if not one.why_not]
        parts = [
            f"headline-lab {__version__}",
            f"articles:{self.articles.fingerprint}",
            f"systems:{','.join(one.fingerprint for one in self.outputs)}",
            f"language:{self.language}",
            *measured,
            f"seed:{self.seed}",
            f"resamples:{self.resamples}",
        ]
        return " ".join(" · ".join(parts).split())

    @property
    def resampled_units(self) -> str:
        """What is drawn, in words."""
        count = int(self.units.max()) + 1
        return "articles" if count == len(self.articles) else "events"

    def system(self, name: str) -> int:
        """Row of a system."""
        if name not in self.systems:
            raise UnknownNameError(
                f"No system is called {name!r}.", hint=f"The systems are: {', '.join(self.systems)}."
            )
        return self.systems.index(name)

    def place(self, key: str) -> ComparisonColumn:
        """The column of that key."""
        for one in self.places:
            if one.key == key:
                return one
        raise UnknownNameError(
            f"No column is called {key!r}.",
            hint=f"The columns are: {', '.join(one.key for one in self.places)}.",
        )

    def scores(self, key: str) -> FloatArray:
        """Value of each headline in a column, float64 [s, n]; NaN where undefined."""
        place = self.place(key)
        return np.asarray(self.measured[place.metric].scores[:, :, place.at])

    def why_undefined(self, place: ComparisonColumn) -> str:
        """Why a column has no value, a sentence for people."""
        one = self.measured[place.metric]
        if one.why_not:
            return one.why_not
        return _LACKS.get(one.metric.needs, "No headline here can be measured so.")


_LACKS = {
    "references": "No article here has a headline by people.",
    "articles": "No article here has a text.",
    "numbers": "No article here has a gold number.",
}
