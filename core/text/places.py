"""Whether a name in a headline stands as a place: behind "in" or "near", or as one that gazetteers have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from core.text.claims import places, same_name
from core.text.numerals.languages import language_of, tables_of
from core.text.tokens import STOP_WORDS, fold, tokenize, word_list

_SHORTEST: Final = 4  # letters of a place of the gazetteers; shorter ones are words
_ARTICLES: Final = frozenset(
    word_list(
        "the a an der die das dem den einem einer le la les de du un une il lo gli i uno una el los las"
    )
)


@cache
def known_places() -> frozenset[str]:
    """Countries and their parts (ISO 3166, of pycountry) and cities of time zones, in small letters."""
    import pycountry

    names = {zone.rpartition("/")[2].replace("_", " ") for zone in available_timezones() if "/" in zone}
    for part in ("3166-1", "3166-2"):
        table = json.loads((Path(pycountry.DATABASE_DIR) / f"iso{part}.json").read_text(encoding="utf-8"))
        names |= {place["name"].partition(",")[0] for place in table[part]}  # "Taiwan, Province of China"
    return frozenset(name.casefold() for name in names if len(name) >= _SHORTEST)


def is_known_place(text: str) -> bool:
    return text.casefold() in known_places() or same_name(text, people=False) != ""


def stands_as_place(text: str, start: int, end: int, language: str) -> int:
    """1 where the name from `start` to `end` is where something is, -1 where not, 0 where that is open.

    Open is a label ("Essen: …") and an attribute behind "in": "at the Orlando gun show" names a place, "in
    the Apple store" none.
    """
    code, prepositions = _reading(text, language)
    before = text[:start].casefold().split()[-2:]
    if not before and text[end:].lstrip().startswith(":"):
        return 0
    near = before[-1:] if before[-1:] and before[-1] in prepositions else before[:-1]
    direct = bool(near) and (near == before[-1:] or before[-1] in _ARTICLES)
    is_month = fold(text[start:end].rstrip(".")) in tables_of(code).months
    if not direct or near[-1] not in prepositions or is_month:
        return -1
    following = next((token for token in tokenize(text) if token.start >= end), None)
    if following is None or text[end : following.start] != " " or following.number:
        return 0 if text[end : end + 2] in {"'s", "’s"} else 1
    return int(following.stop or following.text.casefold() in STOP_WORDS.get(code, ()))


def _reading(text: str, language: str) -> tuple[str, frozenset[str]]:
    code = language_of(text, doubtful=language)
    return code, places(code)
