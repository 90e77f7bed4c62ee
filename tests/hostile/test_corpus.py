"""The corpus itself: each case is another one, and says what comes of it."""

import hashlib

from tests.hostile.corpus import FILES, SHAPES, STRINGS


def test_no_case_stands_twice():
    cases = [*FILES.values(), *SHAPES.values()]
    contents = {(file.name, hashlib.sha256(file.content).digest(), file.megabytes) for file in cases}
    assert len(contents) == len(cases)
    assert len(set(STRINGS.values())) == len(STRINGS)


def test_each_case_says_what_comes_of_it():
    for name, file in FILES.items():
        assert bool(file.says) != (file.headlines is not None), name
