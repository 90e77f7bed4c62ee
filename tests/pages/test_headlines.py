import csv
import json
import re

import pytest

from components.frame.markdown import WORDS
from components.headlines.compare import opened as compared
from components.headlines.writing_subject import EVENT, PASTED
from core.data.articles.opening import load_articles
from core.files import ROOT
from core.headlines import writing
from core.headlines.headline_text import first_sentence, leading
from core.headlines.opening import open_set
from core.models.endpoints import addresses
from tests import language_model_server
from tests.pages.opening import everything, opened, press, settled, words

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


def pick(app, view):
    app.segmented_control(key="compare-shown").set_value(view)
    return settled(app)


def test_pages_are_turned_and_articles_opened():
    app = opened("compare")
    press(app, "next-page")
    assert "Articles **9–16** of 40" in words(app)
    press(app, "read-8")
    assert app.query_params["article"] in (ARTICLES.ids[8], [ARTICLES.ids[8]])
    assert "Article **9** of 40" in words(app)
    assert "of its words copied" in words(app)
    press(app, "next-article")
    assert "Article **10** of 40" in words(app)
    press(app, "compare-back")
    assert "article" not in app.query_params


@pytest.mark.slow
@pytest.mark.parametrize("view", ["Headlines", "Scores", "Where they differ"])
def test_blind_hides_every_name(view):
    app = opened("compare")
    settled(app.toggle(key="compare-blind").set_value(True))
    pick(app, view)
    shown = everything(app)
    assert not [name for name in NAMES if name in shown]


def test_who_is_blind_is_not_told_who_leads_and_may_say_which_is_better():
    app = opened("compare", blind="yes")
    assert "is best" not in words(app)
    settled(app.toggle(key="compare-blind").set_value(False))
    assert "is best" in words(app)
    settled(app.toggle(key="compare-blind").set_value(True))
    press(app, "compare-judge")
    assert app.session_state["state_EvaluateView"]["form"] == "preference.v1"


def test_order_by_a_score_and_search():
    app = opened("compare")
    app.selectbox(key="compare-sort").set_value("rouge1")
    settled(app.selectbox(key="compare-of").set_value(NAMES[0]))
    assert app.query_params["sort"] in ("rouge1", ["rouge1"])
    settled(app.text_input(key="compare-search").set_value("volcano nosuchword"))
    assert "No matches" in words(app)


@pytest.mark.slow
def test_a_system_writes_in_the_background_and_joins():
    app = opened("compare")
    assert 2 < len(app.radio(key="few-writers").options) < 6
    settled(app.toggle(key="all-writers").set_value(True))
    settled(app.selectbox(key="pick-every-system").set_value("luhn.v1"))
    assert app.radio(key="few-writers").value == "luhn.v1"
    press(app, "compare-write")
    assert f"**{len(NAMES) + 1}** systems" in words(app)


@pytest.mark.slow
def test_models_of_ones_own_and_local_writers_stand_side_by_side_with_cost_and_lights(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    app = opened("compare")
    assert not [each for each in app.multiselect(key="side-systems-0").value if "endpoint" in each]
    said = language_model_server.chat('{"headlines": ["Exactly 98765 quokkas resign"]}')
    with language_model_server.serving(lambda body, number: said) as asked:
        for model in ("one", "two", "three"):
            address = asked.address.replace("/v1", f"/{model}/v1")
            addresses.store(addresses.Endpoint(address=address, model=model, price_in=5.0))
        app = opened("compare")
        assert len(app.multiselect(key="side-systems-3").value) == 6
        for model in ("one", "two", "three"):
            assert f"{model}: 20 questions" in words(app)
        assert not asked.bodies
        app.multiselect(key="side-systems-3").set_value(app.multiselect(key="side-systems-3").value[:4])
        settled(app)
        settled(app.number_input(key="side-count-20").set_value(2))
        press(app, "side-write")
        assert len(asked.bodies) == 6
        assert "**2** articles, **4** systems" in words(app)
        assert "? check this" in words(app)
        pick(app, "Scores")
    took = next(each.value for each in app.dataframe if "Seconds" in each.value.columns)
    took = took.set_index("System")
    assert set(took.index) == {"one", "two", "three", "First sentence"}
    assert took.loc["one", "Numbers: check this"] == "2"
    assert float(took.loc["one", "USD"]) > 0


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("article", "nosuch", "is not the id of one of these articles"),
        ("systems", "0123456789abcdef", "is not the mark of a system of these articles"),
        ("sort", "nosuch", "is not a score of these headlines"),
        ("of", "nosuch", "or a system of these articles"),
    ],
)
def test_what_a_link_names_and_these_articles_lack_is_said(name, given, said):
    app = opened("compare", **{name: given})
    (warning,) = (one.value.replace("\\", "") for one in app.warning)
    assert f"“{name}={given}” in the link" in warning
    assert said in warning


