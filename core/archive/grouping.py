"""The groups of an archive: a tree of all headlines and the level to cut it at."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from core.archive import comparing
from core.archive.folder import ArchiveFolder
from core.arrays import FloatArray
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.events.grouping import Settings, prepare
from core.groups import average_linkage, dendrogram, granularity, grouper
from core.groups.quality import quality
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    from core.archive.links import Links

STEP: Final = "Choosing how broad groups are"
SAMPLED: Final = 4_000  # headlines of the run, from the middle of the dated ones


def level(dated: int, links: "Links", folder: ArchiveFolder, runtime: Runtime) -> float:
    """The granularity at which a run agrees best (AMI) with its groups as a timeline, 0 to 1."""
    start = max((dated - SAMPLED) // 2, 0)
    rows = range(start, min(start + SAMPLED, dated))
    table = folder.headlines(Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER).slice(start, len(rows))
    run = load(table.to_pandas().to_csv(index=False).encode(), "archive.csv")
    runtime.report(STEP, 0, len(granularity.CUTS))

    def report(step: str, done: int, total: int) -> None:  # the archive has steps of the same names
        runtime.report(f"{STEP}: {step.lower()}", done, total)

    page = prepare(run, Settings(), replace(runtime, report=report))
    near = grouper.GroupingInput(Similarities(links.among(rows)), page.context.vectors)
    tree = average_linkage.AverageLinkage().fit(near, runtime.quietly())
    wanted, cuts = page.reference.tolist(), runtime.track(granularity.CUTS.tolist(), STEP)
    agreement = [quality(tree.cut(cut), wanted)["ami"].value or 0.0 for cut in cuts]
    return float(granularity.CUTS[max(range(len(granularity.CUTS)), key=agreement.__getitem__)])


def tree_and_level(
    count: int, dated: int, folder: ArchiveFolder, runtime: Runtime, *, wanted: float | None
) -> tuple[dendrogram.Dendrogram, float]:
    """The tree of all headlines and the level to cut it at; an undated headline is a group of its own."""

    @cache
    def links() -> "Links":
        from core.archive.links import Links

        return Links(count, dated, comparing.ROWS, comparing.FOUND, folder=folder, runtime=runtime)

    def merges() -> FloatArray:
        from core.groups.sparse_linkage import join_sparse  # it compiles with numba

        return join_sparse(count, links().portions(), runtime)

    def best_cut() -> FloatArray:
        return np.array(level(dated, links(), folder, runtime))

    tree = dendrogram.Dendrogram(count, np.array(folder.made("merges", merges)))
    return tree, float(folder.made("level", best_cut)) if wanted is None else wanted
