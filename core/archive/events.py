"""The groups of an archive as a table of events, and its summary."""

import json
from typing import TYPE_CHECKING, Any, Final

from core import files
from core.archive.folder import EVENTS, GROUPS, SUMMARY, ArchiveFolder
from core.archive.points import POINTS, drawing_order, packed
from core.arrays import Float32Array, IntArray
from core.data.timelines.timeline import Field
from core.groups.quality import quality

if TYPE_CHECKING:
    import pandas as pd

PLACES: Final = "places"
MATCH: Final = ("ami", "ari", "pair_f1", "pair_precision", "pair_recall", "bcubed_f1")  # with gold groups
_REPEATED: Final = 4  # groups in which a headline is boilerplate, and names none of them
Summary = dict[str, Any]


def store(folder: ArchiveFolder, groups: IntArray, places: Float32Array, summary: Summary) -> Summary:
    """Writes what others read of an archive; until the summary is written it counts as not finished."""
    files.remove(folder.path / SUMMARY)
    folder.write(GROUPS, groups)
    folder.write(PLACES, places)
    events = _events(folder, groups)
    with files.beside(folder.path / EVENTS) as partial:
        events.to_parquet(partial, index=False)
    order = drawing_order(groups, events["group"].to_numpy())
    points = packed(places[order], events["headlines"].to_numpy()[::-1])
    files.write(folder.path / POINTS, points)
    alone = int((events["headlines"] == 1).sum())
    body = {**summary, "groups": len(events), "alone": alone}
    gold = folder.headlines(Field.GOLD)[0]
    if not gold.null_count:
        rates = quality(groups, gold.combine_chunks().dictionary_encode().indices.to_numpy())
        body |= {name: round(rates[name].value or 0.0, 4) for name in MATCH}
    files.write(folder.path / SUMMARY, json.dumps(body, indent=1).encode() + b"\n")
    return body


def _events(folder: ArchiveFolder, groups: IntArray) -> "pd.DataFrame":
    import pandas as pd

    table = folder.headlines(Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER)
    outlets = table[Field.PUBLISHER.value].cast("string").combine_chunks().dictionary_encode()
    published = table[Field.PUBLISHED.value].to_pandas()
    frame = pd.DataFrame({"group": groups, "published": published, "outlet": outlets.indices.to_pandas()})
    frame = frame.groupby("group", sort=True).agg(
        headlines=("group", "size"),
        outlets=("outlet", "nunique"),
        first=("published", "min"),
        last=("published", "max"),
    )
    texts = pd.DataFrame({"group": groups, "title": table[Field.HEADLINE.value].to_pandas().astype("str")})
    # The first headline that is no boilerplate: no "Share this on:", nor what many groups repeat.
    repeated = texts.groupby("title")["group"].nunique() >= _REPEATED
    texts["poor"] = texts["title"].str.rstrip().str.endswith(":") | texts["title"].map(repeated)
    titles = texts.sort_values("poor", kind="stable").groupby("group", sort=True)["title"].first()
    frame.insert(0, "title", titles.to_numpy())
    return frame.reset_index().sort_values(["headlines", "group"], ascending=[False, True], ignore_index=True)
