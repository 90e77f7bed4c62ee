"""The three parts of a set of labelled data."""

from enum import StrEnum


class Part(StrEnum):
    """Models learn from the first, choices are made on the second, figures are read off the third."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
