"""What is shown of contradictions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from components.frame import links
from components.frame.links import linked
from components.frame.markdown import WORDS
from components.frame.view_state import PageView, ViewState
from core.consistency.studies.scoring import SCORER

TRIANGLES, SWAPS, REPAIRS, CHANGES = "triangles", "swaps", "repairs", "changes"
STUDIED: Final[Mapping[str, str]] = WORDS["studied"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyView(PageView):
    shown: str = linked(TRIANGLES, links.choice("show", STUDIED))
    scorer: str = linked(SCORER, links.signature("lab"))
    thresholds: Mapping[str, float] = field(default_factory=dict)
    example: int = 0
    swapped: bool = False


CONSISTENCY: Final = ViewState(ConsistencyView)
