import gzip
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from cli import progress
from core import files
from core.archive.folder import REMOVED
from core.archive.kept import archives_folder
from core.archive.opened import OpenArchive
from core.data.pair_sets.kept import keep_pairs, own_sets
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines.load import load_path
from core.events.correction import Correction, Kind
from core.events.corrections import store_of
from core.files import ROOT
from core.journal import backup, restore
from core.journal import forget as erasure
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import close
from core.live.digest import StreamReader
from core.live.kept import name_for, stream_file
from core.live.log import StreamLog
from core.people.grouping import PLACED, grouping_task, place
from core.people.questions import SAME_EVENT
from core.people.study import Purpose, StudyPair
from core.people.voting import VOTED, VotingTask, vote
from tests.archives import made

PAIRS = b"headline_a,headline_b,url_a,label\nOne died,1 died,https://example.com/a,1\nTwo died,Rain,x,0\n"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))


def rate(who):
    the_journal().append("ratings/x", [NewEntry(kind="answer", who=who)])


def test_a_backup_is_made_and_brought_back(ok, command, tmp_path):
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
    ok("restore", before)
    assert the_journal().people() == ("Ada", "Bo")
    code, _, err = command("restore", tmp_path / "nowhere")
    assert code == 2
    assert "cannot be read" in err


def test_a_person_is_forgotten_in_the_journal_and_every_backup(ok, command, tmp_path):
    rate("Ada")
    rate("Bo")
    ok("backup")
    ok("backup", tmp_path / "far.jsonl.gz")
    ok("backup", tmp_path / "older.jsonl.gz")
    (near,) = (tmp_path / "user" / "backups").iterdir()
    receipt = tmp_path / "receipt.json"
    out = ok("forget", "person", "ada", "--backup", tmp_path / "far.jsonl.gz", "--out", receipt)
    told = json.loads(out)
    assert told == json.loads(receipt.read_text())
    assert told["removed"] == 1
    assert told["backups"] == [
        {"file": name, "removed": 1, "changed": 0} for name in (near.name, "far.jsonl.gz")
    ]
    ok("restore", near)
    code, _, err = command("restore", tmp_path / "older.jsonl.gz")
    assert code == 0
    assert "1 stayed forgotten" in err
    assert the_journal().people() == ("Bo",)


def test_what_cannot_be_cleaned_is_reported(command, tmp_path):
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
        ("publisher", "The Bugle", ["Two died", "Four died"], ["pair_sets/mine.jsonl"]),
        ("person", "Ada", ["One died", "Three died", "Four died"], []),
    ],
)
def test_pair_sets_that_somebody_added_are_rewritten_without_it(command, kind, value, left, by_hand):
    keep_pairs(NAMED, "mine.csv")
    keep_pairs(b"headline_a,headline_b,label\nA,B,1\nC,D,0\n", "other.csv")
    code, out, err = command("forget", kind, value)
    receipt = json.loads(out)
    assert receipt["pair_sets"] == [{"pair_set": "mine", "removed": 4 - len(left)}]
    assert receipt["by_hand"] == by_hand
    assert (code, "mentions it" in err) == (3 if by_hand else 0, bool(by_hand))
    kept = own_sets()
    assert list(kept) == ["mine", "other"]
    content = Path(kept["mine"].path).read_text()
    assert [json.loads(line)["headline_a"] for line in content.splitlines()] == left
    assert kind != "person" or "ada" not in content.casefold()
    pairs = parse_pairs(content.encode(), "mine.jsonl").strict()
    assert [pairs.texts[row] for row in pairs.left] == left
    assert list(the_journal().receipts().values())[-1]["pair_sets"] == receipt["pair_sets"]


STORY = (
    "headline,date,outlet,url\nStorm in Rome,2024-05-01,The Bugle,https://a.example/1\nRain,2024-05-02,T,\n"
)


def held(folder):
    """The files below a folder that hold the headline, packed or not."""
    found = []
    for path in folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        if path.name == "headlines.parquet":
            content = pd.read_parquet(path).to_csv().encode()
        if b"Storm in Rome" in content or b"a.example/1" in content:
            found.append(path.name)
    return found


