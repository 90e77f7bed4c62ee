"""The corpus itself: many cases, each of them another one."""

from __future__ import annotations

import hashlib

from tests.hostile.corpus import BY_KIND, FILES, SHAPES, STRINGS


def test_it_has_hundreds_of_cases_and_none_twice() -> None:
    cases = [*FILES.values(), *SHAPES.values()]
    assert len(cases) >= 500
    assert all(len(files) >= 20 for files in BY_KIND.values())
    contents = {(file.name, hashlib.sha256(file.content).digest(), file.megabytes) for file in cases}
    assert len(contents) == len(cases)
    assert len(STRINGS) >= 100
    assert len(set(STRINGS.values())) == len(STRINGS)


def test_each_case_says_what_comes_of_it() -> None:
    for name, file in FILES.items():
        assert bool(file.says) != (file.headlines is not None), name
