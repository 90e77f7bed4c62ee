import io
import re
import threading
from base64 import b64decode
from dataclasses import dataclass, replace
from html import escape as html_of

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from components.frame.markdown import SEAM, WORDS
from components.headlines.numerals.wrong_number import wrong_number
from components.opened import resources
from components.opened.views import timeline
from components.server import queue
from components.timeline import facts, headline_map
from components.tour.first_visit import contradiction
from core.data.timelines.load import load_text
from core.data.timelines.samples import load_sample
from core.events import grouping
from core.events.stories import Story
from core.files import ROOT
from core.models.encoders.encoder import encoders
from core.models.endpoints import addresses
from core.numerals.checked_headline import Light
from core.pairs.scorer import Formula, PairScorer, pair_scorers
from tests import language_model_server
from tests.hostile.broken import WORD, broken
from tests.pages.opening import drawn, listed, loaded, metrics, opened, press, put, settled, turned, words
from tests.unit.events.test_title_language import OTHERS, QUAKE

ISS = load_sample("iss").table[["headline", "published"]].to_csv(index=False, header=False)
_LINK = timeline._state.links["scorer"]


def suggested(app):
    return [line.value for line in app.markdown if line.value.startswith(":material/star: ")]


def tab(app, group, name):
    app.session_state[f"card-tab-{group}"] = name
    return settled(app)


def test_a_group_has_a_suggestion_with_a_reason():
    (line,) = suggested(tab(opened("timeline", group="1"), 1, "Best headline"))
    assert line.partition("  \n")[2].endswith(".")


def test_a_first_visit_shows_true_pictures_and_opens_pasted_lines():
    app = opened(new=True)
    said = "\n".join(html.proto.body for html in app.get("html")) + words(app)
    texts, there, back, level = contradiction()
    assert (there >= level) != (back >= level)
    assert all(f"{score:.2f} " in said for score in (there, back))
    assert all(text[:40] in said for text in map(html_of, texts))
    assert wrong_number().light is Light.WRONG
    assert wrong_number().reason in said
    grid = min((one.proto.body for one in app.get("html") if "<table>" in one.proto.body), key=len)
    stated = re.findall(r'class="stated[^>]*>([^<]+)', grid)
    assert len(stated) > 4
    assert all(any(value in text for text in map(html_of, load_sample().texts)) for value in stated)
    lines = "Storm shuts two airports\nTwo airports shut in storm\nBank raises rates\n"
    settled(app.text_area(key="first-lines").set_value(lines))
    assert metrics(app)["Headlines"] == "3"
    assert not any(button.key == "first-go" for button in app.button)


@pytest.mark.slow
def test_a_first_visit_ends_with_what_is_done_on_it_and_with_a_link():
    for first in ("first-close", "first-to-facts"):
        app = opened(new=True)
        assert not app.slider
        press(app, first)
        assert len(app.slider) == 1
    assert app.query_params["group"] in ("3", ["3"])
    assert app.session_state["card-tab-3"] == "Facts"
    assert opened(new=True, group="3").slider
    app = opened(new=True)
    press(app, "first-to-number")
    assert app.title[0].value == "Check numbers"
    assert settled(turned(app, "timeline")).slider


def test_a_click_on_a_way_to_another_place_counts_while_the_page_still_computes(monkeypatch):
    for button, new in (("first-to-number", True), ("check-numbers", False)):
        app = opened(new=new, **({} if new else {"group": "3"}))
        if not new:
            app.session_state["card-tab-3"] = "Best headline"
            app.run()
        with monkeypatch.context() as computing:
            computing.setattr(resources, "prepared", lambda *_, **__: st.stop())
            press(app, button)
            assert app.title[0].value == "Check numbers"


def test_what_a_first_visit_cannot_open_is_said_and_stays():
    app = opened(new=True)
    settled(app.file_uploader(key="first-file").set_value([("a.csv", b"\x00\x01", "text/csv")]))
    assert len(app.error) == 1
    assert app.text_area(key="first-lines")


def test_the_facts_of_a_group_stand_in_a_table():
    app = tab(opened("timeline", group="3", scorer="event_similarity.v2"), 3, "Facts")
    (table,) = [one.proto.body for one in app.get("html") if "<table>" in one.proto.body]
    heads = re.findall(r'<th scope="col">([^<]+)', table)
    outlets = re.findall(r'<th scope="row">([^<]+)', table)
    assert heads == ["Outlet", "names", "where", "persons"]
    assert (outlets[:2], len(outlets)) == (["Said most often", "ap"], 8)
    assert "first day" in table
    # A word for somebody of a country is no name; who names nobody is silent, or in doubt.
    assert "Frenchman" not in table
    last = table.rpartition("<tr>")[2]
    assert last.count('class="silent"') + last.count("not read") == last.count("<td") == 3
    assert any("the last outlet followed 4 days later" in line.value for line in app.markdown)


