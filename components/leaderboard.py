"""The submissions on one set of articles, ranked: a picture of intervals and a table to choose from."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pandas as pd
import streamlit as st

from components.charts.measures import score_chart, score_rows
from components.charts.theme import show_chart
from components.markdown import plain, shorten
from components.page import signature
from components.publish import publish_table
from components.widgets import choose_row, pick, show_table
from core.data.files import SAMPLES
from core.data.timelines.timeline import written_day
from core.headlines.comparison.table import SCALE_NOTE, spanned
from core.headlines.metrics import Column, short_columns
from core.results.render import count_words
from core.results.table import NOTHING, footnotes
from core.statistics.bootstrap import Figure
from research.judging.judge import SCORE, Board, Score, Submission, default_board, read_board

SHIPPED = SAMPLES / "leaderboard"
NAME_CHARACTERS = 32
"""Of a system's name in the table, so that on a phone its place does not push the scores away."""


def leaderboard() -> None:
    board = read_board(default_board())
    if board.unreadable:
        count, names = len(board.unreadable), ", ".join(board.unreadable[:3])
        said = count_words(count, "file of the leaderboard holds", "files of the leaderboard hold")
        ends = ", …" if count > 3 else "."
        st.warning(plain(f"{said} no submission: {names}{ends}"), icon=":material/warning:")
    ours, sets = read_board(SHIPPED).submissions, board.sets()
    if not sets:
        st.info("Systems of ours, judged for a start. Yours stands beside them after one command.")
    shared = (judged for judged in ours if not sets or judged.articles_fingerprint in sets)
    board = replace(board, submissions=(*board.submissions, *shared))
    left, right = st.columns(2)
    with left:
        shown = chosen_set(board)
    with right:
        # That of Dialogue 2019 at first.
        scores = {score.name: score for score in shown.scores if score.higher_is_better is not None}
        by = scores[pick("Ranked by", scores, lambda score: scores[score].label, "board-score", first=SCORE)]
    details(ranking(board.ranked(shown.articles_fingerprint, by.name), by))
    with st.expander("Have your own system judged", icon=":material/terminal:"):
        _how()
    signature(f"{shown.articles} {shown.articles_fingerprint} · {', '.join(shown.metrics)}")


def chosen_set(board: Board) -> Submission:
    sets = board.sets()
    titles = {key: f"{run.articles} · {run.count:,} articles · {key[:6]}" for key, run in sets.items()}
    return sets[pick("Articles", titles, titles, "board-articles")]


def ranking(ranked: Sequence[Submission], by: Score) -> Submission:
    names = [f"{place}. {run.name}" for place, run in enumerate(ranked, 1)]
    entries = [submission.score(by.name) or Figure(None) for submission in ranked]
    show_chart(
        score_chart(column(by), names, entries),
        name="board",
        title=f"{by.label} of headlines for articles that the systems had not seen",
        source=f"Source: Headline Lab, {ranked[0].count:,} articles of {ranked[0].articles}",
        data=lambda: score_rows(by.label, [run.name for run in ranked], entries),
    )
    st.caption(plain(f"{by.label}: {by.help}. {SCALE_NOTE}"))
    labels = {score.name: score.label for submission in ranked for score in submission.scores}
    first, *others = [column.name for column in short_columns() if column.name in labels] or list(labels)[:1]
    table = {
        "Place": range(1, len(ranked) + 1),
        "System": [shorten(entry.name, NAME_CHARACTERS) + " (baseline)" * entry.baseline for entry in ranked],
        labels[first]: [written(entry.score(first)) for entry in ranked],
        "Isolation": [entry.isolation.label if entry.isolation else NOTHING for entry in ranked],
        "Seconds": [NOTHING if entry.baseline else f"{entry.seconds:,.1f}" for entry in ranked],
        "Memory": list(map(memory, ranked)),
        **{labels[name]: [written(entry.score(name)) for entry in ranked] for name in others},
        "Judged": list(map(day, ranked)),
    }
    picked = choose_row(
        table,
        key=f"board-table-{ranked[0].articles_fingerprint}-{by.name}",
        alt="Submissions, the best first, with 95 % intervals",
    )
    publish_table(
        lambda: pd.DataFrame(table).drop(columns=["Place", "Isolation", "Memory", "Judged"]),
        name="board-table",
        title=f"Systems by {by.label} on {ranked[0].articles}",
        source=f"Source: Headline Lab, {ranked[0].count:,} articles",
    )
    for line in footnotes(score.warning for submission in ranked for score in submission.scores):
        st.caption(line)
    return ranked[picked or 0]


def column(score: Score) -> Column:
    better = score.higher_is_better
    return Column(score.name, score.label, score.help, higher_is_better=better, high=score.highest)


def written(score: Score | None) -> str:
    return NOTHING if score is None else spanned(column(score), score)


def day(one: Submission) -> str:
    try:
        time = datetime.fromisoformat(one.time)
    except ValueError:
        return one.time
    return f"{written_day(time)}, {time:%H:%M} UTC"


def memory(one: Submission) -> str:
    return NOTHING if one.peak_megabytes is None else f"{one.peak_megabytes:,.0f} MB"


def details(one: Submission) -> None:
    st.header(plain(one.name), anchor=False)
    facts = [day(one), f"{one.count:,} headlines"]
    if not one.baseline:
        facts += [f"{one.seconds:,.1f} seconds", f"memory {memory(one)}"]
    if one.empty:
        facts.append(f"{one.empty:,} of them empty")
    st.caption(plain(" · ".join(facts)))
    if one.isolation is None:
        st.markdown("The first sentence of each article: what every system has to beat.")
    else:
        icon = ":material/lock:" if one.isolation.label == "isolated" else ":material/lock_open:"
        st.markdown(f"{icon} {plain(one.isolation.sentence)}")
        st.code(shlex.join(one.command), language=None, wrap_lines=True)
    with st.expander("All scores"):
        show_table(
            {
                "Score": [score.label for score in one.scores],
                "Value and 95 % interval": [written(score) for score in one.scores],
                "What it says": [score.help for score in one.scores],
            },
            alt="Every score of the submission",
            most=600,
        )
    if one.stderr:
        with st.expander("What it said on stderr"):
            st.code(one.stderr, language=None, wrap_lines=True)
    allowed = ", ".join(f"{name.replace('_', ' ')} {value:,g}" for name, value in one.limits.items())
    facts = [f"headlines {one.headlines_fingerprint}", f"articles {one.articles_fingerprint}"]
    facts += [f"allowed: {allowed}"] if allowed else []
    st.caption(plain(" · ".join([*facts, *one.metrics, f"Headline Lab {one.program}"])))


COMMAND = 'headline-lab judge --name "My system" --articles sample:articles -- python3 my_system.py'
SYSTEM = """\
import json
import sys

for line in sys.stdin:
    article = json.loads(line)
    print(article["text"].split(". ")[0])
"""


def _how() -> None:
    st.code(COMMAND, language=None, wrap_lines=True)
    st.markdown(
        "A system is a command. It reads articles from stdin, each a line of JSON with `id` and `text`. It "
        "writes one headline a line. On Linux it runs without network, sees only the files that the command "
        "names, and is labelled **isolated** where that held; elsewhere it is labelled **not isolated**. "
        "This one is complete:"
    )
    st.code(SYSTEM, language=None, wrap_lines=True)
