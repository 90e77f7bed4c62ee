import gzip
import json
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest

from core import limits
from core.errors import DataSourceError, InputError
from core.journal.backup import packed, read_backup, taken, unpacked
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.journal.restore import put_back
from core.journal.spellings import ErasureTarget


def entry(who="Ada", kind="answer", **body):
    return NewEntry(kind=kind, who=who, body=body)


def told(journal):
    read = {stream: journal.read(stream) for stream in sorted(journal.streams())}
    return {stream: [(one.id, one.kind, one.who, one.body) for one in some] for stream, some in read.items()}


@pytest.fixture
def elsewhere(tmp_path):
    return Journal(sqlite_url(tmp_path / "elsewhere"))


def test_a_backup_is_brought_back_into_another_database_and_back(journal, elsewhere):
    for number in range(5):
        journal.append(f"s/{number % 2}", [entry(number=number, text="“ü” \0")])
    before = told(journal)
    content = packed(taken(journal))
    elsewhere.append("t", [entry()])
    put_back(elsewhere, unpacked(content))
    assert told(elsewhere) == before
    assert packed(taken(journal)) == content
    # What came after the backup is replaced, and a process that had read it sees that.
    journal.append("s/1", [entry(number=9)])
    put_back(journal, unpacked(content))
    assert told(journal) == before
    # The sequence goes on, so that nobody who asks for news misses any.
    last = max(journal.streams().values())
    (news,) = journal.append("s/1", [entry(number=10)])
    assert journal.read("s/1", after=last) == (news,)


def test_a_damaged_or_newer_backup_is_refused_and_nothing_changes(journal, tmp_path):
    journal.append("s", [entry(n=1), entry(n=2)])
    content = packed(taken(journal))
    lines = gzip.decompress(content)
    for damaged in (content[:-9], content[:40], gzip.compress(lines.replace(b"Ada", b"Eva")), lines):
        with pytest.raises(InputError, match="no backup"):
            unpacked(damaged)
    newer = json.dumps({"headline_lab_backup": 2}).encode() + b"\n"
    with pytest.raises(InputError, match="newer version"):
        unpacked(gzip.compress(newer + sha256(newer).hexdigest().encode() + b"\n"))
    with pytest.raises(DataSourceError, match="cannot be read"):
        read_backup(tmp_path / "nowhere.jsonl.gz")


URL = "https://www.example.com/storm"
HEADLINE = {"text": "Storm hits", "url": URL, "publisher": "Daily Bugle"}
OTHER = {"text": "Rates rise", "url": "https://example.org/rates", "publisher": "The Times"}


def fill(journal):
    of_pairs = entry(pair=[HEADLINE, OTHER], vote="same"), entry("Bo", pair=[OTHER, OTHER], vote="same")
    journal.append("pairs/1", [*of_pairs, entry("Bo", article=URL, value=3)])
    keys = [["Storm hits", "", "Daily Bugle"], ["Rates", "", "T"]]
    journal.append("corrections/x", [entry("Bo", headlines=keys)])
    here = entry("p1", "joined", nickname="ADA"), entry("p2", "joined", nickname="Bo")
    votes = [entry(who, "voted", system="Ada", vote=1) for who in ("p1", "p2")]
    journal.append("rooms/R", [entry("teacher", "opened", title="Ada"), *here, *votes])


@pytest.mark.parametrize("spelling", [URL, "example.com/storm/", "HTTP://example.com/Storm#top"])
def test_a_url_is_removed_with_the_headline_it_belongs_to(journal, spelling):
    fill(journal)
    receipt = forget(journal, secret_of(ErasureTarget.URL, spelling), {})
    # What others say of the headline without its address goes as well.
    assert (receipt["removed"], receipt["changed"]) == (1, 2)
    assert journal.read("corrections/x")[0].body["headlines"] == [["Rates", "", "T"]]
    changed, kept = journal.read("pairs/1")
    assert changed.body == {"pair": [OTHER], "vote": "same", "forgotten": True}
    assert kept.body["pair"] == [OTHER, OTHER]
    assert "example.com" not in repr(told(journal))
    assert len(journal.read("rooms/R")) == 5


