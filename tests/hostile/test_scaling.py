"""The time of everything that reads a user's text is in proportion to its length, whatever the text.

What is measured follows from signatures and registries, so that new functions and methods are measured, too.
"""

import contextlib

import pytest

from tests.hostile.scaling import SHAPES, STEEPEST, functions_of_text, on_text, steepness, text_of
from tests.hostile.text_functions import NETWORKS, NO_TEXT, READERS, REGISTERED, measured

CALLS = dict(measured())


@pytest.mark.parametrize("name", CALLS)
def test_time_is_in_proportion_to_the_text(name):
    call = CALLS[name]()
    with contextlib.suppress(ValueError):
        call(text_of("short words", 50))  # loads what it needs
    steep = {}
    for shape in SHAPES:
        times = steepness(on_text(call, shape))
        if times > STEEPEST and steepness(on_text(call, shape)) > STEEPEST:
            steep[shape] = times
    assert steep == {}


def test_the_measure_sees_a_square():
    def square(text):
        ends = range(0, len(text), 4)
        return sum(one < other for one in ends for other in ends)

    # A short look that other work slows down makes a square look flatter: three in a row do not.
    assert any(steepness(on_text(square, "one letter")) > STEEPEST for _ in range(3))

    def line(text):
        return [hash(text[end:]) for end in range(20_000)]

    assert steepness(on_text(line, "spaces")) < STEEPEST


def test_what_is_left_out_is_there():
    assert functions_of_text(*READERS).keys() >= NO_TEXT
    assert {name for registry, _ in REGISTERED for name in registry.names()} >= NETWORKS
