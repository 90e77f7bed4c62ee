from components.writing import EVENT, PASTED
from core.data.articles.articles import load_articles
from core.headlines.generator import first_sentence, leading
from core.headlines.generators.sentences import ranked
from tests.pages.opening import opened, settled


def shown(app):
    """What the copy boxes hold: the headlines as they stand."""
    return [code.value for code in app.code]


def test_the_sample_has_headlines_without_a_click():
    app = opened("write")
    assert not app.exception
    assert not app.error
    assert shown(app) == leading(load_articles("sample:articles").texts[0])[:4]
    assert any("first_sentence.v1" in caption.value for caption in app.caption)


def test_another_article_and_another_system():
    app = opened("write")
    row = next(box for box in app.selectbox if box.label == "Article")
    row.select_index(4)
    settled(app)
    text = load_articles("sample:articles").texts[4]
    assert shown(app)[0] == first_sentence(text)
    app.selectbox(key="pick-system").set_value("textrank.v1")
    settled(app.number_input(key="write-candidates").set_value(2))
    assert shown(app) == [line for line, _ in ranked(text)[:2]]


def test_an_event_without_articles_is_read_as_its_headlines():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(EVENT))
    assert not app.exception
    assert any("headlines are read as one text" in caption.value for caption in app.caption)
    assert len(shown(app)) == 4


def test_changes_are_kept_and_undone_one_by_one():
    app = opened("write")
    written = shown(app)[0]
    for text in ("Mine", "Mine, longer"):
        box = next(one for one in app.text_area if one.value == shown(app)[0])
        box.set_value(text)
        settled(app)
        assert shown(app)[0] == text
    for expected in ("Mine", written):
        next(button for button in app.button if button.label == "Undo").click()
        settled(app)
        assert shown(app)[0] == expected
    assert not any(button.label == "Undo" for button in app.button)


def test_all_articles_are_written_on_a_click():
    app = opened("write")
    assert not app.dataframe
    next(button for button in app.button if button.label == "Write for all 40").click()
    settled(app)
    table = app.dataframe[0].value
    articles = load_articles("sample:articles")
    assert table["Headline"].tolist() == [first_sentence(text) for text in articles.texts]
    assert table["Original headline"].tolist() == [given[0] for given in articles.references]


def test_a_model_writes_on_a_click(tiny_gpt2):
    app = opened("write")
    app.session_state["write_system"] = f"causal.v1|model:{tiny_gpt2}"
    settled(app)
    assert not app.error
    assert not app.code
    next(button for button in app.button if button.label == "Write with Causal").click()
    settled(app)
    assert not app.exception
    assert not app.error
    assert 1 <= len(shown(app)) <= 4
    assert any("causal.v1|model:" in caption.value for caption in app.caption)


def test_a_line_says_whether_the_numbers_are_supported():
    app = opened("write")
    settled(app.segmented_control(key="write-source").set_value(PASTED))
    app.text_area(key="write-pasted").set_value(
        "A bus crash near Lyon killed 14 people on Monday. Nobody else was hurt. The road is closed."
    )
    settled(app)
    told = [one.value for one in app.markdown if "**Supported.**" in one.value]
    assert len(told) == 1
    assert "14" in told[0]
    where = [button for button in app.button if button.label == "Show in the article"]
    assert len(where) == 1
    where[0].click()
    settled(app)
    assert app.session_state["numerals-own-headlines"] == "A bus crash near Lyon killed 14 people on Monday."
