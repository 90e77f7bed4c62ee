"""One class name means one thing."""

import re
from collections import Counter

from core.files import ROOT

PRODUCT = ("core", "components", "research", "cli", "headline_lab", "pages")
CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)


def test_no_two_public_classes_share_a_name():
    files = [file for folder in PRODUCT for file in (ROOT / folder).rglob("*.py")]
    names = Counter(name for file in files for name in CLASS.findall(file.read_text(encoding="utf-8")))

    assert len(names) > 500
    assert [name for name, times in names.items() if times > 1] == []
