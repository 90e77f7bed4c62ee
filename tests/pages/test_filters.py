"""Filters, coverage and headlines of like meaning on the Timeline."""

import json

import pytest

from components.opened import resources
from core.events.outlet_table import decoded
from core.runtime import user_folder
from tests.pages.opening import drawn, listed, loaded, opened, press, put, settled, turned, words
from tests.unit.events.test_facets_and_coverage import DESK, SIDES

MENU = "order-and-period"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


@pytest.fixture
def desk():
    return loaded(opened("open"), "desk.csv", DESK.encode())


def unfolded(app):
    app.session_state[MENU] = True
    return settled(app)


def give_table(app, table=SIDES):
    given = unfolded(app).file_uploader(key="outlet-table-file")
    return settled(given.set_value([("o.csv", table.encode(), "text/csv")]))


def stored_outlets():
    file = user_folder() / "outlets.json"
    return decoded(file.read_bytes() if file.exists() else b"")


def the(app, name):
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def test_filters_narrow_list_lanes_and_map_alike_and_say_how_many_of_how_many(desk):
    everything = len(listed(desk))
    box = unfolded(desk).multiselect(key="facet-outlet")
    assert "Alpha (3)" in box.options
    settled(box.set_value(["Delta"]))
    few = len(listed(desk))
    assert 0 < few < everything
    said = words(desk)
    assert f"**{few}** of {everything} events" in said
    assert "1 of 8 headlines" in said
    assert "Outlet: Delta" in said
    for show in ("lanes", "outlets"):
        put(desk, "ListView", show=show)
        assert f"**{few}** of {everything} events" in words(settled(desk))
    put(desk, "ListView", show="map")
    assert "**1** of 8 headlines" in words(settled(desk))


def test_headlines_outside_the_filter_fade_in_lanes_and_outlets_say_that_whole_events_are_counted(desk):
    put(desk, "ListView", show="lanes")
    assert "faded" not in words(settled(desk))
    settled(unfolded(desk).multiselect(key="facet-outlet").set_value(["Delta"]))
    assert "faded" in words(desk)
    (chart,) = desk.get("plotly_chart")
    looks = [
        (said, trace["marker"]["opacity"])
        for trace in json.loads(chart.proto.spec)["data"]
        for said in trace["hovertext"]
    ]
    assert len(looks) > 1
    assert all((look == 1.0) == ("Delta" in said) for said, look in looks)
    put(desk, "ListView", show="outlets")
    assert "whole events are counted: 1 of 2" in words(settled(desk)).lower()
    edits = "edited headline"
    settled(unfolded(desk).multiselect(key="facet-outlet").set_value(["Beta"]))
    assert edits not in words(desk)  # Alpha's stands in an event of Beta's
    settled(unfolded(desk).multiselect(key="facet-outlet").set_value(["Alpha"]))
    assert edits in words(desk)


def test_a_link_restores_what_was_chosen_and_a_chip_or_x_takes_it_away(desk):
    settled(unfolded(desk).multiselect(key="facet-file.section").set_value(["World"]))
    settled(desk.toggle(key="pick-disputed").set_value(True))
    chosen = [event["title"] for event in listed(desk)]
    address = {name: the(desk, name) for name in ("data", "filter", "disputed")}
    again = settled(turned(desk, "timeline", **address))
    fresh = opened(**address)
    for app in (again, fresh):
        assert [event["title"] for event in listed(app)] == chosen
        assert "section: World" in words(app)
    press(fresh, "chip-file.section-World")
    assert "filter" not in fresh.query_params
    press(fresh, "chips-clear")
    assert "disputed" not in fresh.query_params
    assert len(listed(fresh)) > len(chosen)


def test_counts_in_a_list_follow_what_is_chosen_elsewhere(desk):
    settled(unfolded(desk).multiselect(key="facet-file.section").set_value(["World"]))
    assert "Alpha (2)" in unfolded(desk).multiselect(key="facet-outlet").options
    assert not [name for name in desk.multiselect(key="facet-outlet").options if "Delta" in name]


def test_a_list_without_a_choice_left_is_not_drawn(desk):
    give_table(desk)
    settled(unfolded(desk).multiselect(key="facet-outlet").set_value(["Delta"]))
    assert not [box for box in desk.multiselect if box.key == "facet-only.side"]


def test_a_filter_that_this_file_lacks_is_said_and_keeps_nothing(desk):
    app = opened(data=the(desk, "data"), filter="outlet.side=left")
    assert "not here" in words(app)
    assert "**0** of" in words(app)