@pytest.mark.parametrize(("kind", "value"), [("url", "http://a.example/1"), ("publisher", "the bugle")])
def test_a_headline_leaves_every_place_that_the_program_keeps(ok, command, tmp_path, kind, value):
    source = tmp_path / "story.csv"
    source.write_text(STORY)
    task = grouping_task(load_path(source))
    task.answers.append([NewEntry(kind=PLACED, who="Ada", body=place(row, shown={})) for row in (0, 1)])
    store = store_of(load_path(source))
    keys = task.index.keys
    store.add(
        Correction(kind=Kind.MERGE, headlines=keys[:1], to=keys[1:]),
        Correction(kind=Kind.STAR, headlines=keys),
    )
    pairs = VotingTask("p", SAME_EVENT, (StudyPair(Purpose.MAIN, "Storm in Rome", "Rain"),))
    pairs.answers.append([NewEntry(kind=VOTED, who="Bo", body=vote(pairs, pairs.items[0], "same"))])
    item = {"key": "1", "texts": ["Storm in Rome", "Rain"], "sources": ["The Bugle", "T"]}
    the_journal().append("rooms/R", [NewEntry(kind="round", body={"items": [item]})])
    keep_pairs(
        b"headline_a,headline_b,url_a,publisher_a,label\nStorm in Rome,Rain,https://a.example/1,The Bugle,1\n"
        b"Snow,Ice,x,T,0\n",
        "mine.csv",
    )
    stream = stream_file(name_for(str(source)))
    ok("live", source, "--once", "--quiet", "--state", stream)
    archive = made(archives_folder() / "old", 20)
    archive.loc[3, ["headline", "publisher", "url"]] = ["Storm in Rome", "The Bugle", "https://a.example/1"]
    archive.to_parquet(archives_folder() / "old" / "headlines.parquet", index=False)
    ok("backup")
    assert len(held(tmp_path / "user")) >= 5
    code, out, err = command("forget", kind, value)
    assert (code, err) == (0, "")
    assert held(tmp_path / "user") == []
    receipt = json.loads(out)
    assert [receipt[name][0]["removed"] for name in ("pair_sets", "streams", "archives")] == [1, 1, 1]
    # The rest is as it was, and the stream's source, which still has it, does not bring it back.
    assert [len(one.read()) for one in (task.answers, pairs.answers)] == [1, 0]
    ok("live", source, "--once", "--quiet", "--state", stream)
    assert StreamReader(StreamLog(stream)).timeline("s", 9).texts == ["Rain"]
    assert "stream.jsonl" not in held(tmp_path / "user")
    assert OpenArchive(archives_folder() / "old").texts["headline"][3].as_py() == REMOVED
    assert held(tmp_path / "user") == []
    assert command("forget", kind, value)[0] == 1


def test_a_stream_that_is_followed_is_named_and_left(ok, command, tmp_path):
    source = tmp_path / "story.csv"
    source.write_text(STORY)
    stream = stream_file(name_for(str(source)))
    ok("live", source, "--once", "--quiet", "--state", stream)
    with files.only_one(StreamLog(stream).looked):
        code, out, err = command("forget", "url", "https://a.example/1")
    assert code == 1
    assert "problem" in json.loads(out)["streams"][0]
    assert stream.stem in err


ISS = ROOT / "samples/iss/iss_excerpt.csv"


@pytest.mark.slow
@pytest.mark.parametrize(("words", "between"), [((), 0), ((), 30), (("--quiet",), 0)])
def test_long_work_says_where_it_is_in_a_log(call, tmp_path, monkeypatch, words, between):
    monkeypatch.setattr(progress, "BETWEEN", between)
    news = tmp_path / "news.csv"
    news.write_text("headline,date\n" + "".join(f"Storm {n} hits Dover,2024-05-01\n" for n in range(9)))
    code, _, err = call("archive", news, "--out", tmp_path / "news", "--granularity", "0.5", *words)
    assert code == 0
    told = {line.partition(":")[0] for line in err.splitlines()}
    assert told >= {"Reading headlines", "Comparing headlines"} if (words, between) == ((), 0) else not told


