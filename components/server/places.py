"""The scripts of pages, those of plugins too, by their addresses."""

import re
from functools import cache

from core.files import SCRIPTS
from core.plugin_files import page_scripts


def pages() -> list[str]:
    return [*_own_pages(), *page_scripts()]


def script_of(place: str) -> str:
    return str(page_scripts().get(place, f"pages/{place}.py"))


@cache
def _own_pages() -> list[str]:
    menu = (SCRIPTS / "menu.py").read_text(encoding="utf-8")
    return re.findall(r'st\.Page\("pages/(\w+)\.py"', menu)
