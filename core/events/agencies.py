"""Which news agency a report comes from: by its headline, its outlet or its address."""

import re
from collections.abc import Sequence
from typing import Final

from core.files import read_tables
from core.text.reading import reads

_AGENCIES: Final[dict[str, str]] = read_tables(__file__)
_CREDIT: Final = {  # an agency that is credited, not one that a headline is about
    name: re.compile(
        rf"\((?:[^()]*\W)?(?:{words})(?:\W[^()]*)?\)|^(?:{words})\s*[-–—:|]"
        rf"|(?:(?:^|\s)[-–—|]|,\s*(?:avec|mit|with|con|с))\s*(?:{words})\s*$"
    )
    for name, words in _AGENCIES.items()
}
_AGENCY_OUTLET: Final = {  # the agency itself, or one of its editions
    name: re.compile(rf"(?:{words})(?:\.com| \w+)?", re.IGNORECASE) for name, words in _AGENCIES.items()
}
_ADDRESS: Final = {  # ".../news/afp/140311/..."
    name: re.compile(rf"[/.-](?:{words})(?:/|\.\w+/)", re.IGNORECASE) for name, words in _AGENCIES.items()
}
_BEGINNING: Final = 200  # characters of an article in which it credits an agency


def by_agency(
    texts: Sequence[str], rows: Sequence[int], bodies: Sequence[str], outlets: Sequence[str | None],
    links: Sequence[str],
) -> dict[str, list[int]]:  # fmt: skip
    """Places in `rows` of the reports that come from each agency."""
    places: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        begun = f"{texts[row]}\n{bodies[row][:_BEGINNING]}" if bodies else texts[row]
        for name in _AGENCIES:
            named = _CREDIT[name].search(begun) or (links and _ADDRESS[name].search(links[row]))
            if named or (outlets and _AGENCY_OUTLET[name].fullmatch(outlets[row] or "")):
                places.setdefault(name, []).append(at)
    return places


@reads("credit", str)
def without_credit(text: str) -> str:
    """A headline with spaces where it credits an agency: each letter stays in its place."""
    for credit in _CREDIT.values():
        text = credit.sub(lambda match: " " * len(match[0]), text)
    return text
