"""Leaderboard: whose system writes the best headlines for articles that it has not seen?"""

import streamlit as st

from components.leaderboard.ranking import chosen_score, chosen_set, details, empty, how, ranking
from components.markdown import plain
from components.page import page, signature
from core.results.render import count_words
from research.judging.judge import default_board, read_board

with page(
    __file__, "Leaderboard", "Whose system writes the best headlines for articles it has not seen before?"
):
    board = read_board(default_board())
    if board.unreadable:
        st.warning(
            plain(
                f"{count_words(len(board.unreadable), 'file', 'files')} of the leaderboard "
                f"{'holds' if len(board.unreadable) == 1 else 'hold'} no submission: "
                f"{', '.join(board.unreadable[:3])}{', …' if len(board.unreadable) > 3 else '.'}"
            ),
            icon=":material/warning:",
        )
    if not board.submissions:
        empty()
    else:
        left, right = st.columns(2)
        with left:
            shown = chosen_set(board)
        with right:
            by = chosen_score(shown)
        chosen = ranking(board.ranked(shown.articles_fingerprint, by.name), by)
        details(chosen)
        how()
        signature(f"{shown.articles} {shown.articles_fingerprint} · {', '.join(shown.metrics)}")