EDITED = """publisher,published,headline,url
Alpha,2026-11-01T08:00Z,Dam bursts in Harlow valley killing 12,https://alpha.example/dam
Alpha,2026-11-01T12:00Z,Dam bursts in Harlow valley killing 19,https://m.alpha.example/dam/
Beta,2026-11-01T13:00Z,Harlow valley dam burst: 19 dead,https://beta.example/harlow
Beta,2026-11-01T13:10Z,Parliament votes on the budget for schools,https://beta.example/budget
"""


def test_an_edited_headline_has_its_time_on_the_card_and_contradicts_nothing():
    app = loaded(opened("open"), "dam.csv", EDITED.encode())
    (event,) = [one for one in listed(app) if "Dam" in one["title"]]
    assert "3 headlines · 2 outlets" in event["facts"]
    app = settled(turned(app, "timeline", group=str(event["group"])))
    said = words(app)
    assert said.count("edited 12:00") == 1
    (old,) = [line.value for line in app.markdown if "earlier wording" in line.value]
    assert "**_12_**" in old
    assert "replaced 12:00" in old.replace("\\", "")
    assert "may contradict" not in said
    assert "disagree" not in said
    said = words(tab(app, event["group"], "Facts"))
    (table,) = [one.proto.body for one in app.get("html") if "<table>" in one.proto.body]
    assert "edited 12:00" in table
    assert "different values" not in table
    assert "3 reports, 2 origins" in said


def test_a_wording_without_a_date_is_said_to_have_replaced_nothing_on_card_and_in_list():
    app = loaded(opened("open"), "dam.csv", EDITED.replace("2026-11-01T12:00Z", "").encode())
    (event,) = [one for one in listed(app) if "Dam" in one["title"] or "dam" in one["title"]]
    app = settled(turned(app, "timeline", group=str(event["group"])))
    reports = [line.value for line in app.markdown if "also worded otherwise" in line.value]
    assert len(reports) == 2
    said = words(app)
    assert "which came first is not known" in said
    assert not any(claim in said for claim in ("edited 12", "earlier wording", "changed 1", ":red[~~"))


TOLL = """publisher,published,headline,url
Alpha,2026-11-01T08:00Z,Dam bursts in Harlow valley killing 14,https://alpha.example/dam
Beta,2026-11-01T10:00Z,Harlow valley dam burst: 14 dead,https://beta.example/harlow
Alpha,2026-11-01T12:04Z,Dam bursts in Harlow valley killing 9,https://alpha.example/dam
Gamma,2026-11-01T12:30Z,Harlow valley dam burst kills nine,https://gamma.example/harlow
Beta,2026-11-01T13:10Z,Parliament votes on the budget for schools,https://beta.example/budget
Gamma,2026-11-01T14:10Z,Budget for schools passes in parliament vote,https://gamma.example/budget
"""


def test_an_event_says_its_newest_number_who_was_first_and_what_was_edited():
    app = loaded(opened("open"), "dam.csv", TOLL.encode())
    (event,) = [one for one in listed(app) if "arlow" in one["title"]]
    assert any(number in event["title"] for number in ("9", "nine"))
    group = str(event["group"])
    app = settled(turned(app, "timeline", group=group))
    said = words(app).replace("\\", "").replace(":small[]", "")
    assert "may contradict" not in said
    assert re.search(r"1 Nov 2026, 08:00 UTC.*\bAlpha · first", said)
    assert "1 edited headline" in said
    assert "~~14~~" in said
    app.session_state[f"card-tab-{group}"] = "Facts"
    settled(app)
    assert "**dead: 9**" in words(app).replace("\\", "")
    assert "Publish this chart" in words(app)


def test_hours_are_in_the_reader_s_zone_which_is_said_and_exports_stay_in_utc(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))

    def shown(app):
        return words(app).replace("\\", "").replace(":small[]", "")

    app = loaded(opened("open"), "dam.csv", TOLL.encode())
    group = str(next(one["group"] for one in listed(app) if "arlow" in one["title"]))
    data = app.session_state["state_TimelineView"]["data"]
    app = opened("timeline", timezone="America/Sao_Paulo", data=data, group=group)
    assert re.search(r"1 Nov 2026, 05:00 UTC-03\W[^\n]*Alpha · first", shown(app))
    assert "replaced 09:04" in shown(app)
    assert "changed 14 → 9 dead, 1 Nov 2026, 09:04 UTC-03" in shown(app)
    press(app, "publish-edits")
    (preview,) = [html.proto.body for html in app.get("html") if "data:image/svg" in html.proto.body]
    picture = b64decode(preview.partition("base64,")[2].partition('"')[0]).decode()
    assert ("12:04 UTC" in picture, "09:04" in picture) == (True, False)
    settled(app.selectbox(key="pick-zone").set_value("Asia/Tokyo"))
    assert "1 Nov 2026, 17:00 JST" in shown(app)
    app.session_state[f"card-tab-{group}"] = "Facts"
    said = shown(settled(app))
    assert "Times are Asia/Tokyo" in said
    assert "21:04 JST" in said
    (table,) = [one.proto.body for one in app.get("html") if "<table>" in one.proto.body]
    assert "21:04" in table
    again = opened("timeline", timezone="../../etc/passwd", data=data, group=group)
    assert "17:00 JST" in shown(again), "the choice lasts"
    settled(again.selectbox(key="pick-zone").set_value(""))
    assert "08:00 UTC" in shown(again)


