"""The least sure links of a timeline: listed, asked about in the terminal, and answered in a CSV file."""

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

from cli.progress import note
from core import files
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.events.correction import History
from core.events.corrections import fitted
from core.events.grouping import Grouping, Prepared, regroup
from core.events.reviewing import Reviewing, answered, answers_in, stake
from core.groups.answered_level import PairAnswer
from core.pairs.scorer import pair_scorers
from core.results.delimited import restored
from core.results.render import count_words
from core.runtime import Runtime

WORDS = {"same": True, "different": False, "not sure": None}
ASKED = 5  # questions at a time
_COLUMNS = ["left", "right", "answer"]
_HINT = 'Give the columns left, right and answer, with "same", "different" or "not sure" as the answer.'


def least_sure(prepared: Prepared, grouping: Grouping, count: int) -> dict[str, Any]:
    """Plain data on the least sure links, and what "different" would do; on those a model answered."""
    texts, links = prepared.timeline.texts, list[dict[str, Any]]()
    word_of = {same: word for word, same in WORDS.items()}
    by_model = [
        {"left": texts[left], "right": texts[right], "answer": word_of[same], "by": entry.asked}
        for entry, (left, right, same) in (answers_in(grouping.corrections) if grouping.corrections else ())
        if entry.asked
    ]
    for link in islice(Reviewing(prepared, grouping).links(), count) if count else ():
        sure = {"probability": round(link.probability, 4), "level": round(link.height, 4)}
        pair = {"left": texts[link.left], "right": texts[link.right]}
        links.append({**pair, **sure, "different": stake(link, grouping.ids)})
    return ({"review": links} if count else {}) | ({"answered": by_model} if by_model else {})


def as_lines(summary: Mapping[str, Any]) -> list[str]:
    return [
        f"{100 * link['probability']:.0f} % sure to be one event; “different” {link['different']}: "
        f"{link['left']} | {link['right']}"
        for link in summary.get("review", ())
    ]


def with_answers(
    prepared: Prepared, history: History | None, path: Path | None, *, ask: bool
) -> History | None:
    """The log with answers, those of a file, to which each that is given now is added."""
    if path is None and not ask:
        return history
    before = history or History()
    answers = (
        [] if path is None or (ask and not path.exists()) else read_answers(path, prepared.timeline.texts)
    )
    if ask:
        answers = _asked(prepared, before, answers, path)
    return answered(prepared, before, answers)


def with_model(
    prepared: Prepared, history: History | None, scorer: str | None, most: int, runtime: Runtime
) -> History | None:
    """The log with what a scorer answers about the links in doubt; the same where none is to be asked."""
    from core.events.asked_links import ask_links

    if not scorer:
        return history
    asked = ask_links(prepared, history or History(), pair_scorers.parse(scorer), most, runtime)
    if given := len(history.corrections) if history is not None else 0:
        those = count_words(given, "correction", "corrections")
        note(f"{those} given before hold, too. --out FILE.json and --bundle keep the model's answers.")
    note(asked.sentence)
    return asked.history


def with_names(
    prepared: Prepared, grouping: Grouping, history: History | None, system: str | None, runtime: Runtime
) -> Grouping:
    """The groups with names of events that a system writes; the same where none is to be asked."""
    from core.events.named_events import name_events

    if not system:
        return grouping
    named, said = name_events(prepared, grouping, history or History(), system, runtime)
    note(said)
    corrected = fitted(named, prepared.timeline.index.row)
    return regroup(prepared, grouping.granularity, corrections=corrected, titles=grouping.titles)


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
    prepared: Prepared, history: History, before: Sequence[PairAnswer], path: Path | None
) -> list[PairAnswer]:
    timeline, answers, keys = prepared.timeline, list(before), dict(zip("sd?", WORDS.values(), strict=True))
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    click.echo("Do both report the same event? s same, d different, ? not sure, u undo, q stop", err=True)
    while len(answers) - len(before) < ASKED:
        corrections = fitted(answered(prepared, history, answers), timeline.index.row)
        grouping = regroup(prepared, corrections=corrections)
        if len(answers) > len(before):
            click.echo(f"  {len(set(grouping.ids.tolist())):,} groups", err=True)
        link = next(Reviewing(prepared, grouping).links(), None)
        if link is None:
            break
        for row in (link.left, link.right):
            about = ", ".join(filter(None, (timeline.publishers[row], days.iloc[row])))
            click.echo(f"  {timeline.texts[row]}" + (f" ({about})" if about else ""), err=True)
        choice = click.Choice([*keys, "u", "q"], case_sensitive=False)
        key = click.prompt(f"{len(answers) - len(before) + 1} of {ASKED}", type=choice, err=True)
        if key == "q":
            break
        if key == "u":
            del answers[max(len(answers) - 1, len(before)) :]
        else:
            answers.append(PairAnswer(link.left, link.right, keys[key]))
        if path is not None:
            files.write(path, _answers_csv(answers, timeline.texts))
    return answers
