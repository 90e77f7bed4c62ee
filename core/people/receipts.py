"""Receipts of answers: anybody can see that theirs are in a published list, and that none came later."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC
from hashlib import sha256
from typing import Final

from core.errors import InputError
from core.journal.entries import Entry
from core.journal.journal import Journal
from core.people.ratings import judge_key
from core.people.studies import stored
from core.people.study import Study

DIGITS: Final = 32  # of a receipt, hex: the id in it is random, so that nobody guesses one from an answer
_HEAD: Final = "headline-lab receipts 1"


def receipt(entry: Entry) -> str:
    """What stands for an entry: of its place, its writer, its moment and all that it says."""
    when = entry.when.astimezone(UTC).isoformat(timespec="microseconds")
    said = json.dumps(
        [entry.stream, entry.id, entry.kind, entry.who, when, entry.body], sort_keys=True, ensure_ascii=True
    )
    return sha256(said.encode("ascii")).hexdigest()[:DIGITS]


def receipts(journal: Journal, study: Study, who: str = "") -> list[str]:
    """Of all entries of a study in their order, or of those of one person."""
    entries = stored(journal, study)
    return [receipt(entry) for entry in entries if not who or judge_key(entry.who) == judge_key(who)]


def published(receipts: Iterable[str], study: str) -> str:
    """The list as it is published: a line each, with a hash over all before it; the last stands for all.

    Each hash is the SHA-256 of the one before, a space and the receipt; the first of the study's hash.
    """
    link, lines = study, []
    for given in receipts:
        link = sha256(f"{link} {given}".encode("ascii")).hexdigest()
        lines.append(f"{given} {link}")
    return "\n".join([f"{_HEAD} {study}", *lines, ""])


def missing(own: Iterable[str], published_list: str, name: str) -> list[str]:
    """Those of one's receipts that are not in a published list; refuses a list that was changed."""
    head, *lines = published_list.strip().split("\n")
    words = head.split(" ")
    given = [line.split(" ")[0] for line in lines]
    if " ".join(words[:-1]) != _HEAD or published(given, words[-1]) != published_list.strip() + "\n":
        raise InputError(f"{name[:80]} is no list of receipts, or it was changed.", hint="Download it again.")
    return [receipt for receipt in own if receipt not in set(given)]