def test_hours_of_every_view_are_in_the_reader_s_zone_and_name_it():
    app = loaded(opened("open"), "dam.csv", TOLL.encode())
    group = str(next(one["group"] for one in listed(app) if "arlow" in one["title"]))
    where = {"data": app.session_state["state_TimelineView"]["data"], "group": group}
    app = opened("timeline", timezone="Asia/Tokyo", **where)
    hour = re.compile(r"1 Nov 2026, \d\d:\d\d JST")
    app.session_state[f"card-tab-{group}"] = "Correct"
    (correct,) = [one for one in settled(app).get("tab") if one.label == "Correct"]
    assert any(hour.search(one.value.replace("\\", "")) for one in correct.caption)
    asked = words(opened("timeline", timezone="Asia/Tokyo", review="links", **where))
    assert hour.search("\n".join(asked.partition("Do these two")[2].splitlines()[:3]))
    lanes = opened("timeline", timezone="Asia/Tokyo", show="lanes", **where)
    assert "A dot is an hour (JST)" in words(lanes)
    del where["group"]
    beside = opened("timeline", timezone="Asia/Tokyo", show="map", **where).dataframe[0]
    assert f"{beside.value['Published'].min():%d %H:%M}" == "01 17:00"
    assert "Published (JST)" in beside.proto.columns


def test_what_a_pointer_on_the_map_reads_has_hours_in_the_zone_of_the_reader(monkeypatch):
    read = []
    monkeypatch.setattr(headline_map, "draw_points", lambda *parts, **_: read.append(parts[2]))
    app = loaded(opened("open"), "dam.csv", TOLL.encode())
    data = app.session_state["state_TimelineView"]["data"]
    opened("timeline", timezone="Asia/Tokyo", show="map", data=data)
    assert read[-1][0][1] == "Alpha · 1 Nov 2026, 17:00 JST"


def test_the_filter_of_edited_headlines_narrows_list_and_map_and_stands_in_the_address():
    app = settled(turned(loaded(opened("open"), "dam.csv", TOLL.encode()), "timeline"))
    assert len(listed(app)) == 2
    settled(app.toggle(key="pick-edited").set_value(True))
    (event,) = listed(app)
    assert "arlow" in event["title"]
    assert app.query_params["edited"] in ("yes", ["yes"])
    put(app, "ListView", show="map")
    assert "**2** of 6" in words(settled(app))


def test_outlets_are_ranked_by_how_often_they_were_first():
    app = loaded(opened("open"), "dam.csv", TOLL.encode())
    put(app, "ListView", show="outlets")
    (table,) = settled(app).dataframe
    assert "Beta and Alpha were first" in app.header[0].value
    rows = table.value.set_index("Outlet")
    (drawn,) = [one.proto.body for one in app.get("html") if 'class="figures"' in one.proto.body]
    assert re.findall(r"\d of \d", drawn) == ["1 of 2", "1 of 1", "0 of 2"], "of what others report, too"
    assert rows["First or tied"].astype(int).to_dict() == {"Alpha": 1, "Beta": 1, "Gamma": 0}
    assert rows["Median delay (min)"].astype(int).to_dict() == {"Alpha": 0, "Beta": 60, "Gamma": 165}


def test_reports_of_one_day_have_it_once_and_the_legend_names_what_is_marked():
    said = words(opened("timeline", group="3")).replace("\\", "")
    assert [said.count(f"[{day} Nov 2016]") for day in (16, 17, 18)] == [1, 1, 1], "all reports by time"
    assert "added words" in said
    assert "added numbers" not in said


def test_disagreement_is_in_the_legend_where_something_disagrees():
    assert "disagree" not in words(opened("timeline", group="1"))
    # Another outlet's number within the hour; four hours earlier it would be an earlier toll.
    lines = EDITED.replace("Alpha,2026-11-01T08:00Z", "Gamma,2026-11-01T12:30Z").encode()
    assert "disagree" in words(loaded(opened("open"), "dam.csv", lines))


