from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from core.data.timelines.load import load
from core.data.timelines.periods import Period, whole
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.events.busy_times import DAY, HOUR, busy_stretches, finding, said_quiet, times_of, unit_of
from core.events.cards import group_summaries
from core.events.disputes import disputes
from core.events.earlier_groups import extends
from core.events.explanations import why_together
from core.events.export import table_bytes
from core.events.facts import facts_grid
from core.events.facts_text import cell_words
from core.events.grouping import Settings, prepare, regroup
from core.events.grouping_summary import NOT_FITTED, groups_as_object, groups_as_text, method_notes
from core.events.lanes import PARTS, Lane, Mark, courses, lanes
from core.events.suggestions import BARELY, suggestions
from core.files import ROOT
from core.groups.summary import GroupSummary, closeness
from core.results.delimited import delimited
from core.runtime import Runtime


@pytest.mark.slow
def test_events_are_told_apart_by_how_far_their_reports_differ(iss, groups):
    several = [line for line in group_summaries(iss, groups) if line.size > 1]
    found = disputes(iss, groups, several, Runtime())
    assert set(found) == {line.group for line in several}
    assert all(0 <= one.apart <= 1 for one in found.values())
    assert len({one.apart for one in found.values()}) > len(several) / 2
    # Numbers that disagree come before words that differ.
    texts = b"Fire in Leeds kills 3\nFire in Leeds kills 4\nRain in Rome floods streets\nRome under water"
    read = prepare(load(texts, "news.txt"), Settings(), Runtime())
    at = replace(regroup(read, 0.5), ids=np.array([1, 1, 2, 2]))
    one, two = disputes(read, at, group_summaries(read, at), Runtime()).values()
    assert (one.contradictions, two.contradictions) == (1, 0)
    assert one.apart < two.apart
    assert one > two


def test_why_together_says_where_the_tree_joins_two(iss, groups):
    left, right = group_summaries(iss, groups)[0].rows[:2]
    found = why_together(iss, groups, left, right)
    assert found.link.together
    assert found.link.joins_at <= groups.granularity
    before, after = (regroup(iss, found.link.joins_at + step).ids for step in (-1e-3, 1e-3))
    assert before[left] != before[right]
    assert after[left] == after[right]
    assert found.link.similarity == pytest.approx(iss.similarities.of(left, right))
    assert {"meaning", "words", "names", "time"} <= {part.name for part in found.parts}
    with pytest.raises(InputError):
        why_together(iss, groups, 0, 47)


def test_each_report_of_a_lane_has_a_mark_in_time_order_and_undated_ones_come_last():
    timeline = load(
        b"headline,published,publisher\n"
        b"Four,,Alpha\nTwo,2024-01-01T10:20:00Z,Beta\nOne,2024-01-01T10:05:00Z,Alpha\n"
        b"Three,2024-01-01T15:00:00Z,\nFar,2024-01-02T10:00:00Z,Alpha\n",
        "a.csv",
    )
    (lane,) = lanes(timeline, [1, 1, 1, 1, 2], [(1, "It")])
    assert [mark.headline for mark in lane.marks] == ["One", "Two", "Three", "Four"]
    assert [mark.outlet for mark in lane.marks] == ["Alpha", "Beta", "", "Alpha"]
    assert lane.marks[0].when == "1 Jan 2024, 10:05 UTC"
    times = [mark.time and f"{mark.time:%H:%M}" for mark in lane.marks]
    assert times == ["10:05", "10:20", "15:00", None]
    shown = np.array([False, False, False, True, True])
    (lane,) = lanes(timeline, [1, 1, 1, 1, 2], [(1, "It")], within=shown)
    assert [mark.headline for mark in lane.marks] == ["Three"]


def _lane(group, *times):
    marks = [Mark(time, f"{time:%d %b %Y %H:%M}", f"outlet {at}", "It") for at, time in enumerate(times)]
    return Lane(group, "It", tuple(marks))


