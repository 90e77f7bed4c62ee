"""Tokens by which programs reach studies, each in one role; the journal holds their hashes alone."""

import hmac
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import studies
from core.people.judges import Judges, new_token, token_digest
from core.people.ratings import judge_name
from core.text.normalise import judge_key

_STREAM: Final = "access"
_MADE, _REVOKED = "made", "revoked"


class Role(StrEnum):
    MANAGER = "manager"  # items in, answers and comments out
    ANNOTATOR = "annotator"  # the next item and its answer
    ADJUDICATOR = "adjudicator"  # what divides people, and decisions about it


@dataclass(frozen=True, slots=True)
class Token:
    id: str  # by which it is listed and revoked
    role: Role
    study: str  # its code; "" for all studies, of a manager
    who: str  # who answers or decides by it; of a manager what it is for
    made: datetime

    @property
    def about(self) -> dict[str, str]:
        """A line of the list of tokens."""
        day, study = self.made.date().isoformat(), self.study or "all studies"
        return {"id": self.id[:8], "role": self.role.value, "study": study, "name": self.who, "made": day}

    def opens(self, code: str) -> bool:
        return self.study in {"", code}


def make_token(journal: Journal, role: Role, name: str, study: str = "") -> str:
    """Gives the token, which is shown this once; annotators' names become participants' of the study."""
    who = name = judge_name(name)
    if study:
        studies.study_of(journal, study)
    elif role is not Role.MANAGER:
        raise InputError(
            f"A token of an {role} is for one study.", hint="Say which, by the code in its link."
        )
    if role is Role.ANNOTATOR:
        who = judge_name(studies.participant(study, name))
        known = {judge_key(entry.who) for entry in journal.read(_STREAM) if entry.body.get("study") == study}
        if judge_key(who) not in known:
            Judges(journal=journal).take(who)  # nobody on the page is called the same from now on
    token = new_token()
    body = {"sha256": token_digest(token), "role": role.value, "study": study}
    journal.append(_STREAM, [NewEntry(kind=_MADE, who=who, body=body)])
    return token


def revoke(journal: Journal, token: str) -> Token:
    """Ends a token by its id, from the next request on."""
    found = [each for each in tokens(journal).values() if each.id.startswith(token)] if token else []
    if len(found) != 1:
        raise InputError(
            f"There is no token {token[:40]!r}.", hint="Give an id as the list of tokens has it."
        )
    journal.append(_STREAM, [NewEntry(kind=_REVOKED, body={"of": found[0].id})])
    return found[0]


def tokens(journal: Journal) -> dict[str, Token]:
    """Those that open something, by their hashes, in the order made."""
    entries = journal.read(_STREAM)
    ended = {entry.body.get("of") for entry in entries if entry.kind == _REVOKED}
    return {
        str(entry.body["sha256"]): Token(
            entry.id, Role(entry.body["role"]), str(entry.body["study"]), entry.who, entry.when
        )
        for entry in entries
        if entry.kind == _MADE and entry.id not in ended
    }


def holder(journal: Journal, given: str) -> Token | None:
    digest = token_digest(given)
    # All are compared, each in the same time: how long it takes says nothing about the hashes.
    found = [token for known, token in tokens(journal).items() if hmac.compare_digest(known, digest)]
    return found[0] if found else None
