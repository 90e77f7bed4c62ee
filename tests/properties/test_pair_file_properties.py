"""Whatever bytes come, a pair file is one sentence or has every row as a pair or with its reason."""

import csv
import io

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.data.pair_sets.pair_file import parse_pairs
from core.data.pair_sets.pair_set import check, contradictions
from core.errors import CoreError
from core.text.normalise import clean_line

NAMES = ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.txt", "a.xlsx", "a.parquet", "a.csv.gz", "a", ""]
quick = settings(max_examples=80, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
cells = st.one_of(st.sampled_from(["a", "b", "c", ""]), st.text(max_size=12))
labels = st.sampled_from(["0", "1", "", "1.0", "2", "nan", "yes", "-1"])
dates = st.sampled_from(["", "2015-01-14", "14.01.2015", "soon", "2015-02-31"])
words = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12).filter(
    clean_line
)
HEADER = ("headline_a", "headline_b", "date_a", "date_b", "label")
rows = st.lists(st.tuples(cells, cells, dates, dates, labels), min_size=1, max_size=10)


def accounted(data, name):
    try:
        read = parse_pairs(data, name)
    except CoreError:
        return
    rejected = [fault.row for fault in read.rejected]
    assert sorted([*read.rows.tolist(), *rejected]) == list(range(len(read.table)))
    assert read.rows.tolist() == sorted(read.rows.tolist())
    assert all(fault.reason for fault in read.rejected)
    check(read.pairs)
    assert not contradictions(read.pairs)


@quick
@given(st.binary(max_size=300), st.sampled_from(NAMES))
def test_any_bytes(data, name):
    accounted(data, name)


def written(lines):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([HEADER, *lines])
    return out.getvalue().encode("utf-8", errors="surrogatepass")


@quick
@given(rows)
def test_any_table_of_pairs(given_rows):
    accounted(written(given_rows), "pairs.csv")


@quick
@given(st.lists(st.tuples(words, words, dates, dates, labels), min_size=1, max_size=10))
def test_usable_pairs_say_what_their_row_says(given_rows):
    read = parse_pairs(written(given_rows), "pairs.csv")
    assert len(read.table) == len(given_rows)
    for pair, row in enumerate(read.rows.tolist()):
        left, right, _, _, label = given_rows[row]
        assert read.pairs.texts[read.pairs.left[pair]] == clean_line(left)
        assert read.pairs.texts[read.pairs.right[pair]] == clean_line(right)
        assert read.pairs.labels[pair] == {"1": 1, "1.0": 1, "0": 0, "": -1}[label]
    used = set(read.rows.tolist())
    for row, (_, _, first, second, label) in enumerate(given_rows):
        if label in {"2", "nan", "yes", "-1"} or "2015-02-31" in (first, second):
            assert row not in used