def test_lanes_of_hours_are_in_the_reader_s_zone_and_those_of_days_stay_those_of_utc():
    tokyo = ZoneInfo("Asia/Tokyo")
    hours = load(b"headline,published\nOne,2024-01-01T20:05:00Z\nTwo,2024-01-01T23:30:00Z\n", "a.csv")
    rows = lanes(hours, [1, 1], [(1, "It")], zone=tokyo)
    assert [mark.when for mark in rows[0].marks] == ["2 Jan 2024, 05:05 JST", "2 Jan 2024, 08:30 JST"]
    (stretch,) = busy_stretches(times_of(rows), unit_of(rows))
    assert (stretch.first, f"{stretch.first:%d %H}", f"{stretch.end:%d %H}") == (
        datetime(2024, 1, 1, 20, tzinfo=UTC),
        "02 05",
        "02 09",
    )
    assert finding(rows) == "One event on 2 Jan 2024."
    days = load(b"headline,published\nOne,2024-01-01\nTwo,2024-01-03T20:00:00Z\n", "a.csv")
    rows = lanes(days, [1, 1], [(1, "It")], zone=tokyo)
    assert [mark.when for mark in rows[0].marks] == ["1 Jan 2024", "4 Jan 2024, 05:00 JST"]
    (stretch,) = busy_stretches(times_of(rows), unit_of(rows))
    assert str(stretch.period) == "2024-01-01/2024-01-03"


def test_quiet_of_a_month_is_cut_out_and_the_sentence_names_the_burst_with_most_events():
    first, later = datetime(2015, 1, 14, 9, tzinfo=UTC), datetime(2016, 11, 16, 22, tzinfo=UTC)
    rows = [_lane(1, first, first + 30 * DAY), *(_lane(at, later, later + at * DAY) for at in (2, 5))]
    stretches = busy_stretches(times_of(rows), DAY)
    assert [str(stretch.period) for stretch in stretches] == [
        "2015-01-14/2015-02-13",
        "2016-11-16/2016-11-21",
    ]
    assert (
        finding(rows) == "Two bursts in two years; two of the three events fall in six days of November 2016."
    )
    assert len(busy_stretches(times_of(rows), DAY, most=1)) == 1
    assert said_quiet(stretches[1].first - stretches[0].end) == "21 mo"
    close = [_lane(1, first, first + 5 * HOUR)]
    assert (unit_of(close), unit_of(rows)) == (HOUR, DAY)
    assert finding(close) == "One event on 14 Jan 2015."
    daily = [_lane(1, *(first + at * DAY for at in range(4)))]
    assert "1 of 4" not in finding(daily), "no day stands out where each has one report"
    assert finding([Lane(1, "It", (Mark(None, "no date", "", "It"),))]) == ""


def test_a_date_that_no_news_can_have_stretches_no_lane():
    rows = "One,2024-01-01\nTwo,2024-01-20\nOld,0001-01-01\nFar,9999-12-31\n"
    timeline = load(f"headline,published\n{rows}".encode(), "a.csv")
    (lane,) = lanes(timeline, [1] * 4, [(1, "All")])
    assert [mark.headline for mark in lane.marks if mark.time] == ["One", "Two"]
    assert [mark.time for mark in lane.marks[2:]] == [None, None]
    assert whole(timeline) == Period(date(2024, 1, 1), date(2024, 1, 20))
    assert timeline.undated == 2, "and is the day of no event"
    only = load(b"headline,published\nOld,0001-01-01\nFar,9999-12-31\n", "a.csv")
    assert whole(only) is None


def timeline(days):
    """A headline for each day of January 2024, None for one without a date."""
    lines = [f"{'' if day is None else f'2024-01-{day:02}'};Headline {n}" for n, day in enumerate(days)]
    return load("\n".join(["published;headline", *lines]).encode(), "days.csv")


def event(*rows):
    return GroupSummary(rows[0], rows, tuple((row,) for row in rows), rows[0], None, None, ())


