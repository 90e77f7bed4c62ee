"""Datelines: the place, day and agency before the first sentence of an article, which no headline needs."""

from __future__ import annotations

import re
from typing import Final

_MONTH: Final = r"[^\W\d_]{3,9}\.?"
_DASH: Final = r"\s*(?:--|[-–—])\s*"
_CAPITALS: Final = r"[^\W\d_a-zа-яё][^a-zа-яё\n(]{2,40}?"

_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # (Sep 25, 2016  1:28 PM CDT), as newser.com and NumHG write it; (NoneDate) where it is unknown
        r"\((?:NoneDate|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}[^)]{0,30})\)",
        # Москва. 12 ноября. INTERFAX.RU -
        rf"[А-ЯЁ][\w -]{{2,30}}\. \d{{1,2}} {_MONTH} INTERFAX(?:\.RU)?{_DASH}",
        rf"[А-ЯЁ][\w -]{{2,30}}\. \d{{1,2}} [а-я]{{3,9}}\. INTERFAX(?:\.RU)?{_DASH}",
        # РИАМО - 15 ноя.
        rf"РИАМО{_DASH}\d{{1,2}} {_MONTH}",
        # МОСКВА, 25 мая. /ТАСС/.
        rf"{_CAPITALS}, \d{{1,2}} {_MONTH} ?/[^/\n]{{2,40}}/\.?",
        # МОСКВА, 14 ноя — РИА Новости, Елизавета Исакова.
        rf"{_CAPITALS}, \d{{1,2}} {_MONTH}{_DASH}[А-ЯЁA-Z][^.\n]{{1,60}}\.",
        # МОСКВА, 25 мая (Рейтер) -
        rf"{_CAPITALS}, \d{{1,2}} {_MONTH} ?\([^)\n]{{2,30}}\){_DASH}",
        # НЬЮ-ЙОРК, 17 мая, ФедералПресс.
        rf"{_CAPITALS}, \d{{1,2}} {_MONTH}, ?[А-ЯЁ]\w*[А-ЯЁ]\w*\.",
        # (ANSA) - ROMA, 04 GIU -
        rf"\(\w[\w./ ]{{1,20}}\){_DASH}{_CAPITALS}, \d{{1,2}} {_MONTH}{_DASH}",
        # TOKYO (Nov 14):
        rf"{_CAPITALS} \({_MONTH} \d{{1,2}}\):",
        # DES MOINES, Iowa (AP) -; NEW DELHI, Nov 7 (PTI) —; ROMA (AP) –; London (CNN) —
        rf"(?:{_CAPITALS}|[A-Z][\w .'’-]{{2,30}})(?:, [^(\n]{{2,30}})? ?\([A-Z][^)\n]{{1,30}}\){_DASH}",
        # PARIS, Nov 1 —; MILANO, 3 mag. -
        rf"{_CAPITALS}, (?:{_MONTH} \d{{1,2}}|\d{{1,2}}º? {_MONTH}){_DASH}",
        # TUCSON, Ariz. --; OTTAWA --
        r"[A-Z]{2}[A-Z .'’-]{1,30}(?:, [A-Z][^\W\d_. ]{1,20}\.?)? (?:--|[–—]|-(?= ))\s*",
        # (Reuters) -
        rf"\([A-Z][\w./ ]{{1,20}}\){_DASH}",
        # /ТАСС/.
        r"/[А-ЯЁA-Z][^/\n]{1,20}/\.?",
    )
)
_MOST: Final = 3


def without_dateline(text: str) -> str:
    """The text from its first sentence on.

    Place, day and agency are taken off as news agencies write them in English, Russian and Italian, up to
    three after each other ("(Nov 7, 2019  2:00 PM) WASHINGTON (AP) — …"). An article that is nothing but a
    dateline keeps it.
    """
    rest = text.strip()
    for _ in range(_MOST):
        bare = rest.lstrip('"«“ \u00a0')
        found = next((match for pattern in _PATTERNS if (match := pattern.match(bare))), None)
        if found is None or not any(map(str.isalnum, bare[found.end() :])):
            break
        rest = bare[found.end() :].strip()
    return rest
