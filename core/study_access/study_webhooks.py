"""Tells addresses of one's own that a study has so many answers, or takes no more."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from core.errors import CoreError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.live.rules import leaves_by
from core.live.webhooks import Webhooks
from core.people import studies, voting
from core.people.questions import QUESTIONS
from core.people.study import Study
from core.people.study_material import pairs_task
from core.study_access.tokens import the_one

_STREAM: Final = "webhooks"
_SET, _REMOVED, _TOLD = "set", "removed", "told"


class StudyWebhook(msgspec.Struct, frozen=True):
    id: str
    study: str
    address: str
    answers: int  # at which it is told; 0 where it is told when the study is full
    problem: str | None = None  # why it was not told; "" when it was; None before

    @property
    def line(self) -> str:
        """As the list of webhooks has it, without the path of the address, which may be a key."""
        when = f"at {self.answers:,} answers" if self.answers else "when it is full"
        came = {None: "waiting", "": "sent"}.get(self.problem, self.problem)
        return f"{self.id[:8]}  {self.study}  {when}  {origin_of(self.address)}  {came}"


def origin_of(address: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(address))


def set_webhook(journal: Journal, study: Study, address: str, answers: int = 0) -> None:
    """Has an address told once, when so many answers were given, or without a number when it is full."""
    leaves_by(address)
    body = {"study": study.code, "address": address, "answers": answers}
    journal.append(_STREAM, [NewEntry(kind=_SET, body=body)])


def remove_webhook(journal: Journal, id: str) -> None:
    journal.append(_STREAM, [NewEntry(kind=_REMOVED, body={"of": the_one(webhooks(journal), id)})])


def webhooks(journal: Journal) -> dict[str, StudyWebhook]:
    known = dict[str, StudyWebhook]()
    for entry in journal.read(_STREAM):
        if entry.kind == _SET:
            known[entry.id] = StudyWebhook(entry.id, **entry.body)
        elif (hook := known.pop(entry.body["of"], None)) and entry.kind == _TOLD:
            known[hook.id] = msgspec.structs.replace(hook, problem=entry.body["problem"])
    return known


class WebhookWatch:
    """Looks at all studies with webhooks, and tells each once, again after a kill."""

    def __init__(self, journal: Journal) -> None:
        self._journal, self._begun = journal, set[str]()
        self._webhooks = Webhooks(lambda events: {"events": events}, self._sent)

    def look(self) -> None:
        for hook in webhooks(self._journal).values():
            with suppress(CoreError):  # a study that cannot be read keeps no other from being told of
                if hook.id not in self._begun and (event := _event(self._journal, hook)):
                    self._begun.add(hook.id)
                    self._webhooks.tell(hook.address, [event])

    def close(self) -> None:
        self._webhooks.close()

    def _sent(self, ids: Sequence[str], problem: str) -> None:
        told = [NewEntry(kind=_TOLD, body={"of": id, "problem": problem}) for id in ids]
        self._journal.append(_STREAM, told)


def _event(journal: Journal, hook: StudyWebhook) -> dict[str, Any] | None:
    """What an address is told now; None for nothing."""
    if hook.problem is not None:
        return None
    study = studies.study_of(journal, hook.study)
    given, joined = len(studies.answered(journal, study)), len(studies.participants(journal, study))
    if given < hook.answers or not (hook.answers or _is_full(journal, study)):
        return None
    about = {"event": "answers" if hook.answers else "full", "answers": given, "joined": joined}
    return {"id": hook.id, "study": study.code, **about}


def _is_full(journal: Journal, study: Study) -> bool:
    """Whether nothing is left to ask, or nobody else may take part."""
    task = pairs_task(study) if study.asks in QUESTIONS else None
    asked = task is None or voting.voter(task, task.answers.read(), "").open
    return not (asked and studies.has_place(journal, study, ""))
