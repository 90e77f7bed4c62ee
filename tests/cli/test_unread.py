"""A fault in a reading costs one headline that reading: commands, streams, archives and fronts go on."""

import asyncio
import itertools
import json

import pandas as pd
import pytest
from mcp import Client

import headline_lab as lab
from cli.mcp import server
from tests.hostile.broken import READINGS, WORD, broken

GOOD = [
    "Sturm trifft die Küste: 12 Tote in Hamburg",
    "Hamburg: 12 Tote bei Sturm an der Küste",
    "Bundestag beschließt 5 Milliarden Euro für Schulen",
    "5 Milliarden Euro für Schulen: Bundestag stimmt zu",
]
LINE = 4
NUMBERS = itertools.count(11)


@pytest.fixture
def bad():
    """A headline that no other test has read: what was read once is remembered."""
    return f"{WORD} sind {next(NUMBERS)} von 90 Fenstern in Bremen nach dem Sturm"


@pytest.fixture
def texts(bad):
    return [*GOOD[:2], bad, *GOOD[2:]]


@pytest.fixture
def file(tmp_path, texts):
    path = tmp_path / "news.csv"
    days = [f"2020-05-0{1 + place // 3}" for place in range(len(texts))]
    pd.DataFrame({"headline": texts, "date": days, "publisher": list("ABCDE")}).to_csv(path, index=False)
    return path


def groups(command, file, out):
    code, said, err = command("group", file, "--json", "--out", out)
    assert code == 0, err
    return json.loads(said), err, pd.read_csv(out).set_index("headline")["group"]


EACH = [
    pytest.param(*each, marks=[] if place == 1 else pytest.mark.slow)
    for place, each in enumerate(READINGS.items())
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "what"), EACH)
def test_group_and_facts_go_on_and_name_the_line(command, file, monkeypatch, place, what):
    with monkeypatch.context() as fault:
        broken(fault, place)
        told, err, after = groups(command, file, file.with_name("after.csv"))
        code, said, _ = command("facts", file, "--headline", WORD, "--json")
    if what != "facts":  # groups are made without them
        assert {"reading": what, "line": LINE, "headline": after.index[2]} in told["unread"]
        assert {each["line"] for each in told["unread"]} == {LINE}
        assert f"{what} could not be read: line {LINE}" in err
    else:
        assert told["unread"] == []
    assert "Traceback" not in err
    assert code == 0
    assert (what, LINE) in {(each["reading"], each["line"]) for each in json.loads(said)["unread"]}
    _, _, whole = groups(command, file, file.with_name("whole.csv"))
    assert [after[text] for text in GOOD] == [whole[text] for text in GOOD]


def test_a_stream_takes_what_comes_behind_the_headline_and_names_it(command, file, bad, monkeypatch):
    broken(monkeypatch, "core.text.numerals.read.cut")
    state = file.with_name("day.jsonl")
    for more in ("", "Bremen: Fenster nach Sturm repariert,2020-05-03,F\n", "Feuer in Kiel,2020-05-03,G\n"):
        with file.open("a", encoding="utf-8") as growing:
            growing.write(more)
        code, said, err = command("live", file, "--state", state, "--once")
        assert code == 0, err
        assert "numbers could not be read" in err
        assert WORD in err
    records = [json.loads(line) for line in state.read_text(encoding="utf-8").splitlines()[1:]]
    taken = [record["headline"]["text"] for record in records if "headline" in record]
    assert set(taken) == {*GOOD, bad, "Bremen: Fenster nach Sturm repariert", "Feuer in Kiel"}
    assert json.loads(said.splitlines()[-1])["unread"] == {"numbers": [bad]}


def test_an_archive_goes_on_and_names_it(command, file, bad, monkeypatch):
    broken(monkeypatch, "core.text.numerals.read.cut")
    broken(monkeypatch, "core.text.language.clean_line")
    code, said, err = command("archive", file, "--out", file.with_name("archive"), "--json")
    assert code == 0, err
    summary = json.loads(said)
    assert summary["headlines"] == 5
    assert any(bad[:40] in note for note in summary["notes"])


