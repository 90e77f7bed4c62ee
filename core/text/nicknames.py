"""Nicknames that people take: which fit, and which look alike."""

import unicodedata
from typing import Final

from core.errors import InputError
from core.text.normalise import clean_line, judge_key

LONGEST_NICKNAME: Final = 24
_SIGNS: Final = " '’.-_"
_ALIKE: Final = {"LATIN", "CYRILLIC", "GREEK"}  # alphabets that share the looks of letters


def checked_nickname(given: str) -> str:
    """A nickname as it is kept: one line of letters, digits, spaces and ' . - _."""
    line = clean_line(given[:1_000])
    alphabets = {unicodedata.name(sign, "").partition(" ")[0] for sign in line} & _ALIKE
    foreign = any(sign not in _SIGNS and unicodedata.category(sign)[0] not in "LMN" for sign in line)
    said, hint = "", ""
    if not nickname_key(line):
        said, hint = "You have no nickname yet.", "Type a name or initials."
    elif len(line) > LONGEST_NICKNAME:
        said = f"The nickname has {len(line):,} characters; at most {LONGEST_NICKNAME} fit."
        hint = "Give a shorter one."
    elif foreign:
        said = "The nickname has signs that are neither letters nor digits."
        hint = "Use letters, digits, spaces and ' . - _ only."
    elif len(alphabets) > 1:
        said = "The nickname mixes letters of several alphabets, which look alike."
        hint = "Use letters of one alphabet."
    if said:
        raise InputError(said, hint=hint)
    return line


def nickname_key(name: str) -> str:
    """What nicknames that look alike share: case, spaces, widths and accents are ignored."""
    signs = unicodedata.normalize("NFD", judge_key(name))
    # Accents have the classes 1 and 200 to 240; vowel signs, which are letters, have others.
    return "".join(sign for sign in signs if 1 != unicodedata.combining(sign) < 200)
