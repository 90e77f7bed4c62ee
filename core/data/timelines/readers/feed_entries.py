"""The entries of a feed's XML; where it is damaged, those that are whole, each read by itself."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urljoin
from xml.parsers import expat

from core import limits
from core.data.timelines.raw import check_rows, listing
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError
from core.files import read_tables
from core.text.markup import without_markup

_TABLES: Final = read_tables(__file__)
_PERSONS: Final = frozenset({"authors", "publisher"})
"""Parts that Atom writes as elements, of which the name or title alone is wanted."""
_MEDIA: Final = ("media:", "itunes:", "image:", "video:")  # what these prefix is said of a picture or a film
_LOOKED_AT: Final = 60  # entries that show whether all are damaged
_DEEPEST: Final = 100  # elements inside each other; feeds have about six, with text some more
_NAMED: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});")
_BARE: Final = re.compile(r"&(?!#?[A-Za-z0-9]{1,32};)")
_LONE: Final = re.compile(r"<(?![\w/!?:])")
_VOID: Final = re.compile(
    r"<(?:area|base|br|col|embed|hr|img|input|param|track|wbr)(?=[\s/>])[^<>]*>", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML forbids in any spelling."""
_OUTLINE: Final = re.compile(r"<outline(?=\s)([^<>]*?)/?>")
_CONTROL_OR_SPACE: Final = {"\x0b": " ", "\x0c": " "}
_CUT_OFF: Final = frozenset(
    expat.errors.codes[message]
    for message in (
        *(expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN),
        *(expat.errors.XML_ERROR_PARTIAL_CHAR, expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION),
    )
)
"""What the parser says where a feed ends too early, and not of other damage."""
_PAGES: Final = "|".join(re.escape(words) for words in _TABLES["pages"].split(", "))
_PAGE: Final = re.compile(
    rf"\s*[-–—|:»·]+\s*(?:{_PAGES})\s*$|^\s*(?:{_PAGES})\s*[-–—|:»·]+\s*", re.IGNORECASE
)
"""What titles of feeds say of a page beside the name of its outlet."""
_MISNESTED: Final = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]


class FeedKind(NamedTuple):
    entries: frozenset[str]  # names of the elements that are an entry
    parts: Mapping[str, str]  # what the elements of an entry mean, by their names in small letters
    nested: bool  # whether parts stand inside other elements of the entry


def _kind(name: str, entries: str, *, nested: bool) -> FeedKind:
    parts = {element: part for part, elements in _TABLES[name].items() for element in elements.split()}
    return FeedKind(frozenset(entries.split()), parts, nested)


_FEED: Final = _kind("feed", "item entry outline", nested=False)
_KINDS: Final[Mapping[str, FeedKind]] = {
    "urlset": _kind("sitemap", "url", nested=True),
    "newsMessage": _kind("newsml", "newsitem", nested=True),
    "newsItem": _kind("newsml", "newsitem", nested=True),
    "sitemapindex": _kind("sitemapindex", "sitemap", nested=False),
}


@dataclass(slots=True)
class FeedEntry:
    line: int
    parts: dict[str, str] = field(default_factory=dict)


class FeedEntries(NamedTuple):
    entries: list[FeedEntry]
    damaged: list[RejectedRow]
    notes: list[str]


def read_entries(text: str, root: str) -> FeedEntries:
    """Reads the entries of a feed with what it says of all; a damaged one costs no other."""
    kind, notes = _KINDS.get(root, _FEED), list[str]()
    reader, fault = _parsed(text, kind)
    if fault is not None:  # characters that HTML knows by name or that stand for themselves, and XML forbids
        mended, lines = _without_controls(_LONE.sub("&lt;", _BARE.sub("&amp;", _NAMED.sub(_named, text))))
        if lines:
            where = listing((f"line {line:,}" for line in lines), most=5)
            notes.append(f"Control characters that a feed must not have were taken out: {where}.")
        if mended != text:
            text = mended
            reader, fault = _parsed(text, kind)
        if fault is not None and fault.code == _MISNESTED:  # HTML closes none of these
            text = _VOID.sub(lambda tag: f"{tag[0].rstrip('/>')}/>", text)
            reader, fault = _parsed(text, kind)
    whole, entries, damaged = reader.whole.parts, reader.entries, list[RejectedRow]()
    line = fault.lineno if fault is not None else _swallowing(entries)
    if line:
        entries, damaged = _one_by_one(text, kind)
        if not entries:
            message = f"The feed is damaged or cut off at line {line:,}."
            raise InputError(message, hint="Download or copy it again.")
        cut = fault is not None and fault.code in _CUT_OFF
        what = "cut off" if cut else "damaged"
        how = "only the entries before it were read" if cut else "its entries were read one by one"
        notes.append(f"The feed is {what} at line {line:,}: {how}.")
    outlet = _PAGE.sub("", whole.get("headline", "")) or whole.get("headline", "")
    for entry in entries:
        entry.parts.setdefault("source", outlet)
        entry.parts.setdefault("language", whole.get("language", ""))
    return FeedEntries(entries, damaged, notes)


