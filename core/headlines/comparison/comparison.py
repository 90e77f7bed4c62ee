"""What several systems wrote for the same articles, with every metric of every headline."""

from dataclasses import dataclass

import numpy as np

from core import __version__
from core.arrays import FloatArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import UnknownNameError
from core.headlines.metrics import Column, HeadlineMetric

_LACKS = {
    "references": "No article here has a headline by people.",
    "articles": "No article here has a text.",
    "numbers": "No article here has a gold number.",
}


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One metric over s systems and n articles; c columns, k statistics, b resamples."""

    signature: str  # name and settings, as the registry reads them
    library: str  # the metric's own word for library, version and settings
    metric: HeadlineMetric
    statistics: FloatArray  # float64 [s, n, k]; empty in its last axis where the metric could not run
    scores: FloatArray  # value of each headline, float64 [s, n, c]; NaN where undefined
    values: FloatArray  # value of each system, float64 [s, c]; NaN where undefined
    resampled: FloatArray  # values in each resample, float64 [b, s, c]; the same draws for every metric
    why_not: str = ""  # why it could not run, a sentence; "" where it did
    anchors: FloatArray | None = None  # of people's headlines and of other articles', [2, c]


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    key: str  # unique in a comparison: the column's name, with the metric's signature where two share it
    column: Column  # what it says
    metric: int  # which of `Comparison.measured`
    at: int  # which column of that metric


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """s systems on n articles."""

    articles: Articles
    outputs: tuple[Outputs, ...]  # what each system wrote, in the order given
    language: str  # ISO 639-1 code that tokens and stems were chosen by
    measured: tuple[Measured, ...]  # one a metric, in the order asked for
    places: tuple[ComparisonColumn, ...]  # all columns of all metrics, in order
    units: IntArray  # what is resampled: the unit of each article, int64 [n]; articles of one event share one
    resamples: int  # how many
    seed: int  # of all draws
    fingerprint: str  # 16 hex digits over articles, headlines, metrics and seed

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(output.system for output in self.outputs)

    @property
    def signature(self) -> str:
        """All that the figures depend on, in one line; systems by fingerprint, in the order of the table."""
        measured = [
            f"{measured.signature} ({measured.library})" for measured in self.measured if not measured.why_not
        ]
        parts = [
            f"headline-lab {__version__}",
            f"articles:{self.articles.fingerprint}",
            f"systems:{','.join(output.fingerprint for output in self.outputs)}",
            f"language:{self.language}",
            *measured,
            f"seed:{self.seed}",
            f"resamples:{self.resamples}",
        ]
        return " ".join(" · ".join(parts).split())

    @property
    def resampled_units(self) -> str:
        count = int(self.units.max()) + 1
        return "articles" if count == len(self.articles) else "events"

    def system(self, name: str) -> int:
        if name not in self.systems:
            message = f"No system is called {name!r}."
            raise UnknownNameError(message, hint=f"The systems are: {', '.join(self.systems)}.")
        return self.systems.index(name)

    def place(self, key: str) -> ComparisonColumn:
        for column in self.places:
            if column.key == key:
                return column
        message = f"No column is called {key!r}."
        hint = f"The columns are: {', '.join(place.key for place in self.places)}."
        raise UnknownNameError(message, hint=hint)

    def scores(self, key: str) -> FloatArray:
        """Value of each headline in a column, float64 [s, n]; NaN where undefined."""
        place = self.place(key)
        return np.asarray(self.measured[place.metric].scores[:, :, place.at])

    def why_undefined(self, place: ComparisonColumn) -> str:
        """Why a column has no value, a sentence for people."""
        measured = self.measured[place.metric]
        if measured.why_not:
            return measured.why_not
        return _LACKS.get(measured.metric.needs, "No headline here can be measured so.")


def order(values: FloatArray | IntArray, *, descending: bool = True) -> IntArray:
    """Rows from the largest value (or the smallest), undefined ones last, int64 [n]."""
    given = np.asarray(values, dtype=np.float64)
    return np.argsort(-given if descending else given, kind="stable").astype(np.int64)
