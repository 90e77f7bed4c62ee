"""Parameters of web addresses that count visitors or choose a layout: they do not say which page is meant."""

import re
from typing import Final

from core.files import read_tables

_NAMES: Final = map(re.escape, read_tables(__file__)["names"].split())
_ANY: Final = "|".join(name.replace(r"\-", r"\w*") for name in _NAMES)
VISITS: Final = re.compile(f"(?:amp;)?(?:{_ANY})", re.IGNORECASE)
