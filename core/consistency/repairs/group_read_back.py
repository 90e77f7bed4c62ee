"""The groups of a grouping method, read back as decisions about pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.consistency.repairs.repair import Repair, RepairInput, averaged, from_labels, repairs
from core.errors import InputError
from core.runtime import Runtime


@repairs.register("group_read_back.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GroupReadBack:
    """Two headlines are linked where the chosen grouping puts them together: transitive by construction."""

    summary: ClassVar[str] = "The chosen grouping decides: linked is what shares a group"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = True

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Reads the groups back.

        Raises:
            InputError: There are no groups, or not one a headline.
        """
        if given.groups is None or len(given.groups) != len(given.scores):
            raise InputError(
                "This repair needs the group of every headline.",
                hint="Choose a grouping method, or another repair.",
            )
        return from_labels(given.scores, averaged(given.scores), given.groups)
