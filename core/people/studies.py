"""Studies in the journal: registered, joined with consent, deleted in time; and receipts of answers."""

import hmac
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from core.errors import InputError
from core.journal.entries import Entry, NewEntry, new_id
from core.journal.entry_receipts import receipt
from core.journal.journal import Journal
from core.journal.retention import expire
from core.people import forms, grouping, questions, store, voting
from core.people.study import STUDIES, Study, Version, read_study, study_file
from core.results.render import count_words
from core.text.normalise import clean_line, judge_key

REGISTERED: Final = "registered"
JOINED: Final = "joined"
EXCLUDED, RETURNED = "excluded", "returned"
PEOPLE: Final = "people"  # what the stream of those who joined is about
OPENED, PAUSED, CLOSED = "opened", "paused", "closed"  # how the door of a study stands, by the last of these
NOT_SAID: Final = "I would rather not say"
_CODE: Final = re.compile(r"[0-9a-f]{8}")
_ANSWERS: Final = frozenset({grouping.PLACED, voting.VOTED, store.ANSWER})
_NEW_VERSION: Final = {"instructions", "consent", "thanks", "completion", "redirect"}
_CALLED: Final = {
    "sees": "what participants see",
    "background": "questions about the person",
    "headlines": "training",
    "gate": "right answers in training",
    "passed": "right answers in the exam",
    "trusted": "right control answers",
}


def templates() -> dict[str, Study]:
    """A study to begin with for each task and form, by what it asks for."""
    tasks = {key: (task.title, task.rules.replace("**", "")) for key, task in questions.TASKS.items()}
    for name, form in forms.known_forms().items():
        lines = (f"- {question.text} {question.help}".strip() for question in form.questions)
        tasks[name] = form.title, "\n".join(lines)
    return {
        asks: Study(title=title, asks=asks, instructions=(version(rules),) if rules else ())
        for asks, (title, rules) in tasks.items()
    }


def version(text: str) -> Version:
    return Version(datetime.now(UTC).date().isoformat(), text)


def register(journal: Journal, study: Study, id: str = "") -> Study:
    """Keeps a study as it is now; one that is registered already, in any of its versions, is opened again."""
    content = study_file(study)
    if not study.code:
        asked = [question.asks.casefold() for question in study.background]
        for question in study.background:
            if asked.count(question.asks.casefold()) > 1:
                said = f"Two questions about the person are called {question.asks[:60]!r}."
                raise InputError(said, hint="Word one of them differently: answers are kept by the question.")
        if (known := _with_version(journal, study)) is not None:
            return known
    filed = replace(read_study(content, "The study"), code=study.code or study.sha256[:8])
    body = {"file": content.decode(), "sha256": study.sha256}
    journal.append(STUDIES + filed.code, [NewEntry(kind=REGISTERED, body=body, id=id or new_id())])
    return filed


def _with_version(journal: Journal, study: Study) -> Study | None:
    digest, versions = study.sha256, ((known, _versions(journal, known.code)) for known in studies(journal))
    same = (known for known, each in versions if digest in {entry.body.get("sha256") for entry in each})
    return next(same, None)


def edited(journal: Journal, study: Study) -> tuple[Study, list[str]] | None:
    """The study here that a file was edited from, and what differs; None where it is that study, or new."""
    if _with_version(journal, study) is not None:
        return None
    near = [
        (known, _changed(known, study))
        for known in studies(journal)
        if study.fingerprint and (known.asks, known.fingerprint) == (study.asks, study.fingerprint)
    ]
    if not near:
        return None
    known, changed = min(near, key=lambda each: len(each[1]))
    return known, [_CALLED.get(name, name.replace("_", " ")) for name in changed]


def _changed(known: Study, study: Study) -> list[str]:
    names = [field.name for field in fields(Study) if field.name != "code"]
    return [name for name in names if getattr(known, name) != getattr(study, name)]


def new_version(known: Study, study: Study) -> Study | None:
    """The known study with the words of another, its earlier versions kept; None where more has changed."""
    if not _NEW_VERSION.issuperset(_changed(known, study)):
        return None

    def versions(old: tuple[Version, ...], new: tuple[Version, ...]) -> tuple[Version, ...]:
        if not new or new[: len(old)] == old:
            return new or old
        return old if new[-1].text == old[-1].text else (*old, new[-1])

    instructions = versions(known.instructions, study.instructions)
    consent = versions(known.consent, study.consent)
    end = {name: getattr(study, name) for name in ("thanks", "completion", "redirect")}
    return replace(known, instructions=instructions, consent=consent, **end)


