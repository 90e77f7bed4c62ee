"""Submissions to the leaderboard, ranked."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import pandas as pd
import streamlit as st

from components.frame.figure_table import ALL_FIGURES, TIED, finding, show_figures, told_apart
from components.frame.markdown import WORDS, plain, shorten
from components.frame.publish import publish_table
from components.frame.subject import signature
from components.frame.tables import choose_row, say_notes, show_table
from components.frame.widgets import pick
from core.data.articles.opening import info
from core.data.files import SAMPLES
from core.data.timelines.periods import written_day
from core.headlines.comparison.table import shown_column, spanned
from core.headlines.comparison.written_table import SCALE_NOTE
from core.headlines.metrics import Column, short_columns
from core.results.number_forms import NOTHING, footnotes
from core.results.render import count_words
from core.results.table import Table, TableColumn, cell_text
from core.statistics.bootstrap import Figure
from research.judging.judge import SCORE
from research.judging.leaderboard import Score, Submission, default_board, read_board

WHERE = " on articles that no system had seen"
NAME_CHARACTERS = 32  # of a system in the table, so that on a phone it does not push the scores away


def leaderboard() -> None:
    board = read_board(default_board())
    if board.unreadable:
        count, names = len(board.unreadable), ", ".join(board.unreadable[:3])
        said = count_words(count, "file of the leaderboard holds", "files of the leaderboard hold")
        ends = ", …" if count > 3 else "."
        st.warning(plain(f"{said} no submission: {names}{ends}"), icon=":material/warning:")
    ours, sets = read_board(SAMPLES / "leaderboard"), board.sets()
    shared = (judged for judged in ours.submissions if not sets or judged.articles_fingerprint in sets)
    shown_board = replace(board, submissions=(*board.submissions, *shared))
    sets = shown_board.sets()
    titles = {key: f"{run.articles}, {run.count:,} articles" for key, run in sets.items()}
    titles |= {key: info(run.articles).title for key, run in ours.sets().items() if key in sets}
    with st.container(key="board-choice"):
        left, right = st.columns(2)
    with left:
        shown = sets[pick("Articles", titles, titles, "board-articles")]
    with right:
        # That of Dialogue 2019 at first.
        scores = {score.name: score for score in shown.scores if score.higher_is_better is not None}
        by = scores[pick("Ranked by", scores, lambda score: scores[score].label, "board-score", first=SCORE)]
    ranked = shown_board.ranked(shown.articles_fingerprint, by.name)
    chosen = ranking(ranked, by)
    said = "These systems are ours. " * (not board.submissions)
    with st.expander(f"{said}Have your own system judged", icon=":material/terminal:"):
        st.markdown(WORDS["texts"]["judge_own"])
    details(chosen)
    signature(f"{shown.articles} {shown.articles_fingerprint} · {', '.join(shown.metrics)}")


def ranking(ranked: Sequence[Submission], by: Score) -> Submission:
    source = f"{ranked[0].count:,} articles of {ranked[0].articles}"
    rows = [(run.name, run.score(by.name) or Figure(None)) for run in ranked]
    known, below = (tuple(row for row in rows if (row[1].value is None) == lacks) for lacks in (False, True))
    measured = Table(columns=(TableColumn("System"), shown_column(_column(by))), rows=known, below=below)
    parts, best = told_apart(measured), finding(measured, where=WHERE)
    if others := len(parts.get(TIED, ())[1:]):
        name, figure = parts[TIED][0]
        leads = f"{name} leads with {cell_text(figure, measured.columns[1], spans=False)}"
        tied = f"{count_words(others, 'other is', 'others are')} not told apart from it"
        st.header(plain(f"{leads}; {tied}"), anchor=False)
        st.markdown(plain(f"By {by.label}{WHERE}. Their 95 % intervals meet its own, which is shaded."))
    else:
        st.header(plain(best), anchor=False)
    more = {"name": "board", "where": WHERE, "source": source}
    show_figures(measured, alt=f"{by.label} of every submission", parts=parts, shaded=True, **more)
    st.caption(plain(f"{by.label}: {by.help}. {SCALE_NOTE}"))
    labels = {score.name: score.label for submission in ranked for score in submission.scores}
    columns = [column.name for column in short_columns() if column.name in labels] or list(labels)[:1]
    table = pd.DataFrame(
        {
            "Place": place,
            "System": shorten(run.name, NAME_CHARACTERS) + " (baseline)" * run.baseline,
            **{labels[name]: _written(run.score(name)) for name in columns},
            "Isolation": run.isolation.label if run.isolation else NOTHING,
            "Seconds": NOTHING if run.baseline else f"{run.seconds:,.1f}",
            "Memory": NOTHING if run.peak_megabytes is None else f"{run.peak_megabytes:,.0f} MB",
            "Judged": _day(run),
        }
        for place, run in enumerate(ranked, 1)
    )
    key = f"board-table-{ranked[0].articles_fingerprint}-{by.name}"
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        picked = choose_row(table, key=key, alt="Submissions, the best first, with 95 % intervals")
        part = partial(table.drop, columns=["Place", "Isolation", "Memory", "Judged"])
        title = f"Systems by {by.label} on {ranked[0].articles}"
        publish_table(part, name="board-table", title=title, source=source)
        say_notes(footnotes(score.warning for submission in ranked for score in submission.scores))
    return ranked[picked or 0]


def _column(score: Score) -> Column:
    better = score.higher_is_better
    return Column(score.name, score.label, score.help, higher_is_better=better, high=score.highest)


def _written(score: Score | None) -> str:
    return NOTHING if score is None else spanned(_column(score), score)


def _day(run: Submission) -> str:
    try:
        time = datetime.fromisoformat(run.time)
    except ValueError:
        return run.time
    return f"{written_day(time)}, {time:%H:%M} UTC"


def details(run: Submission) -> None:
    st.header(plain(run.name), anchor=False)
    empty = f" · {run.empty:,} of them empty" if run.empty else ""
    st.caption(plain(f"{_day(run)} · {run.count:,} headlines{empty}"))
    if run.isolation is None:
        st.markdown("The first sentence of each article: what every system has to beat.")
    else:
        icon = ":material/lock:" if run.isolation.label == "isolated" else ":material/lock_open:"
        st.markdown(f"{icon} {plain(run.isolation.sentence)}")
        st.code(shlex.join(run.command), language=None, wrap_lines=True)
    with st.expander("All scores"):
        heads = "Score", "Value and 95 % interval", "What it says"
        rows = [(score.label, _written(score), score.help) for score in run.scores]
        show_table(pd.DataFrame(rows, columns=heads), alt="Every score of the submission", most=600)
    if run.stderr:
        st.expander("What it said on stderr").code(run.stderr, language=None, wrap_lines=True)
    allowed = ", ".join(f"{name.replace('_', ' ')} {value:,g}" for name, value in run.limits.items())
    facts = [f"headlines {run.headlines_fingerprint}", f"articles {run.articles_fingerprint}"]
    facts += [f"allowed: {allowed}"] if allowed else []
    st.caption(plain(" · ".join([*facts, *run.metrics, f"Headline Lab {run.program}"])))
