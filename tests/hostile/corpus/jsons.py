"""JSON and JSON Lines in shapes that nobody writes on purpose."""

import codecs
import json

from tests.hostile.corpus.file import File

TWO = [{"headline": "Storm closes airport"}, {"headline": "Bank raises rates"}]
SOUND = json.dumps(TWO).encode()

FILES = {
    "a text alone": File("a.json", b'"Storm closes airport"', "no list"),
    "a number alone": File("a.json", b"5", "no list"),
    "an empty list": File("a.json", b"[]", "no rows"),
    "a list of nulls": File("a.json", b"[null, null]", "no rows"),
    "one object alone": File("a.json", b'{"headline": "Storm closes airport"}', headlines=1),
    "an object of columns": File(
        "a.json", b'{"headline": ["Storm", "Bank"], "date": ["2024-05-01", null]}', headlines=2
    ),
    "an error of a server": File(
        "a.json", b'{"error": {"code": 403, "message": "<b>Forbidden</b>"}}', "headline column"
    ),
    "deep lists": File("a.json", b"[" * 100_000, "nested too deeply"),
    "deep objects": File("a.json", b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
    "names that stand twice in an object": File(
        "a.json", b'[{"headline": "Storm", "headline": "Snow", "": 1, "": 2}]', headlines=1
    ),
    "a number of 5,000 digits": File(
        "a.json", b'[{"headline": "Storm", "a": ' + b"7" * 5_000 + b"}]", "too long"
    ),
    "a day of 1e300": File(
        "a.json", b'[{"headline": "Storm", "date": 1e300}, {"headline": "B", "date": -1}]', "None of the"
    ),
    "headlines of every type": File(
        "a.json",
        b'[{"headline": true}, {"headline": 5}, {"headline": ["a"]}, {"headline": {"b": 1}}, '
        b'{"headline": null}, {"headline": NaN}, {"headline": ""}]',
        headlines=3,
    ),
    "lone surrogates in names and values": File(
        "a.json", json.dumps([{"headline": "Odd \ud800 one", "n\udfff": "\ud800"}]).encode(), headlines=1
    ),
    "NUL in names and values": File(
        "a.json", json.dumps([{"headline": "A\0b", "\0": "\0"}]).encode(), headlines=1
    ),
    "a name of 100,000 characters": File(
        "a.json", json.dumps([{"headline": "Storm", "n" * 100_000: 1}]).encode(), headlines=1
    ),
    "a name for every row": File(
        "a.json", json.dumps([{"headline": "Storm", f"n{i}": 1} for i in range(400)]).encode(), "at most 200"
    ),
    "JSON with a mark": File("a.json", codecs.BOM_UTF8 + SOUND, headlines=2),
    "JSON in UTF-16": File("a.json", SOUND.decode().encode("utf-16"), headlines=2),
    "a comma too many": File("a.json", b'[{"headline": "Storm"},]', "not valid JSON|too early"),
    "control characters in a text": File("a.json", b'[{"headline": "Storm\x01\nhits"}]', "not valid JSON"),
    "lines called JSON": File("a.json", b'{"headline": "Storm"}\n{"headline": "Bank"}\n', headlines=2),
    "JSON called CSV": File("a.csv", SOUND, headlines=2),
    "a call around JSON": File("a.json", b"callback(" + SOUND + b");", "not valid JSON"),
    "lines of which none is JSON": File("a.jsonl", b"Storm\nBank\n", "No line"),
    "a deep line among good ones": File(
        "a.jsonl", b'{"headline": "Storm"}\n' + b"[" * 100_000 + b"\n", headlines=1
    ),
    "a number without end in a line": File(
        "a.jsonl", b'{"headline": "Storm"}\n{"headline": ' + b"9" * 9_999 + b"}\n", headlines=1
    ),
    "a layout of HLGD with odd values": File(
        "a.json",
        b'[{"timeline_id": {"a": 1}, "headline_a": "A", "headline_b": "B", "day_a": [], "day_b": "x", '
        b'"url_a": 5, "url_b": null, "label": 7}]',
        "None of the",
    ),
    "a layout of NumHG with odd values": File(
        "a.json", b'[{"news": 5, "masked headline": null, "calculation": [], "ans": {}}]', "None of the"
    ),
    "an article of Telegram with odd values": File(
        "a.json",
        b'[{"title": "Storm", "url": 5, "text": [], "timestamp": "x", "site_name": {}}]',
        headlines=1,
    ),
}
