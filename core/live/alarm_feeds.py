"""The alarms of a stream as feeds, for programs that read feeds."""

import json
from collections.abc import Sequence
from email.utils import format_datetime
from typing import Final
from xml.etree import ElementTree

from core.live.alarms import RaisedAlarm
from core.text.normalise import clean_line

LISTED: Final = 100  # alarms of a feed, the newest


def as_rss(title: str, alarms: Sequence[RaisedAlarm]) -> bytes:
    """RSS 2.0, in which no title is HTML, whatever a reader takes it for."""
    feed = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(feed, "channel")
    _put(channel, title=_escaped(title), link="http://localhost/", description="Headline Lab")
    for each in alarms[:LISTED]:
        item = ElementTree.SubElement(channel, "item")
        _put(item, title=_escaped(each.title), description=_escaped(each.said))
        if link := each.link:
            _put(item, link=link)
        _put(item, pubDate=format_datetime(each.alarm.time))
        ElementTree.SubElement(item, "guid", isPermaLink="false").text = each.alarm.id
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True))


def as_json_feed(title: str, alarms: Sequence[RaisedAlarm]) -> bytes:
    """JSON Feed 1.1."""
    items = [
        {
            "id": each.alarm.id,
            "title": clean_line(each.title),
            "content_text": clean_line(each.said),
            "date_published": each.alarm.time.isoformat(),
            "tags": [each.alarm.kind.value],
        }
        | ({"url": each.link} if each.link else {})
        for each in alarms[:LISTED]
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": clean_line(title), "items": items}
    return json.dumps(feed).encode()


def _put(element: ElementTree.Element, **texts: str) -> None:
    for name, text in texts.items():
        ElementTree.SubElement(element, name).text = text


def _escaped(text: str) -> str:
    # Twice, with the writer of XML: readers take titles for HTML, or not (RSS Advisory Board, profile).
    return clean_line(text).replace("&", "&#x26;").replace("<", "&#x3C;").replace(">", "&#x3E;")
