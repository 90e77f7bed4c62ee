"""Entries of 22 November 2026 as they are kept today: about headlines, and no longer about rows of one file.

What was stored does not change any more, so nothing here follows later changes of the program.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from core.digests import digest
from core.journal.tables import Row
from core.text.normalise import comparison_key, judge_key

_OLD: Final = re.compile(r"(ratings/[^/]+|corrections/[^/]+|grouping|votes)/([0-9a-f]{16})")
_FILES: Final = "headlines"  # the stream that says which headlines a file has
_BETWEEN: Final = " ⇄ "
_SAME_EVENT: Final = frozenset({"same", "different"})
_LEARNED: Final = ("training", "exam", "control")
_LISTS: Final = ("headlines", "to", "rest", "clear")
Key = tuple[str, ...]  # text, day, outlet and address, what is not known at the end left out


class _Renewed(NamedTuple):
    stream: str
    rows: list[dict[str, Any]]
    about: set[Key]


def brought_up(rows: Iterable[Row]) -> tuple[list[Row], int]:
    """The rows of a journal in today's layout, and how many of them were not."""
    rows = list(rows)
    old = defaultdict[str, list[Row]](list)
    for row in rows:
        if _OLD.fullmatch(row["stream"]):
            old[row["stream"]].append(row)
    files = defaultdict[str, set[Key]](set)
    after: dict[tuple[str, str], Row | None] = {}
    for stream, own in old.items():
        place, _, file = stream.rpartition("/")
        try:
            renewed = _renewed(place, [{**row, "body": json.loads(row["body"])} for row in own])
        except (ValueError, TypeError, AttributeError):
            continue  # of another program: named by `headline-lab verify`
        if renewed.about:
            name, files[file] = f"{renewed.stream}/{file}", files[file] | renewed.about
            after |= {(stream, row["id"]): None for row in own}
            for row in renewed.rows:
                after[stream, row["id"]] = {**row, "stream": name, "body": _text(row["body"])}
    known = {row["id"] for row in rows if row["stream"] == _FILES}
    heads = [
        {**rows[0], "stream": _FILES, "id": file, "kind": "file", "who": "", "body": _text(_ids(about))}
        for file, about in files.items()
        if file not in known
    ]
    now = (after.get((row["stream"], row["id"]), row) for row in rows)
    return [*heads, *(row for row in now if row is not None)], sum(row is not None for row in after.values())


def _renewed(place: str, rows: list[dict[str, Any]]) -> _Renewed:
    if place.startswith("ratings/"):
        return _ratings(place, rows)
    if place.startswith("corrections/"):
        return _corrections(place, rows)
    return _grouping(rows) if place == "grouping" else _votes(rows)


def _ratings(place: str, rows: list[dict[str, Any]]) -> _Renewed:
    """What a judge answered about headlines of systems; which systems there are is in the stream's name."""
    systems, about = set[str](), set[Key]()
    for row in rows:
        body = row["body"]
        if row["kind"] != "answer" or not {"article", "system", "headlines"} <= body.keys():
            continue
        names, article = str(body.pop("system")).split(_BETWEEN), str(body.pop("article"))
        # A number is the article's row; now articles without an id are known by their texts.
        address = () if article.isdigit() else (article,)
        keys = [(text, "", name, *address) for text, name in zip(body.pop("headlines"), names, strict=False)]
        body |= dict(zip(("row", "with"), map(list, keys), strict=False))
        body["shown"] = [key[0] for key in keys]
        systems.update(names)
        about.update(keys)
    name = blake2b("\x1f".join(sorted(systems)).encode(), digest_size=8).hexdigest()
    return _Renewed(f"{place}/{name}", rows, about)


def _corrections(place: str, rows: list[dict[str, Any]]) -> _Renewed:
    """Corrections name headlines as they do now; only how another version of the file is told has changed."""
    rest = [row for row in rows if row["kind"] != "timeline"]
    bodies = [row["body"] for row in rest if len(rest) < len(rows)]  # without that head they are of today
    lists = [body.get(name, []) for body in bodies for name in _LISTS]
    lists += [keys for body in bodies for keys in body.get("held", [])]
    return _Renewed(place, rest, {tuple(key) for keys in lists for key in keys})


def _grouping(rows: list[dict[str, Any]]) -> _Renewed:
    placed = [row["body"] for row in rows if row["kind"] == "placed"]
    shown = [body for body in placed if type(body.get("row")) is int and "headline" in body.get("shown", {})]
    for body in shown:
        body["row"] = [body["shown"].pop("headline")]
    about = {tuple(body["row"]) for body in shown}
    trains = any(row["kind"] == "trained" for row in rows)
    return _Renewed("training" if trains else "grouping", rows, about)


def _votes(rows: list[dict[str, Any]]) -> _Renewed:
    """Pairs have the ids that they have now; a set is known by those that are asked of nobody to train."""
    votes = [row for row in rows if row["kind"] == "voted"]
    same = all(row["body"].get("answer") in _SAME_EVENT for row in votes)
    about = set[Key]()
    for who, body in ((row["who"], row["body"]) for row in votes):
        left, right, *_ = (*map(str, body.get("shown", ())), "", "")
        item = str(body.get("item"))
        if not same and int(digest(judge_key(who), item, digits=1), 16) % 2:  # shown the other way round
            left, right = right, left
        if item not in {digest(left, right, "", "", use, digits=len(item)) for use in _LEARNED}:
            about.add((f"{left} | {right}",))
    return _Renewed(f"votes/{'same_event' if same else 'better_headline'}", rows, about)


def _text(body: Any) -> str:
    return json.dumps(body, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _ids(about: Iterable[Key]) -> dict[str, str]:
    return {"ids": " ".join(sorted(map(_id, about)))}


def _id(key: Sequence[str]) -> str:
    text, *rest = (*key, *[""] * (4 - len(key)))
    return _digits(comparison_key(text), 6) + _digits("\x1f".join((*rest, "0")), 3)


def _digits(text: str, size: int) -> str:
    return blake2b(text.encode("utf-8", errors="surrogatepass"), digest_size=size).hexdigest()
