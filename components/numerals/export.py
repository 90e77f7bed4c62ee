"""Exporting what was found: one check, or the scores of all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from components.downloads import Download, download, downloads, stem
from core.headlines.numbers.score_tables import as_csv, as_json, as_latex, contradictions_csv
from core.headlines.numbers.scored import NumeralScores
from core.headlines.numbers.verdict_list import ListedVerdict, verdicts_csv
from core.numerals.checks.check_report import check_report
from core.numerals.checks.verdicts import as_object
from core.numerals.provenance import CheckedHeadline


def export_checks(checked: Sequence[CheckedHeadline], *, article: str) -> None:
    """The check of headlines of one article."""
    report = Download(
        "Report (HTML)",
        lambda: check_report(checked),
        "numerals.html",
        "One page with the article and every verdict; opens without a network.",
    )
    whole = Download(
        "JSON",
        lambda: json.dumps(as_object(checked, article=article), ensure_ascii=False, indent=1) + "\n",
        "numerals.json",
        "Every number of each headline with its verdict, derivations and sources.",
    )
    download(report, key="numerals-export-html", type="tertiary")
    download(whole, key="numerals-export-json", type="tertiary")


def export_scores(name: str, scores: NumeralScores, listed: Sequence[ListedVerdict]) -> None:
    """The scores of all headlines, and each headline with its verdict."""
    begin = f"{stem(name, 'headlines')}-numerals"
    files = (
        ("CSV", as_csv, "csv", "Every system: verdicts and shares with their intervals."),
        ("LaTeX", as_latex, "tex", "The table for a paper, with booktabs."),
        ("JSON", as_json, "json", "Everything: systems, kinds, operators, contradictions."),
        (
            "Contradictions (CSV)",
            contradictions_csv,
            "contradictions.csv",
            "One line a contradicted number, with what the article says.",
        ),
    )
    downloads(
        Download(
            "Verdicts (CSV)",
            lambda: verdicts_csv(listed),
            f"{begin}-verdicts.csv",
            "One line a headline, the worst first: verdict, the part that disagrees, the reason.",
        ),
        *(
            Download(label, partial(make, scores), f"{begin}{'-' if '.' in end else '.'}{end}", said)
            for label, make, end, said in files
        ),
        key="numerals-export",
    )
