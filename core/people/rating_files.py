"""Answers as tables: written for others, laid out blind for a spreadsheet, and read back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import repeat
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from core.arrays import FloatArray
from core.data.exchange.reader import read_answers
from core.data.exchange.table import (
    ARTICLE_TEXT,
    FIRST,
    ITEM,
    PERSON,
    SECOND,
    TEXT,
    AnswerTable,
    make_answers,
)
from core.data.timelines.column_names import by_key
from core.data.timelines.raw import listing
from core.errors import InputError
from core.people.evaluation_task import EvaluationTask, make_task
from core.people.forms import BETWEEN, OPEN, Asks, EvaluationForm, FormQuestion, Gives, pairs_of
from core.people.ratings import Ratings, SystemOrder, asked_of, check_ratings, empty_ratings, judge_name
from core.results.delimited import delimited
from core.text.normalise import clean_line, judge_key

if TYPE_CHECKING:
    import pandas as pd

JUDGE, ARTICLE, SYSTEM, HEADLINE = "judge", "article", "system", "headline"
SHOWN_FIRST: Final = "shown_first"
TEXT_CHARACTERS: Final = 30_000  # of an article in a cell at most; a spreadsheet's cell ends at 32,767
NO_TEXT: Final = " "  # of a headline that was judged, where its file does not say how it reads
_ROW, _PLACE = "Row", "Place"  # of an article, and of a headline or pair among all that are judged


def _asked(ratings: Ratings) -> pd.DataFrame:
    import pandas as pd

    task = ratings.task
    rows, places = np.nonzero(asked_of(ratings.form, task).any(axis=0))
    pairs = [(place,) for place in range(len(task.systems))] + pairs_of(task.systems)
    given = list(zip(rows.tolist(), places.tolist(), strict=True))
    lines = [[task.headlines[row][at] for at in pairs[place]] for row, place in given]
    columns = {
        _ROW: rows,
        _PLACE: places,
        ITEM: [task.item(row, ratings.subjects[place]) for row, place in given],
        ARTICLE: [task.articles[row] for row in rows],
        SYSTEM: [ratings.subjects[place] for place in places],
        HEADLINE: [BETWEEN.join(texts) if all(map(str.strip, texts)) else "" for texts in lines],
    }
    return pd.DataFrame(columns, dtype=object)


def rating_table(ratings: Ratings, order: SystemOrder | None = None) -> pd.DataFrame:
    """A row a judge, article and system or pair, perhaps empty; with `order`, who was shown first."""
    import pandas as pd

    task, parts = ratings.task, [_asked(ratings)]
    rows, places = (parts[0][name].to_numpy(dtype=np.int64) for name in (_ROW, _PLACE))
    pairs = [()] * len(task.systems) + pairs_of(task.systems)
    for judge, values in zip(ratings.judges, ratings.values, strict=True):
        cells = {
            question.key: ["" if np.isnan(value) else f"{value:.0f}" for value in values[at, rows, places]]
            for at, question in enumerate(ratings.form.questions)
        }
        if order is not None:
            seen = [list(order(judge, article)) for article in task.articles]
            first = [
                min(pairs[place], key=seen[row].index, default=None)
                for row, place in zip(rows.tolist(), places.tolist(), strict=True)
            ]
            cells[SHOWN_FIRST] = ["" if at is None else task.systems[at] for at in first]
        parts.append(parts[0].assign(**{JUDGE: judge, **cells}))
    shown = [SHOWN_FIRST] if order is not None else []
    keys = [question.key for question in ratings.form.questions]
    table = pd.concat(parts[1:] or [parts[0].head(0)], ignore_index=True)
    return table.reindex(columns=[JUDGE, ITEM, ARTICLE, SYSTEM, HEADLINE, *keys, *shown, _ROW, _PLACE])


def _worded(table: pd.DataFrame, ratings: Ratings) -> pd.DataFrame:
    """Such a table with words where values are no numbers."""
    named = [each for each in ratings.form.questions if each.gives not in (Gives.GRADE, Gives.NUMBER)]
    for each in named:
        table[each.key] = [cell and each.written(float(cell), ratings.texts) for cell in table[each.key]]
    return table


def _written(table: pd.DataFrame) -> str:
    return delimited([list(table.columns), *table.to_numpy().tolist()])


def ratings_csv(ratings: Ratings, order: SystemOrder | None = None) -> str:
    return _written(_worded(rating_table(ratings, order), ratings).drop(columns=[ITEM, _ROW, _PLACE]))


def template_csv(
    ratings: Ratings, texts: Sequence[str], orders: Sequence[Sequence[int]], shown: Sequence[bool] = ()
) -> str:
    """A table to be filled in by one judge: no system is named, and the headlines of an article are mixed."""
    form = ratings.form
    if any(each.asks is Asks.BETTER or each.gives in OPEN or each.when for each in form.questions):
        said = "This form asks which of two is better, each time in an order of its own, for texts or marked "
        said += "words, or only after an earlier answer."
        raise InputError(said, hint="Answer it on the page.")
    table = rating_table(ratings)
    systems = len(ratings.task.systems)
    places = [[*order, *range(systems, len(ratings.subjects))] for order in orders]
    seen = [places[row].index(place) for row, place in zip(table[_ROW], table[_PLACE], strict=True)]
    table = table.assign(Seen=seen).sort_values([_ROW, "Seen"])
    begun = [
        " ".join(text.split())[:TEXT_CHARACTERS] if not shown or shown[row] else ""
        for row, text in enumerate(texts)
    ]
    table[TEXT] = table[_ROW].map(dict(enumerate(begun))).where(~table[_ROW].duplicated(), "")
    heads = {question.key: _heading(question, systems) for question in form.questions}
    return _written(table[[JUDGE, ITEM, ARTICLE, TEXT, HEADLINE, *heads]].rename(columns=heads))


def rating_answers(ratings: Ratings) -> AnswerTable:
    table = _worded(rating_table(ratings), ratings).drop(columns=[_ROW, _PLACE])
    table = table.rename(columns={JUDGE: PERSON})
    given = table[(table[[question.key for question in ratings.form.questions]] != "").any(axis=1)]
    return make_answers(_with_sides(given.assign(text=given[HEADLINE])), _choices(ratings))


def rating_tasks(ratings: Ratings, texts: Sequence[str]) -> AnswerTable:
    """What is judged, for other tools: no system is named, and the headlines of an article are mixed."""
    table = _asked(ratings).sort_values([_ROW, ITEM])
    table[ARTICLE_TEXT] = table[_ROW].map(dict(enumerate(texts)))
    table[TEXT] = table[HEADLINE] + "\n\n" + table[ARTICLE_TEXT]
    single = ~table[SYSTEM].str.contains(BETWEEN, regex=False)
    table.loc[single, ARTICLE_TEXT] = ""
    rows = _with_sides(table[[ITEM, TEXT, HEADLINE, SYSTEM, ARTICLE_TEXT]])
    return make_answers([{**row, SYSTEM: ""} for row in rows], _choices(ratings))


def _with_sides(table: pd.DataFrame) -> list[dict[str, str]]:
    rows = cast("list[dict[str, str]]", table.to_dict("records"))
    for row in rows:
        first, bar, second = row[HEADLINE].partition(BETWEEN)
        if bar and BETWEEN in row[SYSTEM]:
            row |= {FIRST: first, SECOND: second, HEADLINE: ""}
    return rows


def _choices(ratings: Ratings) -> dict[str, list[str]]:
    asked, systems = ratings.form.questions, len(ratings.task.systems)
    return {each.key: [each.written(level.value, {}) for level in each.allowed(systems)] for each in asked}


def read_ratings(
    data: bytes, filename: str, form: EvaluationForm, task: EvaluationTask | None = None
) -> Ratings:
    """Answers from a table, all of them or none (docs/evaluation.md#in-a-spreadsheet)."""
    rows, answers = _read(data, filename[:80], form)
    return _filled(rows, answers, filename[:80], form, task or _task_of(rows, filename[:80]))


def merge(parts: Sequence[Ratings]) -> Ratings:
    """Ratings of several files as one, if no judge answered a question in two ways and headlines agree."""
    import pandas as pd

    first, *others = parts
    for other in others:
        if set(other.task.systems) != set(first.task.systems):
            ours, theirs = (", ".join(part.task.systems)[:200] for part in (first, other))
            hint = "Put together only files about the headlines of the same systems."
            raise InputError(f"The files judge different systems: {ours}, and {theirs}.", hint=hint)
    rows = pd.concat(map(rating_table, parts), ignore_index=True)
    answers = rows[[question.key for question in first.form.questions]].replace("", None).astype(float)
    texts = [(part.task.articles, part.task.systems, part.task.headlines) for part in parts]
    task = first.task if all(text == texts[0] for text in texts) else _task_of(rows, "The files")
    names = [ARTICLE, SYSTEM, HEADLINE]
    rows[names] = rows[names].map(clean_line)
    return _filled(rows, answers.to_numpy(), "The files", first.form, task)


def _filled(
    rows: pd.DataFrame, answers: FloatArray, name: str, form: EvaluationForm, task: EvaluationTask
) -> Ratings:
    judges = {judge_key(judge): judge for judge in reversed(rows[JUDGE].tolist())}
    keys = list(dict.fromkeys(map(judge_key, rows[JUDGE])))
    ratings = empty_ratings(form, task, [judges[key] for key in keys])
    places = _places(rows, name, ratings)
    for judge, (article, subject), given in zip(rows[JUDGE], places, answers, strict=True):
        values = ratings.values[keys.index(judge_key(judge)), :, article, subject]
        if (~np.isnan(values) & ~np.isnan(given) & (values != given)).any():
            raise InputError(
                f"{judge} has two different answers about one headline of the article "
                f"{task.articles[article][:60]!r}.",
                hint="Two people may have used one name: give each a name of their own; nothing was loaded.",
            )
        values[:] = np.where(np.isnan(given), values, given)
    return check_ratings(ratings)


def _read(data: bytes, filename: str, form: EvaluationForm) -> tuple[pd.DataFrame, FloatArray]:
    read = read_answers(data, filename)
    cells = read.cells.rename(columns={PERSON: JUDGE}) if read.questions else read.cells
    if len(read.questions) == len(form.questions) == 1:  # whatever it is called there
        cells = cells.rename(columns={read.question(filename): form.questions[0].key})
    keys = by_key(cells.columns)
    known = [question.key for question in form.questions]
    # Texts and marked words belong to the page: a column of them keeps no other answer from being read.
    questions = ["" if each.gives in OPEN else _column(keys, each, known) for each in form.questions]
    if not any(questions):
        said = f"{filename} has no column with answers; they should be called {', '.join(known)}."
        raise InputError(said, hint=f"It has {listing(cells.columns)}; rename those with the answers.")
    if ITEM not in keys and not {ARTICLE, SYSTEM} <= keys.keys():
        hint = "It needs the column item of a template, or the columns article and system."
        raise InputError(f"{filename} does not say which headlines are judged.", hint=hint)
    table = cells[[]].assign(
        **{
            name: cells[keys[name]].map(lambda cell: clean_line(cell or "")) if name in keys else ""
            for name in (ITEM, ARTICLE, SYSTEM, HEADLINE, JUDGE)
        }
    )
    if read.questions and {FIRST, SECOND} <= set(cells):
        pair = (cells[FIRST] + BETWEEN + cells[SECOND]).where(cells[FIRST] != "", "")
        table[HEADLINE] = table[HEADLINE].where(table[HEADLINE] != "", pair)
    if JUDGE not in keys:
        table[JUDGE] = PurePath(filename).name.partition(".")[0]
    table = table[(table[[ITEM, ARTICLE, SYSTEM, HEADLINE]] != "").any(axis=1)]
    if table.empty:
        raise InputError(f"{filename} holds no answers.", hint="Give a table with one headline a row.")
    for row in table.index[table[JUDGE] == ""][:1]:
        hint = "Write a name or initials into every row."
        raise InputError(f"Row {row + 1:,} of {filename} has no judge.", hint=hint)
    asked = list(zip(questions, form.questions, strict=True))
    answers = [
        [_answer(cells[name][row] if name else "", row, name, filename, each) for name, each in asked]
        for row in table.index
    ]
    return table.assign(**{JUDGE: table[JUDGE].map(judge_name)}), np.array(answers)


def _places(rows: pd.DataFrame, filename: str, ratings: Ratings) -> Iterator[tuple[int, int]]:
    asked = _asked(ratings)
    names = asked[[ARTICLE, SYSTEM]].map(clean_line).agg("\x1f".join, axis=1)
    by_name, by_item = ({name: at for at, name in enumerate(column)} for column in (names, asked[ITEM]))
    for number, item, article, system, line in rows[[ITEM, ARTICLE, SYSTEM, HEADLINE]].itertuples():
        by_both = by_name.get(f"{article}\x1f{system}")
        at = by_both if article and system else by_item.get(item.casefold())
        if at is None:
            said = f"Row {number + 1:,} of {filename} is about a headline that is not judged here."
            raise InputError(said, hint="Open the articles and systems that the file was made for.")
        headline = clean_line(asked[HEADLINE][at])
        if headline and line and headline != line:
            said = f"Row {number + 1:,} of {filename} holds another headline than is judged here."
            raise InputError(said, hint="Open the headlines that the file was made for.")
        yield asked[_ROW][at], asked[_PLACE][at]


def _task_of(rows: pd.DataFrame, filename: str) -> EvaluationTask:
    if (rows[[ARTICLE, SYSTEM]] == "").any(axis=None):
        hint = "Read it under Evaluate, with its articles open, and take the answers from there."
        raise InputError(f"{filename} does not name the systems, as a blind template does not.", hint=hint)
    lines: dict[tuple[str, str], str] = {}
    for article, names, texts in rows[[ARTICLE, SYSTEM, HEADLINE]].drop_duplicates().itertuples(index=False):
        of_pair = names.split(BETWEEN)  # the name of a pair holds those of its systems, its headline theirs
        parts = texts.split(BETWEEN, len(of_pair) - 1) if texts else repeat("")
        for system, text in zip(of_pair, parts, strict=False):
            line = text or NO_TEXT
            if lines.setdefault((article, system), line) == NO_TEXT:
                lines[article, system] = line
            elif line not in (NO_TEXT, lines[article, system]):
                said = f"{filename} holds different headlines for the article {article[:60]!r}."
                raise InputError(said, hint="Put together only answers about the same headlines.")
    articles, systems = (list(dict.fromkeys(names)) for names in zip(*lines, strict=True))
    headlines = [[lines.get((article, system), "") for system in systems] for article in articles]
    return make_task(filename, articles, systems, headlines)


def _column(keys: dict[str, str], question: FormQuestion, others: Collection[str]) -> str:
    begun = (key for key in keys if key.startswith(f"{question.key}_") and key not in others)
    return keys.get(question.key) or keys.get(next(begun, ""), "")


def _answer(cell: str | None, row: int, column: str, filename: str, question: FormQuestion) -> float:
    text = (cell or "").strip()
    if not text:
        return np.nan
    worded = {level.wording.casefold(): level.value for level in question.allowed(0)}
    try:
        # A spreadsheet may write 2 as 2.0 or 2,0.
        value = float(worded.get(text.casefold(), text.replace(",", ".")))
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or value != int(value):
        said = f"Row {row + 1:,} of {filename} has {text[:40]!r} in the column {column[:40]}."
        raise InputError(said, hint="Give a whole number, or leave the cell empty; nothing was loaded.")
    return value


def _heading(question: FormQuestion, systems: int) -> str:
    levels = [f"{each.value} {each.wording}" for each in question.allowed(systems) if each.wording]
    if (question.ranks or question.gives is Gives.SEVERAL) and len(levels) > 3:
        levels = [levels[0], "…", levels[-1]]
    return f"{question.key} ({', '.join(levels)})"
