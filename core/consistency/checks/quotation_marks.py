"""Quotation marks left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks

_DOUBLE = re.compile('["“”„«»]')
_SINGLE = re.compile(r"(?<!\w)['‘](?=\w)([^'‘’]+)['’](?!\w)")


@checks.register("quotation_marks.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class QuotationMarks:
    """Drops the quotation marks of a headline; apostrophes stay."""

    summary: ClassVar[str] = "Quotation marks left out"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """Without quotation marks; None where there are none."""
        bare = " ".join(_SINGLE.sub(r"\1", _DOUBLE.sub("", told.text)).split())
        return replace(told, text=bare) if bare and bare != told.text else None
