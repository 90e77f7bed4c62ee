"""The Compare page, run by Streamlit itself without a browser."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from core.headlines.reruns import open_set
from tests.pages.opening import opened, settled

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


def words(app: AppTest) -> str:
    """All that the page says, without the signs that markdown needs."""
    parts = [*app.markdown, *app.caption, *app.info, *app.error, *app.button, *app.text_input]
    shown = "\n".join(
        str(getattr(part, "value", "")) + str(part.label if hasattr(part, "label") else "") for part in parts
    )
    return shown.replace("\\", "")


def pick(app: AppTest, view: str) -> AppTest:
    app.segmented_control(key="compare-shown").set_value(view)
    return settled(app)


def test_pages_are_turned_and_articles_opened() -> None:
    app = opened("compare")
    settled(app.button(key="next-page").click())
    assert "Articles **9–16** of 40" in words(app)
    settled(app.button(key="read-8").click())
    assert app.query_params["article"] in (ARTICLES.ids[8], [ARTICLES.ids[8]])
    assert "Article **9** of 40" in words(app)
    assert "of its words copied" in words(app)
    settled(app.button(key="next-article").click())
    assert "Article **10** of 40" in words(app)
    settled(app.button(key="compare-back").click())
    assert "article" not in app.query_params


def test_a_link_opens_an_article() -> None:
    app = opened("compare", article=ARTICLES.ids[3], blind="yes")
    assert not app.exception
    shown = words(app)
    assert ARTICLES.references[3][0] in shown
    assert not any(name in shown for name in NAMES)
    settled(app.button(key="reveal").click())
    assert all(name in words(app) for name in NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["Headlines", "Scores", "Where they differ"])
def test_blind_hides_every_name(view: str) -> None:
    app = opened("compare")
    settled(app.toggle(key="compare-blind").set_value(True))
    pick(app, view)
    assert not app.exception
    everything = words(app) + "".join(str(frame.value.to_csv()) for frame in app.dataframe)
    everything += "".join(str(box.options) for box in app.selectbox if box.label != "Generator")
    everything += json.dumps({name: str(value) for name, value in app.query_params.items()})
    for name in NAMES:
        assert name not in everything


def test_order_by_a_score_and_search() -> None:
    app = opened("compare")
    app.selectbox(key="compare-sort").set_value("rouge1")
    settled(app.selectbox(key="compare-of").set_value(NAMES[0]))
    assert app.query_params["sort"] in ("rouge1", ["rouge1"])
    settled(app.text_input(key="compare-search").set_value("volcano nosuchword"))
    assert "No matches" in words(app)


def test_scores_show_a_table_a_duel_and_downloads() -> None:
    app = pick(opened("compare"), "Scores")
    assert not app.exception
    table, duel = app.dataframe[0].value, app.dataframe[1].value
    assert table["System"].tolist() == NAMES
    assert {"ROUGE-1", "ROUGE-2", "ROUGE-L", "BLEU", "chrF"} <= set(map(str, table.columns))
    assert {"Score", "Difference", "p", "p (Holm)", "Wins", "Ties", "Losses"} <= set(map(str, duel.columns))
    assert {"CSV", "LaTeX", "JSON"} <= {button.label for button in app.get("download_button")}


def test_numhg_s_figures_stand_below_as_published() -> None:
    app = pick(opened("compare"), "Scores")
    (table,) = (one.value for one in app.dataframe if "Num Acc." in one.value.columns)
    assert table.set_index("System").loc["BART", ["Num Acc.", "MoverScore"]].tolist() == ["70.09", "62.57"]
    (people,) = (one.value for one in app.dataframe if "Reasonableness" in one.value.columns)
    assert people["System"].tolist() == ["BART", "T5", "Pegasus", "SEASON", "BRIO"]
    assert "As published: Huang et al. 2023" in words(app)


def test_a_system_writes_in_the_background_and_joins() -> None:
    app = opened("compare")
    settled(app.selectbox(key="pick-generator").set_value("luhn.v1"))
    settled(app.button(key="compare-write").click())
    assert not app.exception
    assert f"**{len(NAMES) + 1}** systems" in words(app)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("article", "nosuch", "is not the id of one of these articles"),
        ("systems", "0123456789abcdef", "is not the mark of a system of these articles"),
        ("sort", "nosuch", "is not a score of these headlines"),
        ("of", "nosuch", "or a system of these articles"),
    ],
)
def test_what_a_link_names_and_these_articles_lack_is_said(name: str, given: str, said: str) -> None:
    app = opened("compare", **{name: given})
    (warning,) = (one.value.replace("\\", "") for one in app.warning)
    assert f"“{name}={given}” in the link" in warning
    assert said in warning
