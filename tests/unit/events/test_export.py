import io
import json
import re
import shlex
import zipfile
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from cli.group import group as command
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.events.correcting import Correcting
from core.events.correction import History
from core.events.corrections import fitted
from core.events.export import FORMATS, draw_map, report, report_bundle, report_content, table_bytes
from core.events.grouping import Settings, prepare, regroup
from core.events.grouping_summary import LABELS
from core.events.stories import Story
from core.events.suggestions import SELECTOR
from core.files import ROOT
from core.headlines.selection import headline_selectors
from core.runtime import Runtime
from tests.unit.events.test_edited_headlines import timeline_of
from tests.unit.events.test_first_and_edited import EDITS


@pytest.fixture(scope="session")
def drawing(iss):
    return draw_map(iss, "pca", Runtime())


@pytest.mark.parametrize("kind", FORMATS)
def test_every_table_reads_back_with_its_groups(iss, groups, kind):
    again = load(table_bytes(iss, groups, kind), f"groups.{kind}")
    assert again.texts == iss.source.texts
    assert [int(value) for value in again.original["group"]] == groups.ids.tolist()


@pytest.fixture(scope="module")
def corrected(iss, groups):
    """The headline of row 0 is split off by Ada, and what is left of its event has a title and a note."""
    rows, ids = iss.timeline.index.row, groups.ids
    now = Correcting(iss, groups, History(), "Ada")
    rest = int(np.flatnonzero(ids == ids[0])[1])
    history = History((now.split([0]),))
    after = regroup(iss, corrections=fitted(history, rows))
    now = Correcting(iss, after, history, "Bo")
    group = int(after.ids[rest])
    history = history.with_more([now.entitle(group, "The <b>alarm</b>"), now.note(group, "Check the time")])
    return regroup(iss, corrections=fitted(history, rows))


@pytest.mark.parametrize("kind", FORMATS)
def test_every_table_says_what_was_corrected_by_whom_and_when(iss, corrected, kind):
    again = load(table_bytes(iss, corrected, kind), f"groups.{kind}").original.fillna("")
    split = corrected.marks.headlines[0]
    assert again.loc[0, ["event_title", "corrected", "corrected_by"]].tolist() == ["", "split off", "Ada"]
    assert again.loc[0, "corrected_at"] == split.when.isoformat(timespec="seconds")
    assert set(again.loc[1:, "corrected"]) == {""}
    named = again[again["event_title"] == "The <b>alarm</b>"]["group"].astype(int)
    assert set(named) == set(corrected.marks.titles)
    plain = pd.read_csv(io.BytesIO(table_bytes(iss, regroup(iss), "csv")))
    assert "corrected" not in plain.columns


def test_the_guide_has_a_line_for_every_column_of_the_table(iss, corrected):
    name = "NAME (PERSON)"
    rows = [*EDITS, ("Zeta", "2026-11-01T15:00Z", "Horoscope for Sunday, 1 November", "")]
    edited = prepare(timeline_of(*rows), Settings(), Runtime())
    columns = set()
    for prepared, grouping in ((iss, corrected), (edited, regroup(edited))):
        cells, of_file = ["x"] * len(prepared.source), prepared.source.original.columns
        content = table_bytes(prepared, grouping, "csv", {"headline": {name: cells}, "event": {name: cells}})
        names = [*pd.read_csv(io.BytesIO(content)).columns]
        renamed = {name for name in of_file if name not in names[: len(of_file)]}
        columns |= {*names[len(of_file) :], *(["NAME_input"] if renamed else [])}
    guide = (ROOT / "docs/user_guide.md").read_text(encoding="utf-8").split("### The exported table")[1]
    lines = re.findall(r"^\| `(.+?)` \| \S.+ \| \S.+ \|$", guide.split("\n## ")[0], re.MULTILINE)
    assert sorted(lines) == sorted(columns)


def test_the_report_names_events_as_people_did(iss, corrected, drawing):
    page = report(iss, corrected, drawing).decode()
    assert "The &lt;b&gt;alarm&lt;/b&gt;" in page
    assert "<b>alarm" not in page
    assert "Note: Check the time" in page
    assert "Corrected: noted by Bo on" in page
    assert "3 corrections in force." in page


