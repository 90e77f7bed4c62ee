"""A codebook of one's own: its labels with their keys, and what coders said of headlines and events."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.arrays import IntArray
from core.data.answers import Answers
from core.data.identity import HeadlineIndex
from core.errors import InputError
from core.events.correction import LONGEST_NOTE
from core.journal.entries import Entry, NewEntry
from core.journal.journal import Journal
from core.people.ratings import judge_name
from core.people.store import standing
from core.text.normalise import clean_block, clean_line, judge_key

Codebook = Mapping[str, Mapping[str, str]]
"""Questions, and the label that each key of the keyboard gives to one."""
HEADLINE, EVENT = "headline", "event"  # what a label or note is about; an event by a headline of it
SAID, UNDONE, WRITTEN = "said", "undone", "written"
NOTE: Final = "Note"  # stands in the place of a question
ONE_QUESTION: Final = "Label"  # the question of labels that stand below none
TAKEN: Final = "cnruxz"  # keys that do something else beside the labels
LONGEST_CODEBOOK: Final = 5_000  # characters
_LONGEST, _MOST = 40, 30
_HEAD: Final = re.compile(r"^[^\S\n]*\[([^\[\]\"'\n]+)\][^\S\n]*$", re.MULTILINE)
_LINE: Final = re.compile(r"^[^\S\n]*([^\s\"'#\[=:])[^\S\n]*[=:][^\S\n]*([^\s\"'].*)$", re.MULTILINE)
_HINT: Final = "Write a label a line, with its key: p = positive. A line such as [Tone] begins a question."


def read_codebook(text: str) -> Codebook:
    """A codebook as TOML, in which lines of one key need no quotes."""
    if len(text) > LONGEST_CODEBOOK:
        said = f"The codebook has {len(text):,} characters; at most {LONGEST_CODEBOOK:,} are read."
        raise InputError(said, hint="Shorten its labels.")
    typed = _LINE.sub(lambda line: f"{_quoted(line[1])} = {_quoted(line[2])}", clean_block(text))
    try:
        table = tomllib.loads(_HEAD.sub(lambda line: f"[{_quoted(line[1])}]", typed))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"The codebook cannot be read: {str(error)[:120]}.", hint=_HINT) from None
    alone = {key: label for key, label in table.items() if not isinstance(label, dict)}
    parts = [(ONE_QUESTION, alone)] if alone else []
    parts += [(clean_line(name), labels) for name, labels in table.items() if isinstance(labels, dict)]
    questions = dict(parts)
    whole = len(questions) == len(parts) and all(questions.values())
    keys = [key.casefold() for labels in questions.values() for key in labels]
    names = [name for labels in questions.values() for name in labels.values()]
    free = [len(key) == 1 and key.isalnum() and key not in TAKEN and keys.count(key) == 1 for key in keys]
    named = [isinstance(name, str) and 0 < len(clean_line(name)) <= _LONGEST for name in (*names, *questions)]
    if (
        not (whole and all(free) and all(named) and 0 < len(names) <= _MOST)
        or NOTE in questions
        or "\ufffd" in text
    ):
        said = f"A codebook has 1 to {_MOST} labels, each of at most {_LONGEST} characters and with a key of "
        said += f"its own: a letter or digit, but none of {', '.join(TAKEN)}."
        raise InputError(said, hint=_HINT)
    return {
        name: {key.casefold(): clean_line(label) for key, label in labels.items()}
        for name, labels in questions.items()
    }


def _quoted(text: str) -> str:
    return json.dumps(text.strip(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Codes:
    """What stands, by what it is about: headline or event, its row or number, and question; then by coder."""

    said: Mapping[tuple[str, int, str], Mapping[str, Entry]]
    names: Mapping[str, str]  # of coders as first given, by their keys

    def own(self, about: str, place: int, question: str, who: str) -> str:
        entry = self.said.get((about, place, question), {}).get(judge_key(who))
        return "" if entry is None else str(entry.body["answer"])

    @property
    def asked(self) -> list[tuple[str, str]]:
        """What is about what, in the order first said; headlines before events."""
        return sorted(
            dict.fromkeys((about, question) for about, _, question in self.said),
            key=lambda it: it[0] == EVENT,
        )

    def columns(self, groups: IntArray) -> dict[str, dict[str, list[str]]]:
        """Of headlines and events, a cell a row for each question, note and coder; groups int64 [n]."""
        columns: dict[str, dict[str, list[str]]] = {HEADLINE: {}, EVENT: {}}
        for about, question in self.asked:
            places = groups.tolist() if about == EVENT else range(len(groups))
            for key, name in self.names.items():
                told = {
                    place: given[key].body["answer"]
                    for (of, place, asked), given in self.said.items()
                    if (of, asked) == (about, question) and key in given
                }
                cells = [str(told.get(place, "")) for place in places]
                if any(cells):
                    columns[about][f"{question} ({name})"] = cells
        return columns


@dataclass(frozen=True, slots=True)
class CodingStore:
    """Where the labels and notes of a file are stored, and the codebooks of its owner."""

    journal: Journal
    index: HeadlineIndex
    owner: str = ""  # "" for all of a server

    @property
    def _books(self) -> str:
        return f"codebooks/{self.owner or 'local'}"

    @property
    def _answers(self) -> Answers:
        # An answer says under which codebook it was given, as that of a study does of its instructions.
        version = len(self.journal.read(self._books))
        return Answers(self.journal, f"codes/{self.owner or 'local'}", self.index, version)

    def text(self) -> str:
        """The codebook as it was last written; "" before anybody did."""
        written = self.journal.read(self._books)
        return str(written[-1].body.get("text", "")) if written else ""

    def write(self, text: str) -> None:
        read_codebook(text)
        # Without a name: whoever wrote it may be forgotten, and the others' labels still have theirs.
        self.journal.append(self._books, [NewEntry(kind=WRITTEN, body={"text": clean_block(text)})])

    def say(self, who: str, about: str, row: int, question: str, answer: str) -> None:
        """Stores a label or note of a row, in the place of what the same person said; "" takes it away."""
        answer = clean_line(answer)[:LONGEST_NOTE]
        body = {"about": about, "row": row, "question": question, "answer": answer}
        self._answers.append([NewEntry(kind=SAID, who=judge_name(who), body=body)])

    def last(self, who: str) -> Entry | None:
        """What a person said last and did not undo."""
        own = (entry for entry in reversed(self._standing()) if judge_key(entry.who) == judge_key(who))
        return next(own, None) if judge_key(who) else None

    def undo(self, entry: Entry, who: str) -> None:
        self._answers.append([NewEntry(kind=UNDONE, who=judge_name(who), body={"of": entry.id})])

    def codes(self, groups: IntArray) -> Codes:
        """What stands where the rows are in these groups, int64 [n]."""
        said: dict[tuple[str, int, str], dict[str, Entry]] = {}
        names: dict[str, str] = {}
        for entry in self._standing():
            about, row, key = entry.body["about"], entry.body["row"], judge_key(entry.who)
            place = int(groups[row]) if about == EVENT else row
            given = said.setdefault((about, place, entry.body["question"]), {})
            given.pop(key, None)
            if entry.body["answer"]:
                names.setdefault(key, entry.who)
                given[key] = entry
        return Codes({asked: given for asked, given in said.items() if given}, names)

    def _standing(self) -> list[Entry]:
        entries = self._answers.read()
        return [entry for entry in standing(entries, UNDONE) if entry.kind == SAID and _is_code(entry)]


def _is_code(entry: Entry) -> bool:
    body = entry.body
    texts = all(isinstance(body.get(name), str) for name in ("question", "answer"))
    whole = type(body.get("row")) is int and body.get("about") in {HEADLINE, EVENT}
    return texts and whole and bool(judge_key(entry.who))