@dataclass(frozen=True, kw_only=True, slots=True)
class Own(PairScorer):
    summary, threshold = "Whether both are *long*", 0.5

    def prepare(self, context, runtime):
        lengths = np.array([len(text) for text in context.texts])
        return Formula(lambda at: np.logical_and(*(side > 60 for side in at.sides(lengths))))


def test_a_few_similarities_and_those_of_plugins_are_offered_and_all_to_researchers(monkeypatch):
    pair_scorers.names()
    monkeypatch.setitem(pair_scorers._recipes, "own_words.v1", Own)
    app = opened()
    few = app.radio(key="few-scorers")
    assert (few.value, len(few.options)) == (timeline.DEFAULT_SCORER, len(WORDS["few"]["scorers"]) + 1)
    assert set(WORDS["few"]["scorers"]) < set(pair_scorers)
    assert not [one for one in app.selectbox if one.key in ("pick-similarity", "pick-method", "pick-model")]
    before = [one["facts"] for one in listed(app)]
    settled(few.set_value("own_words.v1"))
    assert app.query_params["scorer"] in ("own_words.v1", ["own_words.v1"])
    assert [one["facts"] for one in listed(app)] != before
    settled(app.toggle(key="all-scorers").set_value(True))
    everything = app.selectbox(key="pick-similarity")
    assert (everything.value, len(everything.options)) == ("own_words.v1", len(list(pair_scorers)))
    settled(app.selectbox(key="pick-method").set_value("leiden.v1"))
    assert app.query_params["method"] in ("leiden.v1", ["leiden.v1"])


def test_several_languages_are_compared_as_the_choice_of_similarity_says():
    lines = ("Central bank lifts its key rate", "Storm closes the airport of Genoa")
    lines += ("Центробанк повысил ключевую ставку", "Шторм закрыл аэропорт Генуи")
    app = opened("open")
    loaded(app, "two.csv", "\n".join(["headline", *lines]).encode())
    assert "model:event_trees_languages" in " ".join(caption.value for caption in app.caption)


def test_a_link_with_a_similarity_that_is_not_among_the_few_stays_as_it_is():
    signature = "with_time.v1|base:(tfidf.v1)|tau_days:3.0"
    app = opened(scorer=signature)
    few = app.radio(key="few-scorers")
    assert (few.value, len(few.options)) == ("with_time.v1", len(WORDS["few"]["scorers"]) + 1)
    settled(app.toggle(key="all-scorers").set_value(True))
    assert app.query_params["scorer"] in (signature, [signature])
    for name in pair_scorers:
        signature = pair_scorers.signature(pair_scorers.parse(name))
        assert _LINK.write(_LINK.read(signature)) == signature


def test_a_period_narrows_the_list_and_stays_in_the_address():
    app = opened()
    everything = len(listed(app))
    picked = app.selectbox(key="pick-period")
    assert picked.value == "Whole timeline"
    picked.set_value(next(name for name in picked.options if "Jan 2015" in name))
    settled(app)
    assert app.query_params["from"] in ("2015-01-01", ["2015-01-01"])
    assert 0 < len(listed(app)) < everything
    assert all(one["facts"].endswith("Jan 2015") for one in listed(app))

    press(app, "period-whole")
    assert len(listed(app)) == everything
    assert "from" not in app.query_params


def test_why_is_one_click_away_and_numbers_are_checked_on_their_page():
    app = tab(opened(group="1"), 1, "Why?")
    assert any("They are together" in text.value for text in app.markdown)
    press(tab(app, 1, "Best headline"), "check-numbers")
    assert app.title[0].value == "Check numbers"
    assert app.text_area(key="numerals-own-headlines").value


@pytest.fixture
def go(monkeypatch):
    """Grouping goes on only while this is set."""
    on = threading.Event()
    on.set()
    real = resources.prepare

    def slow(*args, **options):
        on.wait(60)
        return real(*args, **options)

    monkeypatch.setattr(resources, "prepare", slow)
    yield on
    on.set()


def test_a_reload_during_the_first_computation_comes_back_to_the_file(go):
    timeline = load_text("Bank raises rates\nBank lifts rates\nStorm hits the coast\nFlood after the storm\n")
    name = resources.shelf().put(resources.FILE + timeline.file_fingerprint, timeline)
    app = opened()
    assert "data" not in app.query_params
    go.clear()
    put(app, "TimelineView", data=name)
    app.run()
    assert "Stop" in [button.label for button in app.button]
    assert app.query_params.get("data") in ([name], name)
    go.set()
    assert not settled(app).exception


