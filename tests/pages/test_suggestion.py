"""The card of a group names its suggested headline and compares its outlets; that of a lone one does not."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.opening import opened


def suggested(app: AppTest) -> list[str]:
    assert not app.exception
    return [line.value for line in app.markdown if "Suggested headline" in line.value]


def test_a_group_has_a_suggestion_with_a_reason() -> None:
    (line,) = suggested(opened("timeline", group="1"))
    assert line.partition(":small[:gray[")[2].removesuffix("]]").endswith(".")


def test_a_lone_headline_has_none() -> None:
    assert suggested(opened("timeline", group="6")) == []


def test_the_outlets_of_a_group_stand_in_a_table() -> None:
    app = opened("timeline", group="3")
    assert not app.exception
    (table,) = [one.value for one in app.table if "Outlet" in one.value]
    assert list(table.columns) == ["Outlet", "Who", "Names"]
    assert len(table) == 7
    assert table["Outlet"].iloc[0].startswith("**ap**")
    assert "first day" in table["Outlet"].iloc[0]
    assert "Frenchman" in table["Names"].iloc[-1]
    assert ":green-background[" in table["Names"].iloc[-1]
    assert any("the last of 7 outlets came 4 days later" in line.value for line in app.markdown)


def test_a_lone_headline_has_no_outlets_to_compare() -> None:
    app = opened("timeline", group="6")
    assert any("nothing to compare" in line.value for line in app.caption)
