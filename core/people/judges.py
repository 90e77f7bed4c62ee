"""Who may judge under which name: the first to take it gets a token, and it asks for that from then on.

The server keeps the hash of a token and never the token itself. 256 random bits cannot be guessed, so a plain
hash is enough and nothing counts the attempts.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from core.errors import InputError
from core.journal.entry import NewEntry
from core.journal.journal import Journal
from core.people.ratings import judge_key, judge_name
from core.people.store import STREAMS

LONGEST_TOKEN: Final = 100
"""Characters of what is compared with the tokens at most."""
_STREAM: Final = "judges"
_TAKEN: Final = "taken"
_RENEWED: Final = "renewed"


class NameTaken(InputError):
    """Somebody else has the name, or nobody shows that it is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """The names that are taken in a journal.

    Attributes:
        journal: Where their answers are.
    """

    journal: Journal

    def take(self, name: str, *, answered: bool = False) -> str:
        """Takes a name; gives the token that whoever has it judges with.

        Of several who take one name at the same time one gets it.
        """
        given = judge_name(name)
        closed = not answered and self._answered(given)
        token = new_token()
        if not closed and not self.taken(given):
            self._append(_TAKEN, given, token)
        if self.holder(token) != given:
            raise NameTaken(
                f"{given} has judged here before.",
                hint="Open your personal link, or give another name if this is not yours.",
            )
        return token

    def renew(self, name: str) -> str:
        """Gives a name a new token; the old one is no longer good."""
        given = judge_name(name)
        if not self.taken(given) and not self._answered(given):
            raise InputError(
                f"Nobody has judged as {given} here.", hint="Give the name as the Results list it."
            )
        token = new_token()
        self._append(_RENEWED, given, token)
        return token

    def taken(self, name: str) -> bool:
        """Whether somebody has a name, however it is spelled."""
        return judge_key(name) in self._names()

    def holder(self, token: str) -> str:
        """The name that a token belongs to; "" where it belongs to none."""
        digest = token_digest(token)
        holder = ""
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        for name, known in self._names().values():
            if hmac.compare_digest(known, digest):
                holder = name
        return holder

    def _append(self, kind: str, name: str, token: str) -> None:
        self.journal.append(_STREAM, [NewEntry(kind=kind, who=name, body={"sha256": token_digest(token)})])

    def _answered(self, name: str) -> bool:
        return judge_key(name) in map(judge_key, self.journal.people(STREAMS))

    def _names(self) -> dict[str, tuple[str, str]]:
        """By key: the name as it was given, and the hash of its token."""
        names: dict[str, tuple[str, str]] = {}
        for entry in self.journal.read(_STREAM):
            key, known = judge_key(entry.who), entry.body.get("sha256")
            if isinstance(known, str) and known.isascii() and (key not in names or entry.kind == _RENEWED):
                names[key] = names.get(key, (entry.who, ""))[0], known
        return names


def new_token() -> str:
    """256 random bits, as text."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token[: LONGEST_TOKEN + 1].encode("utf-8", errors="replace")).hexdigest()
