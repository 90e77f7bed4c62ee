"""Codes that open a room, tokens that say who somebody is, nicknames, and a limit on guessing."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
import unicodedata
from collections import deque
from collections.abc import Callable
from typing import Final

from core.errors import InputError
from core.people.ratings import judge_key
from core.text.normalise import clean_line

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Of codes: no vowels, so that no code is a word; 64 million codes of six."""
CODE_LENGTH: Final = 6
LONGEST_NICKNAME: Final = 24
LONGEST_TOKEN_TEXT: Final = 200
"""Characters of what is compared with the tokens at most."""
_BYTES: Final = 32
_KEPT_KEYS: Final = 10_000
_SIGNS: Final = " '’.-_"
_ALIKE: Final = {"LATIN", "CYRILLIC", "GREEK"}
"""Alphabets that share the looks of letters: a name in one of them cannot be told from a mixture."""


def new_code() -> str:
    """Six letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_code(given: str) -> str:
    """The code that somebody typed, whatever the case and the spaces; "" where it is none."""
    code = re.sub(r"[\s-]+", "", given[:100]).upper()
    return code if re.fullmatch(f"[{LETTERS}]{{{CODE_LENGTH}}}", code) else ""


def new_token() -> str:
    """256 random bits, as text."""
    return secrets.token_urlsafe(_BYTES)


def token_digest(token: str) -> str:
    """What is stored of a token. It cannot be guessed, so a plain hash is enough."""
    return hashlib.sha256(token[:LONGEST_TOKEN_TEXT].encode("utf-8", errors="replace")).hexdigest()


def checked_nickname(given: str) -> str:
    """A nickname as it is kept: one line of letters, digits, spaces and ' . - _.

    Raises:
        InputError: It is empty, too long, has other signs or mixes alphabets.
    """
    line = clean_line(given[:1_000])
    if not judge_key(line):
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


class CodeGuard:
    """Counts wrong codes by who typed them; past so many in a minute none is looked up any more.

    Args:
        now: Seconds that only grow.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, *, seconds: float = 60.0) -> None:
        self._now, self._seconds = now, seconds
        self._wrong: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def blocked(self, key: str, most: int) -> bool:
        """Whether who has this key typed `most` wrong codes within the last minute."""
        with self._lock:
            return len(self._recent(key)) >= most

    def wrong(self, key: str) -> None:
        """Counts a wrong code."""
        with self._lock:
            recent = self._recent(key)
            recent.append(self._now())
            self._wrong.pop(key, None)
            self._wrong[key] = recent
            while len(self._wrong) > _KEPT_KEYS:
                del self._wrong[next(iter(self._wrong))]

    def _recent(self, key: str) -> deque[float]:
        found = self._wrong.get(key, deque())
        while found and found[0] <= self._now() - self._seconds:
            found.popleft()
        return found
