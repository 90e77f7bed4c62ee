import re

import pytest
from msgspec.structs import replace

from components.headlines.numerals import checking, own
from components.headlines.numerals.lights import worth
from core.errors import Cancelled
from core.headlines.article_facts import corrected, facts_of, save
from core.headlines.opening import open_set
from core.journal.journal import the_journal
from core.numerals.checked_headline import Light
from core.numerals.checks.opening import example
from core.numerals.worth import light_worth
from tests.pages import opening
from tests.pages.opening import everything, opened, press, settled, triggered, turned, words

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]
PRINTS = [one.fingerprint for one in OUTPUTS]
GUNMEN = (
    "At least 30 gunmen burst into a drug rehabilitation center in a Mexican border state capital and opened "
    "fire, killing 19 men and wounding four people, police said. Gunmen also killed 16 people in another "
    "drug-plagued northern city."
)


def drawn(app, name=""):
    both = {} if name else opening.drawn(app, "numerals-read") | opening.drawn(app, "numerals-linked")
    return both or opening.drawn(app, name)


def actions(app):
    return [action["event"] for action in drawn(app)["verdict"]["actions"]]


def text_of(pieces):
    return "".join(piece["text"] for piece in pieces)


def marked(pieces):
    return [piece["text"] for piece in pieces if piece.get("light")]


def fields(app):
    return [app.text_area(key=f"numerals-own-{name}").value for name in ("article", "headlines")]


def verdicts(app):
    rows = [row for key in ("numerals-rows", "numerals-rows-found") for row in drawn(app, key)["rows"]]
    return [(text_of(row["headline"]), row["word"], row["reason"]) for row in rows]


def checked(app, article, headline):
    app.text_area(key="numerals-own-article").set_value(article)
    app.text_area(key="numerals-own-headlines").set_value(headline)
    app.button(key="numerals-own-go").click()
    return settled(app)


def test_the_sample_shows_where_a_number_comes_from_without_a_click():
    app = opened("check_numbers", show="one")
    assert not app.error
    shown = drawn(app)
    assert text_of(shown["headline"]) == ARTICLES.references[0][0]
    assert text_of(shown["article"]) == ARTICLES.texts[0]
    assert marked(shown["headline"]) == ["29%"]
    assert "29%" in marked(shown["article"])
    assert not shown["counted"]  # of one number the verdict is said once
    assert [item["word"] for item in shown["legend"]] == [light.value for light in Light]
    word = re.fullmatch("29% — (supported|found)", shown["verdict"]["word"])[1]
    said = {light: rate.rpartition(" ")[0] for light, (rate, _) in worth(light_worth()).items()}
    assert [light for light, rate in said.items() if rate in words(app)] == [word], "one figure"
    assert shown["verdict"]["reason"]
    assert drawn(app, "numerals-tree")["root"]["children"]


def test_a_link_opens_article_system_and_numeral():
    app = opened("check_numbers", show="one", article=ARTICLES.ids[25], system=PRINTS[0])
    assert text_of(drawn(app)["headline"]) == OUTPUTS[0].headlines[25]
    at = OUTPUTS[0].headlines[0]
    app = opened("check_numbers", show="one", article=ARTICLES.ids[0], system=PRINTS[0], numeral="2")
    shown = drawn(app)
    assert text_of(shown["headline"]) == at
    assert [piece["chosen"] for piece in shown["headline"] if piece["place"] is not None] == [False, True]


def test_pasted_text_is_checked_and_stays_out_of_the_address():
    app = checked(opened("check_numbers"), GUNMEN, "Mexico Gunmen Kill 35")
    shown = drawn(app)
    assert marked(shown["headline"]) == ["35"]
    assert {"16", "19"} <= set(marked(shown["article"]))
    assert [each["lead"] for each in drawn(app)["verdict"]["evidence"]] == ["In the article"] * 2
    assert "numerals-rows-found" not in [
        one.key for one in app.get("bidi_component")
    ]  # its verdict is said once
    tree = drawn(app, "numerals-tree")["root"]
    assert tree["label"] == "+"
    assert sorted(child["label"] for child in tree["children"]) == ["16", "19"]
    assert "Add( 19 , 16 )" in words(app)
    assert not app.query_params


