"""Who wrote the desk timelines of samples/desks: those who may teach and choose, those who only watch."""

from typing import Final

TEACHING: Final = ("amber", "birch", "cedar", "dune", "elm")
WATCHED: Final = ("fjord", "gorse", "heath", "iris", "jade")
