"""The table of people's scores as text, CSV, LaTeX and JSON, the published figures beside it."""

from __future__ import annotations

import json
from typing import Any, Final

from core import __version__
from core.people.evaluation.table import HumanTable, Share
from core.results.delimited import delimited
from core.results.forms import footnotes, latex_marked, marked
from core.results.render import aligned
from core.results.text import escape_latex

NOTHING: Final = "–"
PUBLISHED: Final = "published"
HERE: Final = "here"


def percent(value: float | None) -> str:
    """A share in percent with one digit, as in the paper; a dash where there is none."""
    return NOTHING if value is None else f"{100 * value:.1f}"


def spanned(share: Share) -> str:
    """A share with its interval."""
    if share.low is None or share.high is None:
        return marked(percent(share.value), share.warning)
    ends = f"[{percent(share.low)}, {percent(share.high)}]"
    return marked(f"{percent(share.value)} {ends}", share.warning)


def shown_rows(table: HumanTable) -> list[list[str]]:
    """Lines of the table for people: system, where its figures come from, and a cell a question."""
    rows = [
        [system, HERE, *map(spanned, shares)]
        for system, shares in zip(table.systems, table.shares, strict=True)
    ]
    if table.paper is not None:
        rows += [[name, PUBLISHED, *figures] for name, *figures in table.paper.shown()]
    return rows


def notes(table: HumanTable) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    judges = len(table.judges)
    told = [
        f"{table.articles:,} article{'s' * (table.articles != 1)}, {judges:,} judge{'s' * (judges != 1)}. "
        "Percent of the most points there could be."
    ]
    if any(share.low is not None for line in table.shares for share in line):
        told[0] += (
            f" Brackets: 95 % intervals, {table.resamples:,} bootstrap resamples of articles, "
            f"seed {table.seed}."
        )
    told += footnotes(share.warning for line in table.shares for share in line)
    missing = [sum(line[at].missing for line in table.shares) for at in range(len(table.questions))]
    if any(missing):
        listed = ", ".join(
            f"{count:,} for {question.label}"
            for question, count in zip(table.questions, missing, strict=True)
            if count
        )
        told.append(
            f"Missing answers: {listed}. They count neither for nor against a system; an order counts only "
            "when it is complete."
        )
    if table.paper is not None:
        told.append(f"Published: {table.paper.title}. {table.paper.data}")
    return told


def as_text(table: HumanTable) -> str:
    """The table for a terminal."""
    header = ["", "", *(question.label for question in table.questions)]
    lines = aligned([header, *shown_rows(table)])
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join([*lines, "", *notes(table)])


def as_csv(table: HumanTable) -> str:
    """One line a system: shares from 0 to 1 with their ends, points, answers and missing ones a question."""
    lines: list[list[object]] = []
    ends = ("", "_low", "_high", "_warning", "_points", "_most", "_answers", "_missing")
    names = [f"{question.key}{end}" for question in table.questions for end in ends]
    lines.append(["system", "source", "judges", "articles", *names])
    for system, shares in zip(table.systems, table.shares, strict=True):
        cells = [text for share in shares for text in _cells(share)]
        lines.append([system, HERE, len(table.judges), table.articles, *cells])
    if table.paper is not None:
        source = f"{PUBLISHED}: {table.paper.title}"
        for name, figures in zip(table.paper.systems, table.paper.figures, strict=True):
            cells = [
                text
                for figure in figures
                for text in ("" if figure is None else f"{figure / 100:.6g}", *[""] * 7)
            ]
            lines.append([name, source, "", "", *cells])
    return delimited(lines)


def _cells(share: Share) -> list[str]:
    value, low, high, points = (
        "" if one is None else f"{one:.6g}" for one in (share.value, share.low, share.high, share.points)
    )
    counts = (str(share.most), str(share.answers), str(share.missing))
    return [value, low, high, share.warning, points, *counts]


def as_latex(table: HumanTable) -> str:
    r"""The table for a paper, in booktabs form: the best of each column in bold, published rows below."""
    lines = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{l{'r' * len(table.questions)}}}",
        r"\toprule",
        " & ".join(["System", *(escape_latex(question.label) for question in table.questions)]) + r" \\",
        r"\midrule",
    ]
    for system, shares in zip(table.systems, table.shares, strict=True):
        values = [_latex_value(table, share, at) for at, share in enumerate(shares)]
        spans = ["", *map(_latex_span, shares)]
        lines += [" & ".join([escape_latex(system), *values]) + r" \\", " & ".join(spans) + r" \\[2pt]"]
    if table.paper is not None:
        lines.append(r"\midrule")
        for name, *figures in table.paper.shown():
            label = rf"{escape_latex(name)} ({PUBLISHED})"
            lines.append(" & ".join([label, *map(escape_latex, figures)]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {' '.join(one.split())}" for one in [*notes(table), table.form]]
    return "\n".join(lines) + "\n"


def _latex_value(table: HumanTable, share: Share, at: int) -> str:
    if share.value is None:
        return escape_latex(NOTHING)
    best = max(value for line in table.shares if (value := line[at].value) is not None)
    shown = percent(share.value)
    shown = rf"\textbf{{{shown}}}" if share.value == best else shown
    # Without an interval below it the value itself carries the mark.
    return shown if share.low is not None else latex_marked(shown, share.warning)


def _latex_span(share: Share) -> str:
    if share.low is None or share.high is None:
        return ""
    ends = f"[{percent(share.low)}, {percent(share.high)}]"
    return rf"{{\scriptsize {latex_marked(ends, share.warning)}}}"


def as_object(table: HumanTable) -> dict[str, Any]:
    """Every figure, for JSON; what is undefined is null, with a reason."""
    paper = table.paper
    keys = [question.key for question in table.questions]
    return {
        "program": __version__,
        "form": table.form,
        "title": table.title,
        "fingerprint": table.fingerprint,
        "articles": table.articles,
        "judges": [
            {"judge": name, "judged": count} for name, count in zip(table.judges, table.judged, strict=True)
        ],
        "questions": [
            {"key": question.key, "label": question.label, "most": question.most(len(table.systems))}
            for question in table.questions
        ],
        "intervals": {"level": 0.95, "resamples": table.resamples, "seed": table.seed, "units": "articles"},
        "systems": [
            {"system": system, "scores": dict(zip(keys, map(_share_object, shares), strict=True))}
            for system, shares in zip(table.systems, table.shares, strict=True)
        ],
        "published": None
        if paper is None
        else {
            "source": paper.title,
            "data": paper.data,
            "systems": [
                {"system": name, "percent": dict(zip(keys, figures, strict=True))}
                for name, figures in zip(paper.systems, paper.figures, strict=True)
            ],
        },
    }


def as_json(table: HumanTable) -> str:
    """`as_object` as text."""
    return json.dumps(as_object(table), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _share_object(share: Share) -> dict[str, Any]:
    return {
        "value": share.value,
        "low": share.low,
        "high": share.high,
        "warning": share.warning,
        "points": share.points,
        "most": share.most,
        "answers": share.answers,
        "missing": share.missing,
        "reason": share.reason,
    }
