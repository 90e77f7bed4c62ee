"""What is shown of contradictions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from components.frame import links, markdown, view_state
from core.consistency.studies.scoring import SCORER

TRIANGLES, SWAPS, REPAIRS, CHANGES = "triangles", "swaps", "repairs", "changes"
STUDIED: Final[Mapping[str, str]] = markdown.WORDS["studied"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyView(view_state.PageView):
    shown: str = links.linked(TRIANGLES, links.choice("show", STUDIED))
    scorer: str = links.linked(SCORER, links.signature("lab"))
    thresholds: Mapping[str, float] = field(default_factory=dict)
    example: int = 0
    swapped: bool = False


CONSISTENCY: Final = view_state.ViewState(ConsistencyView)
