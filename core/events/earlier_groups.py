"""Group numbers of an earlier version of a timeline, which the same groups keep."""

import re
from typing import Final

from core.data.identity import SHARED
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.grouping import Prepared, headline_keys, regroup

_GROUP_NUMBER: Final = re.compile(r"0*[1-9][0-9]{0,14}")  # what int64 holds, with room for new groups


def extends(later: Timeline, earlier: Timeline) -> bool:
    """Whether a timeline is a later version of another: it holds at least half of its headlines."""
    before = set(headline_keys(earlier))
    return len(before & set(headline_keys(later))) >= SHARED * len(before)


def group_numbers(prepared: Prepared) -> dict[str, int]:
    """Group number of each headline where the slider starts, by `headline_keys`."""
    ids = regroup(prepared).ids.tolist()
    return dict(zip(headline_keys(prepared.timeline), ids, strict=True))


def written_numbers(earlier: Timeline) -> dict[str, int]:
    """Group numbers from a table that was written before: its column `group`."""
    if "group" not in earlier.original.columns:
        message = "The earlier table has no column 'group'."
        raise InputError(message, hint="Give a CSV that was exported (with group --out).")
    values = [str(value) for value in earlier.original["group"]]
    if not all(_GROUP_NUMBER.fullmatch(value) for value in values):
        message = "The column 'group' of the earlier table holds something other than group numbers."
        raise InputError(message, hint="Give a CSV that was exported (with group --out).")
    return dict(zip(headline_keys(earlier), map(int, values), strict=True))