def test_a_doubt_is_set_aside_and_taken_back():
    app = checked(opened("check_numbers"), GUNMEN, "Mexico Gunmen Kill 350")
    assert actions(app) == ["right"]
    triggered(app, "numerals-linked", "right")
    assert drawn(app)["headline"][1]["light"] == "found"
    other = checked(opened("check_numbers"), GUNMEN, "Mexico Gunmen Kill 350")
    assert drawn(other)["headline"][1]["light"] == "found"
    assert actions(other) == ["doubted"]
    triggered(other, "numerals-linked", "doubted")
    assert drawn(other)["headline"][1]["light"] == "wrong"


@pytest.mark.slow
def test_english_headlines_are_read_thoroughly_on_a_click_and_no_others():
    app = checked(opened("check_numbers"), GUNMEN, "Gunmen Kill 19 at Rehab Center\nGunmen Wound Four People")
    assert "claim_smollm2" not in words(app)
    app.toggle(key="numerals-thorough").set_value(True)
    assert "claim_smollm2" in words(settled(app))
    german = "Bei dem Unfall wurden gestern 19 Menschen verletzt und vier getötet, wie die Polizei sagte."
    app = checked(app, german, "19 Menschen verletzt\nVier Menschen getötet")
    assert "numerals-thorough" not in [one.key for one in app.toggle]
    assert "claim_smollm2" not in words(app)


def test_the_example_fills_both_boxes_and_every_headline_gets_a_light():
    app = opened("check_numbers")
    assert "Paste an article and the headlines that you consider." in words(app)
    press(app, "numerals-own-example")
    given = example()
    assert app.text_area(key="numerals-own-article").value == given.article
    first, folded = (drawn(app, key)["rows"] for key in ("numerals-rows", "numerals-rows-found"))
    assert sorted(text_of(row["headline"]) for row in (*first, *folded)) == sorted(given.headlines)
    assert {row["word"] for row in folded} == {"found"}
    assert all(row["sign"] and row["reason"] for row in (*first, *folded))
    assert "10 headlines: " in str(app.header[0].value)
    measured = light_worth()
    rates = [rate for rate, _ in worth(measured).values()] or ["was not measured here"]
    assert all(rate in words(app) for rate in rates)
    app.session_state["numerals_opened"] = 3
    settled(app)
    assert text_of(drawn(app)["headline"]) == given.headlines[3]
    press(app, "numerals-own-back")
    assert drawn(app, "numerals-rows")["rows"] == first


def test_what_is_only_found_is_sorted_and_the_number_to_look_at_is_shown():
    article = (
        "The Green Union won 48 seats on Sunday. The People's Front took 19 seats and the Farmers' League 24."
    )
    lines = "Green Union wins 48 seats\nPeople's Front takes 48 seats\nFarmers' League gets 24 seats"
    app = checked(opened("check_numbers"), article, lines)
    rows = [row for row in drawn(app, "numerals-rows-found")["rows"] if row["word"] == "found"]
    shares = [row["probability"] for row in rows]
    assert len(shares) > 1
    assert shares == sorted(shares)
    app = checked(app, article, "Green Union wins 48 seats, People's Front 190")
    chosen = [piece["chosen"] for piece in drawn(app)["headline"] if piece["place"] is not None]
    assert chosen == [False, True]
    assert drawn(app)["counted"].startswith("2 numbers: ")
    (instead,) = [piece for piece in drawn(app)["article"] if piece.get("rival")]
    assert instead["text"] == "19"
    (line,) = drawn(app)["verdict"]["evidence"]  # drawn as in the article
    assert instead in line["pieces"]
    assert "took 19 seats" in text_of(line["pieces"])
    assert actions(app) == ["used", "right"]
    triggered(app, "numerals-linked", "used")
    assert fields(app)[1] == "Green Union wins 48 seats, People's Front 19"
    press(app, "Undo the change")
    assert fields(app)[1] == "Green Union wins 48 seats, People's Front 190"