@pytest.mark.slow
def test_a_file_becomes_an_archive(ok, tmp_path):
    out = ok("archive", ISS, "--out", tmp_path / "iss", "--json")
    told = json.loads(out)
    assert (told["headlines"], told["undated"], told["left_out"]) == (47, 0, 0)
    assert told["ami"] > 0.85
    out = ok("archive", ISS, "--out", tmp_path / "iss", "--granularity", "0.2")
    assert "granularity: 0.2" in out.splitlines()


NOTES = f"numbers/local/{0:032x}"  # a stream that is read, of entries of any kind


def said(who, text, ahead=0.0):
    """Stores a note; the clock may be ahead by so many hours."""
    when = datetime.now(UTC) + timedelta(hours=ahead)
    return the_journal().append(NOTES, [NewEntry(kind="note", who=who, body={"text": text}, when=when)])[0]


def test_what_was_forgotten_stays_so_when_a_clock_was_ahead(ok, tmp_path, monkeypatch):
    said("Zebulon", "old", ahead=2)
    ok("backup", tmp_path / "before.jsonl.gz")
    ok("forget", "person", "Zebulon")
    ok("restore", tmp_path / "before.jsonl.gz")
    assert the_journal().read(NOTES) == ()
    # Whoever took the name later stays, also when the clock was ahead at the removal.
    said("Zebulon", "new", ahead=-2)
    ok("backup", tmp_path / "after.jsonl.gz")
    said("Bo", "later")
    ok("restore", tmp_path / "after.jsonl.gz")
    assert [one.body["text"] for one in the_journal().read(NOTES)] == ["new"]
    # In another folder, too, where numbers begin anew.
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "elsewhere"))
    said("Cy", "there")
    ok("restore", tmp_path / "after.jsonl.gz")
    ok("restore", tmp_path / "before.jsonl.gz")
    assert the_journal().read(NOTES) == ()
    said("Zebulon", "newest", ahead=-2)
    ok("backup", tmp_path / "newest.jsonl.gz")
    ok("forget", "person", "zebulon")
    ok("restore", tmp_path / "newest.jsonl.gz")
    assert the_journal().read(NOTES) == ()


def test_a_restore_while_somebody_is_forgotten_brings_nothing_back(ok, tmp_path, monkeypatch):
    rate("Ada")
    rate("Bo")
    file, real = tmp_path / "a.jsonl.gz", erasure.forget
    ok("backup", file)

    def meanwhile(journal, *given):
        kept = backup.backup_folder() / backup.backup_name("before-restore")
        restore.put_back(journal, backup.read_backup(file), keep=kept)
        return real(journal, *given)

    monkeypatch.setattr(erasure, "forget", meanwhile)
    ok("forget", "person", "Ada")
    (kept,) = (tmp_path / "user" / "backups").iterdir()
    assert [row["who"] for row in backup.read_backup(kept).entries] == ["Bo"]
    assert the_journal().people() == ("Bo",)


SPELLINGS = {
    "url": ("http://EXAMPLE.com:80/story/?utm_source=x", "https://www.example.com/story"),
    "publisher": ("The  Daily\u200bBugle", "The DailyBugle"),
    "person": ("Zoe\u0308", "Zo\u00eb"),
}


