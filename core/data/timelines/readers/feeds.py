"""Feeds as files: RSS 0.9 to 2.0, Atom, news sitemaps, NewsML-G2, and OPML outlines."""

import codecs
import re
from typing import Final

import numpy as np

from core import limits
from core.data.timelines import addresses, guess, timeline, web_pages
from core.data.timelines.beginnings import beginning
from core.data.timelines.raw import RawFile, RawTable, TableContainer, listing, texts_frame
from core.data.timelines.readers.feed_entries import FeedEntry, read_entries, refuse_entity
from core.data.timelines.title_endings import ending_of
from core.errors import InputError
from core.results.render import count_words, shorten
from core.text.markup import without_markup

_FIELDS: Final = ("headline", "published", "publisher", "url", "authors", "body", "language")
COLUMNS: Final = (*_FIELDS, "status", "type", "guid")  # the first two after the fields of exports of sites
_ROOT: Final = r"<(?:\w+:)?(?P<root>rss|feed|RDF|opml|urlset|sitemapindex|newsMessage|newsItem)[\s/>]"
_START: Final = re.compile(
    r"(?>\s+|<\?[^>]*>|<!--(?>.*?-->)|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>)*+" + _ROOT, re.DOTALL
)
"""Up to the first element; parts that match once are not tried again, so that no run of them takes long."""
_LATER: Final = re.compile(rf"<\?xml\s|{_ROOT}")
_DECLARED: Final = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LOOKED_AT: Final = 20_000  # characters in which a feed's first element stands
_KIND: Final = "neither an RSS or Atom feed, a news sitemap, NewsML-G2 nor an OPML list"


def read(source: RawFile) -> RawTable:
    """Reads the entries of a feed, or the links of an outline; texts that hold HTML become plain text.

    The publisher is the entry's source, else the feed's title; a title that ends in it, as in Google News, is
    cut. An entry without a title has the beginning of its text.
    """
    text, root, before = _feed(_text(source))
    entries, damaged, notes = read_entries(text, root)
    feeds = [entry for entry in entries if "feed" in entry.parts]
    entries = [entry for entry in entries if "feed" not in entry.parts]
    if not entries:
        _refuse_without_entries(feeds, "sitemap" if root == "sitemapindex" else "feed")
    if root == "urlset" and not any("headline" in entry.parts for entry in entries):
        addresses = count_words(len(entries), "address", "addresses")
        message = f"The file is a sitemap of {addresses} and holds no headlines."
        raise InputError(message, hint="Give the site's news sitemap, which has titles, or its feed.")
    rows, shortened, dropped, untitled = [], 0, 0, 0
    for entry in entries:
        if not entry.parts.get("headline"):
            texts = (entry.parts.get(name, "") for name in ("summary", "content"))
            entry.parts["headline"] = next(filter(None, map(beginning, texts)), "")
            untitled += bool(entry.parts["headline"])
        row, taken = _row(entry)
        rows.append(row)
        shortened += taken
        dropped += bool(entry.parts.get("url")) and row[COLUMNS.index("url")] is None
    for row, entry in zip(rows, entries, strict=True) if shortened > len(rows) / 2 else ():
        # The others end in their sources: so does one that has none.
        if not entry.parts.get("publisher") and (end := ending_of(row[0] or "")) and end[1] == "-":
            row[0], row[COLUMNS.index("publisher")] = end[0], end[2]
            shortened += 1
    said = {
        f"What stands before the feed was left out: “{before}”.": before,
        f"Outlines that name feeds were left out ({len(feeds):,}); nothing is fetched.": feeds,
        f"Where titles ended in the outlet's name, it was taken off ({shortened:,}).": shortened,
        f"Entries without a title have the beginning of their text ({untitled:,}).": untitled,
        f"Links that are no web addresses were left out ({dropped:,}).": dropped,
    }
    used = [at for at in range(len(COLUMNS)) if at == 0 or any(row[at] for row in rows)]
    return RawTable(
        cells=texts_frame([[row[at] for at in used] for row in rows], [COLUMNS[at] for at in used]),
        lines=np.array([entry.line for entry in entries], dtype=np.int64),
        mapping={timeline.Field(COLUMNS[at]): (COLUMNS[at],) for at in used if COLUMNS[at] in _FIELDS},
        rejected=tuple(damaged),
        notes=(*notes, *(note for note, holds in said.items() if holds)),
        encoding=source.decoded.encoding,
        ledger={"lines": len(entries) + len(feeds) + len(damaged), "feeds": len(feeds)},
    )


