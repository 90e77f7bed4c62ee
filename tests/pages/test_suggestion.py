"""The card of a group names its suggested headline, and the card of a lone headline does not."""

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
