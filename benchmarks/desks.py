"""Who wrote the desk timelines of samples/desks: those who may teach and choose, those who only watch."""

from typing import Final

TEACHING: Final = (
    "amber",
    "birch",
    "cedar",
    "dune",
    "elm",
    "kelp",
    "larch",
    "maple",
    "nettle",
    "oak",
    "pine",
)
SEVERAL_LANGUAGES: Final = ("juniper", "laurel", "myrtle")  # they teach the trees for these
WATCHED: Final = ("fjord", "gorse", "heath", "iris", "jade", "quince", "rowan", "sorrel")
