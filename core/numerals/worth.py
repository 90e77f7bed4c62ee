"""What the lights of a check were worth where it was measured."""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from core.results.stored import SHIPPED, newest

NAME: Final = "claims"  # the benchmark
OURS: Final = "the program"
UNSEEN: Final = "unseen writers"


class LightWorth(NamedTuple):
    headlines: int
    green: int
    green_true: int
    red: int
    red_false: int
    found: int
    found_true: int


@cache
def light_worth(folder: Path = SHIPPED) -> LightWorth | None:
    """What the newest stored result says of writers that nothing was fitted on; None where none is."""
    stored = newest(NAME, folder) or {"rows": ()}
    rows = {row["kind"]: row for row in stored["rows"] if (row["system"], row["set"]) == (OURS, UNSEEN)}
    if not {"true", "false"} <= rows.keys():
        return None
    true, false = rows["true"], rows["false"]
    headlines, green, red, found = (true[key] + false[key] for key in ("headlines", "green", "red", "found"))
    return LightWorth(headlines, green, true["green"], red, false["red"], found, true["found"])
