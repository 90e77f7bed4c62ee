"""The beginning of a text that stands for a missing title."""

import re
from typing import Final

from core.results.render import shorten
from core.text.markup import without_markup
from core.text.sentences import split_sentences

_TITLE = 160  # characters
_SHORTENED: Final = re.compile(r"(?<!\s)\s+https?://t\.co/\w+\s*$")  # at the end of a post
_SHORT = 25  # characters of a sentence that needs the next one to say something


def beginning(text: str) -> str:
    """The first sentence of a text without its markup, and the next where that says little."""
    line = next((line for line in without_markup(text).split("\n") if line.strip()), "")
    line = _SHORTENED.sub("", line)
    title = ""
    for sentence in split_sentences(line[: 4 * _TITLE]):
        if len(title) >= _SHORT:
            break
        title = f"{title} {sentence}".strip()
    return shorten(title, _TITLE)
