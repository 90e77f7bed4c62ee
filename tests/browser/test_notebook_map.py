"""The map of a notebook, its script run in Chromium beside a model that passes on what Python and it set."""

import base64
import json

import pytest

pytestmark = pytest.mark.browser
pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")

from headline_lab.bench import map_widget  # noqa: E402
from tests.unit.test_event_map import HEADLINES, HOSTILE  # noqa: E402

MODEL = """
async ([script, state, points]) => {
  const bytes = Uint8Array.from(atob(points), (letter) => letter.charCodeAt(0));
  state._content.points = new DataView(bytes.buffer);
  const watching = {};
  window.model = {
    get: (name) => state[name], set: (name, value) => { state[name] = value; },
    save_changes: () => { window.choice = state._choice; },
    on: (name, act) => { watching[name] = act; }, off: () => {},
    python: (name, value) => { state[name] = value; watching[`change:${name}`](); },
  };
  const widget = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const el = document.body.appendChild(document.createElement("div"));
  widget.default.render({ model: window.model, el });
}
"""


@pytest.fixture
def notebook(browser):
    page = browser.new_page(viewport={"width": 900, "height": 700})
    page.harm = []
    page.on("pageerror", lambda error: page.harm.append(str(error)))
    page.on(
        "request", lambda request: page.harm.append(request.url) if request.url.startswith("http") else None
    )
    page.on("dialog", lambda dialog: (page.harm.append("dialog"), dialog.dismiss()))
    yield page
    assert page.harm == []
    page.close()


def test_a_click_and_a_lasso_reach_python_and_what_it_selects_is_marked(notebook):
    widget = map_widget(HEADLINES, scorer="levenshtein")
    content = {**widget._content, "points": None}
    state = {"_html": widget._html, "_content": content, "_shown": widget._shown, "_choice": []}
    points = base64.b64encode(widget._content["points"]).decode()
    notebook.evaluate(MODEL, [widget._esm, json.loads(json.dumps(state)), points])
    canvas = notebook.locator(".point-map canvas")
    notebook.wait_for_selector(".point-map[data-drawn]")

    def after(do):
        notebook.evaluate("window.choice = null")
        do()
        notebook.wait_for_function("window.choice")
        widget.set_state({"_choice": notebook.evaluate("window.choice")})
        notebook.evaluate("(shown) => model.python('_shown', shown)", widget._shown)
        count = str(len(widget.selected) or "")
        notebook.wait_for_function(
            "(count) => document.querySelector('div div').shadowRoot"
            ".querySelector('.point-map').dataset.marked === count",
            arg=count,
        )
        return widget.headlines

    canvas.focus()
    for _ in range(len(HEADLINES)):  # each headline by the keys, its text below the pointer
        notebook.keyboard.press("ArrowRight")
    assert after(lambda: notebook.keyboard.press("Enter"))
    assert after(lambda: notebook.keyboard.press("Escape")) == []
    notebook.keyboard.press("0")  # the keys may have moved the window
    box = canvas.bounding_box()
    corners = [(1, 1), (0.01, 1), (0.01, 0.01), (1, 0.01), (1, 0.99)]

    def lasso():
        notebook.keyboard.down("Shift")
        for at, (x, y) in enumerate(corners):
            notebook.mouse.move(box["x"] + x * box["width"] - 1, box["y"] + y * box["height"] - 1)
            notebook.mouse.down() if not at else None
        notebook.mouse.up()
        notebook.keyboard.up("Shift")

    assert {*after(lasso)} == {*HEADLINES} - {""}
    assert HOSTILE in widget.headlines