@pytest.mark.parametrize(
    ("days", "grows", "growth"),
    [
        ([30, 31, 31], False, 3),
        ([2, 30, 31], True, 2),
        ([2, 31], False, 1),  # one recent report is no growth
        ([27, 27, 31, 31], False, 0),
        ([2, 3, 4], False, 0),
    ],
)
def test_what_grows(days, grows, growth):
    whole = [*days, 1, 31]
    found = courses(timeline(whole), [event(*range(len(days))), event(len(days), len(days) + 1)])[0]
    assert (found.grows, found.growth) == (grows, growth)
    assert len(found.counts) == PARTS
    assert sum(found.counts) == len(days)


@pytest.mark.parametrize(("first", "grows"), [("2023-01-01", True), ("1970-01-01", False)])
def test_nothing_grows_in_parts_of_years(first, grows):
    days = [first, "2024-03-03", "2024-03-04"]
    rows = "\n".join(["published,headline", *(f"{day},Headline {n}" for n, day in enumerate(days))])
    assert courses(load(rows.encode(), "a.csv"), [event(0, 1, 2)])[0].grows is grows


COPIES = b"""headline,published,publisher
Storm closes airport in the north,2024-01-02,Alpha
Bank raises rates again,2024-01-02,Beta
UPDATE 1-Storm closes airport in the north,2024-01-02,Gamma
Storm closes airport in the north,2024-01-03,Delta
"""


def test_the_chosen_granularity_is_cut_and_said(iss, groups):
    assert groups.automatic
    assert groups.granularity == iss.start.granularity == 0.7
    np.testing.assert_array_equal(groups.ids, regroup(iss, groups.granularity).ids)
    assert groups.quality["ami"].value == pytest.approx(0.850, abs=5e-4)
    assert groups.quality["pair_f1"].value == pytest.approx(0.759, abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("news", 0.75), ("cup", 0.64)])
def test_events_are_grouped_across_languages(name, least):
    """Without a word about languages the groups had .49 and .30."""
    table = pd.read_csv(ROOT / f"tests/data/languages/{name}.csv", dtype=str)
    columns = table[["date", "headline"]].assign(group=table["event"])
    timeline = load(columns.to_csv(index=False).encode(), "languages.csv")
    grouping = regroup(prepare(timeline, Settings(), Runtime()))
    assert grouping.quality["pair_f1"].value >= least
    ids = pd.Series(grouping.ids)
    meet = table["language"].groupby(ids).nunique()[ids.value_counts() >= 3]
    assert (meet >= 2).mean() > 0.75


def test_a_granularity_all_but_the_chosen_one_is_that_one(iss, groups):
    near = regroup(iss, 0.7003)
    assert (near.automatic, near.granularity, near.signature) == (True, 0.7, groups.signature)
    far = regroup(iss, 0.701)
    assert (far.automatic, far.granularity) == (False, 0.701)
    cuts = (None, 0.6, 0.6001, 0.6004, 0.61)
    assert len({regroup(iss, cut).signature for cut in cuts}) == len(cuts)


def test_any_setting_changes_the_signature_and_only_its_part():
    timeline, usual = load_sample("iss"), Settings(scorer="event_similarity")
    settings = {
        "encoder": replace(usual, encoder="use_multilingual"),
        "scorer": Settings(scorer="cosine_time"),
        "scorer's parameter": Settings(scorer="event_similarity|tau_days:4.0"),
        "method": replace(usual, method="connected_components"),
        "method's parameter": replace(usual, method="leiden|resolution:2.0"),
    }
    whole = prepare(timeline, usual, Runtime()).signature
    plain = set(whole.split(" · "))
    found = {name: prepare(timeline, chosen, Runtime()).signature for name, chosen in settings.items()}
    found["numbers"] = prepare(timeline, usual, Runtime(), previous={"a": 7}).signature
    found["other numbers"] = prepare(timeline, usual, Runtime(), previous={"a": 8}).signature
    found["data"] = prepare(timeline.select(range(46)), usual, Runtime()).signature
    assert len({whole, *found.values()}) == len(found) + 1
    for name, signature in found.items():
        changed = {part for part in set(signature.split(" · ")) - plain if not part.startswith("weights:")}
        assert len(changed) == 1, name


