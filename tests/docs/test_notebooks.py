"""What a notebook shows and does: examples of the front, the gallery, objects that show themselves."""

import csv
import doctest
import random
import re
import sys

import pandas as pd
import pytest

import headline_lab
from core.errors import InputError
from core.files import ROOT
from headline_lab import bench
from tests.programs import finished

FRONT = [(module, name) for module in (headline_lab, bench) for name in module.__all__]
WRITERS = {"as_csv", "as_frame", "as_latex", "as_markdown"}  # of tables, which others show

TEXTS = (
    "Flood kills 12 in Lindau <script src=x",
    "12 dead as flood hits Lindau <b x",
    "Lindau flood: 14 dead <img",
)
TIMES = [f"2024-05-01 0{hour}:00" for hour in (7, 8, 9)]
HOSTILE = pd.DataFrame({"headline": TEXTS, "published": TIMES, "publisher": ["<b Post", "Wire", "Gazette"]})


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with sixty labelled pairs, as examples name it."""
    monkeypatch.chdir(tmp_path)
    drawn = random.Random(7)
    with open("pairs.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["headline_a", "headline_b", "label"])
        for number in range(60):
            place = "".join(drawn.choices("abdelnorst", k=6)).title()
            same = f"{place} hit by storm" if number % 2 else f"Bank in {place[::-1]} cuts rates"
            writer.writerow([f"Storm hits {place}", same, number % 2])
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("module", "name"), [pair for pair in FRONT if pair[1] not in WRITERS])
def test_every_function_of_the_front_has_an_example_that_holds(here, module, name):
    if name == "map_widget":
        pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
    function = getattr(module, name)
    names = {other: getattr(of, other) for of, other in FRONT} | {"pd": pd}
    flags = doctest.IGNORE_EXCEPTION_DETAIL
    (found,) = doctest.DocTestFinder(recurse=False).find(function, name, globs=names)
    assert found.examples, f"{name} has no example"
    assert doctest.DocTestRunner(optionflags=flags).run(found).failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("notebook", sorted((ROOT / "docs/gallery").glob("*.py")), ids=lambda path: path.stem)
def test_the_gallery_runs(here, notebook):
    assert notebook.read_text(encoding="utf-8").startswith("# %% [markdown]\n# # ")
    said = finished(sys.executable, str(notebook), cwd=here)
    assert said.returncode == 0, said.stderr


def test_a_card_and_a_run_show_themselves_and_what_people_wrote_is_escaped(here):
    shown = headline_lab.event_card(HOSTILE, headline="Lindau")
    page = shown._repr_html_()
    assert page.count("<tr") == 1 + len(shown.rows) == 4
    (here / "pairs.csv").rename(here / "<b>pairs.csv")
    task = {"unit": "pairs", "data": "<b>pairs.csv", "title": "<script>alert(1)</script>"}
    task["systems"] = [{"name": "<img src=x>", "method": "levenshtein"}]
    run = bench.run_task(task, out="out")
    assert (here / "out/report.html").is_file()
    for text in (page, run._repr_html_()):
        assert not re.search(r"<(?:script|b\b|img)", text)
        assert "&lt;" in text


def test_what_is_no_task_is_refused(here):
    with pytest.raises(InputError, match="colour"):
        bench.run_task({"unit": "pairs", "data": "pairs.csv", "systems": [], "colour": "red"})
    with pytest.raises(InputError, match="system"):
        bench.run_task({"unit": "pairs", "data": "pairs.csv", "systems": []})
