"""A full stop more or less, another dash, another apostrophe."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks


@checks.register("punctuation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Punctuation:
    """Changes marks that carry no news: the end of the line, dashes, colons and apostrophes."""

    summary: ClassVar[str] = "A full stop more or less, another dash or apostrophe"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One of the changes that apply, drawn; every headline can be given or spared a full stop."""
        text = told.text
        ends = text[:-1].rstrip() if text.endswith((".", "!")) else f"{text}."
        found = [
            ends,
            re.sub(r"\s[-–—]\s", " – " if " - " in text else " - ", text),
            re.sub(r"(?<=\w)'(?=\w)", "’", text) if "’" not in text else text.replace("’", "'"),
            re.sub(r"(?<=[^\W\d]): ", " - ", text, count=1),
        ]
        choices = [changed for changed in found if changed and changed != text]
        return replace(told, text=choices[int(random.integers(len(choices)))]) if choices else None
