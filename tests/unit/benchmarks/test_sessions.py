from benchmarks.browser import MENU
from benchmarks.sessions import VISITED
from components.frame.page_state import BARE_PAGES, PARTS
from core.files import ROOT

FIRST = "timeline"


def test_a_soak_visits_every_place_of_the_menu_and_every_part():
    pages = {path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__", *BARE_PAGES}
    assert len(pages) == sum(map(len, MENU.values()))
    assert {place.partition("?")[0] or FIRST for place in VISITED} == pages
    assert {f"{page}?part={part}" for page, parts in PARTS.items() for part in parts} <= set(VISITED)
