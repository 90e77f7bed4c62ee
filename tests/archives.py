"""Archives of any size, made by the program's own writers without encoding or grouping."""

import numpy as np
import pandas as pd

from core.archive.events import store
from core.archive.folder import HEADLINES, ArchiveFolder

OUTLETS = ("Evening Post", "Wire & Sons", "<b>Bold</b> News")
PLACES = ("Genoa", "Dover", "Kiel", "Bergen", "Orán")
GROUP = 8
"""Headlines of a group; one of each nine is alone."""


def made(path, count, *, shared=False):
    """An archive of so many headlines in a folder; its headlines.

    Groups lie on a grid, the headlines of one in a small disc. The headline of row i ends with `no i`.
    """
    rows = np.arange(count)
    block, inside = rows // (GROUP + 1), rows % (GROUP + 1)
    groups = np.unique(2 * block + (inside == GROUP), return_inverse=True)[1] + 1
    times = pd.Timestamp("2024-05-01", tz="UTC") + pd.to_timedelta(rows * 30 * 86_400 // count, unit="s")
    place = pd.Series(PLACES, dtype=object).to_numpy()[block % len(PLACES)]
    table = pd.DataFrame(
        {
            "headline": [f"Storm {one} closes the harbour of {at}, no {row}" for row, one, at in zip(
                rows.tolist(), block.tolist(), place.tolist(), strict=True)],
            "published": times.astype("datetime64[us, UTC]"),
            "publisher": np.array(OUTLETS, dtype=object)[rows % len(OUTLETS)],
            "url": None,
            "gold_group": None,
        }
    )  # fmt: skip
    side = int(np.ceil(np.sqrt(count / GROUP)))
    middle = np.column_stack([groups % side, groups // side]).astype(np.float32)
    angle = inside * 2.4
    disc = 0.1 * np.sqrt(inside)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    folder = ArchiveFolder(path, {"made": count})
    table.to_parquet(path / HEADLINES, index=False)
    summary = {"headlines": count, "undated": 0, "shared": shared}
    store(folder, groups.astype(np.int64), (middle + disc).astype(np.float32), summary)
    return table