TRACKED = [
    "fbclid=1", "fbclid=1&gclid=2", "utm_source=a&fbclid=1", "utm_source=a&amp;fbclid=1",
    "FBCLID=1", "gclsrc=a", "dclid=1", "gbraid=1", "wbraid=1", "msclkid=1", "yclid=1", "ysclid=1",
    "ttclid=1", "twclid=1", "igshid=1", "igsh=1", "mc_cid=1&mc_eid=2", "ref=a", "ref_src=a",
    "cmpid=a", "ocid=a", "smid=a", "at_medium=a", "wt_mc=a", "xtor=a", "mtm_campaign=a",
    "pk_campaign=a", "_hsenc=a", "hsa_acc=1", "_gl=1", "srsltid=a",
]  # fmt: skip


@pytest.mark.parametrize("address", [URL, f"{URL}?id=5"])
def test_a_url_goes_however_visitors_of_its_page_are_counted_and_no_other_page_does(journal, address):
    also = f"{address}{'&' if '?' in address else '?'}"
    journal.append("s", [entry(article=f"{also}{tracked}") for tracked in TRACKED])
    journal.append("s", [entry(article=f"{also}story=6")])
    receipt = forget(journal, secret_of(ErasureTarget.URL, address), {})
    assert receipt["removed"] == len(TRACKED)
    (left,) = journal.read("s")
    assert left.body == {"article": f"{also}story=6"}


def test_a_publisher_is_removed_by_name_and_by_address(journal):
    fill(journal)
    forget(journal, secret_of(ErasureTarget.PUBLISHER, "daily  bugle"), {})
    assert "Bugle" not in repr(told(journal))
    assert journal.read("corrections/x")[0].body["headlines"] == [["Rates", "", "T"]]
    assert forget(journal, secret_of(ErasureTarget.PUBLISHER, "example.org"), {})["changed"] == 2
    assert "example.org" not in repr(told(journal))


def test_a_person_is_removed_from_names_and_rooms_and_nobody_else_is(journal):
    fill(journal)
    receipt = forget(journal, secret_of(ErasureTarget.PERSON, " ada"), {})
    assert (receipt["removed"], receipt["changed"]) == (3, 0)
    assert [one.who for one in journal.read("pairs/1")] == ["Bo", "Bo"]
    # A title or system of that name is no person.
    assert [one.who + one.kind for one in journal.read("rooms/R")] == ["teacheropened", "p2joined", "p2voted"]
    (number,) = journal.receipts()
    assert journal.receipts(after=number - 1) == {number: receipt}
    assert not journal.receipts(after=number)
    assert "ada" not in [str(value).lower() for value in receipt.values()]


@pytest.mark.slow
def test_no_file_of_the_database_holds_what_was_forgotten(tmp_path):
    journal = Journal(sqlite_url(tmp_path))
    for number in range(300):
        journal.append("s", [entry(f"Person {number % 3}", text="x" * 500, number=number)])
    # A server that has read everything stays open: the last to close would empty the log by itself.
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as server:
        assert server.execute("SELECT count(*) FROM entries").fetchone() == (300,)
        forget(journal, secret_of(ErasureTarget.PERSON, "Person 1"), {})
        content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Person 1" not in content
    assert b"Person 2" in content
    assert len(Journal(journal.url).read("s")) == 200


def test_a_log_that_a_reader_keeps_is_named_on_the_receipt(tmp_path, monkeypatch):
    monkeypatch.setenv(limits.DATABASE_SECONDS.variable, "1")
    journal = Journal(sqlite_url(tmp_path))
    journal.append("s", [entry("Ada"), entry("Bo")])
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as server:
        server.execute("BEGIN")
        server.execute("SELECT count(*) FROM entries").fetchone()
        assert "problem" in forget(journal, secret_of(ErasureTarget.PERSON, "Ada"), {})["database"]
