"""Lines of things of one kind, with signs of their state: a page draws `ROWS`, then its lists."""

from html import escape
from pathlib import Path
from typing import Final

ROWS: Final = Path(__file__).with_suffix(".css")


def sign(state: str, said: str) -> str:
    """A state in words, whose edge says it a second time: `here`, `needs`, or any other."""
    return f'<span class="sign {state}">{escape(said)}</span>'
