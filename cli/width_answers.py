"""Answers on the width of events: asked in the terminal, and kept in a CSV file."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core import files
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.groups.width_questions import PairAnswer, WidthQuestions
from core.results.delimited import restored

if TYPE_CHECKING:
    from core.events.correction import History
    from core.events.grouping import Prepared

WORDS = {"same": True, "different": False, "not sure": None}
_COLUMNS = ["left", "right", "answer"]
_HINT = 'Give the columns left, right and answer, with "same", "different" or "not sure" as the answer.'


def with_answers(
    prepared: "Prepared", history: "History | None", path: Path | None, *, ask: bool
) -> "History":
    """The log with the level that answers set: those of a file, to which each that is given now is added."""
    from core.events.correcting import answered, asking
    from core.events.correction import History
    from core.events.corrections import fitted
    from core.events.grouping import regroup

    before, texts = history or History(), prepared.timeline.texts

    def keep(answers: Sequence[PairAnswer]) -> None:
        if path is not None:
            files.write(path, _answers_csv(answers, texts))
        corrected = fitted(answered(prepared, before, answers), prepared.timeline.index.row)
        click.echo(f"  {len(set(regroup(prepared, corrections=corrected).ids.tolist())):,} groups", err=True)

    answers = [] if path is None or (ask and not path.exists()) else read_answers(path, texts)
    if ask:
        answers = _asked(asking(prepared, before), answers, prepared.timeline, keep)
    return answered(prepared, before, answers)


def read_answers(path: Path, texts: Sequence[str]) -> list[PairAnswer]:
    """The answers in a CSV file about headlines of the timeline."""
    try:
        text = read_bytes(str(path)).decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is not a CSV file of answers.", hint=_HINT) from None
    row_of: dict[str, int] = {}
    for row, headline in enumerate(texts):
        row_of.setdefault(headline, row)
    answers, said_of = list[PairAnswer](), dict[tuple[int, int], bool]()
    for number, line in enumerate(lines, start=2):
        if not set(_COLUMNS) <= line.keys() or (line["answer"] or "").strip().lower() not in WORDS:
            raise InputError(f"{path}, line {number}: this is not an answer.", hint=_HINT)
        named = [restored(line[side] or "").strip() for side in _COLUMNS[:2]]
        absent = next((headline for headline in named if headline not in row_of), None)
        if absent is not None:
            said = f"{path}, line {number}: the headline {absent!r} is not in the timeline."
            raise InputError(said, hint="Give the answers for this timeline.")
        left, right = sorted(row_of[headline] for headline in named)
        if left == right:
            said = f"{path}, line {number}: a headline is compared with itself."
            raise InputError(said, hint="Remove the line.")
        same = WORDS[(line["answer"] or "").strip().lower()]
        if same is not None and said_of.setdefault((left, right), same) is not same:
            said = f"{path}, line {number}: these two were answered differently above."
            raise InputError(said, hint="Remove one of the two lines.")
        answers.append(PairAnswer(left, right, same))
    return answers


def _answers_csv(answers: Sequence[PairAnswer], texts: Sequence[str]) -> bytes:
    name = {same: word for word, same in WORDS.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    table.writerows([texts[answer.left], texts[answer.right], name[answer.same]] for answer in answers)
    return out.getvalue().encode()


def _asked(
    questions: WidthQuestions,
    before: Sequence[PairAnswer],
    timeline: Timeline,
    keep: Callable[[Sequence[PairAnswer]], None],
) -> list[PairAnswer]:
    answers, keys = list(before), dict(zip("sd?", WORDS.values(), strict=True))
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    click.echo("Do both report the same event? s same, d different, ? not sure, u undo, q stop", err=True)
    while len(answers) - len(before) < 5 and (pair := questions.question(answers)) is not None:
        for row in pair:
            about = ", ".join(filter(None, (timeline.publishers[row], days.iloc[row])))
            click.echo(f"  {timeline.texts[row]}" + (f" ({about})" if about else ""), err=True)
        choice = click.Choice([*keys, "u", "q"], case_sensitive=False)
        key = click.prompt(f"{len(answers) - len(before) + 1} of 5", type=choice, err=True)
        if key == "q":
            break
        if key == "u":
            del answers[max(len(answers) - 1, len(before)) :]
        else:
            answers.append(PairAnswer(*pair, keys[key]))
        keep(answers)
    return answers
