"""A study as one object: what is judged, by which rules, what is promised to those who take part; as TOML."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from functools import partial
from typing import Any, Final, NamedTuple

from core.data.identity import Answers, HeadlineIndex
from core.errors import InputError
from core.journal.journal import the_journal
from core.people.forms import read_toml
from core.text.normalise import clean_block, clean_line

STUDIES: Final = "studies/"  # what the names of the streams begin with
GROUPS: Final = "groups"  # what a study asks for that has a timeline grouped


class Order(StrEnum):
    TIME = "time"  # that of the task: headlines by day, pairs with most votes first
    DRAWN = "drawn"  # for each person
    ROUTED = "routed"  # what tells most comes first


class Sees(StrEnum):
    """What a person who takes part sees besides their own answers."""

    NOTHING = "nothing"
    RESULTS = "results"  # at the end
    MODEL = "model"  # its suggestion with each headline


class Version(NamedTuple):
    day: str  # ISO date
    text: str


class Background(NamedTuple):
    asks: str
    answers: tuple[str, ...] = ()  # () where one is typed


class StudyPair(NamedTuple):
    use: str  # training, exam, control, or main: one that is asked about
    left: str
    right: str
    answer: str = ""  # same or different, "" where nobody knows
    days: tuple[str, ...] = ()  # of both, as they are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Defaults are those of the tasks without a study; the instructions and consent in force are the last."""

    code: str = ""  # names a registered study in links and streams; in no file
    title: str = ""
    asks: str = GROUPS  # that, a question of `core.people.voting`, or the name of a form
    fingerprint: str = ""  # of the headlines, pairs or outputs
    order: Order = Order.TIME
    sees: Sees = Sees.NOTHING
    votes: int = 5  # that a pair gets
    most: int = 200  # pairs of a set that people vote on; more would each get few votes
    training: int = 6  # pairs
    gate: float = 0.0  # share of right answers below which training begins again
    exam: int = 10  # pairs
    passed: float = 0.8  # share of right answers that passes the exam
    control_after: int = 5  # pairs between two control pairs
    trusted: float = 0.7  # share of right control answers below which a person's votes do not count
    first_controls: int = 4  # control pairs after which that share is looked at
    retention: int = 0  # days after which an answer is deleted; 0 for never
    thanks: str = ""  # shown at the end
    material: tuple[tuple[str, str], ...] = ()  # where it is, as parts of an address
    instructions: tuple[Version, ...] = ()
    consent: tuple[Version, ...] = ()
    background: tuple[Background, ...] = ()
    pairs: tuple[StudyPair, ...] = ()  # of one's own; without some that have right answers, those that ship

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
_NAME: Final = re.compile(r"[a-z0-9_.-]{1,60}")
_PLACE: Final = re.compile(r"[a-z0-9_.:,-]{0,2000}")  # no path leads anywhere
_RANGES: Final = {
    **dict.fromkeys(("votes", "control_after", "first_controls"), (1, 1_000)),
    **dict.fromkeys(("training", "exam"), (0, 100)),
    "most": (1, 10_000),
    "retention": (0, 36_500),
}
_LINE, _TEXT, _LIST = 500, 20_000, 5_000  # characters of a line and a text, entries of a list
LARGEST_FILE: Final = 2_000_000  # bytes
_TABLES: Final = ("material", "instructions", "consent", "background", "pairs")


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
            lines += ["", f"[[{name}]]", *(f"{key} = {_cell(cell)}" for key, cell in row._asdict().items())]
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


def read_study(data: bytes, name: str) -> Study:
    name = name[:80]
    table = read_toml(data, name, "study", LARGEST_FILE)
    known = {field.name: field for field in fields(Study) if field.name != "code"}
    strange = next((key for key in table if key not in known), None)
    if strange is not None:
        raise InputError(
            f"{name} has an entry {strange[:40]!r} that no study knows.",
            hint=f"The entries are: {', '.join(known)}.",
        )
    study = Study(**{key: _READERS[key](value, f"{key} of {name}") for key, value in table.items()})
    if not study.title:
        raise InputError(f"{name} has no title.", hint='Write title = "…".')
    return study