def shown(app):
    """The headlines as they stand."""
    return [area.value for area in app.text_area if area.label == "The headline"]


def test_the_sample_has_headlines_without_a_click():
    app = opened("write")
    assert not app.error
    assert shown(app) == leading(load_articles("sample:articles").texts[0])[:4]
    assert any("first_sentence.v1" in caption.value for caption in app.caption)


def test_an_event_without_articles_is_read_as_its_headlines():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(EVENT))
    assert any("headlines are read as one text" in caption.value for caption in app.caption)
    assert len(shown(app)) == 4


def test_changes_are_kept_and_undone_one_by_one():
    app = opened("write")
    written = shown(app)[0]
    for text in ("Mine", "Mine — longer"):
        box = next(one for one in app.text_area if one.value == shown(app)[0])
        box.set_value(text)
        settled(app)
        assert shown(app)[0] == text
    assert any(one.value.startswith("2 words · 13 characters") for one in app.caption)  # a dash is none
    for expected in ("Mine", written):
        press(app, "Undo")
        assert shown(app)[0] == expected
    assert not any(button.label == "Undo" for button in app.button)


def test_all_articles_are_written_on_a_click():
    app = opened("write")
    assert not app.dataframe
    press(app, "Write for all 40 articles")
    table = app.dataframe[0].value
    articles = load_articles("sample:articles")
    assert table["Headline"].tolist() == [first_sentence(text) for text in articles.texts]
    assert table["Original headline"].tolist() == [given[0] for given in articles.references]


def test_a_model_writes_on_a_click(tiny_gpt2):
    app = opened("write")
    app.session_state["write_system"] = f"causal.v1|model:{tiny_gpt2}"
    settled(app)
    assert not app.error
    assert not shown(app)
    press(app, "Write with Causal")
    assert not app.error
    assert 1 <= len(shown(app)) <= 4
    assert not [one for one in app.button if one.proto.type == "primary"], "what was written is the loud one"
    assert WORDS["texts"]["invents"] in [caption.value for caption in app.caption]
    copied = [one for one in app.get("bidi_component") if one.key.startswith("copy-")]
    assert len(copied) == len(shown(app))
    assert not any("Edit or copy" in one.proto.popover.label for one in app.get("popover")), (
        "Copy is in sight"
    )
    assert any("causal.v1|model:" in caption.value for caption in app.caption)
    press(app, "write-back")
    assert shown(app)[0] == first_sentence(load_articles("sample:articles").texts[0])


def verdicts(app):
    """The folds of verdicts, in the order of their headlines."""
    return [one for one in app.expander if re.search("(?:Numbers|Headline): ", one.label)]


def test_a_line_says_whether_the_numbers_are_supported():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(PASTED))
    first = "A bus crash near Lyon killed 14 people on Monday."
    settled(app.text_area(key="write-pasted").set_value(f"{first} Nobody else was hurt. The road is closed."))
    fields = [one for one in app.expander if one.label == "Change the article"]
    assert [one.proto.expanded for one in fields] == [False], (
        "the article stands once: beside what is written"
    )
    folds = verdicts(app)
    assert sum("Numbers: supported" in one.label for one in folds) == 1
    assert sum("Headline: supported" in one.label for one in folds) == 2  # they have no number
    assert not any(one.proto.expanded for one in folds), "a reason is told to who asks"
    assert all(one.markdown for one in folds)
    where = [button for button in app.button if button.label == "In the article"]
    assert len(where) == 3
    where[0].click()
    settled(app)
    assert app.session_state["numerals-own-headlines"] == first


