"""Link detection, first stories and tracking at each threshold, as in Fiscus and Doddington 2002."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.candidates import check_needs
from core.pairs.scorer import Need, PreparedScorer, pair_scorers
from core.pairs.timeline_context import encoder_of, timeline_context
from core.results import table as tables
from core.results.delimited import delimited
from core.results.number_forms import decimals, percent, whole
from core.results.table import Table, TableColumn
from core.runtime import Runtime
from research.benchmark.engine import require_gold

MISS_COST: Final = 1.0
ALARM_COST: Final = 0.1
TARGETS: Final = 0.02  # share of targets that the evaluation assumes
_STEPS: Final = 1_000  # thresholds, evenly over the scorer's scale
_ROWS: Final = 256  # headlines at once
LINK, FIRST, TRACKING = "link detection", "first story detection", "tracking"


@dataclass(frozen=True, slots=True, eq=False)
class DetectionCurve:
    """One task: at each threshold, the share of targets missed and of others taken for one."""

    task: str
    targets: int
    others: int
    thresholds: FloatArray  # [t], rising
    missed: FloatArray  # [t], 0 to 1
    alarms: FloatArray  # [t], 0 to 1
    own: float  # the scorer's own threshold

    @property
    def costs(self) -> FloatArray:
        """Cost of detection, divided by that of the better of always yes and always no, [t]."""
        cost = MISS_COST * self.missed * TARGETS + ALARM_COST * self.alarms * (1 - TARGETS)
        return np.asarray(cost / min(MISS_COST * TARGETS, ALARM_COST * (1 - TARGETS)))


def measure_detection(timeline: Timeline, scorer_name: str, runtime: Runtime) -> list[DetectionCurve]:
    """The three tasks on the dated headlines of a timeline with gold groups, in order of time."""
    require_gold(timeline)
    scorer = pair_scorers.parse(scorer_name)
    scale = scorer.scale
    if not np.isfinite([scale.low, scale.high]).all():
        raise InputError("This scorer's scores have no bounds.", hint="Put `calibrated` around it.")
    encoder = encoder_of(timeline.reading, AUTOMATIC, scorer) if Need.VECTORS in scorer.needs else None
    context = timeline_context(timeline, encoder, runtime)
    check_needs(scorer, context)
    order = np.argsort(timeline.days, kind="stable")
    order = order[np.isfinite(timeline.days[order])]
    if len(order) < 2:
        raise InputError("Fewer than two headlines have a date.", hint="Give a timeline with dates.")
    gold = np.unique(np.asarray(timeline.table[Field.GOLD].astype(str))[order], return_inverse=True)[1]
    prepared = scorer.prepare(context.take(order), runtime)
    edges = np.linspace(scale.low, scale.high, _STEPS)
    return _measured(prepared, gold.astype(np.int64), edges, scorer.threshold, runtime)


def _measured(
    prepared: PreparedScorer, gold: IntArray, edges: FloatArray, own: float, runtime: Runtime
) -> list[DetectionCurve]:
    count = len(gold)
    first = np.zeros(count, dtype=np.bool_)
    first[np.unique(gold, return_index=True)[1]] = True
    counts = {task: np.zeros((2, len(edges) + 1)) for task in (LINK, FIRST, TRACKING)}

    def add(task: str, scores: FloatArray, targets: BoolArray) -> None:
        places = np.searchsorted(edges, scores, side="right")
        for kind in (0, 1):
            counts[task][kind] += np.bincount(places[targets == kind], minlength=len(edges) + 1)

    seeds = np.flatnonzero(first)
    for start in runtime.track(range(0, count, _ROWS), "Comparing headlines"):
        rows = np.arange(start, min(start + _ROWS, count))
        scores = prepared.block(slice(int(rows[0]), int(rows[-1]) + 1), slice(0, count)).astype(np.float64)
        earlier = np.arange(count)[None, :] < rows[:, None]
        same = gold[rows][:, None] == gold[None, :]
        add(LINK, scores[earlier], same[earlier])
        add(TRACKING, scores[:, seeds][earlier[:, seeds]], same[:, seeds][earlier[:, seeds]])
        nearest = np.where(earlier, scores, -np.inf).max(axis=1)
        add(FIRST, nearest[rows > 0], ~first[rows][rows > 0])
    curves = []
    for task, (unlike, alike) in counts.items():
        # Below each threshold, and from it on. First stories are what is like no earlier headline.
        below, above = np.cumsum(alike)[:-1], unlike.sum() - np.cumsum(unlike)[:-1]
        missed, alarms, targets, others = below, above, alike.sum(), unlike.sum()
        if task == FIRST:
            missed, alarms, targets, others = above, below, others, targets
        shares = missed / max(targets, 1.0), alarms / max(others, 1.0)
        curves.append(DetectionCurve(task, int(targets), int(others), edges, *shares, own))
    return curves


def as_object(curves: Mapping[str, Sequence[DetectionCurve]]) -> dict[str, Any]:
    return {"benchmark": "detection", "rows": [_row(name, each) for name in curves for each in curves[name]]}


def _row(name: str, curve: DetectionCurve) -> dict[str, Any]:
    own, best = int(np.abs(curve.thresholds - curve.own).argmin()), int(curve.costs.argmin())
    return {
        **{"set": name, "task": curve.task, "targets": curve.targets, "others": curve.others},
        **{"threshold": curve.own, "missed": float(curve.missed[own]), "alarms": float(curve.alarms[own])},
        **{"cost": float(curve.costs[own]), "least_cost": float(curve.costs[best])},
        "least_cost_at": float(curve.thresholds[best]),
    }


def as_text(curves: Mapping[str, Sequence[DetectionCurve]]) -> str:
    forms = {
        **{"set": whole, "task": whole, "targets": whole, "others": whole, "threshold": decimals(2)},
        **{"missed": percent(), "alarms": percent(2), "cost": decimals(3)},
        **{"least_cost": decimals(3), "least_cost_at": decimals(2)},
    }
    columns = tuple(TableColumn(name.replace("_", " "), form=form) for name, form in forms.items())
    rows = tuple(tuple(row[name] for name in forms) for row in as_object(curves)["rows"])
    return tables.as_text(Table(columns=columns, rows=rows))


def curve_table(curves: Mapping[str, Sequence[DetectionCurve]]) -> str:
    names = ("set", "task", "threshold", "missed", "alarms", "cost")
    rows = [
        (name, curve.task, *values)
        for name, several in curves.items()
        for curve in several
        for values in np.stack([curve.thresholds, curve.missed, curve.alarms, curve.costs], axis=1).tolist()
    ]
    return delimited([names, *rows])
