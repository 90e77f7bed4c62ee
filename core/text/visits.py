"""Parameters of web addresses that count visitors or choose a layout: they do not say which page is meant."""

import re
from typing import Final

from core.files import read_tables

VISITS: Final = re.compile(
    "(?:amp;)?(?:"
    + "|".join(re.escape(name).replace(r"\-", r"\w*") for name in read_tables(__file__)["names"].split())
    + ")",
    re.IGNORECASE,
)
