"""Tables of words that pages show, from words.toml."""

import tomllib
from pathlib import Path
from typing import Any, Final

WORDS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
