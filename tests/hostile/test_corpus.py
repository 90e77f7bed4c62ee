"""The corpus itself: each case is another one, and says what comes of it."""

from tests.hostile.corpus import FILES


def test_each_case_says_what_comes_of_it():
    for name, file in FILES.items():
        assert bool(file.says) != (file.headlines is not None), name
