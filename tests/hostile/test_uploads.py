"""Files through the uploaders of the pages: what was understood, or one clear sentence; never a crash."""

import pytest

from tests.hostile.corpus import BY_KIND, SHAPES
from tests.hostile.sentences import faults_of_page
from tests.hostile.test_command import TELLING
from tests.hostile.test_files import limits_for
from tests.pages.opening import opened

LOAD = "Load these headlines"


def faults_of_upload(app, place, file):
    """What is wrong with what a page says of a file, and of loading it where it offers that."""
    app.file_uploader[place].set_value((file.name, file.content, "application/octet-stream")).run()
    found = faults_of_page(app)
    load = [button for button in app.button if button.label == LOAD and not button.disabled]
    if load and file in TELLING.values():
        load[0].click().run()
        found += faults_of_page(app)
    return found


def wrong_on(page, place, files, monkeypatch):
    """What is wrong with what a page says of each of the files; {} where nothing is."""
    app = opened(page)
    asked, wrong = app.file_uploader[place].label, {}
    for name, file in files.items():
        if asked not in [one.label for one in app.file_uploader]:  # what was loaded stands in its place
            app = opened(page)
        with monkeypatch.context() as limited:
            limits_for(file, limited)
            if found := faults_of_upload(app, place, file):
                wrong[name] = found
                app = opened(page)
    return wrong


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] if kind == "huge" else []) for kind in BY_KIND]
)
def test_open_a_file(kind, monkeypatch):
    assert wrong_on("open", 0, BY_KIND[kind], monkeypatch) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("page", "place"), [("pairs", 0), ("train", 0), ("pair_sets", 0), ("compare", 0)])
def test_other_pages(page, place, monkeypatch):
    assert wrong_on(page, place, SHAPES | TELLING, monkeypatch) == {}