@pytest.mark.slow
def test_a_sample_is_there_to_look_at_meanwhile(go, monkeypatch):
    monkeypatch.setattr(queue, "QUICK_HEADLINES", 20)
    lines = [f"{what} {where}" for what in ("Storm hits", "Fire in", "Vote in") for where in "ABCDEFGHIJ"]
    timeline = load_text("\n".join(lines) + "\n")
    name = resources.shelf().put(resources.FILE + timeline.file_fingerprint, timeline)
    app = opened()
    go.clear()
    put(app, "TimelineView", data=name)
    app.run()
    assert "Stop" in [button.label for button in app.button]
    for _ in range(60):  # it is computed in the background; each run waits a while for it
        if app.dataframe:
            break
        app.run()
    assert app.dataframe[0].value["Headlines"].tolist() == [10, 10, 10]
    go.set()
    assert not settled(app).exception
    assert not any("A first look at" in text.value for text in app.markdown)


def question(app):
    (said,) = [one.value for one in app.markdown if "report the same event?**" in one.value]
    return said


def last_answer(app):
    return next((one.value for one in app.caption if one.value.startswith("Your last answer")), "")


def reviewed(app):
    return [(one["group"], one["facts"]) for one in listed(app)]


@pytest.mark.slow
def test_each_answer_in_review_is_in_force_at_once_stored_and_undone_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    app = opened()
    start, steps = app.slider(key="pick-granularity").value, []
    press(app, "review-begin")
    assert "0 answered" in question(app)
    for number in range(1, 6):
        steps.append((app.slider(key="pick-granularity").value, reviewed(app)))
        holds = any("Now together" in one.value for one in app.caption)
        press(app, "review-N" if number == 3 else "review-D" if holds else "review-S")
        assert f"{number} answered" in question(app)
        assert last_answer(app)
        assert "0 unsure" not in question(app)
    assert len({tuple(events) for _, events in steps}) > 2
    again = opened(review="links")  # another session: what was answered is stored
    assert (reviewed(again), question(again)) == (reviewed(app), question(app))
    for step in reversed(steps):
        press(app, "review-undo")
        assert (app.slider(key="pick-granularity").value, reviewed(app)) == step
    assert steps[0][0] == start
    assert next(one for one in app.button if one.key == "review-undo").disabled
    press(app, "review-close")
    assert "review" not in app.query_params
    assert not any("report the same event?**" in one.value for one in app.markdown)


