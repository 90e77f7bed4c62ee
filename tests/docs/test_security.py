"""Every promise of docs/security.md names tests that exist, and every test of a workshop holds a promise."""

import re

from tests.docs.pages import ROOT

PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
WORKSHOP = ROOT / "tests/hostile/test_workshop.py"


def test_every_promise_has_its_test():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    rows = re.findall(r"^\| (?!promise|mode|---|`)(.+?) \| (.+) \|$", PAGE, re.MULTILINE)
    assert len(rows) > 10
    for promise, held_by in rows:
        names = re.findall(r"`(test_\w+)`", held_by)
        assert names, promise
        for test in names:
            assert f"def {test}(" in tests, test


def test_every_test_of_a_workshop_holds_a_promise():
    for test in re.findall(r"^def (test_\w+)", WORKSHOP.read_text(encoding="utf-8"), re.MULTILINE):
        assert f"`{test}`" in PAGE, test
