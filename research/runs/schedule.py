"""The learning rate of each step: a linear warm-up, then an exponential decay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LAST_SHARE: Final = 0.1
"""Share of the highest rate that is left at the last step.

The paper states an exponential decay and not its constant; with this one the rate falls by the same
factor at every step, to a tenth.
"""

LONGEST_WARMUP: Final = 0.7
"""Share of a run that warm-up may take; the paper's own took 1,000 of about 1,450 steps."""

SHORT_WARMUP: Final = 0.1
"""Share that warm-up takes where `LONGEST_WARMUP` would be passed."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Learning rates of a run.

    Source: HLGD (Laban et al. 2021), appendix B.

    Attributes:
        highest: The rate at the end of warm-up.
        steps: Steps of the run.
        warmup: Steps of warm-up, less than `steps`.
        constant: Keep the highest rate after warm-up.
    """

    highest: float
    steps: int
    warmup: int
    constant: bool = False

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0; never 0, so that every step learns."""
        if step < self.warmup:
            return self.highest * (step + 1) / self.warmup
        if self.constant:
            return self.highest
        done = (step - self.warmup) / max(self.steps - 1 - self.warmup, 1)
        return self.highest * float(LAST_SHARE**done)


def schedule(highest: float, *, steps: int, warmup: int, constant: bool = False) -> Schedule:
    """The schedule of a run; warm-up is shortened where it would leave too little of the run."""
    fits = warmup <= LONGEST_WARMUP * steps
    return Schedule(highest, steps, warmup if fits else int(SHORT_WARMUP * steps), constant)