def test_an_answer_says_what_it_did_and_the_bar_of_corrections_undoes_it_too(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    app = opened(review="links")
    before = len(listed(app))
    holds = any("Now together" in one.value for one in app.caption)
    press(app, "review-D" if holds else "review-S")
    assert ("Divided event" if holds else "Joined events") in last_answer(app)
    assert "The level moved" in last_answer(app)
    assert (len(listed(app)) > before) is holds
    press(app, "correction-undo")
    assert len(listed(app)) == before
    press(app, "review-N")
    assert "nothing changed" in last_answer(app)
    assert len(listed(app)) == before


def test_where_somebody_moved_the_slider_answers_hold_and_the_slider_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    app = opened(review="links", granularity="0.4")
    press(app, "review-S")
    assert app.slider(key="pick-granularity").value == 0.4
    assert last_answer(app)
    assert "level moved" not in last_answer(app)


def test_a_method_without_a_tree_says_in_one_sentence_that_it_has_no_links():
    app = tab(opened(review="links", method="leiden.v1", group="1"), 1, "Why?")
    said = [one.value for one in app.markdown if "no links to review" in one.value]
    assert len(said) == 2  # in Review, and where the card says why
    assert not any(str(one.key).startswith("review-S") for one in app.button)
    press(app, "review-close")
    assert not app.exception


@pytest.mark.slow
def test_where_another_rule_has_a_tenth_fewer_groups_one_line_asks_and_opens_review_at_its_joins(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    whole, rule = grouping.choose_granularity, {}

    def other(*given, **more):
        return replace(whole(*given, **more), **rule)

    monkeypatch.setattr(grouping, "choose_granularity", other)
    for level, asks in ((0.7, False), (0.98, True)):
        rule["shapeliest"] = level
        app = opened("open")
        loaded(app, f"news{asks}.csv", f"headline,published\nNews {asks},2015-01-01\n{ISS}".encode())
        assert any(one.key == "review-joins" for one in app.button) is asks
    start = app.slider(key="pick-granularity").value
    label = next(one.label for one in app.button if one.key == "review-joins")
    groups, fewer = map(int, re.findall(r"\d+", label))
    assert len(listed(app)) == groups
    press(app, "review-joins")
    assert any("Now apart" in one.value for one in app.caption)
    assert app.slider(key="pick-granularity").value == start
    put(app, "TimelineView", granularity=0.98)
    assert len(listed(settled(app))) == fewer


def test_the_card_of_an_event_says_what_holds_it_together_and_the_page_how_many_events_there_may_be():
    app = tab(opened(group="1", granularity="0.9"), 1, "Why?")
    texts = load_sample("iss").texts
    proof = next(one.value for one in app.markdown if "it divides between" in one.value).replace("\\", "")
    assert sum(f"“{text[:60]}" in proof for text in texts) >= 2
    (facts,) = [one.value for one in app.markdown if one.value.startswith("47 headlines")]
    events, low, high = map(int, re.search(r"(\d+) events \((\d+) to (\d+) at levels", facts).groups())
    assert low <= events <= high
    assert low < high


@pytest.mark.slow
def test_precision_and_recall_are_drawn_from_human_groups_or_from_answers(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    app = opened(review="links", show="list")
    app.session_state["review-curve"] = True
    app.run()
    assert any("human groups of the file, without" in one.value for one in app.caption)
    app = opened("open")
    loaded(app, "news.csv", f"headline,published\n{ISS}".encode())
    app.session_state["review-curve"] = True
    put(app, "TimelineView", review="links")
    settled(app)
    assert any("A curve is drawn from" in one.value for one in app.caption)
    for key in "SDSDS":
        press(app, f"review-{key}")
    assert any("5 pairs that were answered" in one.value for one in app.caption)


@pytest.mark.slow
def test_two_rules_that_disagree_are_marks_and_events_of_one_story_stand_together(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    table = pd.read_csv(ROOT / "samples" / "ecbplus" / "ecbplus_headlines_only.csv.gz", dtype=str).head(250)
    names = {"first_sentence_or_headline": "headline", "url_date": "published"}
    content = table[list(names)].rename(columns=names).to_csv(index=False).encode()
    app = opened("open")
    loaded(app, "news.csv", content)
    put(app, "TimelineView", scorer="event_similarity.v2")
    settled(app)
    marks = drawn(app, "level-marks")["marks"]
    assert [mark["chosen"] for mark in marks].count(True) == 1
    assert marks[0]["at"] < marks[1]["at"]
    for name, mark in zip(("narrow", "broad"), marks, strict=True):
        put(app, "TimelineView", granularity=mark["at"])
        settled(app)
        assert mark["label"] == f"{name}: {len(listed(app)):,} groups"
        assert [one["chosen"] for one in drawn(app, "level-marks")["marks"]] == [one is mark for one in marks]
    put(app, "TimelineView", granularity=None)
    settled(app)
    told = [one["story"] for one in listed(app)]
    assert {str(number) for number in told if number} == set(drawn(app, "group-list")["stories"])
    for number in filter(None, set(told)):
        places = [place for place, story in enumerate(told) if story == number]
        assert len(places) > 1
        assert places == list(range(places[0], places[-1] + 1))


def test_a_search_shows_the_card_of_a_hit_whose_title_stands_once():
    app = opened("timeline")
    put(app, "TimelineView", group=listed(app)[0]["group"])
    put(app, "ListView", find=listed(app)[-1]["title"])
    settled(app)
    assert f"event {listed(app)[0]['group']} ·" in words(app)
    put(app, "ListView", find="")
    (about,) = [line.value for line in settled(app).markdown if "The headline above" in line.value]
    assert [head.value in about for head in app.header[:1]] == [False], "it stands once on its card"


def test_the_report_whose_headline_the_card_has_stands_in_its_place_by_time():
    app = opened("timeline", group="3")
    lines = words(app).splitlines()
    at = next(place for place, line in enumerate(lines) if "The headline above" in line)
    days = [int(day) for line in lines for day in re.findall(r"(\d+) Nov 2016\]", line)]
    assert days == sorted(days), days
    assert "first day" in "".join(lines[:at])
    assert "4 days later" in "".join(lines[at:])


def test_a_headline_that_cannot_be_read_is_named_with_its_line_and_the_page_goes_on(monkeypatch):
    broken(monkeypatch, "core.text.numerals.read.cut")
    rows = ("Sturm trifft die Küste: 12 Tote", "12 Tote bei Sturm an der Küste", f"{WORD}: 7 von 9 Fenstern")
    app = loaded(opened("open"), "news.csv", "\n".join(("headline", *rows)).encode())
    assert not app.error
    said = "".join(caption.value for caption in app.caption).replace("\\", "")
    assert "numbers could not be read: line 4" in said, said


@pytest.mark.slow
def test_review_asks_a_model_only_where_one_is_set_says_what_leaves_and_undoes_its_answers(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    key = "sk-review-0123456789abcdef"
    app = opened(review="links")
    assert not any(one.key == "review-model" for one in app.button)
    before = reviewed(app)
    same = language_model_server.chat('{"score": 100}')
    with language_model_server.serving(lambda body, number: same) as asked:
        endpoint = addresses.Endpoint(address=asked.address, model="tiny", key=key, price_in=1000.0)
        addresses.store(endpoint)
        app = opened(review="links")
        said = words(app).replace(SEAM, "")
        assert f"go to {asked.address}, on this computer" in said
        assert "24 questions" in said
        assert "USD" in said
        assert not asked.bodies
        press(app, "review-model")
        assert 0 < len(asked.bodies) <= 24
        said = words(app).replace(SEAM, "")
        assert f"{len(asked.bodies)} questions were answered" in said
        assert reviewed(app) != before
        assert key not in said + repr(app.session_state._state.filtered_state)
        questions = len(asked.bodies)
        while not next(one for one in app.button if one.key == "review-undo").disabled:
            press(app, "review-undo")
        assert reviewed(app) == before
        assert len(asked.bodies) == questions  # nothing asks by itself
        asked.answer = lambda body, number: language_model_server.Failing(401)
        press(app, "review-model")
        assert len(app.error) == 1
        assert any(one.key == "review-model" for one in app.button)
        settled(app)
        assert not app.error
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    assert not any(one.key == "review-model" for one in opened(review="links").button)


def test_vectors_of_ones_own_group_the_open_timeline_and_no_other(monkeypatch):
    encoders.names()
    monkeypatch.setattr(encoders, "_recipes", dict(encoders._recipes))
    app = opened()
    settled(app.toggle(key="all-scorers").set_value(True))
    before = [group["title"] for group in listed(app)]
    count = len(load_sample("iss").texts)
    data = io.BytesIO()
    np.save(data, np.eye(count, dtype=np.float32))
    (box,) = (each for each in app.get("file_uploader") if each.label == "Vectors of your own")
    settled(box.set_value(("own.npy", data.getvalue(), "application/octet-stream")))
    assert not app.error
    assert "Vectors of your own stand in place of the model" in words(app)
    assert "own_vectors" in words(app)
    assert [group["title"] for group in listed(app)] != before
    assert "encoder" not in app.query_params
    assert not any("Own vectors" in str(each.options) for each in app.selectbox)
    press(app, "own-vectors-away")
    assert [group["title"] for group in listed(app)] == before


@pytest.mark.slow
def test_a_model_names_events_in_review_a_question_each_and_asks_about_none_twice(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    named = language_model_server.chat('{"headlines": ["A name of its own"]}')
    with language_model_server.serving(lambda body, number: named) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        app = opened(review="links")
        (offer,) = (one.label for one in app.button if one.key == "review-names")
        assert not asked.bodies
        press(app, "review-names")
        events = len(asked.bodies)
        assert f"name {events} events" in offer
        assert f"Named {events} of {events} events" in words(app).replace(SEAM, "")
        press(app, "review-names")
    assert len(asked.bodies) == events  # what has a name keeps it
    titles = [group["title"] for group in listed(opened())]
    assert "✎ A name of its own" in titles


def test_titles_are_in_the_chosen_language_of_a_timeline_in_several():
    rows = [*QUAKE, *OTHERS]
    lines = [f'"{text}",2026-03-02T{at:02}:00:00Z,Wire {at}' for at, text in enumerate(rows)]
    app = loaded(opened("open"), "mixed.csv", "\n".join(["headline,published,publisher", *lines]).encode())
    app = settled(turned(app, "timeline"))
    assert listed(app)[0]["title"] in QUAKE[:3]  # most of its headlines are Spanish
    settled(app.selectbox(key="pick-titles").set_value("en"))
    assert listed(app)[0]["title"] == QUAKE[3]
    assert app.query_params["titles"] in ("en", ["en"])
    assert "pick-titles" not in {box.key for box in opened("timeline").selectbox}
    again = opened("open")  # another visit, without the address
    again = loaded(again, "mixed.csv", "\n".join(["headline,published,publisher", *lines]).encode())
    again = settled(turned(again, "timeline"))
    assert listed(again)[0]["title"] == QUAKE[3]
    settled(again.selectbox(key="pick-titles").set_value("most"))
    assert listed(again)[0]["title"] in QUAKE[:3]


@pytest.mark.parametrize(("locale", "title"), [("en-GB", QUAKE[3]), ("de", QUAKE[4]), ("fr", None)])
def test_where_most_headlines_are_in_no_language_titles_are_in_the_browsers(monkeypatch, locale, title):
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.locale", locale)
    rows = [*QUAKE, *OTHERS]
    lines = [f'"{text}",2026-03-02T{at:02}:00:00Z,Wire {at}' for at, text in enumerate(rows)]
    app = loaded(opened("open"), "mixed.csv", "\n".join(["headline,published,publisher", *lines]).encode())
    shown = listed(settled(turned(app, "timeline")))[0]["title"]
    assert shown == title if title else shown in QUAKE[:3]


def test_columns_of_the_grid_are_chosen_and_renamed():
    app = opened("timeline", group="3")
    app.session_state["card-tab-3"] = "Facts"
    settled(app)
    (columns,) = (each for each in app.multiselect if each.label == "Columns")
    (name,) = (each for each in app.text_input if each.label == "Name of “where”")
    settled(name.set_value("place"))
    assert grid_heads(app) == ["Outlet", "names", "place", "persons"]
    settled(columns.set_value([1]))
    assert grid_heads(app) == ["Outlet", "place"]
    settled(columns.set_value([]))
    assert grid_heads(app) == []


def grid_heads(app):
    grids = [html.proto.body for html in app.get("html") if "facts-grid" in html.proto.body]
    return re.findall(r'<th scope="col">([^<]+)', grids[0]) if grids else []


def test_why_answers_in_two_sentences_and_keeps_figures_for_researchers():
    app = opened("timeline", group="3")
    app.session_state["card-tab-3"] = "Why?"
    settled(app)
    (verdict,) = (line.value for line in app.markdown if line.value.startswith("**They are"))
    assert 2 <= len(re.findall(r"[.!?](?=\s|$)", verdict)) <= 2
    assert not re.search(r"\d\.\d", verdict)
    (folded,) = (each for each in app.expander if each.label == "For researchers")
    figures = " ".join(line.value for line in folded.markdown)
    assert "Similarity **0." in figures
    assert "is needed at this setting" in figures
    outside = [
        line.value for line in app.markdown if line.value not in {one.value for one in folded.markdown}
    ]
    assert not any("Similarity" in value for value in outside)
    (bars,) = (html.proto.body for html in app.get("html") if 'class="bars"' in html.proto.body)
    assert not re.search(r"\d", re.sub(r"<[^>]*>", "", bars))
    app.session_state["card-tab-3"] = "Near misses"
    settled(app)
    events = [line.value for line in app.markdown if "alike" in line.value]
    assert events
    assert not any(re.search(r"\d\.\d", value) for value in events)


def test_the_map_is_coloured_by_story(monkeypatch):
    monkeypatch.setattr(headline_map, "stories_of", lambda *_: [Story(1, (1, 3), 3)])
    app = opened("timeline", show="map", colour="story")
    (_, said), (_, others) = drawn(app, "points")["legend"]
    story, _, count = said.rpartition(" (")
    assert others == "not known"
    assert story.startswith("Nasa veteran")
    assert int(count.removesuffix(")")) == 8 + 9


def test_the_table_beside_the_map_holds_headlines_whole():
    long = "Storm hits the coast of Florida as thousands are told to leave their homes " * 3
    app = loaded(
        opened("open"), "long.csv", f"headline\n{long}\nStorm hits coast\nBank raises rate\n".encode()
    )
    put(app, "ListView", show="map")
    app = settled(app)
    (table,) = [frame.value for frame in app.dataframe if "Headline" in frame.value]
    assert long.strip() in table["Headline"].tolist()


def test_more_headlines_than_stand_beside_the_map_are_said_to_be_scrolled():
    app = opened("timeline", show="map")
    assert "scroll" in words(app)
    put(app, "ListView", show="map", find="oldest woman")
    assert "scroll" not in words(settled(app))


def test_what_a_card_says_is_worked_out_once_it_is_looked_at_and_once_alone(monkeypatch):
    asked = []
    real = facts.facts_grid
    monkeypatch.setattr(facts, "facts_grid", lambda *given, **more: asked.append(1) or real(*given, **more))
    app = opened("timeline", group="3", granularity="0.71")
    assert not asked
    tab(app, 3, "Facts")
    settled(app)
    assert len(asked) == 1


def test_what_was_chosen_in_a_tab_of_a_card_stays_while_another_is_looked_at():
    def others():
        return [one for one in app.selectbox if str(one.key).startswith("why-right")]

    app = tab(opened("timeline", group="3"), 3, "Why?")
    (right,) = others()
    first = right.value
    settled(right.select(right.options[-1]))
    chosen = others()[0].value
    tab(app, 3, "Reports")
    assert not others()
    tab(app, 3, "Why?")
    assert others()[0].value == chosen != first


def test_the_table_of_outlets_is_published_with_its_title_as_it_is_read():
    app = press(opened("timeline", show="outlets"), "publish-first")
    (title,) = [field.value for field in app.text_input if field.label == "Title" and "first" in field.value]
    assert ": in " in title
    assert "\\" not in title
