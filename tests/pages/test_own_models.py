"""A language model of one's own is set on Models, and other pages say what it is sent."""

import pytest

from components.frame.markdown import SEAM
from core.models.endpoints import addresses
from core.pairs.scorer import pair_scorers
from tests import language_model_server as server
from tests.pages.opening import loaded, opened, press, settled, turned, words

KEY = "sk-page-0123456789abcdef"


@pytest.fixture(autouse=True)
def user(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))


def field(app, label):
    return next(one for one in app.text_input if one.label.startswith(label))


def headlines(body, number):
    return server.chat('{"headlines": ["Written by the model"]}')


def test_a_model_is_set_and_tried_and_its_key_leaves_the_session():
    with server.serving(headlines) as asked:
        app = opened("own")
        field(app, "Address").set_value(asked.address)
        field(app, "Model").set_value("tiny")
        field(app, "Key").set_value(KEY)
        press(app, "Set and try")
        assert "tiny" in app.success[0].value
        assert [each.key for each in addresses.endpoints()] == [KEY]
        assert KEY not in words(app)
        assert KEY not in repr(app.session_state._state.filtered_state)
        press(app, "own-models-away")
    assert addresses.endpoints() == []


def test_what_the_file_says_of_a_model_is_kept_where_it_is_set_again():
    said = {"price_in": 2.0, "price_out": 4.0, "currency": "EUR", "budget": 1.0, "context": 900}
    with server.serving(headlines) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=KEY, **said))
        app = opened("own")
        field(app, "Address").set_value(asked.address)
        field(app, "Model").set_value("other")
        press(app, "Set and try")
    (known,) = addresses.endpoints()
    assert (known.model, known.key) == ("other", KEY)
    assert {name: getattr(known, name) for name in said} == said


def test_a_server_that_completes_texts_is_found_out_and_the_page_says_so():
    with server.serving(headlines, takes=("/v1/completions",)) as asked:
        app = opened("own")
        field(app, "Address").set_value(asked.address)
        press(app, "Set and try")
        assert addresses.PLAIN in words(app)
    assert [each.interface for each in addresses.endpoints()] == ["completions"]


def test_a_prompt_is_seen_changed_and_left_again():
    app = opened("own")
    app.session_state["own-prompts-name"] = "same_event.v1"
    settled(app)
    (asked,) = (each for each in app.text_area if "$left" in each.value)
    asked.set_value("One event? $left and")
    press(app, "own-prompts-store")
    assert len(app.error) == 1
    assert asked.label in app.error[0].value
    (asked,) = (each for each in app.text_area if "$left" in each.value)
    assert asked.value == "One event? $left and"
    asked.set_value("One event? $left and $right?")
    press(app, "own-prompts-store")
    assert "One event? $left and $right?" in [each.value for each in app.text_area]
    mine = pair_scorers.parse("endpoint").prompt
    assert f"prompt:{pair_scorers.parse('endpoint').pinned()}" in words(app)
    settled(app.selectbox(key="own-prompts-same_event.v1").set_value("same_event.v1"))
    assert pair_scorers.parse("endpoint").prompt == "same_event.v1" != mine
    assert "Answer yes or no" in "".join(each.value for each in app.text_area)


@pytest.mark.usefixtures("workshop")
def test_visitors_of_a_workshop_change_no_prompt():
    app = opened("own")
    assert not app.text_area
    assert len(app.error) == 1


def test_an_address_that_is_none_is_told_of_and_not_stored():
    app = opened("own")
    field(app, "Address").set_value("http://example.org")
    press(app, "Set and try")
    assert len(app.error) == 1
    assert addresses.endpoints() == []


def test_a_page_says_what_is_sent_and_where_to():
    with server.serving(headlines) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=KEY))
        app = opened("write")
        app.session_state["write_system"] = "endpoint.v1"
        settled(app)
        assert f"go to {asked.address}, on this computer" in words(app).replace(SEAM, "")
        assert not asked.bodies
        press(app, "Write with")
        assert "answered:tiny-2026-11-01" in words(app).replace(SEAM, "")
        assert KEY not in words(app)
    assert asked.keys == [f"Bearer {KEY}"]


FEW = b"headline\nStorm hits coast\nCoast is hit by storm\nBank raises rate\n"


def lines_about(app, address):
    """The lines by which a page says what goes to an address."""
    said = [each.value.replace("\\", "").replace(SEAM, "") for each in app.caption]
    return [line for line in said if f"go to {address}" in line]


@pytest.mark.parametrize("page", ["consistency", "pairs"])
def test_what_audits_and_measures_a_model_says_in_one_line_what_leaves_and_where_to(page):
    with server.serving(server.sure) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=KEY))
        app = opened("sources") if page == "consistency" else opened(page)
        if page == "consistency":
            settled(turned(loaded(app, "few.csv", FEW), page))
        assert not lines_about(app, asked.address)
        assert not asked.bodies
        if page == "consistency":
            settled(app.selectbox(key="pick-scorer").set_value("endpoint.v1"))
            assert not asked.bodies
            assert [each.value for each in app.caption if "6 questions" in each.value]
            press(app, "Ask tiny about all pairs")
            assert len(asked.bodies) == 6
        else:
            (systems,) = (each for each in app.multiselect if each.key.startswith("pairs-systems"))
            settled(systems.set_value([name for name in systems.options if "tiny" in name]))
            assert not asked.bodies  # before anybody measures
        (line,) = lines_about(app, asked.address)
    assert line.count(asked.address) == 1
    assert "Headlines" in line
    assert "on this computer" in line
