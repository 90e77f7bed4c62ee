"""Receipts of entries, and the published list of them in which people find their own."""

import json
from collections.abc import Iterable
from datetime import UTC
from hashlib import sha256
from typing import Final

from core.errors import InputError
from core.journal.entries import Entry

DIGITS: Final = 32  # of a receipt, hex: the id in it is random, so that nobody guesses one from an answer
_LIST: Final = "headline-lab receipts 1"


def receipt(entry: Entry) -> str:
    """What stands for an entry: of its place, its writer, its moment and all that it says."""
    when = entry.when.astimezone(UTC).isoformat(timespec="microseconds")
    said = json.dumps([entry.stream, entry.id, entry.kind, entry.who, when, entry.body], sort_keys=True)
    return sha256(said.encode("ascii")).hexdigest()[:DIGITS]


def published(receipts: Iterable[str], study: str) -> str:
    """The list as published: a line each with the SHA-256 of the hash before and the receipt."""
    link, lines = study, []
    for given in receipts:
        link = sha256(f"{link} {given}".encode("ascii")).hexdigest()
        lines.append(f"{given} {link}")
    return "\n".join([f"{_LIST} {study}", *lines, ""])


def missing_receipts(own: Iterable[str], published_list: str, name: str) -> list[str]:
    """Those of one's receipts that are not in a published list; refuses a list that was changed."""
    head, *lines = published_list.strip().split("\n")
    words = head.split(" ")
    given = [line.split(" ")[0] for line in lines]
    if " ".join(words[:-1]) != _LIST or published(given, words[-1]) != published_list.strip() + "\n":
        raise InputError(f"{name[:80]} is no list of receipts, or it was changed.", hint="Download it again.")
    return [receipt for receipt in own if receipt not in set(given)]
