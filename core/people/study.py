"""A study as one object: what is judged, by which rules, what is promised to those who take part; as TOML."""

import hashlib
import re
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.data.answers import Answers
from core.data.identity import HeadlineIndex
from core.data.toml_file import converted, read_toml, toml_cell, wrong
from core.digests import digest
from core.errors import InputError
from core.journal.journal import the_journal

ASKED_FIRST: Final = "asked first"  # kind of an entry: pairs that who runs a study put first
STUDIES: Final = "studies/"  # what the names of the streams begin with
GROUPS: Final = "groups"  # what a study asks for that has a timeline grouped
LARGEST_FILE: Final = 2_000_000  # bytes
Line = Annotated[str, Meta(max_length=500)]
Block = Annotated[str, Meta(max_length=20_000)]
_DAY: Final = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\Z"
Day = Annotated[str, Meta(pattern=_DAY, description="Give a day such as 2026-11-26.")]
Whole = Annotated[int, Meta(ge=1, le=1_000)]
Few = Annotated[int, Meta(ge=0, le=100)]
Many = Annotated[int, Meta(ge=1, le=10_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
_WEB: Final = r"^(https?://[^\s<>\"']+)?\Z"
Web = Annotated[
    str, Meta(max_length=500, pattern=_WEB, description="Give an address that begins with https://.")
]
_List = Meta(max_length=5_000)
_NAME: Final = r"[a-z0-9_.-]{1,60}"
_ASKS: Final = "Give groups, same_event, or the name of a form."
Name = Annotated[str, Meta(pattern=rf"^{_NAME}\Z", description=_ASKS)]
_PLACE: Final = r"[a-z0-9_.:,-]{0,2000}"  # no path leads anywhere
Right = Annotated[str, Meta(pattern=r"^(same|different)?\Z", description="Give same or different.")]
_TABLES: Final = ("material", "instructions", "consent", "background", "pairs", "headlines")
_LATER: Final = {"tries", "people", "suggested", "block", "minutes"}
"""Files of older studies lack them, whose hashes stay; written where they are unusual."""


class Order(StrEnum):
    TIME = "time"  # that of the task: headlines by day, pairs with most votes first
    DRAWN = "drawn"  # for each person
    ROUTED = "routed"  # what tells most comes first


class Sees(StrEnum):
    """What a person who takes part sees besides their own answers."""

    NOTHING = "nothing"
    RESULTS = "results"  # at the end
    MODEL = "model"  # its suggestion with each headline or pair


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    day: Day
    text: Block


class Background(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    asks: Line
    answers: Annotated[tuple[Line, ...], _List] = ()  # () where one is typed


class Purpose(StrEnum):
    TRAINING = "training"
    EXAM = "exam"
    CONTROL = "control"
    MAIN = "main"  # asked about


class StudyPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    use: Purpose
    left: Line
    right: Line
    answer: Right = ""  # "" where nobody knows
    days: Annotated[tuple[Line, ...], _List] = ()  # of both, as they are shown
    suggested: Right = ""  # by a model; "" where it is not sure, or none was asked

    @cached_property
    def id(self) -> str:
        return digest(self.left, self.right, *(*self.days, "", "")[:2], self.use)[:12]

    @property
    def name(self) -> str:
        return f"{self.left} | {self.right}"


class StudyHeadline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    headline: Line
    gold_group: Line
    date: Line = ""
    publisher: Line = ""
    why: Line = ""  # said after the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Defaults are those of the tasks without a study; the instructions and consent in force are the last."""

    code: str = ""  # names a registered study in links and streams; in no file
    title: Line = ""
    asks: Name = GROUPS  # that, a question of `core.people.voting`, or the name of a form
    fingerprint: Line = ""  # of the headlines, pairs or outputs
    order: Order = Order.TIME
    sees: Sees = Sees.NOTHING
    suggested_by: Block = ""  # signature of the model whose suggestions the pairs have
    votes: Whole = 5  # that a pair gets
    most: Many = 200  # pairs of a set that people vote on; more would each get few votes
    training: Few = 6  # pairs
    gate: Share = 0.0  # share of right answers below which training begins again
    exam: Few = 10  # pairs
    passed: Share = 0.8  # share of right answers that passes the exam
    tries: Whole = 3  # of the exam
    control_after: Whole = 5  # pairs between two control pairs
    trusted: Share = 0.7  # share of right control answers below which a person's votes do not count
    first_controls: Whole = 4  # control pairs from which on that share is looked at; at the end it always is
    retention: Annotated[int, Meta(ge=0, le=36_500)] = 0  # days after which an answer is deleted; 0 for never
    thanks: Block = ""  # shown at the end, with the two that follow
    completion: Line = ""  # a code that shows that a person came to the end
    redirect: Web = ""  # where a person goes then, by a button
    people: Annotated[int, Meta(ge=0, le=10_000)] = 0  # who may take part; 0 for any number
    block: Annotated[int, Meta(ge=0, le=10_000)] = 0  # pairs, or articles, that one person gets; 0 for all
    minutes: Annotated[int, Meta(ge=0, le=10_000)] = 0  # a person's time from the consent on; 0 for any
    material: tuple[tuple[str, str], ...] = ()  # where it is, as parts of an address
    instructions: Annotated[tuple[Version, ...], _List] = ()
    consent: Annotated[tuple[Version, ...], _List] = ()
    background: Annotated[tuple[Background, ...], _List] = ()
    # Of one's own; without some that have right answers, those that ship.
    pairs: Annotated[tuple[StudyPair, ...], _List] = ()
    headlines: Annotated[tuple[StudyHeadline, ...], _List] = ()  # with right groups, to train with

    @property
    def sha256(self) -> str:
        """What preregistration names the study by: of its file, however it was laid out."""
        return hashlib.sha256(study_file(self)).hexdigest()

    @property
    def rules(self) -> str:
        return self.instructions[-1].text if self.instructions else ""

    @property
    def asked_first(self) -> tuple[str, ...]:
        """Ids of pairs that are asked before others since the study began; () for its own order."""
        entries = the_journal().read(STUDIES + self.code) if self.code else ()
        return next((tuple(each.body["items"]) for each in reversed(entries) if each.kind == ASKED_FIRST), ())

    def stream(self, subject: str) -> str:
        return f"{STUDIES}{self.code}/{subject}" if self.code else subject

    def answers(self, subject: str, index: HeadlineIndex) -> Answers:
        """Answers apart from those of other studies, each with the version of the instructions."""
        version = len(self.instructions) if self.code else 0
        return Answers(the_journal(), self.stream(subject), index, version)


USUAL: Final = Study()


def study_file(study: Study) -> bytes:
    """The study as TOML, the same bytes for the same study."""
    lines = []
    for field in fields(study):
        value = getattr(study, field.name)
        since = field.name not in _LATER or value != field.default
        if field.name not in {"code", *_TABLES} and value != "" and since:
            lines.append(f"{field.name} = {toml_cell(value)}")
    if study.material:
        lines += ["", "[material]", *(f"{name} = {toml_cell(value)}" for name, value in study.material)]
    for name in _TABLES[1:]:
        for row in getattr(study, name):
            cells = (
                (key, cell) for key, cell in msgspec.structs.asdict(row).items() if cell or key not in _LATER
            )
            lines += ["", f"[[{name}]]", *(f"{key} = {toml_cell(cell)}" for key, cell in cells)]
    return ("\n".join(lines) + "\n").encode()


def read_study(data: bytes, name: str) -> Study:
    name = name[:80]
    known = [field.name for field in fields(Study) if field.name != "code"]
    table = read_toml(data, name, "study", most=LARGEST_FILE, known=known)
    places = table.get("material", {})
    if not isinstance(places, dict) or not all(re.fullmatch(_NAME, key) for key in places):
        raise InputError(f"Material of {name} is no table of names.", hint="Download the study again.")
    for key, place in places.items():
        if not isinstance(place, str) or not re.fullmatch(_PLACE, place):
            raise wrong(place, f"{key} of material of {name}", "Download the study again.")
    study = converted({**table, "material": sorted(places.items())}, Study, name)
    if not study.title:
        raise InputError(f"{name} has no title.", hint='Write title = "…".')
    return study
