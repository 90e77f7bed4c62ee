from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from core.events.facts_html import grid_page
from core.events.facts_picture import facts_picture
from core.events.published_source import published_source
from core.results.chart import PublishedChart, as_png, as_svg
from tests.unit.events.test_facts import QUAKE, event

SIGNATURE = "headline-lab 9.9 · <data>&c"


def said(svg):
    return " ".join(
        part.text or "" for part in ElementTree.fromstring(svg).iter() if part.tag.endswith("text")
    )


def test_a_source_is_whose_headlines_of_which_days():
    timeline, grid = event(*QUAKE)
    rows = [at for row in grid.rows for at in row.rows]
    assert published_source(timeline, rows) == "7 outlets’ headlines, 1 – 2 May 2024"
    assert published_source(timeline, rows[:1]) == "1 outlet’s headlines, 1 May 2024"
    nameless, _ = event(("", "", "Quake kills 3 in Peru"), ("", "", "Three die in Peru quake"))
    assert published_source(nameless, [0, 1]) == "headlines"


def test_a_signature_is_in_the_file_and_not_on_the_picture():
    timeline, grid = event(*QUAKE)
    words = {"title": "Quake", "source": "2 outlets", "signature": SIGNATURE}
    chart = PublishedChart(picture=lambda width, height: ("", width, 40.0), **words)
    for svg in (as_svg(chart), facts_picture(grid, timeline.texts, **words).decode()):
        (about,) = (part for part in ElementTree.fromstring(svg).iter() if part.tag.endswith("metadata"))
        assert SIGNATURE in about.text
        assert "2 outlets" in said(svg)
        assert "headline-lab" not in said(svg)
    for png in (as_png(chart), facts_picture(grid, timeline.texts, **words, png=True)):
        image = Image.open(BytesIO(png))
        image.load()
        assert SIGNATURE in image.text["Software"]
    page = grid_page(grid, timeline.texts, **words).decode()
    head, _, body = page.partition("<body>")
    assert "headline-lab 9.9 · &lt;data&gt;&amp;c" in head
    assert "headline-lab" not in body
