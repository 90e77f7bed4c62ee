import csv
import json

import pytest

from headline_lab import facts_grid

VERB = ("facts",)


def test_an_event_is_printed_and_written(ok, tmp_path):
    words = ("sample:iss", "--headline", "Whitson blast")
    printed = ok(*words)
    assert printed.startswith("Peggy Whitson: Blast off to the ISS")
    assert "Most state" in printed
    told = json.loads(ok("sample:iss", "--group", 3, "--json", "--out", tmp_path / "facts.csv"))
    assert told["summary"] in printed
    assert told["outlets"][0]["states"]["who"] == "astronaut; NASA; Mars"
    with (tmp_path / "facts.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["outlet"] for line in lines] == [line["outlet"] for line in told["outlets"]]
    for name, begins in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.html", b"<!DOCTYPE html>")):
        ok(*words, "--out", tmp_path / name, "--width", "phone")
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert b'width="640"' in (tmp_path / "a.svg").read_bytes()
    table = facts_grid("sample:iss", 3)
    assert list(table.columns) == ["outlet", "reported", "origin", "headlines", "who", "where"]
    assert table["outlet"].tolist() == [line["outlet"] for line in told["outlets"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sample:iss", "--group", 999), "There is no group 999."),
        (("sample:iss", "--headline", "zebra"), "No headline has all the words of 'zebra'."),
        (("sample:iss", "--group", 1, "--headline", "a"), "--group and --headline both name the event."),
        (("sample:iss", "--out", "facts.gif"), "'facts.gif' does not end in a known format."),
    ],
)
def test_bad_calls_get_a_sentence_and_a_hint(refused, words, said):
    first, hint = refused(*words).splitlines()[-2:]
    assert (first, bool(hint)) == (said, True)
