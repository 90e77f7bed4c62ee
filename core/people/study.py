"""A study as one object: what is judged, by which rules, what is promised to those who take part; as TOML."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from core.data.identity import Answers, HeadlineIndex
from core.digests import digest
from core.errors import InputError
from core.journal.journal import the_journal
from core.text.normalise import clean_block, clean_line

STUDIES: Final = "studies/"  # what the names of the streams begin with
GROUPS: Final = "groups"  # what a study asks for that has a timeline grouped


LARGEST_FILE: Final = 2_000_000  # bytes

T = TypeVar("T")
Line = Annotated[str, Meta(max_length=500)]
Block = Annotated[str, Meta(max_length=20_000)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\Z")]
Whole = Annotated[int, Meta(ge=1, le=1_000)]
Few = Annotated[int, Meta(ge=0, le=100)]
Many = Annotated[int, Meta(ge=1, le=10_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
_List = Meta(max_length=5_000)
_NAME: Final = r"[a-z0-9_.-]{1,60}"
Name = Annotated[str, Meta(pattern=rf"^{_NAME}\Z")]
_PLACE: Final = r"[a-z0-9_.:,-]{0,2000}"  # no path leads anywhere


class Order(StrEnum):
    TIME = "time"  # that of the task: headlines by day, pairs with most votes first
    DRAWN = "drawn"  # for each person
    ROUTED = "routed"  # what tells most comes first


class Sees(StrEnum):
    """What a person who takes part sees besides their own answers."""

    NOTHING = "nothing"
    RESULTS = "results"  # at the end
    MODEL = "model"  # its suggestion with each headline


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
    answer: Annotated[str, Meta(pattern=r"^(same|different)?\Z")] = ""  # "" where nobody knows
    days: Annotated[tuple[Line, ...], _List] = ()  # of both, as they are shown

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
    votes: Whole = 5  # that a pair gets
    most: Many = 200  # pairs of a set that people vote on; more would each get few votes
    training: Few = 6  # pairs
    gate: Share = 0.0  # share of right answers below which training begins again
    exam: Few = 10  # pairs
    passed: Share = 0.8  # share of right answers that passes the exam
    control_after: Whole = 5  # pairs between two control pairs
    trusted: Share = 0.7  # share of right control answers below which a person's votes do not count
    first_controls: Whole = 4  # control pairs after which that share is looked at
    retention: Annotated[int, Meta(ge=0, le=36_500)] = 0  # days after which an answer is deleted; 0 for never
    thanks: Block = ""  # shown at the end
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

    def stream(self, subject: str) -> str:
        return f"{STUDIES}{self.code}/{subject}" if self.code else subject

    def answers(self, subject: str, index: HeadlineIndex) -> Answers:
        """Answers apart from those of other studies, each with the version of the instructions."""
        version = len(self.instructions) if self.code else 0
        return Answers(the_journal(), self.stream(subject), index, version)


USUAL: Final = Study()
_TABLES: Final = ("material", "instructions", "consent", "background", "pairs", "headlines")


def study_file(study: Study) -> bytes:
    """The study as TOML, the same bytes for the same study."""
    lines = []
    for field in fields(study):
        value = getattr(study, field.name)
        if field.name not in {"code", *_TABLES} and value != "":
            lines.append(f"{field.name} = {_cell(value)}")
    if study.material:
        lines += ["", "[material]", *(f"{name} = {_cell(value)}" for name, value in study.material)]
    for name in _TABLES[1:]:
        for row in getattr(study, name):
            lines += [
                "",
                f"[[{name}]]",
                *(f"{key} = {_cell(cell)}" for key, cell in msgspec.structs.asdict(row).items()),
            ]
    return ("\n".join(lines) + "\n").encode()


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_cell, value))}]"
    if not isinstance(value, str):
        return repr(value)
    lines = [
        json.dumps(line, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f") for line in value.split("\n")
    ]
    return f'"{lines[0]}"' if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'


def read_toml(data: bytes, name: str, what: str, most: int) -> dict[str, Any]:
    """A TOML file with its texts cleaned."""
    if len(data) > most:
        raise InputError(f"{name} is too large for a {what}.", hint=f"A {what} is a short TOML file.")
    try:
        table: dict[str, Any] = _clean(tomllib.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text in UTF-8.", hint="Save it as a plain text file.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            f"{name} is no TOML: {str(error)[:120]}.", hint='Put texts in quotes, as in title = "My form".'
        ) from None
    return table


def _clean(value: Any, key: str = "") -> Any:
    if isinstance(value, str):
        return clean_block(value) if key in {"text", "thanks"} else clean_line(value)
    if isinstance(value, list):
        return [_clean(cell, key) for cell in value]
    if isinstance(value, dict):
        return {name: _clean(cell, name) for name, cell in value.items()}
    return value.isoformat() if isinstance(value, date) else value


def refuse_strange(table: Mapping[str, Any], known: Sequence[str], where: str, what: str) -> None:
    strange = next((key for key in table if key not in known), None)
    if strange is not None:
        raise InputError(
            f"{_capital(where)} has an entry {strange[:40]!r} that no {what} knows.",
            hint=f"The entries are: {', '.join(known)}.",
        )


def converted(table: Mapping[str, Any], kind: type[T], name: str, hints: Mapping[str, str]) -> T:
    """What a file holds, or the sentence about its first entry that is not as it must be."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise _not_valid(str(error), table, name, hints) from None


