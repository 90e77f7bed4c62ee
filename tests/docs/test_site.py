"""The documents as a site: every page is listed, and links hold there as they do in the repository."""

import json
import re
import runpy
import sys
from importlib.util import find_spec
from posixpath import dirname, join, normpath

import pytest

from tests.docs.pages import PAGES, ROOT, name
from tests.programs import finished

SITE = runpy.run_path(str(ROOT / "docs/site.py"))
SETTINGS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
PUBLISHED = {
    SITE["TOP"].get(name(page), name(page).removeprefix("docs/")): page
    for page in PAGES
    if name(page) in SITE["TOP"] or name(page).startswith("docs/")
}
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#:`]+)[#)]")
NOTHING_FETCHED = re.compile(r"<(?:script|img|iframe)[^>]* src=\"?https?:|<link[^>]*stylesheet[^>]*https?:")
MKDOCS = pytest.mark.skipif(find_spec("mkdocs") is None, reason="`make docs` brings mkdocs")


def test_every_guide_and_decision_is_listed_once():
    listed = re.findall(r"\b[\w/-]+\.md\b", SETTINGS.partition("\nnav:\n")[2])
    assert sorted(listed) == sorted(PUBLISHED)


@pytest.mark.parametrize("page", PUBLISHED)
def test_links_lead_to_pages_of_the_site_or_are_text(page):
    text = PUBLISHED[page].read_text(encoding="utf-8")
    led = {normpath(join(dirname(page), link)) for link in LINK.findall(SITE["plain"](text, page))}
    files = {path for path in led if (ROOT / "docs" / path).is_file()}
    assert led <= files | PUBLISHED.keys()


def test_a_link_says_the_same_from_beside_docs_and_from_below():
    linked = SITE["linked"]
    assert linked("[a](docs/limits.md#files)", "index.md") == "[a](limits.md#files)"
    assert linked("[a](../../README.md)", "decisions/0001-house.md") == "[a](../index.md)"
    assert linked("[a](docs/decisions)", "contributing.md") == "[a](decisions/0001-house.md)"
    assert linked("[`a`](../core/limits.py)", "limits.md") == "`a`"
    assert linked("[a](nowhere.md)", "limits.md") == "[a](nowhere.md)"
    assert linked("![a](docs/pictures/map.png)", "index.md") == "![a](pictures/map.png)"


def test_a_bar_in_the_code_of_a_row_stands_alone():
    assert SITE["plain"]("| `a\\|b` |\n", "limits.md") == "| `a|b` |\n"
    assert SITE["plain"]("`a\\|b`\n", "limits.md") == "`a\\|b`\n"


@MKDOCS
@pytest.mark.slow
def test_the_site_finds_every_page_and_fetches_nothing(tmp_path):
    built = finished(sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    index = json.loads((tmp_path / "search/search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"] for entry in index["docs"] if entry["text"] or entry["title"]}
    for page in PUBLISHED:
        address = "" if page == "index.md" else f"{page.removesuffix('.md')}/"
        assert address in found, page
        html = (tmp_path / address / "index.html").read_text(encoding="utf-8")
        assert not NOTHING_FETCHED.search(html), page
        assert 'class="mermaid"' not in html, page  # its program would come from elsewhere
