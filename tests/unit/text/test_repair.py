"""What copying did to texts is undone and counted; what was meant stays."""

from __future__ import annotations

import pytest

from core.data.timelines.load import load, sniff
from core.text.repair import is_missing, repaired


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Rates up &mdash; bank&#39;s third", "Rates up — bank's third"),
        ("AT&amp;T &amp;mdash; again", "AT&T — again"),
        ("CafÃ© ownerâ€™s plan", "Café owner’s plan"),
        ("РџСЂРёРІРµС‚, РјРёСЂ", "Привет, мир"),
        ("Â£3.2bn", "£3.2bn"),
    ],
)
def test_it_is_repaired(text: str, wanted: str) -> None:
    assert repaired(text).text == wanted


@pytest.mark.parametrize(
    "text",
    [
        "AT&T",
        "R&D; profits",
        "?a=1&copy=2",
        "Café fermé à Zürich",
        "Привет, мир",
        "東京で地震",
        "“Once” – twice",
    ],
)
def test_what_was_meant_stays(text: str) -> None:
    assert repaired(text) == (text, False, False)


def test_missing_words() -> None:
    assert all(map(is_missing, ("n/a", "N/A", "-", " — ", "null", "NaN", "None", "[Removed]", "н/д")))
    assert not any(map(is_missing, ("", "no", "Nah", "None of them came", "?", "NASA")))


TABLE = (
    "title,outlet,date\nn/a,A,2024-05-01\nn/a,B,2024-05-01\n-,C,2024-05-01\n"
    "Caf&eacute; closes,null,n/a\nCafÃ© opens,A,2024-05-02\n"
)


def test_repairs_are_counted_before_and_after_loading() -> None:
    timeline = load(TABLE.encode(), "a.csv")
    assert timeline.texts == ["Café closes", "Café opens"]
    assert timeline.publishers == [None, "A"]
    assert timeline.undated == 1
    assert [row.reason for row in timeline.report.rejected] == [
        *["“n/a” stands in place of the headline."] * 2,
        "“-” stands in place of the headline.",
    ]
    counted = (
        "HTML codes such as &mdash; were decoded in 1 cell.",
        "Garbled letters such as Ã© for é were repaired in 1 cell.",
        "“n/a”, “-” or the like was taken for missing in 5 cells.",
    )
    assert timeline.report.notes == counted
    assert sniff(TABLE.encode(), "a.csv").notes == counted
    assert timeline.original["title"].tolist() == ["Caf&eacute; closes", "CafÃ© opens"]