@pytest.mark.slow
@pytest.mark.parametrize("scorer", ["auto", "levenshtein", "event_similarity|window_days:1.0"])
def test_headlines_that_an_outlet_gave_one_article_are_one_event(scorer):
    rows = (
        "2026-11-01,Alpha,https://alpha.example/{},Minister under fire over leaked letters",
        "2026-11-04,Alpha,http://www.alpha.example/{}?utm_source=rss,Minister quits after a day of talks",
        "2026-11-04,Beta,https://beta.example/1,Cup tie ends without a goal",
    )
    for addresses, together in ((("7", "7", ""), True), (("7", "8", ""), False)):
        lines = [row.format(address) for row, address in zip(rows, addresses, strict=True)]
        timeline = load("\n".join(["date,outlet,url,headline", *lines]).encode(), "minister.csv")
        ids = regroup(prepare(timeline, Settings(scorer=scorer), Runtime()), 0.1).ids
        assert bool(ids[0] == ids[1]) is together


@pytest.mark.slow
def test_folded_copies_come_back_with_the_group_of_the_first():
    timeline = load(COPIES, "copies.csv")
    folded = prepare(timeline, Settings(fold=True), Runtime())
    assert len(folded.timeline) == 2
    assert folded.position.tolist() == [0, 1, 0, 0]
    assert "copies folded" in folded.signature
    assert "copies folded" not in prepare(timeline, Settings(), Runtime()).signature
    grouping = regroup(folded)
    lines = table_bytes(folded, grouping, "csv").decode().splitlines()
    numbers = [line.rpartition(",")[2] for line in lines[1:]]
    assert numbers == ["2", "1", "2", "2"]  # "Bank" sorts before "Storm"
    with pytest.raises(InputError, match="no headline"):
        prepare(timeline.select([]), Settings(), Runtime())


def test_a_later_version_is_told_by_half_of_its_headlines(iss):
    whole = iss.source
    assert extends(whole, whole.select(range(23)))
    assert extends(whole.select(range(24)), whole)
    assert not extends(whole.select(range(23)), whole)
    assert not extends(whole, load(COPIES, "copies.csv"))


def prepared_of(*lines):
    table = delimited([["publisher", "published", "headline"], *map(list, lines)])
    return prepare(load(table.encode(), "a.csv"), Settings(), Runtime())


def test_it_is_an_original_that_the_group_holds(iss, groups):
    lines = [line for line in group_summaries(iss, groups) if line.size > 1]
    for line, best in zip(lines, suggestions(iss, [line.rows for line in lines]), strict=True):
        originals = [report[0] for report in line.reports]
        assert best.row in originals
        near = closeness(iss.similarities, np.array(originals), np.zeros(len(originals), np.int64))
        assert near[originals.index(best.row)] >= BARELY * np.median(near)


@pytest.mark.slow
def test_a_copy_is_never_chosen_over_its_original():
    prepared = prepared_of(
        ("Beta", "2018-09-05T12:00:00Z", "UPDATE 1-Roscosmos finds a hole of 2 mm on the station"),
        ("Alpha", "2018-09-05T10:00:00Z", "Roscosmos finds a hole of 2 mm on the station"),
        ("Gamma", "2018-09-05T13:00:00Z", "ROSCOSMOS finds a hole of 2 mm on the station!"),
        ("Delta", "2018-09-05T11:00:00Z", "A hole of 2 mm on the station is found by Roscosmos"),
    )
    for selector in (None, "longest", "most_recent"):
        (best,) = suggestions(prepared, [[0, 1, 2, 3]], selector=selector)
        assert best.row in (1, 3)


