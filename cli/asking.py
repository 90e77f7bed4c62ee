"""The questions of `headline-lab group --ask`, and the file of their answers."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from core import files
from core.data.timelines.load import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.events.grouping import Prepared
from core.groups.asking import Answer, Asking
from core.groups.asking import asking as questions_about

QUESTIONS = 5
WORDS = {"same": True, "different": False, "not sure": None}
_COLUMNS = ["left", "right", "answer"]
_KEYS = {"s": True, "d": False, "?": None}


def check_terminal() -> None:
    """Refuses to ask where nobody can answer."""
    if not sys.stdin.isatty():
        raise InputError("--ask needs a terminal to ask in.", hint="Give the answers with --answers FILE.")


def level_by_answers(prepared: Prepared, path: Path | None, *, ask: bool) -> float:
    """The level after the answers in a file and those that are given now; new ones are added to the file."""
    timeline = prepared.timeline
    questions = questions_about(prepared.hierarchy, prepared.start.granularity, timeline.texts)
    answers = [] if path is None or (ask and not path.exists()) else read_answers(path, timeline.texts)
    if ask:
        answers = _asked(questions, answers, timeline)
        if path is not None:
            files.write(path, answers_csv(answers, timeline.texts))
    return questions.level(answers)


def read_answers(path: Path, texts: Sequence[str]) -> list[Answer]:
    """The answers in a CSV file about headlines of the timeline."""
    try:
        text = read_bytes(str(path)).decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is not a CSV file of answers.", hint=_HINT) from None
    row_of: dict[str, int] = {}
    for row, headline in enumerate(texts):
        row_of.setdefault(headline, row)
    answers = []
    for number, line in enumerate(lines, start=2):
        if not set(_COLUMNS) <= line.keys() or (line["answer"] or "").strip().lower() not in WORDS:
            raise InputError(f"{path}, line {number}: this is not an answer.", hint=_HINT)
        named = [(line[side] or "").strip() for side in _COLUMNS[:2]]
        absent = next((headline for headline in named if headline not in row_of), None)
        if absent is not None:
            raise InputError(
                f"{path}, line {number}: the headline {absent!r} is not in the timeline.",
                hint="Give the answers for this timeline.",
            )
        left, right = sorted(row_of[headline] for headline in named)
        if left == right:
            raise InputError(
                f"{path}, line {number}: a headline is compared with itself.", hint="Remove the line."
            )
        answers.append(Answer(left, right, WORDS[(line["answer"] or "").strip().lower()]))
    return answers


_HINT = 'Give the columns left, right and answer, with "same", "different" or "not sure" as the answer.'


def answers_csv(answers: Sequence[Answer], texts: Sequence[str]) -> bytes:
    """Answers as the CSV that `read_answers` reads."""
    name = {same: word for word, same in WORDS.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    table.writerows([texts[answer.left], texts[answer.right], name[answer.same]] for answer in answers)
    return out.getvalue().encode()


def _asked(questions: Asking, before: Sequence[Answer], timeline: Timeline) -> list[Answer]:
    answers = list(before)
    click.echo(
        "Do these two report the same event? s same, d different, ? not sure, u undo, q stop", err=True
    )
    while len(answers) - len(before) < QUESTIONS and (pair := questions.question(answers)) is not None:
        click.echo(f"\n{len(answers) - len(before) + 1} of {QUESTIONS}", err=True)
        for row in pair:
            click.echo(f"  {_described(timeline, row)}", err=True)
        key = _key()
        if key == "q":
            break
        if key == "u":
            del answers[max(len(answers) - 1, len(before)) :]
            continue
        groups = len(set(questions.tree.cut(questions.level(answers)).tolist()))
        answers.append(Answer(*pair, _KEYS[key]))
        now = len(set(questions.tree.cut(questions.level(answers)).tolist()))
        click.echo(
            f"Groups: {groups:,} → {now:,}" if now != groups else "The groups stay as they are.", err=True
        )
    return answers


def _key() -> str:
    while True:
        click.echo("s/d/?/u/q: ", err=True, nl=False)
        line = sys.stdin.readline()
        key = line.strip().lower() if line else "q"
        if key in {*_KEYS, "u", "q"}:
            return key


def _described(timeline: Timeline, row: int) -> str:
    date = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("").iloc[row]
    about = ", ".join(filter(None, (timeline.publishers[row], date)))
    return f"{timeline.texts[row]}" + (f" ({about})" if about else "")
