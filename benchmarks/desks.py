"""Who wrote the desk timelines of samples/desks that may teach and choose."""

from typing import Final

TEACHING: Final = ("amber", "birch", "cedar", "dune", "elm")
