"""Where an archive is cut: where a run of its headlines comes out as a timeline of its own would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.events.grouping import Settings, prepare
from core.groups.average_linkage import AverageLinkage
from core.groups.granularity import CUTS
from core.groups.grouper import GroupingInput
from core.groups.quality.metrics import quality
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    import pandas as pd

SAMPLED: Final = 6_000
"""Headlines of the run, from the middle of the dated ones."""


def level(table: pd.DataFrame, dated: int, similarities: Similarities, runtime: Runtime) -> float:
    """The granularity at which the run has the highest AMI with its groups on the page Timeline, 0 to 1.

    Those are made with the settings that the page starts with, with their own encoder and all pairs.
    """
    start = max((dated - SAMPLED) // 2, 0)
    rows = slice(start, min(start + SAMPLED, dated))
    columns = [Field.HEADLINE.value, Field.PUBLISHED.value, Field.PUBLISHER.value]
    run = load(table.iloc[rows][columns].to_csv(index=False).encode(), "archive.csv")
    page = prepare(run, Settings(), runtime)
    near = GroupingInput(Similarities(similarities.matrix[rows, rows]), page.vectors)
    tree = AverageLinkage().fit(near, runtime.quietly())
    wanted = page.reference.tolist()
    agreement = [quality(tree.cut(float(cut)), wanted)["ami"].value or 0.0 for cut in CUTS]
    return float(CUTS[max(range(len(CUTS)), key=agreement.__getitem__)])
