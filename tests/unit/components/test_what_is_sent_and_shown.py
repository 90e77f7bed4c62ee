import html
import re
import string
from datetime import date
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.testing.v1 import AppTest

from benchmarks.browser import MENU
from components.frame.charts.theme import hover
from components.frame.markdown import JOINER, SEAM, STYLES, linked, marked, plain, shorten, spoken
from components.frame.page_state import SCREEN
from components.opened.views import compare, numerals, timeline
from components.opened.views.archive import ARCHIVE
from components.opened.views.consistency import CONSISTENCY
from components.opened.views.people import EVALUATE
from components.server import start
from components.server.front import Front, addresses
from components.server.places import pages
from core.text.marks import MarkKind, TextMark

CHOSEN = {
    SCREEN: {"large": True},
    timeline._state: {
        "data": "file-0123456789abcdef", "since": "file-fedcba9876543210",
        "encoder": "use_multilingual.v1", "scorer": "cosine_time.v1|tau_days:3.5",
        "method": "leiden.v1", "granularity": 0.25, "first": date(2024, 5, 1), "last": date(2024, 5, 7),
        "map": "principal_components.v1", "fold": True, "formats": True, "colour": "date", "group": 7,
        "rows": (1, 5, 12), "review": "joins", "titles": "es", "like": 5,
    },
    compare._state: {
        "shown": "scores", "articles": "sample:other",
        "systems": ("0123456789abcdef", "fedcba9876543210"), "article": "a 1, & 2", "blind": True,
        "search": "rate=rise", "sort": "rouge1", "of": "spread", "descending": False,
    },
    numerals._state: {"shown": "all", "system": "people", "numeral": 3},
    CONSISTENCY: {"shown": "repairs", "scorer": "levenshtein.v1|case_sensitive:false"},
    ARCHIVE: {
        "archive": "news-2025", "words": "harbour, & <storm>", "outlet": "Wire & Sons",
        "first": date(2024, 5, 1), "last": date(2024, 5, 7), "group": 12,
        "lasso": ((0, 0), (65_535, 1), (17, 4_096)), "picture": True, "meaning": True,
    },
    EVALUATE: {"shown": "results", "form": "italian.v1", "count": 12, "seed": 3, "sheet": 2},
}  # fmt: skip
"""A value other than its default for everything that stands in an address."""


def there_and_back():
    import streamlit as st

    from tests.unit.components.test_what_is_sent_and_shown import CHOSEN

    for state, values in CHOSEN.items():
        assert state.address(state.links) == {}
        state.put(**values)
        address = state.address(state.links)
        state.reset()
        st.query_params.from_dict(address)
        state.adopt(state.links)
        found = state.everything()
        assert {name: found[name] for name in values} == values
        st.query_params.clear()
        state.adopt(state.links)
        assert state.address(state.links) == {}


def test_every_value_goes_into_the_address_and_comes_back():
    app = AppTest.from_function(there_and_back).run()
    assert not app.exception, app.exception


def test_every_linked_value_is_tried_here():
    for state, values in CHOSEN.items():
        assert set(state.links) - {"token"} == set(values)


@pytest.fixture
def client():
    def page(_request):
        return Response("<html><head><title>x</title></head></html>", media_type="text/html")

    routes = [Route("/", page), Route("/map", page)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Front)]))


def test_every_page_says_where_its_server_is_before_any_other_script(client):
    # The menu does not list Join, Screen, Remote and Study.
    assert len(pages()) - 4 == sum(map(len, MENU.values()))
    for address in ("/", "/map"):
        answer = client.get(address)
        assert answer.text.startswith("<html><head><script>{")
        assert "BACKEND_BASE_URL" in answer.text
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert answer.text.count("modulepreload") == len(addresses()) > 9


def test_the_page_knows_by_which_name_its_proxy_asked_and_no_name_is_code(client):
    assert '"lab.example.org:8443"' in client.get("/", headers={"host": "lab.example.org:8443"}).text
    answer = client.get("/", headers={"host": "</script><script>alert(1)"})
    assert "<script>alert" not in answer.text


