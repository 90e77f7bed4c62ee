"""The words that checks exchange."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core.text.tokens import word_list

GIVEN: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NUMBER_WORDS = word_list(GIVEN["numbers"])


def any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"