def _text(source: RawFile) -> str:
    declared = _DECLARED.match(source.data[:300])
    text = ""
    if declared is not None:
        try:
            name = codecs.lookup(declared[1].decode("ascii")).name
            known = {codecs.lookup(encoding).name for encoding in guess.KNOWN} | {"utf-8"}
            name = "cp1252" if name == "iso8859-1" else name  # which has the dashes that are meant
            text = source.data.decode(name) if name in known else ""
        except (LookupError, UnicodeDecodeError):
            text = ""
    return text or source.decoded.text


def _feed(text: str) -> tuple[str, str, str]:
    """The text from the feed on, lines before it left empty; the name of its element; what stood before."""
    head = text[:_LOOKED_AT]
    match, start = _START.match(head), 0
    if match is None:
        if "<!ENTITY" in head:
            refuse_entity()
        web_pages.refuse_page(head, "a feed")
        later = _LATER.search(head)
        start = later.start() if later else 0
        match = _START.match(head, start)
    if match is None:
        web_pages.refuse_other(head, _KIND, "a feed")
    declaration = _DECLARATION.match(text[start : start + _LOOKED_AT])
    end = start + (declaration.end() if declaration else 0)
    before = shorten(" ".join(without_markup(text[:start]).split()), 80)
    return "\n" * text.count("\n", 0, end) + text[end:], match["root"], before


def _refuse_without_entries(feeds: list[FeedEntry], what: str) -> None:
    if not feeds:
        raise InputError("The feed holds no entries.", hint="Give a feed with at least one headline.")
    names = listing((feed.parts.get("headline", feed.parts["feed"]) for feed in feeds), most=3)
    message = f"The file lists {len(feeds):,} {what}{'s' * (len(feeds) != 1)} ({names}) and no headlines."
    hint = f"Nothing is fetched from the network: save the {what} itself as a file, and open that."
    raise InputError(message, hint=hint)


def _row(entry: FeedEntry) -> tuple[list[str | None], bool]:
    parts = entry.parts
    title = without_markup(parts.get("headline", ""))
    source = without_markup(parts.get("publisher", ""))
    bare = title.removesuffix(f" - {source}") if source else title
    given = parts.get("url") or parts.get("guid", "")
    url = addresses.behind_redirect(given)
    most = limits.FIELD_CHARACTERS.value
    bodies = [without_markup(parts.get(name, "")) for name in ("content", "summary")]
    body = next((text for text in bodies if text and len(text) <= most), "")
    cells = [
        bare,
        parts.get("published", ""),
        source or ("" if url != given else parts.get("source", "")),  # an alert is no outlet
        url if url.startswith(("http://", "https://")) else "",
        " ".join(parts.get("authors", "").split()),
        body,
        *(parts.get(name, "") for name in ("language", "status", "type", "guid")),
    ]
    return [cell or None for cell in cells], bare != title


def _recognises(source: RawFile) -> bool:
    if source.suffix in FORMAT.suffixes and not source.decoded.text.lstrip().startswith(("{", "[")):
        return True  # but for JSON Feed
    head = source.data[:_LOOKED_AT].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return head.startswith(b"<") and _START.match(head.decode("latin-1")) is not None


FORMAT = TableContainer(
    "feed",
    "RSS, Atom, news sitemap, NewsML-G2 or OPML",
    ("rss", "atom", "xml", "rdf", "opml"),
    20,
    _recognises,
    read,
)
