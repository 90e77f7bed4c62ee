"""Text made safe to show, compare and hash: damage of copying repaired, HTML and datelines taken off."""

import html
import re
import unicodedata
from html.parser import HTMLParser
from typing import Final, Literal, NamedTuple

from core.files import read_tables
from core.text.reading import reads
from core.text.tokens import word_list

_TABLES: Final = read_tables(__file__)
# Characters that nobody sees but that break rows, XML or the reading direction: C0/C1 controls that
# are not white space, soft hyphen, zero-width space, word joiner, byte-order mark, bidi embeddings,
# overrides and isolates, non-characters and lone surrogates. Joiners (U+200C, U+200D) and the marks
# U+200E, U+200F stay: emoji, Persian and Hebrew need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff"
    "\ud800-\udfff]"
)
# Letters of Hangul and Braille that are drawn as nothing; between others they have a meaning.
_BLANKS = " \u115f\u1160\u2800\u3164\uffa0"
_NOT_WORD = re.compile(r"[^\w%$€£+]+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""What is drawn as nothing (Unicode's Default_Ignorable_Code_Point, and blank Braille)."""
_UNSEEN_KINDS: Final = frozenset({"Cc", "Cf"})  # controls, formats
MARKS = 30
"""Accents on one letter at most, as in Unicode's stream-safe format (UAX #15, 13); more cost their square."""
_MANY_MARKS = re.compile(rf"[^\w\x00-\x7f]{{{MARKS + 1},}}")
_LABEL: Final = re.compile(rf"(?:{'|'.join(_TABLES['labels'])})+", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PASSES: Final = 3  # what was escaped, and escaped again
_SUSPECT: Final = re.compile(r"[^\x00-\x7f]{2}|[\x80-\x9f]|[ÂÃ]")
"""Letters that were read wrongly leave at least two in a row, or the second of them was a space."""
_NOTHING: Final = ("n/a", "n.a.", "n.a", "na", "nan", "null", "nil", "none", "k.a.", "н/д")
MISSING: Final = frozenset((*_NOTHING, "-", "--", "---", "–", "—", "[removed]", "[deleted]"))
"""What stands in a cell without a value, in lower case."""
_TAG: Final = re.compile(
    rf"</?(?:{'|'.join(_TABLES['tags']['known'].split())})(?:\s[^<>]*)?/?>|<!--|<!DOCTYPE", re.IGNORECASE
)
_ENTITY: Final = re.compile(
    r"&(?:amp|quot|lt|gt|apos|nbsp|laquo|raquo|mdash|ndash|hellip|[lr][sd]quo|#\d{2,6}|#x[0-9a-f]{2,5});",
    re.IGNORECASE,
)
_NO_TAG: Final = re.compile(r"<(?![^<>]*>)")
"""What no browser takes for a tag; html.parser would look for its end up to the text's, again and again."""
_SILENT: Final = frozenset({"script", "style"})
_INLINE: Final = frozenset(word_list(_TABLES["tags"]["inline"]))
_STAND_FOR: Final = _TABLES["datelines_stand_for"]
_PATTERNS: Final = tuple(
    re.compile(re.sub("|".join(_STAND_FOR), lambda name: _STAND_FOR[name[0]], dateline))
    for dateline in _TABLES["datelines"]
)
_MOST: Final = 3


def has_hidden(text: str) -> bool:
    """Whether the text holds characters that cleaning takes away (controls, direction overrides)."""
    return not text.isprintable() and _HIDDEN.search(text) is not None


def _formed(form: Literal["NFC", "NFKC"], text: str) -> str:
    return unicodedata.normalize(form, _MANY_MARKS.sub(_few_marks, text))


def _few_marks(match: re.Match[str]) -> str:
    characters, marks = [], 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MARKS:
            characters.append(character)
    return "".join(characters)


def clean_line(text: str) -> str:
    """The text as one line: NFC, hidden characters gone, single spaces, 30 accents a letter at most."""
    if not text.isascii():
        text = _formed("NFC", text)
    if not text.isprintable():
        text = _HIDDEN.sub("", text)
    line = " ".join(text.split())
    if not line.strip(_BLANKS):
        return ""
    return line if line.isprintable() or any(map(str.isprintable, line.replace(" ", ""))) else ""


def seen(text: str) -> str:
    """The text without case, widths and what is drawn as nothing, for comparing; spaces stay."""
    folded = _formed("NFKC", _formed("NFKC", text).casefold())
    if folded.isascii() and folded.isprintable():
        return folded
    gone: dict[int, str | None] = dict.fromkeys(map(ord, "\t\n\r\v\f"), " ")
    signs = set(folded) - set("\t\n\r\v\f")
    gone |= {ord(sign): None for sign in signs if unicodedata.category(sign) in _UNSEEN_KINDS}
    return _formed("NFKC", _UNSEEN.sub("", folded.translate(gone)))


def judge_key(name: str) -> str:
    """What all spellings of a name share: no case, spaces, hidden signs and widths; "" for nothing seen."""
    return clean_line(re.sub(r"\s", "", seen(name)))


def clean_block(text: str) -> str:
    """The text in paragraphs: as `clean_line` does, but line ends are kept (at most one empty line)."""
    if text.isascii() and text.isprintable():
        return text.strip()
    text = _HIDDEN.sub("", _formed("NFC", text))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def without_surrogates(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD, so that it can be encoded."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def searched(text: str) -> str:
    """The text as a search compares it: case and accents apart, so that "turkei" finds "Türkei"."""
    small = text.casefold()
    if small.isascii():
        return small
    parts = unicodedata.normalize("NFD", small)
    return "".join(sign for sign in parts if unicodedata.category(sign) != "Mn")


@reads("wording", str)
def comparison_key(text: str) -> str:
    """What is left without case, punctuation and spacing; equal keys mean equal wording.

    Digits, letters of every script, %, +, and currency signs stay; punctuation alone is its own key.
    """
    folded = _formed("NFKC", text).casefold().translate(_APOSTROPHES).replace("'", "")
    return _NOT_WORD.sub(" ", folded).strip() or folded.strip()


def label_end(text: str) -> int:
    """How many characters the labels of a desk in front of a headline have: "UPDATE 1-", "+++ EIL +++ "."""
    found = _LABEL.match(text)
    return found.end() if found else 0


class Repaired(NamedTuple):
    text: str
    references: bool  # character references such as `&mdash;` were replaced by their characters
    letters: bool  # letters were garbled, as in "cafÃ©"


@reads("garbled letters", lambda text: Repaired(text, False, False))
def repaired(text: str) -> Repaired:
    """The text with character references decoded and garbled letters put right (ftfy, R. Speer 2019).

    Tags stay; references need their semicolon, so that addresses keep "&copy=1".
    """
    decoded = text
    for _ in range(_PASSES):
        if "&" not in decoded or _REFERENCE.search(decoded) is None:
            break
        decoded = _REFERENCE.sub(lambda match: html.unescape(match[0]), decoded)
    put_right = decoded
    if not decoded.isascii() and _SUSPECT.search(decoded):
        import ftfy  # takes a tenth of a second, and most texts do not need it

        put_right = ftfy.fix_encoding(decoded)
    return Repaired(put_right, decoded != text, put_right != decoded)


def is_missing(text: str) -> bool:
    """Whether a cell says that it has no value: "n/a", "-", "null" and the like, in any case."""
    return len(text) <= 20 and text.strip().casefold() in MISSING


def has_markup(text: str) -> bool:
    """Whether the text holds tags or character references of HTML."""
    return ("<" in text and _TAG.search(text) is not None) or (
        "&" in text and _ENTITY.search(text) is not None
    )


@reads("markup", str)
def without_markup(text: str) -> str:
    """The text that a browser would show, blocks on lines of their own; without markup as it is: "a < b"."""
    if not has_markup(text):
        return text
    if not _TAG.search(text):
        return html.unescape(text)
    reader = _Shown()
    before, *parts = text.split("<!--")
    reader.feed(_NO_TAG.sub("&lt;", before + "".join(part.partition("-->")[2] for part in parts)))
    reader.close()
    lines = (line.strip() for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


class _Shown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag not in _INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif tag not in _INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)


def without_dateline(text: str) -> str:
    """The text from its first sentence on: up to three places, days and agencies are taken off."""
    rest = text.strip()
    for _ in range(_MOST):
        bare = rest.lstrip('"«“ \u00a0')
        dateline = next((match for pattern in _PATTERNS if (match := pattern.match(bare))), None)
        if dateline is None or not any(map(str.isalnum, bare[dateline.end() :])):
            break
        rest = bare[dateline.end() :].strip()
    return rest
