"""`headline-lab backup`, `restore` and `forget` as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.data.pair_sets.own import keep_pairs, own_sets
from core.data.pair_sets.pair_file import parse_pairs
from core.journal.entry import NewEntry
from core.journal.forget import stored_receipts
from core.journal.journal import the_journal
from tests.cli.calling import Call

PAIRS = b"headline_a,headline_b,url_a,label\nOne died,1 died,https://example.com/a,1\nTwo died,Rain,x,0\n"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))


def rate(who: str) -> None:
    the_journal().append("ratings/x", [NewEntry(kind="answer", who=who)])


def test_a_backup_is_made_and_brought_back(command: Call, tmp_path: Path) -> None:
    rate("Ada")
    code, out, _ = command("backup", tmp_path / "a.jsonl.gz")
    assert (code, out) == (0, f"1 entries in {tmp_path / 'a.jsonl.gz'}\n")
    rate("Bo")
    code, out, err = command("restore", tmp_path / "a.jsonl.gz")
    assert code == 0
    assert "1 entries are back" in out
    assert the_journal().people() == ("Ada",)
    # What was there before is in a backup of its own, and comes back as well.
    (before,) = (tmp_path / "user" / "backups").iterdir()
    assert str(before) in err
    assert command("restore", before)[0] == 0
    assert the_journal().people() == ("Ada", "Bo")
    code, _, err = command("restore", tmp_path / "nowhere")
    assert code == 2
    assert "cannot be read" in err


def test_a_person_is_forgotten_in_the_journal_and_every_backup(command: Call, tmp_path: Path) -> None:
    rate("Ada")
    rate("Bo")
    assert command("backup")[0] == 0
    assert command("backup", tmp_path / "far.jsonl.gz")[0] == 0
    assert command("backup", tmp_path / "older.jsonl.gz")[0] == 0
    (near,) = (tmp_path / "user" / "backups").iterdir()
    receipt = tmp_path / "receipt.json"
    code, out, _ = command("forget", "person", "ada", "--backup", tmp_path / "far.jsonl.gz", "--out", receipt)
    assert code == 0
    told = json.loads(out)
    assert told == json.loads(receipt.read_text())
    assert told["removed"] == 1
    assert told["backups"] == [
        {"file": name, "removed": 1, "changed": 0} for name in (near.name, "far.jsonl.gz")
    ]
    assert command("restore", near)[0] == 0
    code, _, err = command("restore", tmp_path / "older.jsonl.gz")
    assert code == 0
    assert "1 stayed forgotten" in err
    assert the_journal().people() == ("Bo",)


def test_what_cannot_be_cleaned_is_reported(command: Call, tmp_path: Path) -> None:
    keep_pairs(PAIRS, "mine.csv")
    (tmp_path / "user" / "backups").mkdir(parents=True)
    (tmp_path / "user" / "backups" / "old.jsonl.gz").write_bytes(b"broken")
    code, out, err = command("forget", "url", "https://example.com/a")
    assert code == 1
    assert json.loads(out)["pair_sets"] == [{"pair_set": "mine", "removed": 1}]
    assert "old.jsonl.gz was not cleaned" in err


NAMED = b"""headline_a,headline_b,url_a,publisher_b,annotator,annotator_Ada,label
One died,1 died,https://www.example.com/a/,The Bugle,Bo,1,1
Two died,Two dead,https://example.com/b,The Gazette,ada,1,1
Three died,Rain,x,the  bugle,Bo,0,0
Four died,As the Bugle says,y,The Gazette,Bo,0,0
"""


@pytest.mark.parametrize(
    ("kind", "value", "left", "by_hand"),
    [
        ("url", "http://example.com/a", ["Two died", "Three died", "Four died"], []),
        ("publisher", "The Bugle", ["Two died", "Four died"], ["mine"]),
        ("person", "Ada", ["One died", "Three died", "Four died"], []),
    ],
)
def test_pair_sets_that_somebody_added_are_rewritten_without_it(
    command: Call, kind: str, value: str, left: list[str], by_hand: list[str]
) -> None:
    keep_pairs(NAMED, "mine.csv")
    keep_pairs(b"headline_a,headline_b,label\nA,B,1\nC,D,0\n", "other.csv")
    code, out, err = command("forget", kind, value)
    receipt = json.loads(out)
    assert receipt["pair_sets"] == [{"pair_set": "mine", "removed": 4 - len(left)}]
    assert receipt["by_hand"] == by_hand
    assert (code, "mentions it" in err) == (bool(by_hand), bool(by_hand))
    kept = own_sets()
    assert list(kept) == ["mine", "other"]
    content = Path(kept["mine"].path).read_text()
    assert [json.loads(line)["headline_a"] for line in content.splitlines()] == left
    assert kind != "person" or "ada" not in content.casefold()
    pairs = parse_pairs(content.encode(), "mine.jsonl").strict()
    assert [pairs.texts[row] for row in pairs.left] == left
    assert stored_receipts(the_journal())[-1]["pair_sets"] == receipt["pair_sets"]


def test_a_pair_set_of_which_nothing_is_left_is_deleted(command: Call) -> None:
    keep_pairs(b"headline_a,headline_b,url_a,label\nA,B,https://example.com/a,1\n", "mine.csv")
    assert command("forget", "url", "example.com/a")[0] == 0
    assert own_sets() == {}
