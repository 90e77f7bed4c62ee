"""NumHG's numeral accuracy of files, held against what its own script says."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.data.articles.articles import articles_of_numbers, read_lines, read_types
from core.errors import DataSourceError, InputError
from core.headlines.metrics.content import NumeralAccuracy, is_right
from core.headlines.metrics.metric import MetricInput
from core.headlines.numbers.scores import official_accuracy, official_accuracy_of_files, printed
from core.runtime import Runtime

# What the official script says of a headline and its gold number, each run through it.
EDGES = [
    ("Bill 1,234,567", "1,234,567", True),
    ("Bill for $1,2345 Is Paid", "1,234", False),
    ("12,345.67 Paid", "12,345", False),
    ("1,200 Jobs Go", "1,200", True),
    ("1,200 Jobs Go", "1200", False),
    ("Score Is 10/11", "10/11", True),
    ("Score Is 10/11", "10", False),
    ("9/11/2001", "9/11", False),
    ("Chapter 3.", "3.", False),
    ("You Owe Us $1.5M", "1.5", True),
    ("1.5.2 Is Out", "1.5", False),
    (".5 Percent", "5", True),
    ("3 Killed, 6 Hurt", "3", False),
    ("3 Killed, 3 Hurt", "3", False),
    ("Three Killed", "3", False),
    ("", "3", False),
    ("3 Killed", " 3 ", True),
    ("٣ Killed", "3", False),
    ("007 Returns", "007", True),
    ("50-50 Chance", "50-50", False),
    ("-3 Degrees", "-3", False),
    ("-3 Degrees", "3", True),
]


@pytest.fixture
def folds(shared: Path) -> Path:
    folder = shared / "data" / "numhg" / "targets"
    if not folder.is_dir():
        pytest.skip("NumHG's folds are not here")
    return folder


def write(folder: Path, name: str, lines: list[str], *, end: str = "\n") -> Path:
    path = folder / name
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return path


@pytest.mark.parametrize(("headline", "gold", "right"), EDGES)
def test_edges_of_the_expression(headline: str, gold: str, right: bool) -> None:
    assert is_right(headline, gold) is right
    assert official_accuracy([headline], [gold], ["copy"])["Copy"] == right


def test_people_s_headlines_are_right_in_every_fold(folds: Path) -> None:
    found = [
        official_accuracy_of_files(
            *(folds / f"fold-{fold}_{name}.txt" for name in ("target", "number_gt", "number_type"))
        )
        for fold in range(1, 6)
    ]
    assert [one["All"] == 1 for one in found] == [False, False, False, True, False]
    assert [one["Cal"] for one in found] == [1] * 5
    # Printed by the official script for fold 1.
    assert printed(found[0]) == "All Accuracy: 0.999820, Copy Accuracy: 0.999742, Cal Accuracy: 1.000000"


def test_the_metric_says_the_same(folds: Path) -> None:
    gold, types = (folds / f"fold-3_{name}.txt" for name in ("number_gt", "number_type"))
    predictions = folds / "fold-4_target.txt"
    found = official_accuracy_of_files(predictions, gold, types)
    articles = articles_of_numbers(gold, types=types)
    metric = NumeralAccuracy()
    statistics = metric.statistics(
        MetricInput(
            headlines=read_lines(predictions),
            references=articles.references,
            articles=articles.texts,
            numbers=articles.numbers,
            operations=articles.operations,
        ),
        Runtime(),
    )
    assert metric.values(statistics.sum(axis=0)).tolist() == list(found.values())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(tmp_path: Path, end: str) -> None:
    files = (
        write(tmp_path, "prediction.txt", ["3 Dead", "", "Seven 7"], end=end),
        write(tmp_path, "number_gt.txt", ["3", "4", "7"], end=end),
        write(tmp_path, "number_type.txt", ["0", "0", "1"], end=end),
    )
    found = official_accuracy_of_files(*files)
    assert list(found.values()) == [2 / 3, 0.5, 1.0]
    assert printed(found) == "All Accuracy: 0.666667, Copy Accuracy: 0.500000, Cal Accuracy: 1.000000"


def test_no_headline_of_a_type_has_no_value() -> None:
    found = official_accuracy(["3 Dead"], ["3"], ["copy"])
    assert list(found.values()) == [1.0, 1.0, None]
    assert printed(found).endswith("Cal Accuracy: –")
    assert set(official_accuracy([], [], []).values()) == {None}


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    two = write(tmp_path, "prediction.txt", ["3 Dead", "4 Dead"])
    one = write(tmp_path, "number_gt.txt", ["3"])
    types = write(tmp_path, "number_type.txt", ["0"])
    with pytest.raises(InputError, match=r"number_gt.txt has 1 lines, and prediction.txt has 2"):
        official_accuracy_of_files(two, one, types)
    with pytest.raises(InputError, match=r"Line 2 of number_type.txt is 'copy', which is no type"):
        read_types(write(tmp_path, "number_type.txt", ["0", "copy"]))
    with pytest.raises(DataSourceError, match="There is no file"):
        official_accuracy_of_files(tmp_path / "nothing.txt", one, types)


def test_articles_of_which_numbers_are_known(tmp_path: Path) -> None:
    gold = write(tmp_path, "number_gt.txt", ["3", "", " 1,200"])
    articles = articles_of_numbers(
        gold,
        types=write(tmp_path, "number_type.txt", ["0", "1", "1"]),
        references=write(tmp_path, "target.txt", ["3 Dead", "", "1,200 Go"]),
    )
    assert articles.name == "number_gt"
    assert articles.numbers == ("3", "", "1,200")
    assert articles.operations == ("copy", "reasoning", "reasoning")
    assert articles.references == (("3 Dead",), (), ("1,200 Go",))
    assert articles.texts == ("", "", "")
    assert articles_of_numbers(gold).operations == ("", "", "")
    with pytest.raises(InputError, match=r"target.txt has 1 lines, and number_gt.txt has 3"):
        articles_of_numbers(gold, references=write(tmp_path, "target.txt", ["3 Dead"]))
    with pytest.raises(InputError, match=r"number_gt.txt is empty"):
        articles_of_numbers(write(tmp_path, "number_gt.txt", []))
