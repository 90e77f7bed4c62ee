"""Tokens by which programs reach studies, each in one role; the journal holds their hashes alone."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import studies
from core.people.judges import Judges, new_token, token_digest
from core.people.ratings import judge_name
from core.text.normalise import judge_key

STREAM: Final = "access"
_MADE, _REVOKED = "made", "revoked"


class AccessRole(StrEnum):
    MANAGER = "manager"  # items in, answers and comments out
    ANNOTATOR = "annotator"  # the next item and its answer
    ADJUDICATOR = "adjudicator"  # what divides people, and decisions about it


@dataclass(frozen=True, slots=True)
class AccessToken:
    id: str
    role: AccessRole
    study: str  # its code; "" for all studies, of a manager
    who: str  # who answers or decides with it; of a manager what it is for

    @property
    def line(self) -> str:
        """As the list of tokens has it; the beginning of the id is enough to revoke it."""
        return f"{self.id[:8]}  {self.role}  {self.study or 'all studies'}  {self.who}"

    def opens(self, code: str) -> bool:
        return self.study in {"", code}


def make_token(journal: Journal, role: AccessRole, name: str, study: str = "") -> str:
    """Gives the token, which nobody can look up later; an annotator becomes a participant of that name."""
    who = name = judge_name(name)
    if study:
        studies.study_of(journal, study)
    elif role is not AccessRole.MANAGER:
        raise InputError(f"A token of an {role} is for one study.", hint="Give the code in its link.")
    if role is AccessRole.ANNOTATOR:
        who = judge_name(studies.participant(study, name))
        if judge_key(who) not in map(judge_key, journal.people(STREAM)):
            Judges(journal=journal).take(who)  # nobody on the page is called the same from now on
    token = new_token()
    body = {"sha256": token_digest(token), "role": role.value, "study": study}
    journal.append(STREAM, [NewEntry(kind=_MADE, who=who, body=body)])
    return token


def revoke(journal: Journal, id: str) -> None:
    """Ends a token from the next request on."""
    of = the_one((token.id for token in tokens(journal).values()), id)
    journal.append(STREAM, [NewEntry(kind=_REVOKED, body={"of": of})])


def the_one(ids: Iterable[str], begin: str) -> str:
    """The id that begins so."""
    found = [id for id in ids if begin and id.startswith(begin)]
    if len(found) != 1:
        raise InputError(f"Nothing here has the id {begin[:40]!r}.", hint="Give one of the list.")
    return found[0]


def tokens(journal: Journal) -> dict[str, AccessToken]:
    """Those that open something, by their hashes, in the order made."""
    known = dict[str, AccessToken]()
    for entry in journal.read(STREAM):
        if entry.kind == _MADE:
            role, study = AccessRole(entry.body["role"]), str(entry.body["study"])
            known[str(entry.body["sha256"])] = AccessToken(entry.id, role, study, entry.who)
        else:
            known = {key: each for key, each in known.items() if each.id != entry.body["of"]}
    return known


def holder(journal: Journal, given: str) -> AccessToken | None:
    digest = token_digest(given)
    # All are compared, each in the same time: how long it takes says nothing about the hashes.
    found = [token for known, token in tokens(journal).items() if hmac.compare_digest(known, digest)]
    return next(iter(found), None)
