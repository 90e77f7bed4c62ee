"""What the Consistency page shows beyond the open timeline."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from components.page_state import PageView, ViewState, choice, linked, signature
from core.consistency.studies.scoring import SCORER
from core.pairs.scorer import pair_scorers

TRIANGLES, SWAPS, REPAIRS, CHANGES = "triangles", "swaps", "repairs", "changes"
SHOWN: Final = {
    TRIANGLES: "All contradictions",
    SWAPS: "Swapped pairs",
    REPAIRS: "Repairs",
    CHANGES: "Small changes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyView(PageView):
    shown: str = linked(TRIANGLES, choice("show", SHOWN))
    scorer: str = linked(SCORER, signature("lab"))
    thresholds: Mapping[str, float] = field(default_factory=dict)
    example: int = 0
    swapped: bool = False


_state = ViewState(ConsistencyView)
now, put, part, show = _state.now, _state.put, _state.part, _state.show
everything = _state.everything


def start_over() -> None:
    _state.reset(*set(everything()) - {"scorer"})


def threshold() -> float:
    """Score from which the tested scorer links two headlines: the reader's, or its own."""
    here = now()
    return here.thresholds.get(here.scorer, float(pair_scorers.parse(here.scorer).threshold))
