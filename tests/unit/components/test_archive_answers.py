"""What the map of an archive fetches by itself, and what it is refused."""

import json
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from components.archive.answers import answer
from components.archive.route import PATH, ROUTES
from core.archive.opened import OpenArchive, archives_folder
from tests.archives import made

ODD_NAMES = ("News 2025", "50%", 'it\'s "so"', "#1?", PATH, "новости", "ニュース", "<b>bold")


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    made(archives_folder() / "storms", 90)
    return OpenArchive(archives_folder() / "storms")


def test_points_labels_and_one_headline(archive):
    points = answer("storms", archive.version, "points")
    assert bytes(points.body) == archive.points
    assert points.headers["content-encoding"] == "gzip"
    labels = json.loads(bytes(answer("storms", archive.version, "labels").body))
    assert [label[0] for label in labels] == archive.events["title"].tolist()[: len(labels)]
    assert len(labels) == int((archive.events["headlines"] > 1).sum())
    row = int(archive.order[17])
    said = json.loads(bytes(answer("storms", archive.version, "17").body))
    assert said["headline"].endswith(f"no {row}")
    size = int((archive.groups == archive.groups[row]).sum())
    assert said["group"] == ("alone" if size == 1 else f"{size} headlines in its group")


def test_the_address_of_the_points_gives_nothing_else(archive, monkeypatch):
    wrong = (
        ("storms", archive.version, "90"),
        ("storms", archive.version, "-1"),
        ("storms", archive.version, "\u0661"),
        ("storms", archive.version, "summary.json"),
        ("storms", "0" * 16, "points"),
        ("..", archive.version, "points"),
        ("nosuch", archive.version, "points"),
    )
    for asked in wrong:
        assert answer(*asked).status_code == 404, asked
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    assert answer("storms", archive.version, "points").status_code == 404
    made(archives_folder() / "for-all", 90, shared=True)
    shared = OpenArchive(archives_folder() / "for-all")
    assert answer("for-all", shared.version, "points").status_code == 200


def test_a_mistyped_address_of_a_map_is_not_found(archive):
    """Streamlit answers every address that nobody else has with its page."""
    streamlit = Route("/{rest:path}", lambda _: PlainTextResponse("the page"))
    with TestClient(Starlette(routes=[*ROUTES, streamlit])) as client:
        assert client.get(f"/{PATH}/storms/{archive.version}/17").status_code == 200
        assert client.get(f"/behind/{PATH}/storms/{archive.version}/17").status_code == 200
        for wrong in (
            "",
            "/",
            "/storms",
            f"/storms/{archive.version}",
            f"/storms/{archive.version}/points/",
            f"/storms%2f./{archive.version}/points",
            f"/storms/{archive.version}/points/more",
            f"/nosuch/{archive.version}/points",
            "/storms/0/points",
        ):
            assert client.get(f"/{PATH}{wrong}").status_code == 404, wrong
        assert client.get("/archive").text == "the page"


def test_a_folder_may_have_any_name(archive):
    with TestClient(Starlette(routes=ROUTES)) as client:
        for name in ODD_NAMES:
            made(archives_folder() / name, 90)
            address = f"/{PATH}/{quote(name, safe='')}/{archive.version}/17"
            assert client.get(address).json()["headline"].startswith("Storm"), name