@pytest.mark.slow
def test_a_number_that_more_outlets_contradict_is_not_suggested():
    prepared = prepared_of(
        ("A", "2024-05-01", "Quake kills 12 people in the north of Peru"),
        ("B", "2024-05-01", "Quake in Peru kills 12 people"),
        ("C", "2024-05-01", "Quake kills 14 people in mountains in the north of Peru on a cold Sunday"),
        ("D", "2024-05-01", "مظاهرات في تونس احتجاجا على ارتفاع أسعار الخبز"),  # not read, so not counted
    )
    (best,) = suggestions(prepared, [[0, 1, 2, 3]], selector="longest")
    assert best.row == 0
    assert "(12 dead, by 2 of 3 outlets)" in best.reason


@pytest.mark.slow
def test_a_headline_with_an_older_number_is_not_suggested_and_a_label_is_no_title():
    prepared = prepared_of(
        ("A", "2025-05-02", "Five dead as a bus with many tourists falls into a ravine near Cusco"),
        ("B", "2025-05-02", "Five dead in Cusco bus crash"),
        ("C", "2025-05-02", "Cusco bus crash in the mountains leaves five dead"),
        ("A", "2025-05-03", "Death toll in Cusco bus crash rises to nine"),
        ("D", "2025-05-03", "EIL: Five dead in Cusco bus crash"),
    )
    (best,) = suggestions(prepared, [range(5)], selector="longest")
    assert (best.row, "has the newest number of dead" in best.reason) == (3, True)
    (same,) = suggestions(prepared, [[0, 1, 2]], selector="longest")
    assert (same.row, "newest" in same.reason) == (0, False)
    urgent = prepared_of(
        ("A", "2025-05-02T08:00Z", "EIL: Flugzeug muss in Graz notlanden"),
        ("B", "2025-05-02T09:00Z", "Flugzeug muss in Graz notlanden"),
        ("C", "2025-05-02T10:00Z", "URGENT – Flugzeug landet in Graz"),
    )
    at = replace(regroup(urgent, 0.9), ids=np.array([1, 1, 1]))
    (line,) = group_summaries(urgent, at)
    assert (line.representative, [report[0] for report in line.reports]) == (1, [1, 2])
    assert not any(
        "EIL" in cell_words(cell) for row in facts_grid(urgent.timeline, line).rows for cell in row.cells
    )


def test_a_member_that_the_group_barely_holds_is_not_suggested():
    prepared = prepared_of(
        ("A", "2024-05-01", "Quake kills 12 people in the north of Peru"),
        ("B", "2024-05-01", "Quake in the north of Peru kills 12 people"),
        ("C", "2024-05-01", "Quake in Peru kills 12 people in the north"),
        ("D", "2024-05-01", "How the city of Milan became a capital of fashion and football in 12 steps"),
    )
    (best,) = suggestions(prepared, [[0, 1, 2, 3]], selector="longest")
    assert best.row != 3
    (alone,) = suggestions(prepared, [[3]], selector="longest")
    assert alone.reason == "The only headline."


def test_a_reason_does_not_claim_what_is_not_there():
    prepared = prepared_of(("A", "", "Rain and more rain ahead"), ("B", "", "More rain is on its way"))
    (best,) = suggestions(prepared, [[0, 1]])
    assert best.reason.startswith("The reports share no name or number")


@pytest.mark.parametrize(
    ("how", "said"),
    [({}, False), ({"scorer": "event_similarity"}, False), ({"scorer": "event_pair"}, True),
     ({"method": "louvain"}, True), ({"encoder": "use_multilingual"}, True)],
)  # fmt: skip
def test_a_level_that_was_fitted_to_other_methods_says_so(iss, how, said):
    prepared = prepare(iss.source, Settings(**how), Runtime()) if how else iss
    assert (NOT_FITTED in method_notes(prepared, regroup(prepared))) is said
    assert NOT_FITTED not in method_notes(prepared, regroup(prepared, 0.5)), "somebody chose the level"


def test_a_summary_names_the_column_of_the_gold_groups(iss, groups):
    assert "the column group:" in groups_as_text(groups_as_object(iss, groups))
