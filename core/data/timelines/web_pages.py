"""Pages, errors and other markup that somebody took for a file of headlines."""

import re
from typing import Final, NoReturn

from core.errors import InputError
from core.files import read_tables
from core.results.render import shorten
from core.text.markup import without_markup

_PAGE: Final = re.compile(
    r"(?>\s+|<\?xml[^>]*>|<!--(?>.*?-->))*+<(?:!doctype\s+html|(?:html|head|body)[\s>])",
    re.DOTALL | re.IGNORECASE,
)
_HEADING: Final = re.compile(r"<(title|h1)\b[^<>]*>([^<]{1,400})", re.IGNORECASE)
_MARKUP: Final = re.compile(r"\s*<[?!]?(\w[\w:.-]*)")
_NOTATIONS: Final = read_tables(__file__)["notation"]
_SAVE: Final = "Save it again from its own address, and look whether it holds headlines."


def refuse_page(text: str, wanted: str) -> None:
    """Refuses a web page, with its title, where `wanted` was expected."""
    if _PAGE.match(text):
        heading = _HEADING.search(text)
        named = f" (“{_shown(heading[2])}”)" if heading and heading[2].strip() else ""
        raise InputError(f"The file is a web page{named}, not {wanted}.", hint=_SAVE)


def refuse_notation(text: str) -> None:
    """Refuses a text in a notation that is no list of headlines, renamed or pasted."""
    for notation in _NOTATIONS:
        if len(re.findall(notation["pattern"], text, re.MULTILINE)) >= notation.get("least", 1):
            raise InputError(
                f"The text is {notation['named']}, not a list of headlines.", hint=notation["hint"]
            )


def refuse_other(text: str, kind: str, wanted: str) -> NoReturn:
    """Refuses XML of another kind, or a text such as an error, with what it begins with."""
    if _MARKUP.match(text) or not _shown(text):  # nothing but a comment, for one
        elements = (match[1] for match in re.finditer(r"<(\w[\w:.-]*)", text))
        first = next(elements, "")[:40]
        named = f" (it begins with <{first}>)" if first else ""
        message = f"The file is XML{named}, but {kind}."
        raise InputError(message, hint="Open it in a spreadsheet and save it as XLSX or CSV.")
    raise InputError(f"The file holds a text and not {wanted}: “{_shown(text)}”.", hint=_SAVE)


def _shown(text: str) -> str:
    return shorten(" ".join(without_markup(text[:2_000]).split()), 80)
