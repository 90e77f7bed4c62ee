"""A German press review on the Timeline page: what its card says of names and numbers."""

from __future__ import annotations

from typing import Any

import pytest

from core.files import ROOT
from tests.pages.opening import listed, opened, settled

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_the_card_of_a_german_event_names_no_noun_and_sees_its_numbers_differ(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    app = opened("open")
    content = (ROOT / "tests" / "data" / "cases" / "presseschau.xlsx").read_bytes()
    app.file_uploader[0].set_value(("presseschau.xlsx", content, SHEET))
    settled(app)
    shown = " ".join(
        element.value for kind in ("markdown", "caption", "warning") for element in app.get(kind)
    )
    assert "gestern" in shown
    assert "line 16" in shown
    app.button(key="load").click()
    settled(app)
    app.switch_page("pages/timeline.py")
    settled(app)
    assert "Hochwasser" in listed(app)[0]["title"]
    assert not app.exception
    shown = " ".join(element.value for element in app.markdown)
    assert "may contradict it" in shown
    assert ":red-background[**Drei**]" in shown
    assert "**Söder**" in shown
    for noun in ("Tote", "Menschen", "Hochwasser", "Soforthilfe", "Flutopfern"):
        assert f"**{noun}**" not in shown
