"""Pages opened by Streamlit itself, without a browser."""

import json
import time
from functools import cache
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from components.frame.page_state import BEGUN, PARTS
from core.files import ROOT

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
"""Each app that is tested looks through all packages that are installed: once is enough."""


def opened(page="timeline", *, new=False, locale=None, timezone=None, **address):
    """The app on a place, or on a part of one by its word, run until nothing is computed any more; for a
    browser that comes for the first time, or again.
    """
    app = AppTest.from_file(str(ROOT / "menu.py"), default_timeout=120)
    app.context["locale"], app.context["timezone"] = locale, timezone
    if not new:
        app.session_state[BEGUN] = True
    return settled(turned(app, page, **address))


def turned(app, page, **address):
    """Turns to a place, or to a part of one that no page was opened in before."""
    place = next((place for place, parts in PARTS.items() if page in parts), page)
    for name, value in (({"part": page} if place != page else {}) | address).items():
        app.query_params[name] = value
    return app.switch_page(f"pages/{place}.py")


def settled(changed):
    """Runs a page, perhaps after a widget of it was used, until nothing is computed any more."""
    app = changed.run()
    for _ in range(600):
        if not any(button.label == "Stop" for button in app.button):
            assert not app.exception
            return app
        time.sleep(0.1)
        app._page_hash = app._finished_page_script_hash  # as a browser: the page that it was led to
        app.run()
    raise AssertionError("the page never finished its work")


def press(app, start):
    next(one for one in app.button if str(one.key).startswith(start) or one.label.startswith(start)).click()
    return settled(app)


def loaded(app, name, content, kind="text/csv"):
    """The timeline of a file that is opened."""
    settled(app.file_uploader[0].set_value([(name, content, kind)]))
    press(app, "load")
    return settled(turned(app, "timeline"))


def put(app, view, **values):
    key = f"state_{view}"
    app.session_state[key] = app.session_state[key] | values


def listed(app):
    events: list[dict[str, Any]] = drawn(app, "group-list")["events"]
    return events


def drawn(app, name):
    (found,) = [one for one in app.get("bidi_component") if one.key == name]
    data: dict[str, Any] = json.loads(found.proto.json)
    return data


def triggered(app, name, event):
    """What a drawn component tells of a press."""
    (found,) = [one for one in app.get("bidi_component") if one.key == name]
    states = app._tree.get_widget_states()
    told = json.dumps([{"event": event, "value": True}])
    states.widgets.add(id=_make_trigger_id(found.proto.id, "events"), json_trigger_value=told)
    app._run(states)
    return settled(app)


def shown_html(app):
    return " ".join(element.proto.body for element in app.get("html"))


def words(app):
    """All that the page says, without the signs that markdown needs."""
    parts = [*app.title, *app.markdown, *app.caption, *app.info, *app.error, *app.button, *app.text_input]
    said = (str(getattr(part, "value", "")) + str(getattr(part, "label", "")) for part in parts)
    return "\n".join(said).replace("\\", "")


def everything(app):
    """The same with tables, lists to choose from and the address."""
    tables = "".join(str(frame.value.to_csv()) for frame in app.dataframe)
    lists = "".join(str(box.options) for box in app.selectbox)
    return words(app) + tables + lists + str({**app.query_params})


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}