NASTY = (
    ":material/home: :material_home: :streamlit: :smile: :+1: :man-woman_2:",
    "https://evil.example www.evil.example HTTP://evil.example a.b+c@evil.example",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "<b>x</b> <script>y</script> <a href='z'>w</a> <!-- c -->",
    "![p](http://e.example/p.png) [l](javascript:x) [^1] ** __ ~~ ` $x$ $$y$$ \\( \\[",
    ":red[x] :rainbow[x] :badge[x] ::leaf{} :::note",
    "# h\n- item\n1. item\n> quote\n| a | b |\n|---|---|\n    code\n---\n===",
    "&amp; &lt; &#60; &#x3c;",
)
# The patterns with which Streamlit's renderer goes over the text once markdown has been read.
FOUND_LATER = (
    r":material_(\w+):", r":streamlit:", r":(?!material/|streamlit:)(?!\d+:)[\w+-]+:",
    r"(https?://|www(?=\.))([-.\w]+)([^ \t\r\n]*)", r"([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)",
    r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)",
)  # fmt: skip
TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from([*NASTY, *string.punctuation, "www.", "http://", " ", "a", "\n"]), max_size=8
    ).map("".join),
)


def seen(markdown):
    markdown = markdown.replace(SEAM, "")
    return re.sub(rf"\\([{re.escape(string.punctuation)}])", r"\1", markdown).replace(JOINER, "")


def text_nodes(markdown):
    bare = re.sub(rf"\\([{re.escape(string.punctuation)}])", "\N{INFORMATION SEPARATOR ONE}\\1", markdown)
    return [part.replace("\N{INFORMATION SEPARATOR ONE}", "") for part in bare.split(SEAM)]


@given(TEXT)
def test_every_character_that_markdown_reads_is_escaped(text):
    bare = re.sub(r"\\.", "", plain(text)).replace(SEAM, "")
    assert not set(bare) & set("\\`*_{}[]()<>#+-.!|~$:&@/^=\"'")
    assert "\n" not in bare


@pytest.mark.parametrize("written", [plain, spoken])
@given(TEXT)
def test_what_is_seen_is_the_text(written, text):
    assert seen(written(text)) == " ".join(text.split()).replace(JOINER, "")


@pytest.mark.parametrize("written", [plain, spoken])
@given(TEXT)
def test_nothing_is_found_once_markdown_was_read(written, text):
    for node in text_nodes(written(text)):
        for pattern in FOUND_LATER:
            assert not re.search(pattern, node, re.IGNORECASE), (pattern, node)


ADDRESSES = {
    "Write to ana@uni.example.": ["mailto:ana@uni.example"],
    "(https://ethik.uni.example/a_b?x=1&copy;=2#z), or www.x.example": ["https://ethik.uni.example/a_b?x=1&copy;=2#z"],
    "Jürgen.Özil+ethik@uni.example; HTTP://A.example": [
        "mailto:Jürgen.Özil+ethik@uni.example", "HTTP://A.example"],
    "mailto:ada.o'neil@uni.example, 'bo@uni.example'": [
        "mailto:ada.o'neil@uni.example", "mailto:bo@uni.example"],
    "c!#$%&'*+/=?^_`{|}~-d.e@uni.example": ["mailto:c!#$%&'*+/=?^_`{|}~-d.e@uni.example"],
    "a?bcc=b@evil.example": ["mailto:a?bcc=b@evil.example"],
    'ada.o’neil@uni.example a"b"c@uni.example a..b@uni.example a(b)c@uni.example a@uni.example@b.example': [],
    "https://a.example/](javascript:alert(1)) https://b.example/<script>": [
        "https://a.example/](javascript:alert(1", "https://b.example/"],
    "javascript:alert(1) data:text/html,x file:///etc [x](javascript:y@z)": [],
    "https://a.example/\\:smile:'\"><img src=x onerror=alert(1)>": ["https://a.example/\\:smile"],
}  # fmt: skip


@pytest.mark.parametrize("text", [*ADDRESSES, *NASTY])
def test_links_of_a_consent_lead_where_they_say_and_all_else_is_text(text):
    markdown_it = pytest.importorskip("markdown_it")
    shown = markdown_it.MarkdownIt("commonmark", {"html": False}).parseInline(linked(text))[0].children
    links = [token.attrs["href"] for token in shown if token.type == "link_open"]
    wanted = ADDRESSES.get(text, links)
    assert [unquote(link) for link in map(str, links)] == wanted
    assert not any("?" in str(link) for link in links if str(link).startswith("mailto:"))
    assert all(link.startswith(("http://", "https://", "mailto:", "HTTP://")) for link in links)
    assert {token.type for token in shown} <= {"text", "text_special", "link_open", "link_close"}
    assert "".join(token.content for token in shown).replace(SEAM, "") == " ".join(text.split())
    assert JOINER not in linked(text) + plain(text)