def _versions(journal: Journal, code: str) -> list[Entry]:
    entries = journal.read(STUDIES + code) if _CODE.fullmatch(code) else ()
    return [entry for entry in entries if entry.kind == REGISTERED]


def read_known(data: bytes, name: str) -> Study:
    """A study in a file; refuses one that asks for what is not here."""
    study = read_study(data, name)
    if study.asks not in templates():
        hint = f"Write one of: {', '.join(templates())}. A form of your own is added under Evaluate first."
        raise InputError(f"{name[:80]} asks for {study.asks!r}, which is not here.", hint=hint)
    return study


def study_of(journal: Journal, code: str) -> Study:
    versions = _versions(journal, code)
    if not versions:
        raise InputError("There is no study with this link.", hint="Ask the person who sent it.")
    return replace(read_study(str(versions[-1].body.get("file")).encode(), "The study"), code=code)


def studies(journal: Journal) -> list[Study]:
    codes = (stream.removeprefix(STUDIES) for stream in journal.streams(STUDIES))
    return [study_of(journal, code) for code in codes if _versions(journal, code)]


def join(journal: Journal, study: Study, who: str, background: Mapping[str, str]) -> None:
    """Stores that a person takes part: the consent with its text, and answers to all questions about them."""
    require_open(journal, study)
    if not has_place(journal, study, who):
        raise InputError("This study has no place left.", hint="Thank you for your interest.")
    given = {asked.asks: background.get(asked.asks, "").strip()[:300] for asked in study.background}
    if lacking := [asks for asks, answer in given.items() if not answer]:
        hint = f"Answer each, or choose “{NOT_SAID}”."
        raise InputError(f"“{lacking[0][:80]}” is not answered.", hint=hint)
    body: dict[str, Any] = {"consent": len(study.consent), "background": given}
    if study.consent:
        body["text"] = study.consent[-1].text
    journal.append(study.stream(PEOPLE), [NewEntry(kind=JOINED, who=who, body=body)])


def participants(journal: Journal, study: Study) -> dict[str, Entry]:
    entries = journal.read(study.stream(PEOPLE))
    return {judge_key(entry.who): entry for entry in entries if entry.kind == JOINED}


def exclude(journal: Journal, study: Study, who: str, reason: str, *, back: bool = False) -> None:
    """Stores that a person's answers do not count from now on, or that they do again, and why."""
    reason = clean_line(reason)[:300]
    if not reason:
        raise InputError("No reason is given.", hint="Write why: it is stored with the study.")
    kind = RETURNED if back else EXCLUDED
    journal.append(study.stream(PEOPLE), [NewEntry(kind=kind, who=who, body={"reason": reason})])


def excluded(journal: Journal, study: Study) -> dict[str, str]:
    """Who does not count, by the key of the name, and why."""
    out: dict[str, str] = {}
    for entry in journal.read(study.stream(PEOPLE)):
        if entry.kind in {EXCLUDED, RETURNED}:
            out.pop(judge_key(entry.who), None)
        if entry.kind == EXCLUDED:
            out[judge_key(entry.who)] = str(entry.body.get("reason", ""))
    return out


def has_joined(journal: Journal, study: Study, who: str) -> bool:
    """Whether a person agreed to the consent as it is now, and answered the questions about the person."""
    given = entry.body if (entry := participants(journal, study).get(judge_key(who))) else {}
    answers, agreed = given.get("background", {}), given.get("consent") == len(study.consent)
    return agreed and all(answers.get(each.asks) for each in study.background)


def participant(code: str, given: str) -> str:
    """The name under which a person answers in one study: an id is another person's in the next."""
    return f"{given} ({code})"


def study_in(name: str) -> str:
    found = re.search(r" \(([0-9a-f]{8})\)\Z", name)
    return found[1] if found else ""


def own_id(name: str) -> str:
    return name.removesuffix(f" ({study_in(name)})")


def turn(journal: Journal, study: Study, door: str) -> None:
    journal.append(STUDIES + study.code, [NewEntry(kind=door)])


