"""Which entries this version reads."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from core.files import read_tables
from core.results.render import count_words
from core.runtime import user_folder

FIRST_ANSWERS: Final = "evaluations"
"""A folder of 20 November 2026: its answers name articles and systems, and no headline."""
_KINDS: Final = {
    re.compile(name): frozenset(kinds) for name, kinds in read_tables(__file__)["streams"].items()
}


@cache
def _kinds(stream: str) -> frozenset[str] | None:
    return next((kinds for pattern, kinds in _KINDS.items() if pattern.fullmatch(stream)), None)


def unread(counts: Iterable[tuple[str, str, int]]) -> list[str]:
    """A sentence for each stream with entries (counted by kind) that nothing reads, and for older files."""
    strange = Counter[str]()
    for stream, kind, count in counts:
        kinds = _kinds(stream)
        if kinds is None or (kinds and kind not in kinds):
            strange[stream] += count
    said = [
        f"Nothing in this version reads {count_words(count, 'entry', 'entries')} of {stream!r}; they stay "
        "as they are."
        for stream, count in sorted(strange.items())
    ]
    folder: Path = user_folder() / FIRST_ANSWERS
    if files := len(list(folder.glob("*/*.jsonl"))):
        said.append(
            f"{count_words(files, 'file', 'files')} of answers in {folder} cannot be read: they "
            "hold no headlines, so they are not found again."
        )
    return said
