"""Taking away what was found: one check, or the scores of all."""

from __future__ import annotations

import json
import re

import streamlit as st

from components.timeline.export import MIME
from core.headlines.numbers.score_tables import as_csv, as_json, as_latex, contradictions_csv
from core.headlines.numbers.scored import NumeralScores
from core.numerals.checks.check_report import check_report
from core.numerals.checks.verdicts import as_object
from core.numerals.provenance import CheckedHeadline


def take_one(checked: CheckedHeadline, *, article: str) -> None:
    """The check of one headline.

    Args:
        checked: The headline.
        article: What its article is called.
    """
    st.download_button(
        "Report (HTML)",
        lambda: check_report(checked),
        "numerals.html",
        MIME["html"],
        key="numerals-take-html",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help="One page with both texts and every verdict; opens without a network.",
    )
    st.download_button(
        "JSON",
        lambda: json.dumps(as_object([checked], article=article), ensure_ascii=False, indent=1) + "\n",
        "numerals.json",
        MIME["json"],
        key="numerals-take-json",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help="Every number of the headline with its verdict, derivations and sources.",
    )


def take_all(name: str, scores: NumeralScores) -> None:
    """The scores of all headlines.

    Args:
        name: What the articles are called.
        scores: What was found.
    """
    words = re.sub(r"[^\w-]+", "-", name).strip("-")[:40]
    stem = f"{words or 'headlines'}-numerals"
    kinds = {
        "CSV": (as_csv, f"{stem}.csv", "text/csv", "Every system: verdicts and shares with their intervals."),
        "LaTeX": (as_latex, f"{stem}.tex", "text/x-tex", "The table for a paper, with booktabs."),
        "JSON": (
            as_json,
            f"{stem}.json",
            MIME["json"],
            "Everything: systems, kinds, operators, contradictions.",
        ),
        "Contradictions (CSV)": (
            contradictions_csv,
            f"{stem}-contradictions.csv",
            "text/csv",
            "One line a contradicted number, with what the article says.",
        ),
    }
    with st.container(horizontal=True, key="numerals-take-away"):
        for label, (make, file, mime, told) in kinds.items():
            st.download_button(
                label,
                lambda make=make: make(scores),
                file,
                mime,
                key=f"numerals-take-{file.removeprefix(stem)}",
                icon=":material/download:",
                on_click="ignore",
                help=told,
            )
