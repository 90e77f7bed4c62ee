"""The app where neither `research` nor a library of its extra is installed."""

import json

import pytest

from components.frame.page_state import PARTS
from core.extras import BRINGS, RESEARCH
from core.files import ROOT
from tests.programs import printed

WITHOUT = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BRINGS[RESEARCH]}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""
OPENED = """
import json
from tests.pages.opening import opened, settled, turned, words

said, app = {}, opened()
for place in sys.argv[1:]:
    app = settled(turned(app, place))
    said[place] = [error.value for error in app.error], words(app)
print(json.dumps(said))
"""
PLACES = sorted({page.stem for page in (ROOT / "pages").glob("[a-z]*.py")} - {*PARTS})
EVERY = [*PLACES, *(part for parts in PARTS.values() for part in parts)]
NEED = {"pairs", "leaderboard", "papers", "train"}


@pytest.mark.slow
def test_every_page_opens_and_what_needs_research_says_how_to_add_it():
    found = json.loads(printed(WITHOUT + OPENED, *EVERY).splitlines()[-1])
    assert found.keys() == {*EVERY}
    for place, (errors, said) in found.items():
        assert len(said) > 40, place
        if place in NEED:
            assert len(errors) == 1, place
            assert "headline-lab[research]" in errors[0].replace("\\", ""), place
        else:
            assert errors == [], place
    assert "models and methods" in found["library"][1]
