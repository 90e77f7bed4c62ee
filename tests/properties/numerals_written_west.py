"""Numbers in German and French words."""

from __future__ import annotations

from typing import Final

from core.text.tokens import word_list

_GERMAN: Final = word_list(
    """null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn"""
)
_GERMAN_TENS: Final = word_list("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_GERMAN_ORDINALS: Final = {1: "erste", 3: "dritte", 7: "siebte", 8: "achte"}
_FRENCH: Final = word_list(
    """zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    dix-huit dix-neuf"""
)
_FRENCH_TENS: Final = word_list("vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")


def german(value: int) -> str:
    """A whole number below 10¹² in German words."""
    if value < 1_000_000:
        return _german_together(value)
    for size, one, many in (
        (10**9, "eine Milliarde", "Milliarden"),
        (10**6, "eine Million", "Millionen"),
    ):
        if value >= size:
            count, rest = divmod(value, size)
            head = one if count == 1 else f"{_german_together(count)} {many}"
            return f"{head} {german(rest)}" if rest else head
    return ""


def _german_together(value: int) -> str:
    if value < 20:
        return _GERMAN[value]
    if value < 100:
        tens, unit = _GERMAN_TENS[value // 10 - 2], value % 10
        return f"{_inside(unit)}und{tens}" if unit else tens
    size, name = (1_000, "tausend") if value >= 1_000 else (100, "hundert")
    count, rest = divmod(value, size)
    return f"{_inside(count)}{name}{_german_together(rest) if rest else ''}"


def _inside(value: int) -> str:
    """A number before others in one word: "ein" for "eins"."""
    return _german_together(value).removesuffix("s") if value % 100 == 1 else _german_together(value)


def german_ordinal(value: int) -> str:
    """An ordinal below 1,000 in German words, after "der"."""
    below = value % 100
    head = _german_together(value - below) if value >= 100 else ""
    if not below:
        return f"{head}ste"
    return head + (_GERMAN_ORDINALS.get(below) or f"{_german_together(below)}{'te' if below < 20 else 'ste'}")


def french(value: int) -> str:
    """A whole number below 10¹² in French words."""
    if value < 100:
        return _french_below_hundred(value)
    for size, name in ((10**9, "milliard"), (10**6, "million")):
        if value >= size:
            count, rest = divmod(value, size)
            head = f"{french(count)} {name}{'s' if count > 1 else ''}"
            return f"{head} {french(rest)}" if rest else head
    size, name = (1_000, "mille") if value >= 1_000 else (100, "cent")
    count, rest = divmod(value, size)
    head = (
        name if count == 1 else f"{french(count).removesuffix('s') if count == 80 else french(count)} {name}"
    )
    if size == 100 and count > 1 and not rest:
        return f"{head}s"
    return f"{head} {french(rest)}" if rest else head


def _french_below_hundred(value: int) -> str:
    if value < 20:
        return _FRENCH[value]
    tens = _FRENCH_TENS[value // 10 - 2]
    rest = value - (value // 20 * 20 if value >= 60 else value // 10 * 10)
    if not rest:
        return "quatre-vingts" if value == 80 else tens
    link = " et " if rest in (1, 11) and value < 80 else "-"
    return f"{tens}{link}{_FRENCH[rest]}"


def french_ordinal(value: int) -> str:
    """An ordinal below 1,000 in French words, in the masculine."""
    if value == 1:
        return "premier"
    cardinal = french(value)
    if cardinal.endswith(("quatre-vingts", "cents")):
        cardinal = cardinal[:-1]
    for last, ordinal in (("cinq", "cinquième"), ("neuf", "neuvième")):
        if cardinal.endswith(last):
            return cardinal.removesuffix(last) + ordinal
    return f"{cardinal.removesuffix('e')}ième"
