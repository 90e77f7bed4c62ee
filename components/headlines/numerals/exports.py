"""Checks of numbers and their scores, as files."""

from collections.abc import Sequence
from functools import partial

from components.frame.downloads import download, downloads, stem
from components.headlines.numerals import facts
from core.headlines.listed_verdicts import ListedVerdict, verdicts_csv
from core.headlines.numeral_scores import NumeralScores
from core.headlines.numeral_tables import as_json, contradictions_csv
from core.numerals.checked_headline import CheckedHeadline
from core.numerals.checks.check_report import check_report
from core.numerals.checks.verdicts import as_object
from core.results.json_files import object_json


def export_checks(checked: Sequence[CheckedHeadline], text: str, *, article: str) -> None:
    def whole() -> str:
        made = {"corrections": [*facts.read_corrected(text).corrections.values()]}
        return object_json(as_object(checked, article=article) | made)

    report = "Report (HTML)", lambda: check_report(checked, facts.read_corrected(text).notes), "numerals.html"
    download(report, key="numerals-export-html", type="tertiary")
    download(("JSON", whole, "numerals.json"), key="numerals-export-json", type="tertiary")


def export_scores(name: str, scores: NumeralScores, listed: Sequence[ListedVerdict]) -> None:
    file = f"{stem(name, 'headlines')}-numerals"
    downloads(
        ("Verdicts (CSV)", partial(verdicts_csv, listed), f"{file}-verdicts.csv"),
        ("JSON", partial(as_json, scores), f"{file}.json"),
        ("Contradictions (CSV)", partial(contradictions_csv, scores), f"{file}-contradictions.csv"),
        key="numerals-export",
    )
