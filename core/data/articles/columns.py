"""Which column of a table holds what of an article."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from core.data.timelines import column_names

TEXT: Final = "text"
REFERENCES: Final = "references"
ID: Final = "id"
CLUSTER: Final = "cluster"
NUMBER: Final = "number"
OPERATION: Final = "operation"

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    TEXT: ("text", "article", "news", "body", "content", "document", "article_text", "full_text"),
    REFERENCES: ("references", "reference", "headline_input", "summary", "headline", "title"),
    ID: ("id", "article_id", "url"),
    CLUSTER: ("cluster", "cluster_id", "group", "group_id"),
    NUMBER: ("cloze_gt", "gold_number", "number"),
    OPERATION: ("need_reasoning", "operation"),
}
"""Names of each column, lower case, the best first. NumHG has text and summary, SemEval news and headline.
A table that `headline-lab write` made keeps the headline it was given as headline_input."""

_NUMBERED_REFERENCE: Final = re.compile(r"(?:reference|ref|headline_ref)_?\d{1,2}")


def find_columns(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns of each part of an article; several for references.

    Args:
        columns: The names in the table.

    Returns:
        What was found by name; a part without a column is missing.
    """
    keys: dict[str, str] = {}
    for name in columns:
        keys.setdefault(column_names.key(name), name)
        keys.setdefault(name.strip().casefold(), name)
    found = {
        part: (keys[next(spelling for spelling in spellings if spelling in keys)],)
        for part, spellings in SPELLINGS.items()
        if any(spelling in keys for spelling in spellings)
    }
    several = tuple(dict.fromkeys(keys[key] for key in keys if _NUMBERED_REFERENCE.fullmatch(key)))
    return found | ({REFERENCES: several} if several else {})
