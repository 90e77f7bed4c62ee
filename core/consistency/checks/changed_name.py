"""The same news about somebody else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks
from core.text.names import find_names

_TRIES = 50


@checks.register("changed_name.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedName:
    """Puts a name from another headline of the timeline in the place of one."""

    summary: ClassVar[str] = "A name exchanged for another of the timeline"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One name exchanged, drawn; None where the headline or the timeline has none to give."""
        own = find_names(told.text, known=material.names)
        if not own:
            return None
        name = own[int(random.integers(len(own)))]
        held = {token.form for token in own}
        for _ in range(_TRIES):
            donor = material.headlines[int(random.integers(len(material.headlines)))]
            others = [
                token
                for token in find_names(donor.text, known=material.names)
                if token.form not in held and token.acronym == name.acronym
            ]
            if others:
                other = others[int(random.integers(len(others)))].text
                return replace(told, text=told.text[: name.start] + other + told.text[name.end :])
        return None
