"""NumHG's numeral accuracy of files, held against what its own script says."""

import pytest

from core.data.articles.articles import articles_of_numbers, read_lines, read_types
from core.errors import DataSourceError, InputError
from core.headlines.metrics.metric import MetricInput
from core.headlines.metrics.numerals import NumeralAccuracy
from core.headlines.numbers.official import official_accuracy_of_files, printed
from core.runtime import Runtime

# What the official script says of a headline and its gold number, each run through it.


@pytest.fixture
def folds(shared):
    folder = shared / "data" / "numhg" / "targets"
    if not folder.is_dir():
        pytest.skip("NumHG's folds are not here")
    return folder


def write(folder, name, lines, *, end="\n"):
    path = folder / name
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return path


def test_people_s_headlines_are_right_in_every_fold(folds):
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


def test_the_metric_says_the_same(folds):
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


def test_files_that_do_not_belong_together(tmp_path):
    two = write(tmp_path, "prediction.txt", ["3 Dead", "4 Dead"])
    one = write(tmp_path, "number_gt.txt", ["3"])
    types = write(tmp_path, "number_type.txt", ["0"])
    with pytest.raises(InputError, match=r"number_gt.txt has 1 lines, and prediction.txt has 2"):
        official_accuracy_of_files(two, one, types)
    with pytest.raises(InputError, match=r"Line 2 of number_type.txt is 'copy', which is no type"):
        read_types(write(tmp_path, "number_type.txt", ["0", "copy"]))
    with pytest.raises(DataSourceError, match="There is no file"):
        official_accuracy_of_files(tmp_path / "nothing.txt", one, types)


def test_articles_of_which_numbers_are_known(tmp_path):
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
