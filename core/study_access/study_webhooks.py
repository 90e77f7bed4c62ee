"""Tells addresses of one's own that a study has so many answers, or takes no more."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.live.rules import leaves_by
from core.live.webhooks import Webhooks
from core.people import studies, voting
from core.people.questions import QUESTIONS
from core.people.study import Study
from core.people.study_material import pairs_task
from core.results.render import count_words

_STREAMS: Final = "webhooks/"
_SET, _REMOVED, _TOLD = "set", "removed", "told"


class Occasion(StrEnum):
    ANSWERS = "answers"  # so many were given
    FULL = "full"  # nothing is left to ask, or nobody else may take part


class StudyWebhook(msgspec.Struct, frozen=True):
    id: str
    study: str
    occasion: Occasion
    answers: int
    address: str
    problem: str | None  # why it was not told; "" when it was; None before

    @property
    def about(self) -> dict[str, str]:
        """A line of the list of webhooks, without the path of the address, which may be a key."""
        full = self.occasion is Occasion.FULL
        when = "when it is full" if full else f"at {count_words(self.answers, 'answer', 'answers')}"
        came = {None: "waits", "": "told"}.get(self.problem, str(self.problem))
        return {"id": self.id[:8], "when": when, "address": self.origin, "state": came}

    @property
    def origin(self) -> str:
        return "{0.scheme}://{0.netloc}".format(urlsplit(self.address))


def set_webhook(journal: Journal, study: Study, address: str, answers: int = 0) -> None:
    """Has an address told once, when so many answers were given, or without a number when it is full."""
    leaves_by(address)
    occasion = Occasion.ANSWERS if answers else Occasion.FULL
    body = {"address": address, "occasion": occasion.value, "answers": answers}
    journal.append(_STREAMS + study.code, [NewEntry(kind=_SET, body=body)])


def remove_webhook(journal: Journal, code: str, id: str) -> None:
    found = [hook.id for hook in webhooks(journal, code) if id and hook.id.startswith(id)]
    if len(found) != 1:
        raise InputError(f"There is no webhook {id[:40]!r}.", hint="Give an id of the list of webhooks.")
    journal.append(_STREAMS + code, [NewEntry(kind=_REMOVED, body={"of": found[0]})])


def webhooks(journal: Journal, code: str) -> list[StudyWebhook]:
    entries = journal.read(_STREAMS + code)
    gone = {entry.body.get("of") for entry in entries if entry.kind == _REMOVED}
    told = {entry.body.get("of"): str(entry.body["problem"]) for entry in entries if entry.kind == _TOLD}
    return [
        msgspec.convert(
            {**entry.body, "id": entry.id, "study": code, "problem": told.get(entry.id)}, StudyWebhook
        )
        for entry in entries
        if entry.kind == _SET and entry.id not in gone
    ]


class WebhookWatch:
    """Looks now and then at all studies with webhooks, and tells each once, again after a kill."""

    def __init__(self, journal: Journal) -> None:
        self._journal, self._begun = journal, dict[str, str]()  # ids that are being told, with their studies
        self._webhooks = Webhooks(lambda events: {"events": events}, self._sent)

    def look(self) -> None:
        for hook, event in _due(self._journal):
            if hook.id not in self._begun:
                self._begun[hook.id] = hook.study
                self._webhooks.tell(hook.address, [event])

    def close(self) -> None:
        self._webhooks.close()

    def _sent(self, ids: Sequence[str], problem: str) -> None:
        for id in ids:
            told = NewEntry(kind=_TOLD, body={"of": id, "problem": problem})
            self._journal.append(_STREAMS + self._begun[id], [told])


def _due(journal: Journal) -> Iterator[tuple[StudyWebhook, dict[str, Any]]]:
    for stream in journal.streams(_STREAMS):
        waiting = [each for each in webhooks(journal, stream.removeprefix(_STREAMS)) if each.problem is None]
        if not waiting:
            continue
        study = studies.study_of(journal, waiting[0].study)
        joined, given = len(studies.participants(journal, study)), len(studies.answered(journal, study))
        full = _is_full(journal, study)
        for hook in waiting:
            if given >= hook.answers if hook.occasion is Occasion.ANSWERS else full:
                now = datetime.now(UTC).isoformat()
                said = {"study": hook.study, "event": hook.occasion.value, "answers": given, "joined": joined}
                yield hook, {"id": hook.id, "time": now, **said}


def _is_full(journal: Journal, study: Study) -> bool:
    if not studies.has_place(journal, study, ""):
        return True
    if study.asks not in QUESTIONS:
        return False
    task = pairs_task(study)
    return not voting.voter(task, task.answers.read(), "").open
