"""What all sources share whose pairs are drawn from gold groups."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.data.pair_sets.drawing import RATIO, WINDOW_DAYS, Sampling

BENCHMARK_POSITIVES = 1_000
"""With five negatives each a part has at most 6,000 pairs: three times HLGD's test, so that intervals
are narrow, and yet a minute or so for a cross-encoder on two cores."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupedSource:
    """How the pairs of a source are drawn; see `Sampling`."""

    window_days: float = field(
        default=WINDOW_DAYS,
        metadata={
            "label": "Days apart, at most",
            "help": "days that the headlines of a negative are apart at most",
            "low": 0.0,
        },
    )
    ratio: float | None = field(
        default=RATIO,
        metadata={
            "label": "Negatives for each positive",
            "help": "at most so many; none keeps all near ones",
            "low": 0.0,
        },
    )
    most_positives: int | None = field(
        default=BENCHMARK_POSITIVES,
        metadata={
            "label": "Positives of a part",
            "help": "at most so many, drawn at random; none keeps all",
            "low": 1,
        },
    )
    seed: int = field(default=0, metadata={"help": "seed of every random draw", "low": 0})

    @property
    def sampling(self) -> Sampling:
        """The parameters as the builder takes them."""
        return Sampling(
            window_days=self.window_days,
            ratio=self.ratio,
            most_positives=self.most_positives,
            seed=self.seed,
        )
