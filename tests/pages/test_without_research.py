"""The app where neither `research` nor a library of its extra is installed."""

import json

import pytest

from components.frame.page_state import PARTS
from core.files import ROOT
from tests.programs import WITHOUT_RESEARCH, printed

OPENED = """
import json
from tests.pages.opening import opened, words

said = {}
for place in sys.argv[1:]:
    app = opened(place)
    said[place] = [error.value for error in app.error], words(app)
print(json.dumps(said))
"""
PLACES = sorted({page.stem for page in (ROOT / "pages").glob("[a-z]*.py")} - {*PARTS})
EVERY = [*PLACES, *(part for parts in PARTS.values() for part in parts)]
NEED = {"pairs", "leaderboard", "papers", "train"}


@pytest.mark.slow
def test_every_page_opens_and_what_needs_research_says_how_to_add_it():
    found = json.loads(printed(WITHOUT_RESEARCH + OPENED, *EVERY).splitlines()[-1])
    assert found.keys() == {*EVERY}
    for place, (errors, _) in found.items():
        if place in NEED:
            assert len(errors) == 1, place
            assert "headline-lab[research]" in errors[0].replace("\\", ""), place
        else:
            assert errors == [], place
    assert "models and methods" in found["library"][1]
