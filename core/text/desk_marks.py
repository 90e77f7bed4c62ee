"""What desks and agencies put before a text: labels such as "UPDATE 1-", and datelines."""

import re
from functools import lru_cache
from typing import Final

from core.files import read_tables
from core.text.tokens import REMEMBERED

_TABLES: Final = read_tables(__file__)
_LABEL: Final = re.compile(rf"(?:{'|'.join(_TABLES['labels'])})+", re.IGNORECASE)
_TRAILER: Final = re.compile("|".join(_TABLES["trailers"]), re.IGNORECASE)
_STAND_FOR: Final = _TABLES["datelines_stand_for"]
_WRITTEN: Final = re.compile("|".join(_STAND_FOR))
_DATELINES: Final = [_WRITTEN.sub(lambda name: _STAND_FOR[name[0]], line) for line in _TABLES["datelines"]]
_PATTERNS: Final = tuple(map(re.compile, _DATELINES))
_MOST: Final = 3


@lru_cache(maxsize=REMEMBERED)
def label_end(text: str) -> int:
    """How many characters the labels of a desk in front of a headline have: "UPDATE 1-", "+++ EIL +++ "."""
    found = _LABEL.match(text)
    return found.end() if found else 0


def without_trailer(text: str) -> str:
    """A headline without the label of a desk behind it: "(update)", "– live", " | video"."""
    return _TRAILER.sub("", text)


def without_dateline(text: str) -> str:
    """The text from its first sentence on: up to three places, days and agencies are taken off."""
    rest = text.strip()
    for _ in range(_MOST):
        bare = rest.lstrip('"«“ \u00a0')
        dateline = next((match for pattern in _PATTERNS if (match := pattern.match(bare))), None)
        if dateline is None or not any(map(str.isalnum, bare[dateline.end() :])):
            break
        rest = bare[dateline.end() :].strip()
    return rest
