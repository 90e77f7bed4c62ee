"""The same news from another place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks
from core.text.tokens import word_list

PLACES = tuple(
    word_list(kind)
    for kind in (
        """Afghanistan Argentina Australia Austria Belgium Brazil Britain Canada Chile China Colombia Cuba
        Denmark Egypt Ethiopia Finland France Germany Greece Haiti Hungary India Indonesia Iran Iraq Ireland
        Israel Italy Japan Jordan Kenya Lebanon Libya Malaysia Mexico Morocco Nepal Netherlands Nigeria Norway
        Pakistan Peru Philippines Poland Portugal Romania Russia Somalia Spain Sudan Sweden Switzerland Syria
        Taiwan Thailand Turkey Uganda Ukraine Venezuela Vietnam Yemen Zimbabwe""",
        """Amsterdam Athens Baghdad Bangkok Barcelona Beijing Berlin Boston Brussels Budapest Cairo Chicago
        Dallas Delhi Denver Detroit Dublin Houston Istanbul Jakarta Jerusalem Johannesburg Kabul Kiev Lagos
        Lima Lisbon London Madrid Manchester Manila Melbourne Miami Moscow Mumbai Munich Nairobi Oslo Paris
        Philadelphia Phoenix Prague Rome Seattle Seoul Shanghai Singapore Stockholm Sydney Tehran Tokyo
        Toronto Vienna Warsaw""",
        """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho
        Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota
        Mississippi Missouri Montana Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah
        Vermont Virginia Wisconsin Wyoming""",
        "Africa Asia Europe Antarctica",
        "Mars Venus Jupiter Saturn Mercury Neptune",
    )
)
"""Countries, cities, states of the USA, continents and planets: a place is exchanged for one of its kind."""

_KIND = {place: kind for kind in PLACES for place in kind}
_WRITTEN = re.compile(r"\b(?:" + "|".join(_KIND) + r")\b")


@checks.register("changed_place.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedPlace:
    """Puts another country, city or state in the place of one that the headline names, wherever it stands."""

    summary: ClassVar[str] = "Another country, city or state"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One place exchanged, drawn; None where the headline names no place of the list."""
        found = list(dict.fromkeys(_WRITTEN.findall(told.text)))
        if not found:
            return None
        place = found[int(random.integers(len(found)))]
        others = [other for other in _KIND[place] if other not in found]
        other = others[int(random.integers(len(others)))]
        return replace(told, text=re.sub(rf"\b{place}\b", other, told.text))
