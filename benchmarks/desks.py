"""Who wrote the desk timelines of samples/desks: those who may teach and choose, those who only watch."""

from typing import Final

TEACHING: Final = (
    "amber",
    "birch",
    "cedar",
    "dune",
    "elm",
    "juniper",
    "kelp",
    "larch",
    "laurel",
    "maple",
    "myrtle",
    "nettle",
    "oak",
    "pine",
)
WATCHED: Final = ("fjord", "gorse", "heath", "iris", "jade", "quince", "rowan", "sorrel")