def test_a_thorough_reading_that_is_stopped_leaves_the_plain_verdicts(monkeypatch):
    def read(runtime):
        runtime.stop.wait(60)
        raise Cancelled("Reading")

    monkeypatch.setattr(checking, "thorough_checker", read)
    monkeypatch.setattr(own, "_can_read_thoroughly", lambda article: True)
    app = checked(opened("check_numbers"), GUNMEN, "Gunmen Kill 19 at Rehab Center\nGunmen Kill 350 Men")
    plain = verdicts(app)
    app.toggle(key="numerals-thorough").set_value(True).run()
    assert verdicts(app) == plain
    press(app, "Stop")
    assert verdicts(app) == plain
    assert app.toggle(key="numerals-thorough").value is False
    press(app, "numerals-own-go")
    assert verdicts(app) == plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("article", "headline", "said"),
    [
        ("", "Gunmen Kill 35", "The article is empty"),
        (
            "W wypadku zginęło co najmniej 80 osób, a ponad 140 zostało rannych.",
            "80 zabitych w pociągu",
            "This is an article in Polish; numbers are read in English, French, German",
        ),
        (GUNMEN, " ", "There is no headline to check"),
    ],
)
def test_what_cannot_be_checked_is_said_and_the_text_stays(article, headline, said):
    app = checked(opened("check_numbers"), article, headline)
    assert len(app.error) == 1
    assert said in words(app)
    assert app.text_area(key="numerals-own-article").value == article
    assert app.text_area(key="numerals-own-headlines").value == headline


@pytest.mark.slow
def test_a_blank_is_filled_with_its_derivation_and_other_answers():
    app = checked(opened("check_numbers"), GUNMEN, "Gunmen kill ____ men at rehab center")
    assert not app.error
    others = app.segmented_control(key="numerals-answer-0")
    first = str(others.value)
    assert f"The number is **{first}** with a probability of" in words(app)
    assert text_of(drawn(app)["headline"]) == f"Gunmen kill {first} men at rehab center"
    answers = [option.partition(" · ")[0] for option in others.options]
    assert answers[0] == first
    assert len(answers) > 1
    others.set_value(answers[1])
    settled(app)
    assert text_of(drawn(app)["headline"]) == f"Gunmen kill {answers[1]} men at rehab center"


def test_a_headline_is_taken_over_to_be_changed():
    app = opened("check_numbers", show="one")
    press(app, "numerals-change")
    assert app.text_area(key="numerals-own-article").value == ARTICLES.texts[0]
    assert app.text_area(key="numerals-own-headlines").value == ARTICLES.references[0][0]
    assert text_of(drawn(app)["headline"]) == ARTICLES.references[0][0]


def test_what_a_person_had_there_comes_back():
    mine = "Gunmen Kill 19 at Rehab Center\nGunmen Kill 350 Men"
    app = checked(opened("check_numbers"), GUNMEN, mine)
    before = verdicts(app)
    app.text_area(key="numerals-own-headlines").set_value(f"{mine}\nGunmen Wound Four")
    settled(app)
    for place in range(2):  # what is brought is not kept where something else is brought
        settled(turned(app, "write"))
        shown = [one for one in app.button if one.label == "In the article"]
        shown[place].click().run()
        settled(turned(app, "check_numbers"))
        assert fields(app)[0] != GUNMEN
    changed = "Nobody Knows 38% of Anything"
    settled(app.text_area(key="numerals-own-headlines").set_value(changed))
    settled(app.segmented_control(key="numerals-shown").set_value("one"))
    press(app, "numerals-change")
    press(app, "numerals-own-kept")
    assert fields(app)[1] == changed
    press(app, "numerals-own-kept")
    assert fields(app) == [GUNMEN, f"{mine}\nGunmen Wound Four"]
    assert verdicts(app) == before
    assert "numerals-own-kept" not in [one.key for one in app.button]


def table_with(app, column):
    (found,) = (one.value for one in app.dataframe if column in one.value.columns)
    return found


