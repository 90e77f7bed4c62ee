import json
import re
from dataclasses import replace

import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.events.cards import group_card, group_summaries
from core.events.correcting import Correcting
from core.events.correction import History
from core.events.corrections import fitted
from core.events.export import Drawing, draw_map
from core.events.grouping import Settings, prepare, regroup
from core.events.interactive_page import DIFFERING, interactive_page, page_script
from core.results.page import script_hash
from core.results.render import clean
from core.runtime import Runtime
from tests.unit.events.test_report import HOSTILE, LOADING, Page


@pytest.fixture(scope="module")
def drawing(iss):
    return draw_map(iss, "pca", Runtime())


def data_of(page):
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.decode())
    return json.loads(data)


def events_of(data):
    """What the page's script makes of it: for each position the event of each headline, plainly."""
    groups, told = list(range(len(data["texts"]))), {}
    for step in data["steps"]:
        joins = dict(step["joins"])
        groups = [joins.get(group, group) for group in groups]
        for row, group in step["moves"]:
            groups[row] = group
        told |= {group: event for group, *event in step["events"]}
        yield [told[group] for group in groups]


def order_of(prepared):
    return np.lexsort((np.arange(len(prepared.timeline)), prepared.timeline.days)).tolist()


def corrected(prepared):
    """The first headline is split off, and what is left of its event has a title."""
    groups, rows = regroup(prepared), prepared.timeline.index.row
    rest = int(np.flatnonzero(groups.ids == groups.ids[0])[1])
    history = History((Correcting(prepared, groups, History(), "Ada").split([0]),))
    after = regroup(prepared, corrections=fitted(history, rows))
    now = Correcting(prepared, after, history, "Bo")
    return fitted(history.with_more([now.entitle(int(after.ids[rest]), "The <b>alarm</b>")]), rows)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["average_linkage", "leiden", "corrected"])
def test_each_position_has_the_events_of_the_app(iss, drawing, method):
    made = iss
    if method == "leiden":
        made = prepare(iss.source, Settings(method=method, scorer="cosine_time"), Runtime())
    corrections = corrected(made) if method == "corrected" else None
    grouping = regroup(made, corrections=corrections)
    data, order = data_of(interactive_page(made, grouping, drawing)), order_of(made)
    assert data["levels"][data["start"]] == grouping.granularity
    assert data["texts"] == [made.timeline.texts[row] for row in order]
    titled = False
    for level, events in zip(data["levels"], events_of(data), strict=True):
        at = regroup(made, level, corrections=corrections)
        assert [event[0] for event in events] == at.ids[order].tolist()
        shown = {line.group: line.representative for line in group_summaries(made, at)}
        assert all(order[event[1]] == shown[event[0]] for event in events)
        titles = {event[0]: event[2] for event in events if len(event) > 2}
        assert titles == at.marks.titles
        titled |= bool(titles)
    moved = any(step["moves"] for step in data["steps"])
    assert (moved, titled) == (method == "leiden", method == "corrected")


def test_the_words_that_differ_are_those_of_the_card(iss, groups, drawing):
    data, order = data_of(interactive_page(iss, groups, drawing)), order_of(iss)
    marks = {(order[shown], order[row]): spans for shown, row, *spans in data["marks"]}
    compared = 0
    for line in group_summaries(iss, groups):
        for row, differences in group_card(iss, groups, line.group).differences:
            spans = iter(marks.get((line.representative, row), []))
            found = [
                (begin, end, DIFFERING[kind]) for begin, end, kind in zip(spans, spans, spans, strict=True)
            ]
            wanted = [mark for mark in differences.right_marks if mark.kind in DIFFERING]
            assert found == [(mark.start, mark.end, mark.kind) for mark in wanted]
            compared += len(found)
    assert compared > 20


def prepared_of(*texts, name="a", **columns):
    """Just these values, past the reader, which takes markup out."""
    plain = load("".join(f"Storm {at} shuts airport\n" for at in range(len(texts))).encode(), "a.txt")
    timeline = replace(plain, name=name, table=plain.table.assign(headline=list(texts), **columns))
    return prepare(timeline, Settings(scorer="levenshtein"), Runtime())


ODD = "</script><script>alert(1)</script>\u2028<!--"
STRANGE = [f"Storm {at} {text}".replace("\ud800", "") for at, text in enumerate((ODD, *HOSTILE))]


def hostile():
    made = prepared_of(*STRANGE, name=ODD, publisher=ODD, url="javascript:alert(1)")
    places = np.random.default_rng(0).random((len(STRANGE), 2)).astype(np.float32)
    return made, interactive_page(made, regroup(made), Drawing(ODD, places))


def test_no_text_leaves_its_place_and_only_one_script_runs():
    _, raw = hostile()
    assert raw == hostile()[1]
    page = Page(raw)
    (policy,) = (attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv"))
    assert (
        policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src '{script_hash(page_script())}'"
    )
    assert [attrs.get("type") for tag, attrs in page.tags if tag == "script"] == ["application/json", None]
    block, script = page.scripts
    assert script == page_script()
    assert not re.search("[<>&\u2028\u2029]", block)
    assert json.loads(block)["texts"] == list(map(clean, STRANGE))
    assert not any(json.loads(block)["links"])
    for tag, attrs in page.tags:
        assert tag not in LOADING
        assert not [name for name in attrs if name.startswith("on") or name in {"src", "href"}]
    assert "innerHTML" not in script
    assert not re.search(
        r"fetch|XMLHttp|import|eval|insertAdjacent|outerHTML|document\.write|https?:(?!//www.w3.org)", script
    )


def test_headlines_without_dates_outlets_or_a_second_one_have_a_page():
    made = prepared_of("Storm shuts airport")
    data = data_of(interactive_page(made, regroup(made), Drawing("pca", np.zeros((1, 2), dtype=np.float32))))
    assert (data["minutes"], data["outlet"], data["places"]) == ([None], [-1], [0, 1000])
    assert list(events_of(data)) == [[[1, 0]]] * len(data["levels"])


def test_more_headlines_than_a_page_holds_are_refused(iss, groups, drawing, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_REPORT_HEADLINES", "46")
    with pytest.raises(InputError, match="47 headlines"):
        interactive_page(iss, groups, drawing)
