"""Who holds which name: names that judges take, with tokens that let them come back."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people.ratings import judge_name
from core.people.store import STREAMS
from core.text.normalise import judge_key

LONGEST_TOKEN: Final = 100  # characters of what is compared with the tokens at most
_STREAM: Final = "judges"
_TAKEN: Final = "taken"
_RENEWED: Final = "renewed"


class NameTaken(InputError):
    """Somebody else has the name, or nobody shows that it is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    journal: Journal

    def take(self, name: str, *, answered: bool = False) -> str:
        """Takes a name; gives the token that its holder judges with. Of several at once one gets it."""
        given, token = judge_name(name), new_token()
        if not self.taken(given) and (answered or not self._answered(given)):
            self._append(_TAKEN, given, token)
        if self.holder(token) != given:
            hint = "Open your personal link, or give another name if this is not yours."
            raise NameTaken(f"{given} has judged here before.", hint=hint)
        return token

    def renew(self, name: str) -> str:
        given, token = judge_name(name), new_token()
        if not self.taken(given) and not self._answered(given):
            said = f"Nobody has judged as {given} here."
            raise InputError(said, hint="Give the name as the Results list it.")
        self._append(_RENEWED, given, token)
        return token

    def taken(self, name: str) -> bool:
        return judge_key(name) in self._names()

    def holder(self, token: str) -> str:
        digest = token_digest(token)
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        names = [name for name, known in self._names().values() if hmac.compare_digest(known, digest)]
        return names[-1] if names else ""

    def _append(self, kind: str, name: str, token: str) -> None:
        self.journal.append(_STREAM, [NewEntry(kind=kind, who=name, body={"sha256": token_digest(token)})])

    def _answered(self, name: str) -> bool:
        return judge_key(name) in map(judge_key, self.journal.people(STREAMS))

    def _names(self) -> dict[str, tuple[str, str]]:
        names: dict[str, tuple[str, str]] = {}
        for entry in self.journal.read(_STREAM):
            key, known = judge_key(entry.who), entry.body.get("sha256")
            if isinstance(known, str) and known.isascii() and (key not in names or entry.kind == _RENEWED):
                names[key] = names.get(key, (entry.who, ""))[0], known
        return names


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    return hashlib.sha256(token[: LONGEST_TOKEN + 1].encode("utf-8", errors="replace")).hexdigest()