def test_a_doubted_number_is_marked_in_the_headline_and_its_verdict_is_the_loud_one():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(PASTED))
    first = "A bus crash near Lyon killed 14 people on Monday."
    rest = "On the road police counted 30 cars. The road is closed."
    settled(app.text_area(key="write-pasted").set_value(f"{first} {rest}"))
    assert not any(re.search(r"\*\*(?:Numbers|Headline): ", one.label) for one in verdicts(app))
    changed = "A bus crash near Lyon killed 41 people on Monday", "Police counted 14 cars"
    for place, text in enumerate(changed):
        next(one for one in app.text_area if one.value == shown(app)[place]).set_value(text)
        settled(app)
    heads = [str(one.value) for one in app.header]
    assert any(":red-background[**41**]" in head for head in heads)
    assert any(":orange-background[**14**]" in head for head in heads)
    loud = [one for one in verdicts(app) if "**Numbers: " in one.label]
    assert ["check this" in one.label or "wrong" in one.label for one in loud] == [True, True]
    assert all(one.proto.expanded for one in loud), "the reason of a doubt is in sight"
    assert any("The article:" in one.value and "killed **14** people" in one.value for one in app.markdown)


def test_words_of_the_article_that_are_only_found_are_said_to_be_cut():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(PASTED))
    settled(app.text_area(key="write-pasted").set_value("The bridge is safe, but only for bicycles."))
    [whole] = verdicts(app)
    assert "supported" in whole.label
    assert any("word for word" in one.value for one in app.caption)
    next(one for one in app.text_area if one.label == "The headline").set_value("The bridge is safe")
    settled(app)
    [cut] = verdicts(app)
    assert "found" in cut.label
    assert not any("word for word" in one.value for one in app.caption)
    assert WORDS["texts"]["only_cut"] in [one.value for one in cut.markdown]


def test_writing_is_the_one_filled_button_above_sentences_of_the_article(monkeypatch):
    monkeypatch.setattr(writing, "default_system", lambda: ("consensus.v1", ""))
    app = opened("write")
    assert [one.key for one in app.button if one.proto.type == "primary"] == ["write-ask-default"]


def test_the_page_says_how_often_the_default_was_read_to_be_false():
    with (ROOT / "benchmarks/results/headlines_read_by_hand.csv").open(encoding="utf-8") as file:
        judged = [row["with its numbers"] for row in csv.DictReader(file) if "consensus" in row["count"]]
    said = WORDS["texts"]["invents"]
    assert f"of {len(judged)} headlines" in said
    assert f"{judged.count('false')} said something false" in said


def test_articles_and_a_file_a_system_are_joined_by_id():
    articles = [
        {"id": at, "text": f"A storm hit {at} on Monday.", "headline": f"Storm in {at}"} for at in "xyz"
    ]
    one = [{"id": at, "system": "One", "headline": f"One says {at}"} for at in "zxy"]
    other = "id,headline\n" + "".join(f"{at},Two says {at}\n" for at in "yzx")
    written = ["\n".join(map(json.dumps, rows)).encode() for rows in (articles, one)]
    names = ("articles.jsonl", "one.jsonl", "two.csv")
    app = opened("compare")
    files = [(name, text, "text/plain") for name, text in zip(names, (*written, other.encode()), strict=True)]
    settled(app.file_uploader[0].set_value([files[1], files[0], files[2]]))  # in any order
    assert any("one.jsonl, two.csv" in caption.value.replace("\\", "") for caption in app.caption)
    press(app, "compare-open-go")
    assert app.multiselect(key="compare-systems").options == ["One", "two"]
    shown = compared.opened_articles(app.session_state["state_CompareView"]["articles"])
    assert list(shown.articles.references) == [("Storm in x",), ("Storm in y",), ("Storm in z",)]
    for system, said in zip(shown.outputs.values(), ("One", "Two"), strict=True):
        assert system.headlines == tuple(f"{said} says {at}" for at in "xyz")
