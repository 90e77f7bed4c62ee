"""The codes that let people into a room, and the nicknames that they take there."""

import re
import secrets
import unicodedata
from typing import Final

from core.digests import secret_digest
from core.errors import InputError
from core.text.normalise import clean_line, judge_key

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"  # of codes: no vowels, so that no code is a word
CODE_LENGTH: Final = 8  # 26 billion codes: nobody guesses one while its room is open
LONGEST_NICKNAME: Final = 24
_SIGNS: Final = " '’.-_"
_ALIKE: Final = {"LATIN", "CYRILLIC", "GREEK"}  # alphabets that share the looks of letters


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def later_code(secret: bytes, code: str, door: int) -> str:
    """The code of a later door of a room, which only the server's secret gives."""
    mark = int(secret_digest(secret, "code", f"{code}.{door}"), 16)
    return "".join(LETTERS[mark // len(LETTERS) ** place % len(LETTERS)] for place in range(CODE_LENGTH))


def read_code(given: str) -> str:
    """The code that somebody typed, whatever the case and the spaces; "" where it is none."""
    code = re.sub(r"[\s-]+", "", given[:100]).upper()
    return code if re.fullmatch(f"[{LETTERS}]{{{CODE_LENGTH}}}", code) else ""


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