def _not_valid(said: str, value: Any, where: str, hints: Mapping[str, str]) -> InputError:
    why, _, path = said.partition(" - at ")
    steps = re.findall(r"\w+", path)
    for step in steps:
        value = value[int(step) if step.isdigit() else step]
        where = f"entry {int(step) + 1} of {where}" if step.isdigit() else f"{step} of {where}"
    field = re.search(r"field `(.*)`", why)
    if field and "missing" in why:
        return InputError(f"{_capital(where)} has no {field[1]}.", hint=f"Write {field[1]} = …")
    if field:
        return InputError(f"{_capital(where)} has an entry {field[1][:40]!r}.", hint="Take it out.")
    if why.startswith(("Expected `array`", "Expected `object`")):
        most = re.search(r"<= (\d+)", why)
        listed = f"list of 1 to {int(most[1]):,} entries" if most else "list of entries"
        what = listed if "array" in why[:17] else "entry with lines of its own"
        return InputError(f"{_capital(where)} is no {what}.", hint="Write each below its own line.")
    names = ".".join(step for step in steps if not step.isdigit())
    return _wrong(value, where, hints.get(names, hints[""]))


def read_study(data: bytes, name: str) -> Study:
    name = name[:80]
    table = read_toml(data, name, "study", LARGEST_FILE)
    refuse_strange(table, [field.name for field in fields(Study) if field.name != "code"], name, "study")
    places = table.get("material", {})
    if not isinstance(places, dict) or not all(re.fullmatch(_NAME, key) for key in places):
        raise InputError(f"Material of {name} is no table of names.", hint="Download the study again.")
    for key, place in places.items():
        if not isinstance(place, str) or not re.fullmatch(_PLACE, place):
            raise _wrong(place, f"{key} of material of {name}", "Download the study again.")
    study = converted({**table, "material": sorted(places.items())}, Study, name, _HINTS)
    if not study.title:
        raise InputError(f"{name} has no title.", hint='Write title = "…".')
    return study


def _wrong(value: Any, where: str, hint: str) -> InputError:
    return InputError(f"{_capital(where)} is {str(value)[:40]!r}.", hint=hint)


def _capital(where: str) -> str:
    return where[0].upper() + where[1:] if " of " in where else where


_HINTS: Final = {
    "": 'Give a text of at most 500 characters: "…".',
    **dict.fromkeys(
        ("thanks", "instructions.text", "consent.text"), 'Give a text of at most 20,000 characters: "…".'
    ),
    **dict.fromkeys(("votes", "control_after", "first_controls"), "Give a whole number from 1 to 1,000."),
    **dict.fromkeys(("training", "exam"), "Give a whole number from 0 to 100."),
    **dict.fromkeys(("gate", "passed", "trusted"), "Give a number from 0 to 1, such as 0.8."),
    **dict.fromkeys(("instructions.day", "consent.day"), "Give a day such as 2026-11-26."),
    "most": "Give a whole number from 1 to 10,000.",
    "retention": "Give a whole number from 0 to 36,500.",
    "order": f"Give one of: {', '.join(Order)}.",
    "sees": f"Give one of: {', '.join(Sees)}.",
    "asks": "Give groups, same_event, or the name of a form.",
    "pairs.use": "Give training, exam, control or main.",
    "pairs.answer": "Give same or different.",
}
