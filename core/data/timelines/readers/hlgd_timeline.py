"""HLGD's annotated timelines: one row a headline, five annotators' groups and the merged one.

Source: Laban et al. 2021, "News Headline Grouping as a Challenging NLU Task", section 3.
"""

from __future__ import annotations

from dataclasses import replace

from core.data.timelines import column_names
from core.data.timelines.raw import Layout, RawTable
from core.data.timelines.timeline import Field

_OPTIONAL = {
    "date": Field.PUBLISHED,
    "url": Field.URL,
    "source": Field.PUBLISHER,
    "authors": Field.AUTHORS,
}
_TIMELINE = ("timeline", "timeline_id")


def _keys(table: RawTable) -> dict[str, str]:
    return {column_names.key(name): name for name in table.columns}


def _recognises(table: RawTable) -> bool:
    return set(FORMAT.columns) <= set(_keys(table)) and any(map(column_names.is_annotator, table.columns))


def _arrange(table: RawTable) -> RawTable:
    keys = _keys(table)
    annotators = tuple(sorted(filter(column_names.is_annotator, table.columns), key=_number))
    mapping = {
        Field.HEADLINE: (keys["headline"],),
        Field.GOLD: (keys["global_group"],),
        Field.ANNOTATOR: annotators,
        **{field: (keys[key],) for key, field in _OPTIONAL.items() if key in keys},
    }
    several = next((keys[key] for key in _TIMELINE if key in keys), "")
    return replace(table, mapping=mapping, timeline_column=several)


def _number(name: str) -> int:
    return int("".join(filter(str.isdigit, name)))


FORMAT = Layout("hlgd_timeline", "HLGD timeline", ("headline", "global_group"), _recognises, _arrange)
