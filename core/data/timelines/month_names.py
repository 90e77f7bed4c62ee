"""Words that stand in dates: months in English, Russian and Italian, zones, and words to pass over."""

from __future__ import annotations

_ENGLISH = "january february march april may june july august september october november december"
_ITALIAN = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
_RUSSIAN = "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"
_RUSSIAN_OF = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"


def _all_months() -> dict[str, int]:
    names = {"sept": 9, "сент": 9, "нояб": 11, "февр": 2}
    for language in (_ENGLISH, _ITALIAN, _RUSSIAN, _RUSSIAN_OF):
        for number, name in enumerate(language.split(), 1):
            names[name] = number
            names.setdefault(name[:3], number)
    return names


MONTHS: dict[str, int] = _all_months()
"""Month number of a casefolded name or its first three letters."""

ZONES: dict[str, float] = {
    "z": 0,
    "utc": 0,
    "gmt": 0,
    "wet": 0,
    "bst": 1,
    "cet": 1,
    "west": 1,
    "cest": 2,
    "eet": 2,
    "eest": 3,
    "msk": 3,
    "мск": 3,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    "akst": -9,
    "akdt": -8,
    "hst": -10,
    "jst": 9,
    "aest": 10,
    "aedt": 11,
}
"""Hours east of UTC. Where a name has several meanings the newsroom one is taken (BST is British
summer time, CST is North American); IST, which has three, is left out on purpose."""

_IGNORED = (
    "at on of the de di del alle ore il st nd rd th г года в mon tue wed thu fri sat sun monday tuesday "
    "wednesday thursday friday saturday sunday lun mar mer gio ven sab dom lunedì martedì mercoledì giovedì "
    "venerdì sabato domenica пн вт ср чт пт сб вс понедельник вторник среда среду четверг пятница пятницу "
    "суббота субботу воскресенье tues weds thur thurs"
)
IGNORED_WORDS: frozenset[str] = frozenset(_IGNORED.split())
"""Words that a date may hold without changing it: weekdays, prepositions, ordinals."""
