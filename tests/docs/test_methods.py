"""docs/methods.md lists every registered method with its kind, and no other."""

import re

from core.files import ROOT
from research.catalogue.catalogue import methods

PAGE = ROOT / "docs/methods.md"
ROW = re.compile(r"^\| `([a-z0-9_.]+)` \| ([a-z ]+) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)


def test_every_method_is_documented_and_no_other():
    rows = [(name, kind) for name, kind, _, _ in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    assert sorted(rows) == sorted((m.signature.partition("|")[0], m.kind) for m in methods())
