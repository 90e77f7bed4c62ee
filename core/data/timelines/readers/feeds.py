"""Feeds as files: RSS 0.9 to 2.0, Atom, and OPML outlines."""

import codecs
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

import numpy as np

from core import limits
from core.data.timelines import guess, timeline
from core.data.timelines.raw import RawFile, RawTable, TableContainer, check_rows, listing, texts_frame
from core.errors import InputError
from core.files import read_tables
from core.text.markup import without_markup

COLUMNS: Final = ("headline", "published", "publisher", "url", "authors", "body", "language")
_PARTS: Final[Mapping[str, str]] = {
    name: part for part, names in read_tables(__file__).items() for name in names.split()
}
_PERSONS: Final = frozenset({"authors", "publisher"})
"""Parts that Atom writes as elements, of which the name or title alone is wanted."""
_ENTRY: Final = frozenset({"item", "entry", "outline"})
_DEEPEST: Final = 100  # elements inside each other; feeds have about six, with text some more
_START: Final = re.compile(
    r"(?>\s+|<\?[^>]*>|<!--(?>.*?-->)|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>)*+<(?:\w+:)?(?P<root>rss|feed|RDF|opml)[\s/>]",
    re.DOTALL,
)
"""Up to the first element; parts that match once are not tried again, so that no run of them takes long."""
_DECLARED: Final = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")
_NAMED: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});")
_BARE: Final = re.compile(r"&(?!#?[A-Za-z0-9]{1,32};)")
_CUT_OFF: Final = frozenset(
    expat.errors.codes[message]
    for message in (
        *(expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN),
        *(expat.errors.XML_ERROR_PARTIAL_CHAR, expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION),
    )
)
"""What the parser says where a feed ends too early, and not of other damage."""
_LOOKED_AT: Final = 20_000  # characters in which a feed's first element stands


def read(source: RawFile) -> RawTable:
    """Reads the entries of a feed, or the links of an outline; texts that hold HTML become plain text.

    The publisher is the entry's source, else the feed's title; a title that ends in it, as in Google News, is
    cut.
    """
    text = _text(source)
    match = _START.match(text[:_LOOKED_AT])
    if match is None:
        if "<!ENTITY" in text[:_LOOKED_AT]:
            _refuse_entity()
        message = "The file is XML, but neither an RSS or Atom feed nor an OPML list."
        raise InputError(message, hint="Open it in a spreadsheet and save it as XLSX or CSV.")
    entries, cut = _entries(text)
    feeds = [entry for entry in entries if "feed" in entry.parts]
    entries = [entry for entry in entries if "feed" not in entry.parts]
    if feeds and not entries:
        names = listing((feed.parts.get("headline", feed.parts["feed"]) for feed in feeds), most=3)
        message = f"The file lists {len(feeds):,} feed{'s' * (len(feeds) != 1)} ({names}) and no headlines."
        hint = "Nothing is fetched from the network: save the feed itself as a file, and open that."
        raise InputError(message, hint=hint)
    if not entries:
        raise InputError("The feed holds no entries.", hint="Give a feed with at least one headline.")
    rows, shortened, dropped = [], 0, 0
    for entry in entries:
        row, taken = _row(entry)
        rows.append(row)
        shortened += taken
        dropped += bool(entry.parts.get("url")) and row[COLUMNS.index("url")] is None
    notes = {
        f"The feed is cut off at line {cut:,}: only the entries before it were read.": cut,
        f"Outlines that name feeds were left out ({len(feeds):,}); nothing is fetched.": feeds,
        f"Where titles ended in the outlet's name, it was taken off ({shortened:,}).": shortened,
        f"Links that are no web addresses were left out ({dropped:,}).": dropped,
    }
    used = [at for at in range(len(COLUMNS)) if at == 0 or any(row[at] for row in rows)]
    return RawTable(
        cells=texts_frame([[row[at] for at in used] for row in rows], [COLUMNS[at] for at in used]),
        lines=np.array([entry.line for entry in entries], dtype=np.int64),
        mapping={timeline.Field(COLUMNS[at]): (COLUMNS[at],) for at in used},
        notes=tuple(note for note, holds in notes.items() if holds),
        encoding=source.decoded.encoding,
        ledger={"lines": len(entries) + len(feeds), "feeds": len(feeds)},
    )


def _text(source: RawFile) -> str:
    declared = _DECLARED.match(source.data[:300])
    text = ""
    if declared is not None:
        try:
            name = codecs.lookup(declared[1].decode("ascii")).name
            known = {codecs.lookup(encoding).name for encoding in guess.KNOWN} | {"utf-8"}
            text = source.data.decode(name) if name in known else ""
        except (LookupError, UnicodeDecodeError):
            text = ""
    return _DECLARATION.sub("", text or source.decoded.text, count=1)


