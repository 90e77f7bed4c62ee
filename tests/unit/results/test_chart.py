"""Charts for publication."""

from __future__ import annotations

from typing import Any

import pytest

from core.results.chart import FAMILY, PublishedChart, as_png, as_svg

SPEC: dict[str, Any] = {
    "data": {"values": [{"a": "<b>one</b>", "b": 1}, {"a": "two", "b": 2}]},
    "mark": "bar",
    "encoding": {"y": {"field": "a", "type": "nominal"}, "x": {"field": "b", "type": "quantitative"}},
}


def chart(**more: Any) -> PublishedChart:
    given = {"spec": SPEC, "title": "Two & one", "source": "Source: <nobody>", "width": 300}
    return PublishedChart(**(given | more))


def test_title_source_and_data_are_in_the_picture_as_text() -> None:
    drawn = as_svg(chart())
    for said in ("Two &amp; one", "Source: &lt;nobody&gt;", "&lt;b&gt;one&lt;/b&gt;", "two"):
        assert f">{said}<" in drawn
    assert "@font-face" not in drawn


def test_the_font_is_inside() -> None:
    drawn = as_svg(chart(), font=b"wOF2 of a font")
    assert f"font-family:'{FAMILY}'" in drawn
    assert "url(data:font/woff2;base64,d09GMiBvZiBhIGZvbnQ=)" in drawn
    assert f"{FAMILY}" in drawn.partition("</style>")[2]
    assert "http://" not in drawn.replace("http://www.w3.org/", "")


def test_a_png_is_as_wide_as_was_asked_for() -> None:
    widths = []
    for width in (300, 600):
        drawn = as_png(chart(width=width))
        assert drawn.startswith(b"\x89PNG")
        widths.append(int.from_bytes(drawn[16:20], "big"))
    assert widths[1] - widths[0] == pytest.approx(600, abs=4)


def test_nothing_is_loaded_from_elsewhere() -> None:
    spec = SPEC | {"data": {"url": "https://example.org/data.csv"}}
    with pytest.raises(Exception, match=r"(?i)external data url|not allowed"):
        as_svg(chart(spec=spec))
