"""Hostile strings in the text fields of the pages: no exception, and nothing drawn of them is alive."""

from dataclasses import dataclass

import pytest

from tests.hostile.corpus import STRINGS
from tests.hostile.running import settled
from tests.hostile.sentences import faults_of_page
from tests.hostile.test_drawn import markdown_is_harmless
from tests.pages.opening import opened


@dataclass(frozen=True)
class Place:
    """Where text fields are.

    Attributes:
        page: Name of the page.
        fields: Keys of its text fields; all are filled with the same string.
        switch: Key of the control that brings them, and its option; None where they are there.
        go: Key or label of the button that takes the text; "" where leaving the field does.
        every: Only each so-manieth string of the corpus.
    """

    page: str
    fields: tuple[str, ...]
    switch: tuple[str, str] | None = None
    go: str = ""
    every: int = 1


PLACES = {
    "search of headlines": Place("map", ("filter-words",), every=2),
    "search of pairs": Place("pair_sets", ("pair-words",), every=4),
    "search of articles": Place("compare", ("compare-search",), every=4),
    "pasted headlines": Place("open", ("pasted",)),
    "a pasted article": Place("write", ("write-pasted",), ("write-source", "A pasted article"), every=4),
    "an own article and headline": Place(
        "numerals",
        ("numerals-own-article", "numerals-own-headlines"),
        ("numerals-shown", "Your text"),
        "numerals-own-go",
        every=4,
    ),
    "a judge": Place("evaluate", ("evaluate-judge",), every=4),
    "an own case": Place(
        "consistency", ("lab-case-a", "lab-case-b"), ("lab-shown", "Small changes"), "Add this case", every=16
    ),
    "a model": Place(
        "consistency", ("pick-scorer-finetuned_time.v1-model", "pick-scorer-finetuned_time.v1-base"), every=4
    ),
}


def brought(place):
    """The page with its text fields."""
    app = opened(place.page)
    if place.switch:
        key, option = place.switch
        app.segmented_control(key=key).set_value(option)
        settled(app)
    return app


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(
            place, id=name, marks=[pytest.mark.slow] if name in ("an own case", "a judge", "a model") else []
        )
        for name, place in PLACES.items()
    ],
)
def test_any_string_in_a_text_field(place):
    app = brought(place)
    wrong = {}
    for name, text in list(STRINGS.items())[:: place.every]:
        fields = {one.key: one for one in [*app.text_input, *app.text_area]}
        if not fields.keys() >= set(place.fields):  # what was taken stands in their place
            app = brought(place)
            fields = {one.key: one for one in [*app.text_input, *app.text_area]}
        for key in place.fields:
            fields[key].set_value(text)
        if place.go:
            next(one for one in app.button if place.go in (one.key, one.label)).click()
        settled(app)
        found = faults_of_page(app)
        try:
            markdown_is_harmless(app)
        except AssertionError as alive:
            found.append(str(alive))
        if found:
            wrong[name] = found
    assert wrong == {}
