"""What makes the network's outputs log-odds of support: one gate a class, and their least."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.errors import ModelUnavailableError
from core.numerals.entailing.question import CLASSES, ClaimClass

CALIBRATION: Final = "claims.json"  # where a folder keeps it
WRONG: Final = CLASSES[1:]  # the classes that a claim can be wrong by


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line through log-odds."""

    slope: float = 1.0  # factor
    intercept: float = 0.0  # added

    def of(self, values: FloatArray) -> FloatArray:
        """The values on the line."""
        return self.slope * values + self.intercept


@dataclass(frozen=True, slots=True)
class GateCalibration:
    """Lines through the log-odds of support against each class, and through the least of them.

    A headline is wrong in one way, so the way that speaks most against it decides; a sum over all ways
    would drown it in doubts about the others.
    """

    gates: Mapping[ClaimClass, Line]  # by class; a class without a line says nothing
    whole: Line = Line()  # through the least of the gates

    def gate_odds(self, log_probabilities: FloatArray) -> FloatArray:
        """Log-odds of support against each of `WRONG`, float64 [n, 6]; infinite without a line."""
        found = np.full((len(log_probabilities), len(WRONG)), np.inf)
        for at, one in enumerate(WRONG):
            if one in self.gates:
                against = log_probabilities[:, 0] - log_probabilities[:, at + 1]
                found[:, at] = self.gates[one].of(against)
        return found

    def log_odds(self, log_probabilities: FloatArray) -> FloatArray:
        """Log-odds of support, float64 [n]: about the least of the gates."""
        return self.whole.of(least(self.gate_odds(log_probabilities)))


PLAIN: Final = GateCalibration({one: Line() for one in WRONG})
"""That of a model whose folder has none: the network's own log-odds."""


def least(odds: FloatArray) -> FloatArray:
    """A smooth least of each row, float64 [n]: less than the least where several are near it."""
    return np.asarray(-np.logaddexp.reduce(-odds, axis=1))


def write_calibration(calibration: GateCalibration, folder: Path) -> None:
    """Writes it beside the weights."""
    gates = {str(one): [line.slope, line.intercept] for one, line in calibration.gates.items()}
    told = {"gates": gates, "whole": [calibration.whole.slope, calibration.whole.intercept]}
    files.write(folder / CALIBRATION, (json.dumps(told, indent=2) + "\n").encode())


def read_calibration(folder: Path) -> GateCalibration:
    """The calibration of a folder; `PLAIN` where it has none."""
    path = folder / CALIBRATION
    if not path.is_file():
        return PLAIN
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        gates = {ClaimClass(name): _line(line) for name, line in told["gates"].items()}
        return GateCalibration(gates, _line(told["whole"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailableError(f"{path} is damaged.", hint="Copy the model again.") from error


def _line(told: list[float]) -> Line:
    slope, intercept = map(float, told)
    return Line(slope, intercept)
