"""What a page shows goes into its address and comes back from it, value by value."""

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from components.archive.state import ARCHIVE
from components.compare import state as compare
from components.consistency import state as consistency
from components.evaluate import state as evaluate
from components.numerals import state as numerals
from components.page_state import SCREEN
from components.timeline import state as timeline

CHOSEN = {
    SCREEN: {"large": True},
    timeline._state: {
        "data": "file-0123456789abcdef",
        "since": "file-fedcba9876543210",
        "encoder": "use_multilingual.v1",
        "scorer": "cosine_time.v1|tau_days:3.5",
        "method": "leiden.v1",
        "granularity": 0.25,
        "first": date(2024, 5, 1),
        "last": date(2024, 5, 7),
        "map": "principal_components.v1",
        "fold": True,
        "colour": "date",
        "group": 7,
        "rows": (1, 5, 12),
    },
    compare._state: {
        "shown": "scores",
        "articles": "sample:other",
        "systems": ("0123456789abcdef", "fedcba9876543210"),
        "article": "a 1, & 2",
        "blind": True,
        "search": "rate=rise",
        "sort": "rouge1",
        "of": "spread",
        "descending": False,
    },
    numerals._state: {"shown": "all", "system": "people", "numeral": 3},
    consistency._state: {"shown": "repairs", "scorer": "levenshtein.v1|case_sensitive:false"},
    ARCHIVE: {
        "archive": "news-2025",
        "words": "harbour, & <storm>",
        "outlet": "Wire & Sons",
        "first": date(2024, 5, 1),
        "last": date(2024, 5, 7),
        "group": 12,
        "lasso": ((0, 0), (65_535, 1), (17, 4_096)),
        "picture": True,
    },
    evaluate._state: {"shown": "results", "form": "italian.v1", "count": 12, "seed": 3, "sheet": 2},
}
"""A value other than its default for everything that stands in an address."""


def there_and_back():
    import streamlit as st

    from tests.unit.components.test_page_state import CHOSEN

    for state, values in CHOSEN.items():
        assert state.address(state.links) == {}
        state.put(**values)
        address = state.address(state.links)
        state.reset()
        st.query_params.from_dict(address)
        state.adopt(state.links)
        found = state.everything()
        assert {name: found[name] for name in values} == values
        st.query_params.clear()
        state.adopt(state.links)
        assert state.address(state.links) == {}


def test_every_value_goes_into_the_address_and_comes_back():
    app = AppTest.from_function(there_and_back).run()
    assert not app.exception, app.exception


def test_every_linked_value_is_tried_here():
    for state, values in CHOSEN.items():
        assert set(state.links) - {"token"} == set(values)


def test_an_unknown_value_is_refused():
    with pytest.raises(KeyError):
        compare.put(sistems=())