@pytest.mark.parametrize(("kind", "given", "written"), [(kind, *pair) for kind, pair in SPELLINGS.items()])
def test_each_place_that_still_mentions_it_is_named(command, tmp_path, kind, given, written):
    user, text = tmp_path / "user", f"Somebody says that {written}, is bad"
    note = said("Bo", text)
    said("Zo\u200d\u00eb" if kind == "person" else "Cy", "gone")
    (user / "runs").mkdir()
    (user / "runs" / "notes.csv").write_text(f"title,n\n{written},1\n", "utf-8")
    (user / "runs" / "log.jsonl").write_text(json.dumps({"reason": text}).replace("/", "\\/"), "utf-8")
    (user / "runs" / "old.txt.gz").write_bytes(gzip.compress(text.encode()))
    (user / ".mine.partial").write_text(text, "utf-16")
    pd.DataFrame({"headline": [text]}).to_parquet(user / "kept.parquet", index=False)
    (user / "other.txt").write_text("https://example.com/story-2 of the Daily Bugler, Zoey", "utf-8")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "x.entry").write_text(text, "utf-8")
    command("backup")
    command("backup", tmp_path / "far.jsonl.gz")
    code, out, err = command("forget", kind, given, "--backup", tmp_path / "far.jsonl.gz")
    receipt = json.loads(out)
    (backup,) = (path.name for path in (user / "backups").iterdir())
    named = {
        ".mine.partial",
        f"backups/{backup}",
        "kept.parquet",
        "journal.sqlite",
        f"{tmp_path}/far.jsonl.gz",
    }
    named |= {"runs/log.jsonl", "runs/notes.csv", "runs/old.txt.gz"}
    assert (code, set(receipt["by_hand"])) == (3, named)
    assert all(name in err for name in named)
    assert (receipt["removed"], receipt["caches"]) == (int(kind == "person"), 1)
    again = command("forget", kind, given)
    assert again[0] == 3
    assert "Nothing that is stored" not in again[2]
    assert "journal.sqlite still" not in err + again[2]
    # What an entry says goes by its own name, here and in backups, and stays away.
    assert receipt["mentioned"] == [note.id]
    assert note.id in err
    code, out, _ = command("forget", "entry", note.id, "--backup", tmp_path / "far.jsonl.gz")
    assert (code, json.loads(out)["removed"]) == (0, 1)
    for path in user.rglob("*.jsonl.gz"):
        path.unlink()
    (tmp_path / "far.jsonl.gz").unlink()
    for name in named - {"journal.sqlite"}:
        (user / name).unlink(missing_ok=True)
    code, out, _ = command("forget", kind, given)
    assert (code, json.loads(out)["by_hand"]) == (1, [])


def test_files_of_models_beside_the_results_are_not_searched_and_results_are(command, tmp_path):
    said("Cy", "gone")
    model = tmp_path / "cache" / "models" / "hub"
    model.mkdir(parents=True)
    for name in ("tokenizer.json", "vocab.txt", "model.safetensors", "merges.bin"):
        (model / name).write_text('{"Cy": 7}', "utf-8")
    code, out, _ = command("forget", "person", "Cy")
    assert (code, json.loads(out)["by_hand"], json.loads(out)["caches"]) == (0, [], 0)
    assert len(list(model.iterdir())) == 4
    (tmp_path / "cache" / "headlines").mkdir()
    (tmp_path / "cache" / "headlines" / "x.jsonl").write_text('{"headline": "Cy wins"}', "utf-8")
    (tmp_path / "cache" / "results").mkdir()
    (tmp_path / "cache" / "results" / "x.entry").write_text("Cy wins", "utf-8")
    code, out, _ = command("forget", "person", "Cy")
    assert (code, json.loads(out)["caches"]) == (3, 1)
    assert json.loads(out)["by_hand"] == [str(tmp_path / "cache" / "headlines" / "x.jsonl")]


def test_verify_names_what_is_damaged(command, tmp_path):
    said("Ada", "same")
    said("Bo", "different")
    command("backup")
    assert command("verify")[0] == 0
    assert json.loads(command("verify", "--json")[1]) == {"faults": [], "unread": []}
    file = tmp_path / "user" / "journal.sqlite"
    close(the_journal().url)
    (backup,) = (tmp_path / "user" / "backups").iterdir()
    backup.write_bytes(backup.read_bytes()[:-3])
    for path in (file, file.with_name("journal.sqlite-wal")):
        if path.exists():
            path.write_bytes(path.read_bytes().replace(b"different", b"difverent"))
    code, out, _ = command("verify")
    assert code == 1
    assert backup.name in out
    told = json.loads(command("verify", "--json")[1])["faults"]
    assert len(told) == len(out.splitlines()) >= 1
    close(the_journal().url)


