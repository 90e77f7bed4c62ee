"""The codes that let people into a room."""

import re
import secrets
from typing import Final

from core.digests import secret_digest

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"  # of codes: no vowels, so that no code is a word
CODE_LENGTH: Final = 8  # 26 billion codes: nobody guesses one while its room is open


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