def test_a_card_of_the_report_says_of_which_story_the_event_is_a_part(iss, groups, drawing, monkeypatch):
    sizes = np.bincount(groups.ids)
    first, second = np.argsort(-sizes)[:2].tolist()
    story = Story(number=min(first, second), events=tuple(sorted((first, second))), central=second)
    monkeypatch.setattr("core.events.export.stories_of", lambda prepared, grouping: [story])
    content = report_content(iss, groups, drawing)
    name = content.name(next(card for card in content.cards if card.group == second))
    told = {card.group: any(name in remark for remark in card.remarks) for card in content.cards}
    assert {group for group, says in told.items() if says} == {first, second}


def test_report_content_counts_and_names_the_view(iss, groups, drawing):
    content = report_content(iss, groups, drawing)
    facts = dict(content.facts)
    sizes = pd.Series(groups.ids).value_counts()
    assert facts["Headlines"] == "47"
    assert facts["Events"] == str((sizes > 1).sum())
    assert facts["Single reports"] == str((sizes == 1).sum())
    assert all(set(groups.ids[list(card.rows)].tolist()) == {card.group} for card in content.cards)
    signature, suggested = content.signature.split(" · suggested:")
    assert signature == f"{groups.signature} · map:pca.v1"
    selector = headline_selectors.signature(headline_selectors.parse(SELECTOR))
    assert re.fullmatch(rf"{re.escape(selector)} \(weights:[0-9a-f]{{16}}\)", suggested)
    assert all(card.suggested in card.rows and card.reason.endswith(".") for card in content.cards)
    assert [row[0] for row in content.quality.rows] == [label for label, _ in LABELS.values()]


@pytest.mark.parametrize("granularity", [None, 0.61])
def test_the_command_in_the_report_says_the_whole_view(iss, drawing, granularity):
    words = shlex.split(report_content(iss, regroup(iss, granularity), drawing).command)
    given = command.make_context("group", words[2:]).params
    assert words[:3] == ["headline-lab", "group", "FILE"]
    assert (given["encoder"], given["scorer"], given["method"]) == (iss.encoder, iss.scorer, iss.method)
    assert (given["map_method"], given["granularity"]) == ("pca.v1", granularity)
    assert (given["fold"], given["since"]) == (False, None)
    later = shlex.split(report_content(replace(iss, previous={}), regroup(iss), drawing).command)
    assert command.make_context("group", later[2:]).params["since"] == "EARLIER.csv"


@pytest.mark.slow
def test_the_command_in_the_report_names_columns_that_are_not_recognised():
    rows = b"headline,kicker,date\nRates up,Central bank raises rates,2024-01-02\nSport,Cup won,2024-01-03\n"
    wanted = {Field.HEADLINE: "kicker", Field.PUBLISHED: "date"}
    for mapping, expected in ((None, ()), (wanted, ("headline=kicker",))):
        prepared = prepare(load(rows, "odd.csv", mapping=mapping), Settings(), Runtime())
        content = report_content(prepared, regroup(prepared), draw_map(prepared, "pca", Runtime()))
        words = shlex.split(content.command)
        assert command.make_context("group", words[2:]).params["columns"] == expected


@pytest.mark.parametrize(
    ("filename", "format_", "timeline", "expected"),
    [
        ("a.csv", "hlgd_timeline", "a", {"file_format": None, "timeline": "a"}),
        ("a.dat", "hlgd_timeline", "*", {"file_format": "hlgd_timeline", "timeline": "*"}),
        ("a.csv", "csv", None, {"file_format": "csv", "timeline": None}),
    ],
)
def test_the_command_in_the_report_reads_the_same_of_the_file(filename, format_, timeline, expected):
    data = b"timeline,headline,global_group,annotator_1\na,Bank cuts rates,1,1\nb,Cup won,1,1\nb,Rain,2,2"
    prepared = prepare(load(data, filename, format=format_, timeline=timeline), Settings(), Runtime())
    content = report_content(prepared, regroup(prepared), draw_map(prepared, "pca", Runtime()))
    given = command.make_context("group", shlex.split(content.command)[2:]).params
    assert {name: given[name] for name in expected} == expected


def test_the_bundle_holds_the_table_and_true_checksums(iss, groups, drawing):
    data = report_bundle(iss, groups, drawing)
    assert data == report_bundle(iss, groups, drawing)
    with zipfile.ZipFile(io.BytesIO(data)) as bundle:
        assert bundle.read("tables/headlines.csv") == table_bytes(iss, groups, "csv")
        sums = json.loads(bundle.read("manifest.json"))["sha256"]
        assert {*sums, "manifest.json"} == set(bundle.namelist())
        assert all(sha256(bundle.read(name)).hexdigest() == digest for name, digest in sums.items())