def test_verify_names_what_the_disk_lost_until_a_backup_is_brought_back(command, tmp_path):
    file = tmp_path / "user" / "journal.sqlite"
    for n in range(36):
        said("Ada", f"{n}")
    close(the_journal().url)
    before = file.read_bytes()
    said("Ada", "newest")
    close(the_journal().url)
    file.write_bytes(before)
    for _ in range(2):
        code, out, _ = command("verify")
        assert (code, "1 in number" in out, len(out.splitlines())) == (1, True, 1)
    command("backup", tmp_path / "a.jsonl.gz")
    command("restore", tmp_path / "a.jsonl.gz")
    assert command("verify")[0] == 0
    close(the_journal().url)


@pytest.mark.parametrize("content", [None, b""])
def test_verify_names_a_database_of_which_only_the_file_beside_is_left(command, tmp_path, content):
    user = tmp_path / "user"
    for n in range(36):
        said("Ada", f"{n}")
    command("backup", tmp_path / "a.jsonl.gz")
    close(the_journal().url)
    for path in user.glob("journal.sqlite*"):
        path.name.endswith("-head") or path.unlink()
    if content is not None:
        (user / "journal.sqlite").write_bytes(content)
    for _ in range(2):
        code, out, _ = command("verify")
        assert (code, "journal.sqlite-head" in out, " 36 " in out) == (1, True, True)
    # Also when a server has begun a new one in its place, and was started again.
    for n in range(2):
        said("Bo", f"{n}")
        close(the_journal().url)
    code, out, _ = command("verify")
    assert (code, " 36 " in out) == (1, True)
    command("restore", tmp_path / "a.jsonl.gz")
    assert command("verify")[0] == 0
    close(the_journal().url)


def test_a_restore_counts_what_stayed_forgotten_also_where_the_layout_has_more_entries_now(command):
    old = ROOT / "tests/data/earlier/2026-11-22.jsonl.gz"
    code, _, err = command("restore", old)
    assert (code, "forgotten" in err) == (0, False)
    journal = the_journal()
    who = journal.people()[0]
    theirs = [entry for name in journal.streams() for entry in journal.read(name) if entry.who == who]
    command("forget", "person", who)
    assert f"{len(theirs)} stayed forgotten" in command("restore", old)[2]


def rights(path):
    return path.stat().st_mode & 0o777


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of this kind are of POSIX")
def test_nobody_else_may_read_what_people_made(command, tmp_path):
    user, cache = tmp_path / "user", tmp_path / "cache"
    said("Ada", "same")
    command("backup")
    keep_pairs(PAIRS, "mine.csv")
    files.secret(user / "server.key")
    folders = [user, *(path for path in user.rglob("*") if path.is_dir())]
    made = [path for path in user.rglob("*") if path.is_file()]
    assert {rights(folder) for folder in folders} == {0o700}
    assert {rights(path) for path in made} == {0o600}
    assert {path.name for path in made} >= {"journal.sqlite", "journal.sqlite-wal", "mine.csv", "server.key"}
    # What an older version made becomes so when it is opened; the folder that somebody named keeps its own.
    close(the_journal().url)
    cache.mkdir()
    (cache / "x.entry").touch()
    for path in (*folders, cache):
        path.chmod(0o755)
    for path in (*made, cache / "x.entry"):
        path.chmod(0o644) if path.exists() else None
    assert len(the_journal().read(NOTES)) == 1
    made = [path for path in (*user.rglob("*"), *cache.rglob("*")) if path.is_file()]
    assert {rights(path) for path in made} == {0o600}
    assert {rights(folder) for folder in folders[1:]} == {0o700}
    assert (rights(user), rights(cache)) == (0o755, 0o755)


def test_what_is_exported_keeps_the_usual_rights(command, tmp_path):
    said("Ada", "same")
    (tmp_path / "plain").touch()
    command("backup", tmp_path / "far.jsonl.gz")
    assert rights(tmp_path / "far.jsonl.gz") == rights(tmp_path / "plain")