def _parsed(text: str, kind: FeedKind) -> tuple["_Reader", expat.ExpatError | None]:
    reader = _Reader(kind)
    try:
        reader.parser.Parse(text.encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        return reader, error
    return reader, None


def _swallowing(entries: list[FeedEntry]) -> int:
    """The line of an entry whose open CDATA section goes on through others; 0 where none does."""
    texts = ((entry.line, text) for entry in entries for text in entry.parts.values())
    return next((line for line, text in texts if "<![CDATA[" in text), 0)


def _named(match: re.Match[str]) -> str:
    return html.entities.html5.get(f"{match[1]};", f"&amp;{match[1]};")


def _without_controls(text: str) -> tuple[str, list[int]]:
    """The text without characters that XML forbids, and the lines that had some."""
    lines: dict[int, None] = {}
    kept: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        written = _NUMBERED.sub(_allowed, line) if "&#" in line else line
        bare = _CONTROL.sub(lambda control: _CONTROL_OR_SPACE.get(control[0], ""), written)
        if bare != line:
            lines[number] = None
        kept.append(bare)
    return "\n".join(kept), list(lines)


def _allowed(match: re.Match[str]) -> str:
    number = int(match[1], 16) if match[1] else int(match[2])
    return match[0] if 0 < number < 0x110000 and not _CONTROL.match(chr(number)) else ""


def _one_by_one(text: str, kind: FeedKind) -> tuple[list[FeedEntry], list[RejectedRow]]:
    entries: list[FeedEntry] = []
    damaged: list[RejectedRow] = []
    # An outline says all in its own tag, whatever stands inside it.
    text = _OUTLINE.sub(r"<outline\1></outline>", text.replace("</outline>", ""))
    pieces = list(_pieces(text, kind))
    first = pieces[:_LOOKED_AT]
    faulty = sum(_parsed(f"<rss>{piece}</rss>", kind)[1] is not None for _, piece, _ in first)
    if 2 * faulty > len(first):  # that is how the feed is written, and not damage
        whole = [(line, _with_plain_parts(piece, kind), True) for line, piece, _ in pieces]
        pieces = whole if pieces[-1][2] else [*whole[:-1], pieces[-1]]
    for line, piece, closed in pieces:
        check_rows(len(entries) + len(damaged))
        reader, fault = _parsed(f"<rss>{piece}</rss>", kind)
        if fault is None:
            entries += [FeedEntry(line, entry.parts) for entry in reader.entries]
            continue
        where = line + fault.lineno - 1
        why = "a tag ends in the wrong place" if fault.code == _MISNESTED else "it is not XML"
        why = f"The entry is damaged at line {where:,}: {why}." if closed else "The entry has no end."
        shown = " ".join(without_markup(piece[: limits.FIELD_CHARACTERS.value]).split())
        damaged.append(RejectedRow(line, "", shown[:200], why, {"entry": piece}))
    return entries, damaged


def _with_plain_parts(piece: str, kind: FeedKind) -> str:
    """An entry with the parts alone that are known, as text whatever tags stand in it or are not closed."""
    known = rf"(?:\w+:)?(?:{'|'.join(map(re.escape, kind.parts))})"
    parts = re.finditer(
        rf"<({known})(?=[\s/>])([^<>]*?)(?:/>|>(.*?)(?:</\1\s*>|(?=<{known}[\s/>]|</(?:item|entry|url)>)|\Z))",
        piece.replace("<![CDATA[", "").replace("]]>", ""),
        re.DOTALL | re.IGNORECASE,
    )
    told = (f"<{part[1]}{part[2]}>{html.escape(html.unescape(part[3] or ''))}</{part[1]}>" for part in parts)
    return f"<entry>{''.join(told)}</entry>" if "entry" in kind.entries else f"<url>{''.join(told)}</url>"


def _pieces(text: str, kind: FeedKind) -> Iterator[tuple[int, str, bool]]:
    """Each entry as text, up to its end or else to the next one, its line, and whether it ended."""
    marks = re.compile(
        # An open comment or CDATA section ends where the next one begins, for it is the damage.
        r"<!\[CDATA\[(?:(?!<!\[CDATA\[).)*?\]\]>|<!--(?:(?!<!--).)*?-->"
        rf"|<(?P<end>/?)(?:\w+:)?(?P<name>{'|'.join(sorted(kind.entries))})(?=[\s/>])[^<>]*>?",
        re.DOTALL,
    )
    line, counted, begun = 1, 0, -1
    for mark in marks.finditer(text):
        if mark["name"] is None or (mark["end"] and begun < 0):
            continue
        if begun >= 0:
            line, counted = line + text.count("\n", counted, begun), begun
            yield line, text[begun : mark.end() if mark["end"] else mark.start()], bool(mark["end"])
        begun = -1 if mark["end"] else mark.start()
    if begun >= 0:
        yield line + text.count("\n", counted, begun), text[begun:], False


class _Reader:
    def __init__(self, kind: FeedKind) -> None:
        self.entries: list[FeedEntry] = []
        self.whole = FeedEntry(0)
        self._kind = kind
        self._depth = 0
        self._open: list[FeedEntry] = []
        self._levels: list[int] = []
        self._part: tuple[str, int] | None = None
        self._silent = 0
        self._pieces: list[str] = []
        self._bases: list[str] = [""]  # where relative addresses begin, of each open element
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._said
        self.parser.EntityDeclHandler = refuse_entity

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            message = f"The feed has more than {_DEEPEST} elements inside each other."
            raise InputError(message, hint="Save it again.")
        tag = name.rpartition(":")[2].lower()
        self._bases.append(urljoin(self._bases[-1], attributes.get("xml:base", "")))
        if self._part is not None:
            part = self._part[0]
            if part not in _PERSONS:
                self._pieces.append(" ")
            elif tag in ("name", "title"):
                self._pieces = []
            elif not self._silent:
                self._silent = self._depth
        elif tag in self._kind.entries:
            check_rows(len(self.entries))
            entry = FeedEntry(self.parser.CurrentLineNumber)
            if tag == "outline":
                _outline(entry, {key.lower(): value for key, value in attributes.items()})
                if entry.parts:
                    self.entries.append(entry)
            else:
                self.entries.append(entry)
                self._open.append(entry)
                self._levels.append(self._depth)
        elif self._is_part(tag, name):
            self._listen(tag, attributes)

    def _listen(self, tag: str, attributes: dict[str, str]) -> None:
        target = self._open[-1] if self._open else self.whole
        if tag == "link" and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate":
                target.parts.setdefault("url", self._whole(attributes["href"]))
            return
        if tag == "category":  # what Blogger's export says of its entries
            if attributes.get("scheme", "").endswith("#kind"):
                target.parts["type"] = attributes.get("term", "").rpartition("#")[2]
            return
        self._part = (self._kind.parts[tag], self._depth)
        self._pieces = [attributes.get("literal", "")]  # as NewsML names a provider

    def _is_part(self, tag: str, name: str) -> bool:
        if tag not in self._kind.parts or name.lower().startswith(_MEDIA):
            return False
        if self._kind.nested:
            return bool(self._levels)
        # The title of a feed's picture, or of the feed that an entry was taken from, is not the feed's.
        return self._depth == self._levels[-1] + 1 if self._levels else self._depth <= 3

    def _said(self, text: str) -> None:
        if self._part is not None and not self._silent:
            self._pieces.append(text)

    def _end(self, _name: str) -> None:
        if self._silent == self._depth:
            self._silent = 0
        if self._part is not None and self._part[1] == self._depth:
            target = self._open[-1] if self._open else self.whole
            text = "".join(self._pieces).strip()
            text = self._whole(text) if text and self._part[0] == "url" else text
            if text and self._part[0] == "authors" and "authors" in target.parts:
                target.parts["authors"] += f", {text}"
            elif text:
                target.parts.setdefault(self._part[0], text)
            self._part = None
        elif self._levels and self._levels[-1] == self._depth:
            self._levels.pop()
            entry = self._open.pop()
            entry.parts.setdefault("published", entry.parts.get("updated", ""))
        self._depth -= 1
        self._bases.pop()

    def _whole(self, address: str) -> str:
        base = self._bases[-1] or self.whole.parts.get("url", "")
        try:
            return urljoin(base, address) if base.startswith("http") else address
        except ValueError:
            return address


def _outline(entry: FeedEntry, attributes: Mapping[str, str]) -> None:
    link = attributes.get("url") or attributes.get("htmlurl", "")
    if "xmlurl" in attributes:
        entry.parts["feed"] = attributes["xmlurl"]
    elif not link and not attributes.get("created"):
        return
    entry.parts["headline"] = attributes.get("title") or attributes.get("text", "")
    entry.parts["url"] = link
    entry.parts["published"] = attributes.get("created", "")


def refuse_entity(*_: object) -> None:
    raise InputError(
        "The feed declares entities of its own, which a feed does not need and which may unfold without end.",
        hint="Save the feed again from its address, or export its headlines as CSV.",
    )
