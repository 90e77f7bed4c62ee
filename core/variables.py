"""Every variable of the environment that the program reads, and those that look like one and are none."""

import os
from difflib import get_close_matches
from typing import Final

from core import files, limits

OURS: Final = "HEADLINE_LAB_"
_ALIKE: Final = 0.8  # share of signs from which a name is another's, misspelt


def variables() -> dict[str, str]:
    """What each variable of the environment is for; of a limit its unit."""
    return files.read_tables(__file__) | {limit.variable: f"limit in {limit.unit}" for limit in limits.ALL}


def unknown() -> dict[str, str]:
    """Variables of our beginning that nothing reads, by name, with the one that is meant; "" for none."""
    known = [name.removeprefix(OURS) for name in variables()]
    names = sorted(name.removeprefix(OURS) for name in os.environ if name.startswith(OURS))
    close = {name: get_close_matches(name, known, 1, _ALIKE) for name in names if name not in known}
    return {OURS + name: OURS + found[0] if found else "" for name, found in close.items()}
