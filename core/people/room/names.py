"""Codes and signed tickets that let people in, and nicknames."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Final

from core.errors import InputError
from core.people.ratings import judge_key
from core.text.normalise import clean_line

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Of codes: no vowels, so that no code is a word."""
CODE_LENGTH: Final = 8
"""26 billion codes: nobody guesses one while its room is open, so that no wrong code keeps out the right."""
LONGEST_NICKNAME: Final = 24
_LONGEST_SIGNED: Final = 200
_SIGNS: Final = " '’.-_"
_ALIKE: Final = {"LATIN", "CYRILLIC", "GREEK"}
"""Alphabets that share the looks of letters: a name in one of them cannot be told from a mixture."""


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def later_code(secret: bytes, code: str, door: int) -> str:
    """The code of a later door of a room, which only the server's secret gives."""
    mark = int(_mark(secret, "code", f"{code}.{door}"), 16)
    return "".join(LETTERS[mark // len(LETTERS) ** place % len(LETTERS)] for place in range(CODE_LENGTH))


def signed(secret: bytes, purpose: str, text: str) -> str:
    """A text that nobody without the secret can write, and that is of use for one purpose alone."""
    return f"{text}.{_mark(secret, purpose, text)}"


def read_signed(secret: bytes, purpose: str, given: str) -> str:
    """The text that was signed for a purpose; "" where it was not."""
    text, _, mark = given[:_LONGEST_SIGNED].rpartition(".")
    own = _mark(secret, purpose, text)
    return text if hmac.compare_digest(mark.encode(errors="replace"), own.encode()) else ""


def _mark(secret: bytes, purpose: str, text: str) -> str:
    words = f"{purpose} {text}".encode(errors="replace")
    return hmac.new(secret, words, hashlib.sha256).hexdigest()[:32]


def read_code(given: str) -> str:
    """The code that somebody typed, whatever the case and the spaces; "" where it is none."""
    code = re.sub(r"[\s-]+", "", given[:100]).upper()
    return code if re.fullmatch(f"[{LETTERS}]{{{CODE_LENGTH}}}", code) else ""


def nickname_key(name: str) -> str:
    """What nicknames that look alike share: case, spaces, widths and accents are ignored."""
    signs = unicodedata.normalize("NFD", judge_key(name))
    # Accents have the classes 1 and 200 to 240; vowel signs, which are letters, have others.
    return "".join(sign for sign in signs if 1 != unicodedata.combining(sign) < 200)


def checked_nickname(given: str) -> str:
    """A nickname as it is kept: one line of letters, digits, spaces and ' . - _."""
    line = clean_line(given[:1_000])
    if not nickname_key(line):
        raise InputError("You have no nickname yet.", hint="Type a name or initials.")
    if len(line) > LONGEST_NICKNAME:
        raise InputError(
            f"The nickname has {len(line):,} characters; at most {LONGEST_NICKNAME} fit.",
            hint="Give a shorter one.",
        )
    if any(sign not in _SIGNS and unicodedata.category(sign)[0] not in "LMN" for sign in line):
        raise InputError(
            "The nickname has signs that are neither letters nor digits.",
            hint="Use letters, digits, spaces and ' . - _ only.",
        )
    if len({unicodedata.name(sign, "").partition(" ")[0] for sign in line} & _ALIKE) > 1:
        raise InputError(
            "The nickname mixes letters of several alphabets, which look alike.",
            hint="Use letters of one alphabet.",
        )
    return line