def _wrong(value: Any, where: str, hint: str) -> InputError:
    return InputError(f"{where[0].upper()}{where[1:]} is {str(value)[:40]!r}.", hint=hint)


def _text(value: Any, where: str, *, most: int = _LINE) -> str:
    if not isinstance(value, str):
        raise _wrong(value, where, 'Give a text: "…".')
    clean = clean_line(value) if most == _LINE else clean_block(value)
    if len(clean) > most:
        raise InputError(f"{where} has {len(clean):,} characters; at most {most:,} fit.", hint="Shorten it.")
    return clean


def _matching(value: Any, where: str, *, pattern: re.Pattern[str], hint: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise _wrong(value, where, hint)
    return value


def _whole(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _wrong(value, where, f"Give a whole number from {low} to {high:,}.")
    return value


def _share(value: Any, where: str) -> float:
    if type(value) not in {int, float} or not 0 <= value <= 1:
        raise _wrong(value, where, "Give a number from 0 to 1, such as 0.8.")
    return float(value)


def _word(value: Any, where: str, words: type[StrEnum]) -> StrEnum:
    if value not in set(words):
        raise _wrong(value, where, "Give one of: " + ", ".join(f'"{word.value}"' for word in words) + ".")
    return words(value)


def _day(value: Any, where: str) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        raise _wrong(value, where, "Give a day such as 2026-11-26.") from None


def _list(value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) > _LIST:
        raise InputError(
            f"{where} is no list of at most {_LIST} entries.", hint="Write each below its own line."
        )
    return tuple(value)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(cell, where) for cell in _list(value, where))


def _rows(
    value: Any, where: str, of: type[Any], cells: Mapping[str, Callable[[Any, str], Any]]
) -> tuple[Any, ...]:
    rows = []
    for at, row in enumerate(_list(value, where), 1):
        place = f"entry {at} of {where}"
        if not isinstance(row, dict) or not row.keys() <= cells.keys():
            raise InputError(f"{place} is not understood.", hint=f"Its lines are: {', '.join(cells)}.")
        lacking = next((name for name in cells if name not in row and name not in of._field_defaults), None)
        if lacking is not None:
            raise InputError(f"{place} has no {lacking}.", hint=f"Write {lacking} = …")
        rows.append(of(**{name: cells[name](cell, f"{name} of {place}") for name, cell in row.items()}))
    return tuple(rows)


def _material(value: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not all(_NAME.fullmatch(name) for name in value):
        raise InputError(f"{where} is no table of names.", hint="Download the study again.")
    return tuple(sorted((name, _place(cell, f"{name} of {where}")) for name, cell in value.items()))


_block: Final = partial(_text, most=_TEXT)
_place: Final = partial(_matching, pattern=_PLACE, hint="Download the study again.")
_use: Final = partial(
    _matching, pattern=re.compile("training|exam|control|main"), hint="Give training, exam, control or main."
)
_right: Final = partial(_matching, pattern=re.compile("same|different|"), hint="Give same or different.")
_Cells = Mapping[str, Callable[[Any, str], Any]]
_VERSION: Final[_Cells] = {"day": _day, "text": _block}
_BACKGROUND: Final[_Cells] = {
    "asks": _text,
    "answers": _texts,
}
_PAIR: Final[_Cells] = {
    "use": _use,
    "left": _text,
    "right": _text,
    "answer": _right,
    "days": _texts,
}
_READERS: Final[_Cells] = {
    **{name: partial(_whole, low=low, high=high) for name, (low, high) in _RANGES.items()},
    **dict.fromkeys(("gate", "passed", "trusted"), _share),
    **dict.fromkeys(("title", "fingerprint"), _text),
    "asks": partial(_matching, pattern=_NAME, hint="Give groups, same_event, or the name of a form."),
    "thanks": _block,
    "order": partial(_word, words=Order),
    "sees": partial(_word, words=Sees),
    "material": _material,
    **{name: partial(_rows, of=Version, cells=_VERSION) for name in ("instructions", "consent")},
    "background": partial(_rows, of=Background, cells=_BACKGROUND),
    "pairs": partial(_rows, of=StudyPair, cells=_PAIR),
}
