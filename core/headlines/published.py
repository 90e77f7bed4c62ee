"""Figures of the papers, as they stand there, in percent; each with its table and the data it is on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PREDICTIONS: Final = Path("numeval2024") / "dev_headlines_two_systems.csv.gz"
"""Headlines of two participants of SemEval-2024 task 7, in the folder of data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A table of a paper."""

    key: str
    paper: str
    table: str
    data: str
    here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One system in one table.

    Attributes:
        source: Key of the table.
        system: As the paper calls it.
        row: Key of the row here; "" where the system has none.
        figures: By the measure's name, in percent.
        note: What else the paper says of it.
    """

    source: str
    system: str
    row: str
    figures: Mapping[str, float]
    note: str = ""


SOURCES: Final = (
    Source(
        key="numhg",
        paper="Huang et al. 2023, NumHG: A Dataset for Number-Focused Headline Generation",
        table="table 4",
        data="The whole NumHG: mean of five folds, each of 19,422 training and 5,549 test articles. "
        "BERTScore is rescaled and, like MoverScore, computed with roberta-large; ROUGE is of words "
        "that nltk cuts, ROUGE-L of the headline sentence by sentence.",
        here="The rows here are 1,051 of the 9,295 annotated training articles, and our systems learned from "
        "7,709 of them.",
    ),
    Source(
        key="numhg_people",
        paper="Huang et al. 2023, NumHG: A Dataset for Number-Focused Headline Generation",
        table="table 5",
        data="100 test articles, all five headlines judged by five graduate students who were not told the "
        "systems; shares of the most points there are. Num Acc.: 0, 1 or 2 for none, some or all numbers "
        "right. Reasonableness: 5 for the best of the five headlines down to 1. Readability: 1 to 5.",
    ),
    Source(
        key="dialogue2021",
        paper="Gusev and Smurov 2021, Russian News Clustering and Headline Selection Shared Task",
        table="the baselines' table and table 10",
        data="1,035 clusters of 6,726 Russian articles of March 2021; the best score over all headlines of a "
        "cluster. ROUGE is the mean of the three.",
        here="These articles are not here; ours are the events of the Telegram contest's annotation.",
    ),
    Source(
        key="dialogue2019",
        paper="Malykh and Kalaidin 2019, Headline Generation Shared Task on Dialogue'2019",
        table="table 2",
        data="The private test set: 15,789 Russian articles of ROMIP. The score is the mean of the F1 of "
        "ROUGE-1, ROUGE-2 and ROUGE-L.",
        here="These articles are not here.",
    ),
    Source(
        key="ria",
        paper="Malykh and Kalaidin 2019, Headline Generation Shared Task on Dialogue'2019",
        table="table 1",
        data="RIA, about a million Russian articles, as the participants reported; the paper calls these "
        "figures not directly comparable.",
    ),
)

_NUMHG: Final = (
    *("Num Acc.", "Num Acc. copy", "Num Acc. reasoning"),
    *("ROUGE-1", "ROUGE-2", "ROUGE-L"),
    *("BERTScore P", "BERTScore R", "BERTScore F1", "MoverScore"),
)
_DIALOGUE_2021: Final = ("ROUGE", "BLEU", "ROUGE-1", "ROUGE-2", "ROUGE-L")
_THREE: Final = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
_NUMHG_ROWS: Final = (
    ("BART", "bart", (70.09, 73.88, 61.54, 46.63, 21.79, 41.55, 48.02, 49.19, 48.62, 62.57)),
    ("T5", "t5", (67.84, 71.42, 59.74, 47.82, 23.10, 42.89, 50.23, 49.64, 49.94, 62.98)),
    ("Pegasus", "pegasus", (66.45, 70.25, 57.86, 48.08, 23.40, 43.25, 50.97, 49.99, 50.49, 63.11)),
    ("SEASON", "season", (67.81, 71.11, 60.35, 48.58, 23.81, 43.74, 51.64, 50.32, 50.98, 63.29)),
    ("BRIO", "brio", (66.56, 70.43, 60.07, 48.93, 24.09, 44.12, 52.17, 50.84, 51.43, 63.50)),
)
_NUMHG_PEOPLE: Final = ("Num Acc. by people", "Reasonableness", "Readability")
_NUMHG_PEOPLE_ROWS: Final = (
    ("BART", "bart", (59.2, 43.9, 53.7)),
    ("T5", "t5", (53.9, 52.1, 55.9)),
    ("Pegasus", "pegasus", (64.6, 58.8, 61.2)),
    ("SEASON", "season", (62.7, 63.6, 60.7)),
    ("BRIO", "brio", (79.1, 65.2, 63.5)),
)
_DIALOGUE_2021_ROWS: Final = (
    ("Seq2seq RuBERT", "rubert_seq2seq", (44.9, 74.5, 52.5, 32.8, 49.5), "baseline"),
    ("Random Lead-1", "lead_one", (30.2, 47.8, 36.8, 20.4, 33.6), "baseline"),
    ("LOLKEK", "", (38.7, 69.5, 46.3, 26.4, 43.3), ""),
    ("Rybolos", "", (29.2, 59.6, 36.5, 17.6, 33.5), "ruGPT-3 Large"),
)
_FIRST_SENTENCE: Final = "what it sent in the end was the first-sentence baseline"
_DIALOGUE_2019_ROWS: Final = (
    (
        "First sentence",
        "first_sentence",
        20.267,
        "baseline; sent as their own by the three teams of this score",
    ),
    ("DreamTeam (phrase-based Transformer)", "phrase_transformer", 20.267, _FIRST_SENTENCE),
    ("Black and Yellow (CopyNet)", "copynet", 23.142, "the best"),
    ("Burning Headlines (pointer-generator)", "pointer", 20.293, "without grammemes"),
    ("Symmetrical potato (NMT baseline, Wikipedia units)", "transformer", 20.268, ""),
)
_RIA_ROWS: Final = (
    ("DreamTeam (phrase-based Transformer)", "phrase_transformer", (42.96, 25.43, 40.02)),
    ("Black and Yellow (CopyNet)", "copynet", (41.61, 24.46, 38.85)),
    ("Symmetrical potato (NMT baseline, Wikipedia units)", "transformer", (39.0, 22.0, 36.0)),
)


def _given(
    source: str, names: Sequence[str], rows: Sequence[tuple[str, str, tuple[float, ...], str]]
) -> list[Published]:
    return [
        Published(
            source=source, system=system, row=row, figures=dict(zip(names, values, strict=True)), note=note
        )
        for system, row, values, note in rows
    ]


PUBLISHED: Final = (
    *_given("numhg", _NUMHG, [(*row, "") for row in _NUMHG_ROWS]),
    *_given("numhg_people", _NUMHG_PEOPLE, [(*row, "") for row in _NUMHG_PEOPLE_ROWS]),
    *_given("dialogue2021", _DIALOGUE_2021, _DIALOGUE_2021_ROWS),
    *_given("dialogue2019", ("ROUGE mean",), [(a, b, (value,), c) for a, b, value, c in _DIALOGUE_2019_ROWS]),
    *_given("ria", _THREE, [(*row, "") for row in _RIA_ROWS]),
)


def published_for(row: str) -> list[Published]:
    """What the papers say of a row; [] where they say nothing."""
    return [one for one in PUBLISHED if one.row == row]