def test_the_map_is_coloured_by_a_column_of_the_outlets_and_the_address_holds_it(desk):
    put(desk, "ListView", show="map")
    choices = settled(desk).selectbox(key="pick-colour").options
    give_table(desk, SIDES.replace("left", "<b>left"))
    box = desk.selectbox(key="pick-colour")
    assert len(box.options) == len(choices) + 2
    settled(box.set_value("outlet.side"))
    words_of = [said for _, said in drawn(desk, "points")["legend"]]
    assert words_of == ["right (4)", "<b>left (3)", "not known"]
    later = opened(data=the(desk, "data"), show="map", colour=the(desk, "colour"))
    assert drawn(later, "points")["legend"] == drawn(desk, "points")["legend"]
    assert "no column" not in words(later)
    press(unfolded(later), "outlet-table-remove")
    assert not drawn(later, "points")["legend"]
    assert "no column “side”" in words(later)


def test_columns_to_colour_by_stand_as_they_are_written(desk):
    put(desk, "ListView", show="map")
    give_table(settled(desk), SIDES.replace("side", r"a\b *c*"))
    assert r"a\b *c*" in desk.selectbox(key="pick-colour").options


def test_a_table_of_outlets_gives_filters_bars_and_blind_spots_and_lasts(desk):
    give_table(desk)
    assert stored_outlets()
    settled(unfolded(desk).multiselect(key="facet-only.side").set_value(["right"]))
    (event,) = listed(desk)
    assert "udget" in event["title"]
    assert any("right 2" in html.proto.body for html in desk.get("html"))
    put(desk, "ListView", show="outlets", facets=())
    tables = settled(desk).dataframe
    (blind,) = [table.value for table in tables if "Only side" in table.value.columns]
    assert blind["Reported by"].tolist() == ["Beta, Gamma"]
    assert "Delta" not in str(blind)
    later = opened(data=the(desk, "data"))
    assert [box for box in unfolded(later).multiselect if box.key == "facet-outlet.side"]
    press(later, "outlet-table-remove")
    assert not stored_outlets()
    assert not [box for box in later.multiselect if box.key == "facet-outlet.side"]


def test_a_table_that_names_no_outlet_of_the_timeline_replaces_none_and_others_say_how_many(desk):
    give_table(desk)
    kept = stored_outlets()
    assert "3 of 4 outlets" in words(desk)
    give_table(desk, "outlet,side\nNobody,left\n")
    (refused,) = desk.error
    assert "none of the 4 outlets" in refused.value
    assert stored_outlets() == kept
    assert "3 of 4 outlets" in words(desk)
    give_table(desk, "outlet,side\nDelta,left\n")
    assert not desk.error
    assert "1 of 4 outlets" in words(desk)


@pytest.mark.usefixtures("workshop")
def test_in_a_workshop_a_table_of_outlets_is_the_session_s_alone():
    app = opened()
    outlets = resources.timeline("iss").publishers
    give_table(
        app, f"outlet,side\n{outlets[0]},left\n{next(each for each in outlets if each != outlets[0])},right\n"
    )
    assert app.multiselect(key="facet-outlet.side").options
    assert not stored_outlets()
    assert not [box for box in unfolded(opened()).multiselect if box.key == "facet-outlet.side"]


def test_what_a_table_says_is_never_html(desk):
    give_table(desk, "outlet,<i>side\nAlpha,<b>x\nBeta,<script>y\nGamma,<script>y\n")
    bodies = "".join(html.proto.body for html in desk.get("html") if "coverage" in html.proto.body)
    assert "&lt;script&gt;y" in bodies
    assert "<script>" not in bodies


def test_more_like_this_lists_the_nearest_and_opens_the_event_of_one():
    app = opened(group="1")
    app.session_state["card-tab-1"] = "More like this"
    settled(app)
    assert "reports of one event" in words(app)
    (choice,) = (box for box in app.selectbox if box.key.startswith("like-"))
    other = choice.proto.options[-1]
    settled(choice.select_index(len(choice.options) - 1))
    (like,) = app.query_params["like"]
    linked = opened(group="1", like=like)  # somebody else's session
    (choice,) = (box for box in linked.selectbox if box.key.startswith("like-"))
    assert choice.proto.options[choice.index] == other
    assert "reports of one event" in words(linked)
    before = app.query_params["group"]
    press(app, "like-open-")
    assert "like" not in app.query_params
    assert app.query_params["group"] != before
