"""Whatever bytes come, a file of articles or pairs is one sentence, or every row of it is read or named."""

import csv
import io
import json
from contextlib import suppress

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.data.articles.article_files import in_table, parse_articles
from core.data.articles.articles import articles_of
from core.data.articles.outputs import parse_outputs
from core.data.pair_sets.pair_file import parse_pairs
from core.data.pair_sets.pair_set import check, contradictions
from core.data.timelines.writers import write_table
from core.errors import CoreError
from core.text.normalise import clean_line

NAMES = ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.txt", "a.xlsx", "a.parquet", "a.csv.gz", "a", ""]
quick = settings(max_examples=80, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
words = st.text(alphabet=st.characters(exclude_categories=["C", "Z", "S"]), min_size=1, max_size=12).filter(
    lambda word: clean_line(word) == word and any(map(str.isalnum, word)) and "&" not in word
)
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join)


@quick
@given(st.binary(max_size=300), st.sampled_from(NAMES), st.integers(0, 4))
def test_any_bytes_as_articles(data, name, count):
    with suppress(CoreError):
        read = parse_articles(data, name)
        assert len(set(read.articles.ids)) == len(read.articles) == len(read.table)
    with suppress(CoreError):
        outputs = parse_outputs(data, name, articles_of("news", ["text"] * count))
        assert all(len(one.headlines) == count for one in outputs)
        assert not any("\n" in line for one in outputs for line in one.headlines)


@quick
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6))
def test_articles_come_back_from_every_text_format(rows):
    made = articles_of(
        "a", [text for text, _ in rows], references=[(given,) for _, given in rows], numbers=["7"] * len(rows)
    )
    for kind in ("json", "jsonl"):
        data = write_table(in_table(made).table, {}, kind, about={}, rows="articles")
        assert parse_articles(data, f"a.{kind}").articles.fingerprint == made.fingerprint


@quick
@given(st.lists(sentences, min_size=1, max_size=6), st.permutations(range(6)))
def test_headlines_find_their_articles_in_any_order(headlines, order):
    ids = [f"id-{row}" for row in range(len(headlines))]
    articles = articles_of("a", ["text"] * len(ids), ids=ids)
    shuffled = [row for row in order if row < len(ids)]
    lines = [json.dumps({"id": ids[row], "headline": headlines[row]}) for row in shuffled]
    (read,) = parse_outputs("\n".join(lines).encode(), "a.jsonl", articles)
    assert list(read.headlines) == headlines


@quick
@given(st.lists(st.text(max_size=20), min_size=1, max_size=5), st.booleans())
@example(["0", " "], False)
@example(["0", ""], False)
def test_a_table_is_read_whole_or_not_at_all(texts, two_columns):
    out = io.StringIO(newline="")
    columns = ["text", "title"][: 1 + two_columns]
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(
        [columns, *([text, "t"][: len(columns)] for text in texts)]
    )
    try:
        read = parse_articles(out.getvalue().encode("utf-8", errors="surrogatepass"), "a.csv")
    except CoreError:
        return
    assert len(read.articles) == len(texts)


cells = st.one_of(st.sampled_from(["a", "b", "c", ""]), st.text(max_size=12))
labels = st.sampled_from(["0", "1", "", "1.0", "2", "nan", "yes", "-1"])
dates = st.sampled_from(["", "2015-01-14", "14.01.2015", "soon", "2015-02-31"])
clean_words = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12).filter(
    clean_line
)
HEADER = ("headline_a", "headline_b", "date_a", "date_b", "label")
rows = st.lists(st.tuples(cells, cells, dates, dates, labels), min_size=1, max_size=10)


def written(lines):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([HEADER, *lines])
    return out.getvalue().encode("utf-8", errors="surrogatepass")


@settings(quick, max_examples=160)
@given(
    st.one_of(
        st.tuples(st.binary(max_size=300), st.sampled_from(NAMES)),
        st.tuples(rows.map(written), st.just("pairs.csv")),
    )
)
def test_every_row_of_any_pairs_is_read_or_named(file):
    try:
        read = parse_pairs(*file)
    except CoreError:
        return
    rejected = [fault.row for fault in read.rejected]
    assert sorted([*read.rows.tolist(), *rejected]) == list(range(len(read.table)))
    assert read.rows.tolist() == sorted(read.rows.tolist())
    assert all(fault.reason for fault in read.rejected)
    check(read.pairs)
    assert not contradictions(read.pairs)


@quick
@given(st.lists(st.tuples(clean_words, clean_words, dates, dates, labels), min_size=1, max_size=10))
def test_usable_pairs_say_what_their_row_says(given_rows):
    read = parse_pairs(written(given_rows), "pairs.csv")
    assert len(read.table) == len(given_rows)
    for pair, row in enumerate(read.rows.tolist()):
        left, right, _, _, label = given_rows[row]
        assert read.pairs.texts[read.pairs.left[pair]] == clean_line(left)
        assert read.pairs.texts[read.pairs.right[pair]] == clean_line(right)
        assert read.pairs.labels[pair] == {"1": 1, "1.0": 1, "yes": 1, "0": 0, "": -1}[label]
    used = set(read.rows.tolist())
    for row, (_, _, first, second, label) in enumerate(given_rows):
        if label in {"2", "nan", "-1"} or "2015-02-31" in (first, second):
            assert row not in used
