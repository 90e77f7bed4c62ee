import json
import tomllib
from types import SimpleNamespace
from urllib.parse import quote

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from components.people.judge.spreadsheets import _added
from components.server import queue as steps
from components.server.queue import Steps
from components.server.shelf import Store
from components.sources.archive.routes import PATH, ROUTES, answer
from core import limits
from core.archive.kept import archives_folder
from core.archive.opened import OpenArchive
from core.errors import InputError
from core.files import ROOT
from core.headlines.opening import GivenFile
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.palette import ADDED, AGAINST, AGREES, APART, DARK, LIGHT, PEOPLE, UNSURE
from core.runtime import MODE
from tests.archives import made
from tests.unit.people import by_hand

ODD_NAMES = ("News 2025", "50%", 'it\'s "so"', "#1?", PATH, "новости", "ニュース", "<b>bold")


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    made(archives_folder() / "storms", 90)
    return OpenArchive(archives_folder() / "storms")


def test_points_names_and_one_headline(archive):
    points = answer("storms", archive.version, "points")
    assert bytes(points.body) == archive.points
    assert points.headers["content-encoding"] == "gzip"
    names = json.loads(bytes(answer("storms", archive.version, "names").body))
    assert [title for title, _, _ in names] == archive.events["title"].tolist()[: len(names)]
    events = archive.events_of_rows
    assert [events[archive.order[point]] for _, point, _ in names] == list(range(len(names)))
    assert [place for _, _, place in names] == list(range(1, len(names) + 1))
    assert len(names) == int((archive.events["headlines"] > 1).sum())
    row = int(archive.order[17])
    said = json.loads(bytes(answer("storms", archive.version, "17").body))
    assert said["headline"].endswith(f"no {row}")
    size = int((archive.groups == archive.groups[row]).sum())
    hour = json.loads(bytes(answer("storms", archive.version, "17", "Asia/Tokyo").body))["about"]
    when = archive.table(archive.order[17:18])["published"].iloc[0]
    alone = f"{when:%H:%M}" == "00:00"
    assert (said["about"].endswith(" UTC"), hour.endswith(" JST")) == (not alone, not alone)
    assert said["group"] == ("single report" if size == 1 else f"{size} headlines in its group")


def test_the_address_of_the_points_gives_nothing_else(archive, monkeypatch):
    for wrong in ("90", "-1", "\u0661", "summary.json"):
        assert answer("storms", archive.version, wrong).status_code == 404, wrong
    for name, version in (("storms", "0" * 16), ("..", archive.version), ("nosuch", archive.version)):
        assert answer(name, version, "points").status_code == 404, name
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    assert answer("storms", archive.version, "points").status_code == 404
    made(archives_folder() / "for-all", 90, shared=True)
    shared = OpenArchive(archives_folder() / "for-all")
    assert answer("for-all", shared.version, "points").status_code == 200


def test_a_mistyped_address_of_a_map_is_not_found(archive):
    """Streamlit answers every address that nobody else has with its page."""
    streamlit = Route("/{rest:path}", lambda _: PlainTextResponse("the page"))
    with TestClient(Starlette(routes=[*ROUTES, streamlit])) as client:
        key = archive.version
        for before in ("", "/behind"):
            assert client.get(f"{before}/{PATH}/storms/{key}/17").status_code == 200
        for wrong in ("", "/storms", "/storms/0/17", f"/storms/{key}/points/", f"/storms%2f./{key}/17"):
            assert client.get(f"/{PATH}{wrong}").status_code == 404, wrong
        assert client.get("/archive").text == "the page"


def test_a_folder_may_have_any_name(archive):
    with TestClient(Starlette(routes=ROUTES)) as client:
        for name in ODD_NAMES:
            made(archives_folder() / name, 90)
            address = f"/{PATH}/{quote(name, safe='')}/{archive.version}/17"
            assert client.get(address).json()["headline"].startswith("Storm"), name


CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
NAMED = {
    "blueColor": AGREES, "orangeColor": APART, "greenColor": ADDED, "violetColor": PEOPLE,
    "yellowColor": UNSURE, "redColor": AGAINST,
}  # fmt: skip


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_named_colours_are_those_of_the_pictures(theme, colours):
    assert {name: CONFIG[theme][name] for name in NAMED} == {n: colours[at] for n, at in NAMED.items()}


class House:
    def __init__(self) -> None:
        self.here = {"ada", "bo", "cy", *(f"visitor {number}" for number in range(40))}
        self.store = Store(lambda session: session in self.here)

    def put(self, session: str, name: str, megabytes: int = 0, kind: str = "timelines") -> None:
        self.store.put((kind, name), np.zeros(megabytes * 1_000_000, np.uint8), session)

    def has(self, *names: str, kind: str = "timelines") -> list[bool]:
        return [self.store.get((kind, name), "nobody", opens=False) is not None for name in names]


@pytest.fixture
def house():
    return House()


