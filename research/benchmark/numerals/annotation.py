"""How numbers of headlines follow from their articles, written down by people and validated by their value.

Source: Huang et al. 2023, "NumHG", section 3.1: a number of each headline is left out; an expression counts
where its value is that number and its numbers stand in the article, or the question is called unanswerable
with a reason; two of three judges have to agree.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from core.data.articles.articles import Articles
from core.data.timelines.raw import RawTable, listing
from core.errors import InputError
from core.numerals.derivations.operands import same_expression
from core.numerals.expressions.expression import Call
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import print_expression
from core.numerals.expressions.validation import validate
from core.numerals.question import BLANK
from core.results.number_forms import percent, whole
from core.results.table import Table, TableColumn
from core.text.numerals.read import read_numerals

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = ("id", "judge", "cloze", "text", "expression", "unanswerable")
MAJORITY: Final = 2


def questions(articles: Articles, *, seed: int = 0) -> dict[str, tuple[int, str, str]]:
    """For each article whose headline has a number: its row, the headline with one left out, the number."""
    random = np.random.default_rng(seed)
    asked = {}
    for row, (name, references) in enumerate(zip(articles.ids, articles.references, strict=True)):
        headline = references[0] if references else ""
        numerals = [numeral for numeral in read_numerals(headline) if numeral.number.strip()]
        if not numerals or not articles.texts[row].strip():
            continue
        chosen = numerals[int(random.integers(len(numerals)))]
        start, end = chosen.number_start, chosen.number_end
        asked[name] = row, f"{headline[:start]}{BLANK}{headline[end:]}", headline[start:end]
    return asked


def sheet(articles: Articles, *, judges: int, count: int = 0, seed: int = 0) -> "pd.DataFrame":
    """A row a question and judge, each judge's in an order of its own; the last two columns are to fill."""
    import pandas as pd

    asked = questions(articles, seed=seed)
    if not asked:
        said = f"No article of {articles.name} has a headline with a number."
        raise InputError(said, hint="Give articles with headlines.")
    random = np.random.default_rng([seed, 1])
    names = random.permutation(list(asked))[: count or None].tolist()
    rows = [
        (name, str(judge), asked[name][1], articles.texts[asked[name][0]], "", "")
        for judge in range(1, judges + 1)
        for name in random.permutation(names).tolist()
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def gathered(
    articles: Articles, sheets: Sequence[RawTable], *, seed: int = 0
) -> "tuple[pd.DataFrame, Table, list[str]]":
    """Gold annotations on which two agree, in NumHG's columns, what became of the answers, and why."""
    import pandas as pd

    asked = questions(articles, seed=seed)
    answers: dict[str, dict[str, Call | None]] = {}
    refused: list[str] = []
    tally: Counter[str] = Counter()
    for name, judge, given, reason in _filled(sheets):
        if name not in asked or not (given or reason):
            tally["left empty" if name in asked else "of no question"] += 1
            continue
        row, _, number = asked[name]
        expression, why = _validated(given, reason, articles.texts[row], number)
        tally["refused" if why else "expressions" if given else "unanswerable"] += 1
        if why:
            refused.append(f"{name}, judge {judge}: {why}")
        else:
            answers.setdefault(name, {})[judge] = expression
    if not answers and not refused:
        hint = "Give the same articles and seed."
        raise InputError("No row answers a question of these articles.", hint=hint)
    agreed = {name: _agreed(list(own.values())) for name, own in answers.items()}
    rows, kinds = [], Counter[str]()
    for name, chosen in agreed.items():
        if chosen is None:
            continue
        row, cloze, number = asked[name]
        kind = chosen.operator.name if isinstance(chosen, Call) else "no answer"
        kinds[kind] += 1
        written = print_expression(chosen) if isinstance(chosen, Call) else ""
        headline = articles.references[row][0]
        rows.append((name, articles.texts[row], headline, cloze, number, written, int(kind != "Copy")))
    columns = ["id", "text", "summary", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning"]
    lines: list[tuple[str, int, float | None]] = [(name, tally[name], None) for name in sorted(tally)]
    lines.append((f"questions on which {MAJORITY} judges agree", len(rows), len(rows) / max(1, len(answers))))
    lines += [(kind, count, count / len(rows)) for kind, count in kinds.most_common()]
    number_form, share_form = TableColumn("number", form=whole), TableColumn("share", form=percent())
    table = Table(columns=(TableColumn("answers"), number_form, share_form), rows=tuple(lines))
    return pd.DataFrame(rows, columns=columns), table, refused


def _filled(sheets: Sequence[RawTable]) -> Iterator[tuple[str, ...]]:
    names = ["id", "judge", "expression", "unanswerable"]
    for table in sheets:
        missing = [name for name in names if name not in table.columns]
        if missing:
            raise InputError(f"A sheet lacks {listing(missing)}.", hint="Give one that this command wrote.")
        for cells in table.cells[names].fillna("").astype(str).itertuples(index=False):
            yield tuple(cell.strip() for cell in cells)


def _validated(given: str, reason: str, article: str, number: str) -> tuple[Call | None, str]:
    if not given:
        return None, ""
    if reason:
        return None, "An expression and a reason why there is none exclude each other."
    try:
        expression = parse_expression(given)
    except ExpressionError as error:
        return None, error.message
    return expression, " ".join(validate(expression, article, number).problems)


def _agreed(answers: Sequence[Call | None]) -> Call | str | None:
    if sum(answer is None for answer in answers) >= MAJORITY:
        return ""
    given = [answer for answer in answers if answer is not None]
    alike = (answer for answer in given if sum(same_expression(answer, other) for other in given) >= MAJORITY)
    return next(alike, None)
