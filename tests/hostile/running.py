"""Running a page of the app without a browser, until it has nothing more to do."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.files import ROOT
from tests.cli.calling import Call as Command
from tests.pages.opening import settled, turned

__all__ = ["ROOT", "Command", "Visit", "opened", "settled"]

Visit = Callable[..., AppTest]


def opened(page, **address):
    """A page as a link with that address opens it."""
    return settled(turned(AppTest.from_file(str(ROOT / "menu.py"), default_timeout=60), page, **address))