def test_thirty_files_of_others_push_out_nobody_s_open_file(house):
    house.put("ada", "ada's")
    for number in range(2 * limits.KEPT_FILES.value):
        house.put("bo", f"bo's {number}")
    assert house.has("ada's", "bo's 0", "bo's 59") == [True, False, True]


def test_a_session_keeps_so_many_and_its_oldest_goes(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_FILES.variable, "2")
    for name in ("a", "b"):
        house.put("ada", name)
    house.store.get(("timelines", "a"), "ada", opens=True)
    house.put("ada", "c")
    assert house.has("a", "b", "c") == [True, False, True]
    house.put("bo", "a")
    house.put("ada", "d")
    house.put("ada", "e")
    assert house.has("a", "d") == [True, True]  # a is bo's as well
    house.put("ada", "one of another kind", kind="articles")
    assert house.has("d", "e") == [True, True]


def test_what_a_session_that_is_gone_left_counts_as_the_next_one_s(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_FILES.variable, "2")
    house.put("ada", "a")
    house.put("ada", "b")
    house.here.remove("ada")  # a reload
    house.put("bo", "c")
    assert house.store.names("timelines") == ["b", "c"]
    house.store.remove(("timelines", "b"))
    assert house.store.names("timelines") == ["c"]


def test_past_the_bound_files_of_the_gone_go_first_and_open_ones_stay(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "10")
    house.put("ada", "ada's earlier", 2)
    house.put("ada", "ada's open", 2)
    house.put("bo", "bo's", 2)
    house.put("cy", "cy's", 3)
    house.here.remove("bo")
    house.put("visitor 1", "first", 2)
    assert house.has("ada's earlier", "ada's open", "cy's", "first") == [True] * 4
    assert house.has("bo's") == [False]
    house.put("visitor 2", "second", 2)
    assert house.has("ada's earlier", "ada's open", "cy's", "second") == [False, True, True, True]


def test_a_file_for_which_there_is_no_space_is_refused_in_one_sentence(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "5")
    house.put("ada", "ada's", 2)
    house.put("bo", "bo's", 2)
    with pytest.raises(InputError, match=r"takes 3 megabytes .* leave 1\..*HEADLINE_LAB_KEPT_MEGABYTES"):
        house.put("cy", "cy's", 3)
    assert house.has("ada's", "bo's", "cy's") == [True, True, False]
    # Its own open file makes space for the next one of the same session, and stays where that fails.
    house.put("bo", "bo's next", 3)
    assert house.has("ada's", "bo's", "bo's next") == [True, False, True]
    with pytest.raises(InputError):
        house.put("bo", "too large", 4)
    assert house.has("bo's next") == [True]


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(steps, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_late_step_is_not_charged_with_the_time_before_it(clock):
    told = Steps()
    told.report("Reading headlines", 0, 10)
    clock[0] += 100
    told.report("Reading headlines", 10, 10)
    told.report("Comparing", 0, 100)
    clock[0] += 1
    told.report("Comparing", 10, 100)
    assert told.seconds_left() == pytest.approx(9.0)


def form():
    import streamlit as st

    from components.opened.recipes import recipe_form
    from core.pairs.scorer import pair_scorers

    st.code(pair_scorers.signature(recipe_form(pair_scorers.parse("with_time"), key="form")))


def test_the_inner_scorer_can_be_typed():
    app = AppTest.from_function(form).run(timeout=60)
    assert not app.exception
    app.text_input[0].set_value("symmetric|base:tfidf").run()
    assert app.code[0].value == "with_time.v1|base:(symmetric.v1|base:tfidf.v1)|tau_days:2.8"


def sitting(root, judge):
    store = by_hand.store_of(Journal(sqlite_url(root)))
    whole = SimpleNamespace(task=store.task)
    return SimpleNamespace(form=store.form, whole=whole, judge=judge, everything=store)


def table(*judges):
    rows = [f"{judge},a0,A,4" for judge in judges]
    return GivenFile("t.csv", "\n".join(["judge,article,system,readability", *rows]).encode())


@pytest.mark.parametrize("judge", ["", "Bo"])
def test_a_visitor_adds_no_answers_of_others(tmp_path, judge, monkeypatch):
    monkeypatch.setenv(MODE, "workshop")
    here = sitting(tmp_path, judge)
    here.everything.record("Ada", by_hand.answer("a0", "readability", "A", 2))
    before = here.everything.ratings("Ada").values
    # Neither is it told whether Ada answered so.
    for files in ([table("Ada")], [table("Bo"), table("ADA")], [table("Bo", "Cy")]):
        with pytest.raises(InputError, match="you can add only your own"):
            _added(here, files)
    assert here.everything.ratings().judges == ("Ada",)
    np.testing.assert_array_equal(here.everything.ratings("Ada").values, before)


def test_a_visitor_adds_answers_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv(MODE, "workshop")
    assert _added(sitting(tmp_path, "Bo"), [table("BO")]) == "1 new answers by BO."


def test_the_owner_adds_anybodys(tmp_path):
    assert _added(sitting(tmp_path, ""), [table("Ada", "Bo")]) == "2 new answers by Ada, Bo."
