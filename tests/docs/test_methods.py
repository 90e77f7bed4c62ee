"""docs/methods.md lists every registered method under its kind, and no other."""

import re

from core.catalogue import methods
from core.files import ROOT

PAGE = ROOT / "docs/methods.md"
ROW = re.compile(r"^- `([a-z0-9_.]+)`(?:: |$)", re.MULTILINE)


def test_every_method_is_documented_and_no_other() -> None:
    sections = re.split(r"^## (.+)s$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    rows = [
        (name, kind.lower())
        for kind, text in zip(sections[::2], sections[1::2], strict=True)
        for name in ROW.findall(text)
    ]
    assert sorted(rows) == sorted((m.signature.partition("|")[0], m.kind) for m in methods())
