"""The alarms of a stream as feeds, for programs that read feeds."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Final
from xml.etree import ElementTree

from core.text.normalise import clean_line

LISTED: Final = 100  # alarms of a feed, the newest
Alarms = Sequence[Mapping[str, Any]]


def as_rss(title: str, alarms: Alarms) -> bytes:
    """RSS 2.0, in which no title is HTML, whatever a reader takes it for."""
    feed = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(feed, "channel")
    _put(channel, title=_escaped(title), link="http://localhost/", description="Headline Lab")
    for each in alarms[:LISTED]:
        item = ElementTree.SubElement(channel, "item")
        when = format_datetime(datetime.fromisoformat(each["time"]))
        _put(
            item,
            title=_escaped(_title(each)),
            description=_escaped(each["said"]),
            pubDate=when,
            **_link(each, "link"),
        )
        ElementTree.SubElement(item, "guid", isPermaLink="false").text = each["id"]
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True))


def as_json_feed(title: str, alarms: Alarms) -> bytes:
    """JSON Feed 1.1."""
    items = [
        {"id": each["id"], "title": _title(each), "content_text": each["said"], "tags": [each["kind"]]}
        | {"date_published": each["time"], **_link(each, "url")}
        for each in alarms[:LISTED]
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": clean_line(title), "items": items}
    return json.dumps(feed).encode()


def _title(alarm: Mapping[str, Any]) -> str:
    return clean_line(f"{alarm['said'][:1].upper()}{alarm['said'][1:]}: {alarm['text']}")


def _link(alarm: Mapping[str, Any], name: str) -> dict[str, str]:
    url = alarm["url"] or ""
    return {name: url} if url.startswith(("http://", "https://")) else {}


def _put(element: ElementTree.Element, **texts: str) -> None:
    for name, text in texts.items():
        ElementTree.SubElement(element, name).text = text


def _escaped(text: str) -> str:
    # Twice, with the writer of XML: readers take titles for HTML, or not (RSS Advisory Board, profile).
    return clean_line(text).replace("&", "&#x26;").replace("<", "&#x3C;").replace(">", "&#x3E;")