@pytest.mark.slow
def test_all_headlines_are_counted_by_system():
    app = opened("check_numbers", show="all")
    assert not app.error
    assert f"**{len(ARTICLES) * (len(NAMES) + 1)}** headlines of 40 articles" in words(app)
    assert str(app.header[0].value).startswith(f"{len(ARTICLES) * (len(NAMES) + 1)} headlines: ")
    listed, table = table_with(app, "Light"), table_with(app, "Numeral accuracy")
    signs = [str(light)[0] for light in listed["Light"]]
    assert signs == sorted(signs, key="✗?=✓–".index)
    assert (listed["Part"].eq("–") == listed["Light"].str[0].isin(["✓", "=", "–"])).all()
    assert table["System"].tolist() == ["Original headline", *NAMES]
    assert {"Numerals supported", "Numerals wrong"} <= {*table.columns}
    files = {button.label for button in app.get("download_button")}
    assert {"Verdicts (CSV)", "JSON", "Contradictions (CSV)"} <= files
    settled(app.segmented_control(key="numerals-light").set_value("check this"))
    assert set(table_with(app, "Light")["Light"]) == {"? check this"}


@pytest.mark.slow
def test_names_stay_hidden_in_blind_mode():
    for show in ("one", "all"):
        app = opened("check_numbers", show=show, blind="yes")
        shown = everything(app)
        assert not [name for name in NAMES if name in shown]


def test_the_compare_page_leads_here_and_back():
    app = opened("compare", article=ARTICLES.ids[3])
    app.button(key="compare-numerals").click().run()
    settled(turned(app, "check_numbers"))
    shown = text_of(drawn(app)["headline"])
    assert shown == OUTPUTS[0].headlines[3]
    app.button(key="numerals-compare").click().run()
    settled(turned(app, "compare"))
    assert "Article **4** of 40" in words(app)


POLLS = "On Monday Carla Mendes won 48 seats in the vote. The mayor was disappointed."


def test_who_when_and_how_sure_are_corrected_in_the_table_and_shown_there():
    app = checked(opened("check_numbers"), POLLS, "Ines Holt wins up to 48 seats\nInes Holt Wins 48 Seats")
    assert "found" not in [row["word"] for row in drawn(app, "numerals-rows")["rows"]]
    (fact,) = (fact for fact in facts_of(POLLS) if fact.numeral.text == "48")
    typed = {"who": "Ines Holt", "when": "Tuesday", "hedge": "up to"}
    save(the_journal(), POLLS, corrected(fact, replace(fact.place, **typed)))
    settled(app)
    assert "“Carla Mendes” of “48”; corrected to “Ines Holt” here." in words(app)
    assert "“up to” was added to “48” here." in words(app)
    press(app, "numerals-facts-undo")
    assert "corrected to" not in words(app)


def test_a_corrected_fact_corrects_every_verdict_and_what_is_written():
    app = checked(
        opened("check_numbers"), GUNMEN, "Gunmen Kill 19 Men in Clinic\nGunmen Kill 18 Men in Clinic"
    )
    assert [row["word"] for row in drawn(app, "numerals-rows")["rows"]] == ["wrong"]
    (fact,) = (fact for fact in facts_of(GUNMEN) if fact.numeral.text == "19")
    save(the_journal(), GUNMEN, corrected(fact, replace(fact.place, value="18")))
    settled(app)
    (row,) = drawn(app, "numerals-rows")["rows"]
    assert "19" in text_of(row["headline"])
    assert "The article says “19”; corrected to “18” here." in row["reason"]
    app = opened("write")
    app.segmented_control(key="write-source").set_value("A pasted article")
    settled(app)
    settled(app.text_area(key="write-pasted").set_value(GUNMEN))
    assert "killing 18 men" in words(app)
    assert "corrected to “18” here" in words(app)
    app = checked(opened("check_numbers"), GUNMEN, "Gunmen Kill 18 Men in Clinic")
    assert drawn(app)["verdict"]["evidence"][0]["lead"] == "In the article, as corrected"
    press(app, "numerals-facts-undo")
    assert "corrected to" not in words(app)
