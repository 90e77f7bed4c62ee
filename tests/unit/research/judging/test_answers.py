"""What systems may write, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.normalise import clean_line
from research.judging.judge import headlines_of
from research.judging.sandbox import JudgingError

IDS = ("a", "b", "c")


def objects(*rows):
    return "\n".join(json.dumps({"id": name, "headline": text}) for name, text in rows).encode()


@pytest.mark.parametrize(
    "output",
    [
        b"One\nTwo\n\n",
        b"One\r\nTwo\r\n\r\n",
        b"\xef\xbb\xbfOne\n  Two \n",
        objects(("b", "Two"), ("a", "One"), ("c", "")),
        objects(("a", "One"), ("b", "Two"), ("c", None)) + b"\n\n",
    ],
)
def test_lines_and_objects_say_the_same(output):
    if output.count(b"\n") == 2 and b"id" not in output:
        output += b"\n"
    assert headlines_of(output, IDS) == ("One", "Two", "")


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (b"", "wrote 0 lines for 3 articles"),
        (b"One\n", "wrote 1 line for 3 articles"),
        (b"1\n2\n3\n4\n", "wrote 4 lines for 3 articles"),
        (b"\xff\xfe\n", "not UTF-8"),
        (objects(("a", "One"), ("b", "Two")), "1 of 3 articles have no headline, the first is 'c'"),
        (objects(("a", "1"), ("b", "2"), ("b", "3"), ("c", "4")), "'b' has two headlines"),
        (objects(("a", "1"), ("x", "2"), ("c", "3")), "no article 'x'"),
        (objects(("a", "1")) + b"\nplain\nplain\n", "Line 2 of the output is not a JSON object"),
        (b"x" * 1_001 + b"\n2\n3\n", "Headline 1 has 1,001 characters"),
    ],
)
def test_anything_else_is_refused(output, says):
    with pytest.raises(JudgingError, match=says):
        headlines_of(output, IDS)


def test_a_headline_that_looks_like_json_is_a_headline():
    assert headlines_of(b'[1]\n{"a": 1}\n{\n', IDS) == ("[1]", '{"a": 1}', "{")


@given(st.lists(st.text(max_size=60).map(clean_line), min_size=1, max_size=8))
def test_what_was_written_comes_back(texts):
    ids = [str(n) for n in range(len(texts))]
    rows = [{"id": name, "headline": text} for name, text in zip(ids, texts, strict=True)]
    output = "\n".join(map(json.dumps, reversed(rows))).encode()
    assert headlines_of(output, ids) == tuple(texts)