def door(journal: Journal, study: Study) -> str:
    kinds = [entry.kind for entry in journal.read(STUDIES + study.code)] if study.code else []
    return next((kind for kind in reversed(kinds) if kind in {OPENED, PAUSED, CLOSED}), OPENED)


def require_open(journal: Journal, study: Study, who: str = "") -> None:
    """Refuses an answer to a study that takes none now, or none from this person any more."""
    if door(journal, study) != OPENED:
        raise InputError("This study takes no answers now.", hint="What you answered before is stored.")
    if seconds_left(journal, study, who) == 0:
        raise InputError("Your time is over.", hint="What you answered before is stored.")


def seconds_left(journal: Journal, study: Study, who: str, now: datetime | None = None) -> float | None:
    """What a person has left of a study's time, which stands still in a pause; None for no limit."""
    steps = [entry for entry in journal.read(study.stream(PEOPLE)) if entry.kind == JOINED]
    begun = next((entry.when for entry in steps if judge_key(entry.who) == judge_key(who)), None)
    if not study.minutes or begun is None:
        return None
    now, paused, since = now or datetime.now(UTC), timedelta(), None
    for entry in journal.read(STUDIES + study.code):
        if since is not None and entry.kind in {OPENED, CLOSED}:
            paused, since = paused + max(timedelta(), entry.when - max(since, begun)), None
        elif since is None and entry.kind == PAUSED:
            since = entry.when
    still = now if since is None else max(since, begun)
    return max(0.0, 60 * study.minutes - (still - begun - paused).total_seconds())


def has_place(journal: Journal, study: Study, who: str) -> bool:
    known = participants(journal, study)
    return not study.people or judge_key(who) in known or len(known) < study.people


class StudyState(NamedTuple):
    registered: datetime  # as it is now
    first_answer: datetime | None
    changed: bool  # whether it was changed after the first answer
    joined: int
    answers: int


def state_of(journal: Journal, study: Study) -> StudyState:
    given = answered(journal, study)
    first = next(iter(given), None)
    now = next(entry for entry in _versions(journal, study.code) if entry.body.get("sha256") == study.sha256)
    changed = first is not None and now.sequence > first.sequence
    joined = len(participants(journal, study))
    return StudyState(now.when, first.when if first else None, changed, joined, len(given))


def answered(journal: Journal, study: Study) -> list[Entry]:
    return [entry for entry in stored(journal, study) if entry.kind in _ANSWERS]


def stored(journal: Journal, study: Study) -> list[Entry]:
    """All that a study holds, who joined and what was taken back too, in its order."""
    entries = (entry for stream in journal.streams(study.stream("")) for entry in journal.read(stream))
    return sorted(entries, key=lambda entry: entry.sequence)


def registration(study: Study, state: StudyState) -> str:
    day = f"{state.registered:%Y-%m-%d %H:%M} UTC"
    if state.first_answer is None:
        return f"Registered {day}, before any answer."
    first = f"{state.first_answer:%Y-%m-%d %H:%M} UTC"
    when = "changed after" if state.changed else "before"
    return f"Registered {day}, {when} the first answer ({first})."


def retention(study: Study) -> str:
    each = f"Each answer is deleted {count_words(study.retention, 'day', 'days')} after it was given."
    return each if study.retention else "Answers are stored until somebody deletes them."


def pseudonym(journal: Journal, study: Study, who: str) -> str:
    """A name for all exports of a study, from which only the journal leads to the person."""
    secret = _versions(journal, study.code)[0].id
    return f"p-{hmac.digest(secret.encode(), judge_key(who).encode(), 'sha256').hex()[:10]}"


def delete_expired(journal: Journal, now: datetime | None = None) -> int:
    """Deletes what studies promise to keep no longer, for good; gives how many entries."""
    now = now or datetime.now(UTC)
    return sum(
        expire(journal, study.stream(""), now - timedelta(days=study.retention))
        for study in studies(journal)
        if study.retention
    )


def receipts(journal: Journal, study: Study, who: str = "") -> list[str]:
    """Of all entries of a study in their order, or of those of one person."""
    entries = stored(journal, study)
    return [receipt(entry) for entry in entries if not who or judge_key(entry.who) == judge_key(who)]