@pytest.mark.parametrize("text", NASTY)
def test_commonmark_sees_one_paragraph_of_text(text):
    markdown_it = pytest.importorskip("markdown_it")
    tokens = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(plain(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    kinds = {child.type for child in tokens[1].children}
    assert kinds <= {"text", "text_special"}


@given(
    TEXT | st.sampled_from(["1. a", "2)", "- a", "+ a", "* a", "# a", "> a", "=", "[a] (b) [c](d)", "a\\"])
)
def test_a_label_is_one_line_of_text_to_commonmark(text):
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    line = " ".join(text.replace("\0", "").split())
    if line:
        _, inline, _ = reader.parse(spoken(line))
        assert "".join(one.content for one in inline.children).replace(JOINER, "") == line.replace(JOINER, "")
        assert {one.type for one in inline.children} <= {"text", "text_special"}
    assert not re.search(r":[a-zA-Z]|\$.*\$", re.sub(r"\\.", "", spoken(text)))


def test_a_label_is_read_out_as_it_is_written():
    said = "iPhone 6 'Air' [VIDEO]: AT&T (NYSE:T) at $7.1, 10:30 - Stocks* #1"
    assert spoken(said).replace(JOINER, "") == said


NAMES = "|".join(style[1 : style.index("[")] for style in STYLES.values())


def unstyled(markdown):
    """What a reader sees of marked text: the page's own directives are taken off."""
    markdown = markdown.replace(SEAM, "")
    tokens = re.findall(rf"\\.|:(?:{NAMES})\[\*{{0,3}}_?|_?\*{{0,3}}\]|.", markdown, re.DOTALL)
    opened = [token for token in tokens if len(token) > 2 and token.startswith(":")]
    closed = [token for token in tokens if token.endswith("]") and token[0] in "_*]"]
    assert len(opened) == len(closed)
    return seen("".join(token for token in tokens if token not in opened and token not in closed))


@given(TEXT, st.data())
def test_marked_text_is_seen_whole_and_marks_nothing_else(text, data):
    places = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    kinds = data.draw(st.lists(st.sampled_from(MarkKind), min_size=3, max_size=3))
    pairs = list(zip(places[::2], places[1::2], strict=False))
    marks = [TextMark(start, end, kind) for (start, end), kind in zip(pairs, kinds, strict=False)]
    shown = marked(text, marks).replace(SEAM, "")
    assert " ".join(unstyled(shown).split()) == " ".join(text.split()).replace(JOINER, "")
    styles = set(re.findall(r":([a-z-]+)\[", re.sub(r"\\.", "", shown)))
    assert styles <= {"green", "blue", "red-background", "blue-background", "orange-background"}


@given(TEXT)
def test_hover_text_holds_no_tag_and_shows_the_text(text):
    shown = hover(text, 200)
    assert "<" not in shown
    assert ">" not in shown
    assert not re.search(r"&(?!amp;|lt;|gt;)", shown)
    assert html.unescape(shown) == html.unescape(shorten(text, 200).replace("&", "&amp;"))


def test_a_file_for_a_download_outlives_the_scripts_that_end_meanwhile(monkeypatch):
    """In a class phones end a script every few milliseconds; without this two of them drop the file."""
    manager, now = MediaFileManager(MemoryMediaFileStorage("/media")), [0.0]
    monkeypatch.setattr(start.time, "monotonic", lambda: now[0])
    start.keep_files(manager)
    later = manager.add_deferred(lambda: b"answers", "text/csv", "0.1", "answers.csv")
    made = manager.execute_deferred(later)
    name = made.rpartition("/")[2]
    for now[0] in (0.0, 5.0, 9.9, 10.0, 10.1, 19.9):
        manager.remove_orphaned_files()
        assert manager.read_file(name) is not None
    now[0] = 20.0
    manager.remove_orphaned_files()
    assert manager.read_file(name) is None