def test_a_date_that_the_program_fails_to_read_leaves_the_others_theirs(command, file, tmp_path, monkeypatch):
    from core.data.timelines import moments

    real = moments._worded
    monkeypatch.setattr(moments, "_worded", lambda text, *how: 1 // 0 if "Mai" in text else real(text, *how))
    file.write_text(file.read_text("utf-8").replace("2020-05-02", "2. Mai 2020", 1), encoding="utf-8")
    told, _, _ = groups(command, file, tmp_path / "groups.csv")
    assert told["undated"] == 1
    assert any("date could not be read: line 5" in note for note in told["notes"])
    code, said, err = command("archive", file, "--out", tmp_path / "archive", "--json")
    assert code == 0, err
    assert any("date could not be read: line 5" in note for note in json.loads(said)["notes"])


FAULTS = ("core.text.numerals.read.cut", "core.numerals.checking.derivations_of")


@pytest.mark.parametrize("place", FAULTS)
def test_a_check_of_numbers_never_passes_what_it_could_not_read(command, tmp_path, monkeypatch, place):
    article = tmp_path / "article.txt"
    article.write_text("In Hamburg starben bei einem Sturm 12 Menschen.", encoding="utf-8")
    good = ("--headline", "Sturm in Hamburg: 12 Tote")
    before = json.loads(command("numerals", "check", article, *good, "--json")[1])
    if place == FAULTS[1]:
        from core.numerals import checking

        real = checking.derivations_of
        monkeypatch.setattr(
            checking, "derivations_of", lambda asked: 1 // 0 if WORD in asked.headline else real(asked)
        )
    else:
        broken(monkeypatch, place)
    headline = f"{WORD}: 12 Tote"
    code, said, err = command("numerals", "check", article, "--headline", headline, *good, "--json")
    assert code == 3, err
    failed, passed = json.loads(said)["headlines"]
    assert (failed["light"], failed["numerals"]) == ("check this", [])
    assert "could not be read" in failed["reason"]
    assert passed == before["headlines"][0]
    rows = lab.check_numerals(article.read_text("utf-8"), [headline, good[1]])
    assert rows["verdict"].tolist()[0] == "check this"
    assert rows["numeral"].tolist()[1:] == ["12"]
    code, _, err = command("numerals", "check", article, "--headline", headline)
    assert code == 3, err


async def _asked(folder, calls):
    async with Client(server(folder)) as client:
        return [(await client.call_tool(name, words)) for name, words in calls]


def test_the_front_and_programs_that_ask_are_told(tmp_path, texts, monkeypatch):
    broken(monkeypatch, "core.text.numerals.read.cut")
    table = lab.group_headlines(texts)
    assert table["group"].notna().all()
    (note,) = table.attrs["unread"]
    assert f"line {LINE - 1}" in note
    assert lab.facts_grid(texts, headline=WORD).attrs["unread"] == [note]
    asked = (("group", {"source": texts}), ("facts_grid", {"source": texts, "group": 1}))
    answers = asyncio.run(_asked(tmp_path, asked))
    assert not any(answer.is_error for answer in answers)
    assert all(note in answer.structured_content["notes"] for answer in answers)


@pytest.mark.parametrize("name", ["\0", "a\0b.csv", "\ud800.csv", "a" * 5_000])
def test_a_name_that_is_none_is_refused_in_a_sentence(tmp_path, name):
    from cli.mcp import Tools
    from core.errors import CoreError

    with pytest.raises(CoreError):
        Tools(tmp_path).open_timeline(name)


@pytest.mark.parametrize(
    ("article", "headline"),
    [
        ("The budget is 1" + "0" * 400 + " dollars.", "The budget is 1" + "0" * 400 + " dollars"),
        ("\ud800 three men died", "three died"),
        ("three men died", "\udfff three died"),
        ("two \ud83d men", "two men \0"),
        ("Merkel (35", "Kanzlerin Merkel (35"),
    ],
)
def test_numbers_of_hundreds_of_digits_and_halves_of_characters_are_checked(article, headline):
    assert len(lab.check_numerals(article, headline)) == 1
