"""The Pairs page: sorted by the figure it shows, and no more than was measured."""

from __future__ import annotations

from tests.pages.opening import opened, settled


def test_systems_are_sorted_by_f1_and_unmeasured_ones_come_on_request() -> None:
    app = opened("pairs")
    assert not app.exception
    listed = app.dataframe[0].value["F1"].tolist()
    values = [float(one.split()[0]) for one in listed]
    assert values == sorted(values, reverse=True)
    app.toggle(key="pairs-unmeasured").set_value(True)
    settled(app)
    everything = app.dataframe[0].value["F1"].tolist()
    assert everything[: len(listed)] == listed
    assert set(everything[len(listed) :]) == {"not here"}


def test_the_legend_names_only_what_is_drawn() -> None:
    (chart,) = opened("pairs").get("vega_lite_chart")
    assert "not trained" in chart.proto.spec
    assert '"people"' not in chart.proto.spec