@dataclass(slots=True)
class _Entry:
    line: int
    parts: dict[str, str] = field(default_factory=dict)


class _Reader:
    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.whole = _Entry(0)
        self._depth = 0
        self._open: list[_Entry] = []
        self._levels: list[int] = []
        self._part: tuple[str, int] | None = None
        self._silent = 0
        self._pieces: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._said
        self.parser.EntityDeclHandler = _refuse_entity

    @property
    def whole_entries(self) -> list[_Entry]:
        return [entry for entry in self.entries if all(entry is not open_entry for open_entry in self._open)]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            message = f"The feed has more than {_DEEPEST} elements inside each other."
            raise InputError(message, hint="Save it again.")
        tag = name.rpartition(":")[2].lower()
        if self._part is not None:
            part = self._part[0]
            if part not in _PERSONS:
                self._pieces.append(" ")
            elif tag in ("name", "title"):
                self._pieces = []
            elif not self._silent:
                self._silent = self._depth
        elif tag in _ENTRY:
            check_rows(len(self.entries))
            entry = _Entry(self.parser.CurrentLineNumber)
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
                target.parts.setdefault("url", attributes["href"])
            return
        self._part = (_PARTS[tag], self._depth)
        self._pieces = []

    def _is_part(self, tag: str, name: str) -> bool:
        if tag not in _PARTS or name.lower().startswith(("media:", "itunes:")):
            return False
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


def _outline(entry: _Entry, attributes: Mapping[str, str]) -> None:
    link = attributes.get("url") or attributes.get("htmlurl", "")
    if "xmlurl" in attributes:
        entry.parts["feed"] = attributes["xmlurl"]
    elif not link and not attributes.get("created"):
        return
    entry.parts["headline"] = attributes.get("title") or attributes.get("text", "")
    entry.parts["url"] = link
    entry.parts["published"] = attributes.get("created", "")


def _refuse_entity(*_: object) -> None:
    raise InputError(
        "The feed declares entities of its own, which a feed does not need and which may unfold without end.",
        hint="Save the feed again from its address, or export its headlines as CSV.",
    )


def _entries(text: str, *, again: bool = False) -> tuple[list[_Entry], int]:
    """The entries with what the feed says of all, and the line where it is cut off; `again` once mended."""
    reader, cut = _Reader(), 0
    try:
        reader.parser.Parse(text.encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        if not again and text != (mended := _BARE.sub("&amp;", _NAMED.sub(_named, text))):
            return _entries(mended, again=True)  # characters that HTML knows by name, and XML does not
        if error.code not in _CUT_OFF or not reader.whole_entries:
            message = f"The feed is damaged or cut off at line {error.lineno:,}."
            raise InputError(message, hint="Download or copy it again.") from None
        cut = error.lineno
        reader.entries = reader.whole_entries
    whole = reader.whole.parts
    for entry in reader.entries:
        entry.parts.setdefault("source", whole.get("headline", ""))
        entry.parts.setdefault("language", whole.get("language", ""))
    return reader.entries, cut


def _named(match: re.Match[str]) -> str:
    return html.entities.html5.get(f"{match[1]};", f"&amp;{match[1]};")


def _row(entry: _Entry) -> tuple[list[str | None], bool]:
    parts = entry.parts
    title = without_markup(parts.get("headline", ""))
    source = without_markup(parts.get("publisher", ""))
    bare = title.removesuffix(f" - {source}") if source else title
    url = parts.get("url") or parts.get("guid", "")
    most = limits.FIELD_CHARACTERS.value
    bodies = [without_markup(parts.get(name, "")) for name in ("content", "summary")]
    body = next((text for text in bodies if text and len(text) <= most), "")
    cells = [
        bare,
        parts.get("published", ""),
        source or parts.get("source", ""),
        url if url.startswith(("http://", "https://")) else "",
        " ".join(parts.get("authors", "").split()),
        body,
        parts.get("language", ""),
    ]
    return [cell or None for cell in cells], bare != title


def _recognises(source: RawFile) -> bool:
    if source.suffix in FORMAT.suffixes:
        return True
    head = source.data[:_LOOKED_AT].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return head.startswith(b"<") and _START.match(head.decode("latin-1")) is not None


FORMAT = TableContainer(
    "feed", "RSS, Atom or OPML", ("rss", "atom", "xml", "rdf", "opml"), 20, _recognises, read
)
