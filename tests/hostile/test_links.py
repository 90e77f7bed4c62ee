"""Forged links: every value of every page, with anything in it; the page says what is not there."""

import re
from importlib import import_module
from pkgutil import walk_packages

import pytest
from streamlit.testing.v1 import AppTest

import components
from components.frame.markdown import SEAM
from components.frame.page_state import SCREEN
from components.frame.view_state import ViewState
from components.opened.views import timeline
from tests.hostile.corpus import STRINGS
from tests.hostile.sentences import faults_of_page
from tests.pages.opening import opened

for found in walk_packages(components.__path__, "components."):
    import_module(found.name)
STATES = [view for view in ViewState.known.values() if view is not SCREEN]
"""Everything that pages keep in their addresses."""
FORGED = (
    *list(STRINGS.values())[::8],
    *("", " ", "0", "-1", "1e400", "NaN", "inf", "9" * 5_000, "x" * 100_000, "None", "[]", "{}", "1,2,3"),
    *("1;2", "../../etc/passwd", "/etc/passwd", "C:\\x", "file:///etc/passwd", "https://evil.example/x"),
    *("owner/name", "hf://owner/name", "file-0123456789abcdef", "file-", "sample:", "sample:../../x"),
    *("pyproject.toml", "requirements.txt", ".", "..", "a\0b", "٣", "１", "1_000", "0x10", "True", "yes"),
    *("people", "all", "own", "0s0", "1s2,2d1", "9" * 900 + "s1", ",".join(["0s1"] * 10_000), "1s2,"),
    *("leiden.v999", "leiden.v1|", "leiden.v1|resolution", "leiden.v1|resolution:", "leiden.v1||"),
    *("a.v1|b:c|b:c", "cosine.v1|__class__:1", "__class__", "__init__.v1", "0.", ".5", "1.00001"),
    "levenshtein.v1|case_sensitive:maybe",
)  # fmt: skip
"""Values that no page wrote."""
PARAMETERS = {link.name for view in STATES for link in view.links.values()} | {"nosuch", "<b>", ""}
"""Everything that a page reads from its address, and names that none reads."""


def adopting():
    import streamlit as st

    from components.frame.page_state import write_address
    from tests.hostile.test_links import STATES

    for view in STATES:
        view.now()
    write_address(*(view.part() for view in STATES))
    kept = {name: value for view in STATES for name, value in view.everything().items()}
    st.text(f"{max(len(str(value)) for value in kept.values())}")
    for name in ("encoder", "scorer", "method", "map"):
        assert not set(kept[name]) & set("<>/\\'\" ("), name
    assert kept["granularity"] is None or 0 <= kept["granularity"] <= 1
    assert all(0 <= row < 10**9 for row in kept["rows"])
    assert 1 <= kept["count"] <= 999_999
    assert -1 <= kept["numeral"] <= 998  # -1 is the worst one


def test_the_values_of_a_link_are_checked_before_they_are_used():
    for value in FORGED:
        app = AppTest.from_function(adopting, default_timeout=60)
        for name in PARAMETERS:
            app.query_params[name] = [value, value] if len(value) == 1 else value
        app.run()
        assert not app.exception, (value[:80], [one.value for one in app.exception])
        assert int(app.text[0].value) <= 2_000


def test_every_value_that_a_page_reads_is_forged_here():
    written = {"data", "scorer", "part", "find", "study", "run", "review", "room", "token", "lab", "event"}
    assert written < PARAMETERS


@pytest.mark.parametrize("given", ["user/encoder", "/home/somebody/encoder", "text_encoder.v1|model:folder"])
def test_folders_and_hub_ids_stay_out_of_links(given):
    assert timeline._state.links["encoder"].write(given) == ""
    assert timeline._state.links["scorer"].write(f"siamese.v1|model:/{given}") == ""


PAGES = (
    ("timeline", {"data": "file-0123456789abcdef", "group": "3"}, "not open on this computer"),
    ("timeline", {"scorer": "cosine_time.v1|tau_days:nan"}, "tau_days cannot be nan"),
    ("timeline", {"granularity": "1.0000", "group": "999999999", "rows": "999999999,5,-1"}, ""),
    ("timeline", {"data": "<script>alert(1)</script>", "colour": "<b>", "group": "0"}, ""),
    ("live", {"stream": "../../etc/passwd", "since": "-1"}, ""),
    ("archive", {"archive": "../../etc/passwd", "event": "-1", "lasso": "00", "first": "2024-02-31"}, ""),
    ("check_numbers", {"show": "all", "articles": "file-0123456789abcdef"}, "not open on this computer"),
    ("timeline", {"show": "map", "colour": "__proto__", "rows": "0,1,2,99999"}, ""),
    ("compare", {"articles": "sample:nosuch"}, "no sample called 'nosuch'"),
    ("compare", {"of": "__class__", "sort": "<script>", "systems": "01" * 99, "search": "(?:"}, ""),
    ("evaluate", {"articles": "requirements.txt"}, "no article set called 'requirements.txt'"),
    ("studies", {"study": "00000000", "run": "maybe"}, "There is no study"),
    ("annotate", {"task": "<b>", "pairs": "nosuch.v1", "data": "iss", "suggest": "maybe"}, ""),
    (
        "agreement",
        {"about": "x", "simulate": "NaN", "quorum": "51", "data": "nosuchsample"},
        "not open on this computer",
    ),
    ("join", {"room": "<script>alert(1)</script>"}, "no room with this code"),
    ("train", {"run": "../../etc", "data": "<b>"}, ""),
    ("pair_sets", {"set": "../../x"}, ""),
    ("open", {"data": "<script>alert(1)</script>", "rows": "9" * 5_000}, ""),
)


@pytest.mark.parametrize(
    ("page", "address", "says"), PAGES, ids=[f"{one[0]}, {one[1]}"[:90] for one in PAGES]
)
def test_a_page_stands_and_says_what_is_not_there(page, address, says):
    app = opened(page, **address)
    assert faults_of_page(app) == []
    assert app.title
    shown = [error.value.replace(SEAM, "").replace("\\", "") for error in app.error]
    assert [bool(re.search(says, one)) for one in shown] == [True] * bool(says), shown


def test_an_earlier_file_that_is_not_open_is_told():
    told = "The earlier file is not open here"
    app = opened("timeline", since="file-0123456789abcdef")
    assert not app.error
    assert sum(told in caption.value for caption in app.caption) == 1
    assert not any(told in caption.value for caption in opened("timeline").caption)
