import multiprocessing
import os
import random
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from core import files
from core.errors import CoreError, DataSourceError
from core.journal import journal as appending
from core.journal import schema
from core.journal.backup import read_backup, taken
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import Journal
from core.journal.opening import close, open_database, sqlite_url
from core.journal.restore import put_back
from core.journal.spellings import ErasureTarget
from core.journal.verify import verify
from tests.programs import printed
from tests.unit.journal.writing import vote_on

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.unit.journal.writing"])


def entry(**body):
    return NewEntry(kind="vote", who="Ada", body=body)


@pytest.mark.slow
@pytest.mark.usefixtures("bare_main")
@pytest.mark.parametrize("kills", [10, 90])
def test_what_a_killed_server_acknowledged_is_there_once(journal, kills):
    """Ten kills and ninety, on two databases: 200 in all."""
    pauses, acknowledged = random.Random(19), []
    for kill in range(kills):
        receiving, sending = PROCESSES.Pipe(duplex=False)
        server = PROCESSES.Process(target=vote_on, args=(journal.url, f"server {kill}", sending))
        server.start()
        sending.close()
        acknowledged.append(receiving.recv())
        time.sleep(pauses.uniform(0, 0.03))
        server.kill()
        server.join()
        with suppress(EOFError, OSError):
            while True:
                acknowledged.append(receiving.recv())
    stored = Counter(one.id for one in journal.read("votes"))
    assert [stored[one] for one in acknowledged] == [1] * len(acknowledged)
    # Of each server one vote more may be there: stored, and not yet acknowledged.
    assert len(stored) - len(acknowledged) <= kills
    numbers = Counter((one.who, one.body["number"]) for one in journal.read("votes"))
    assert set(numbers.values()) == {1}


def test_an_answer_that_a_broken_connection_sent_twice_counts_once(journal, monkeypatch):
    """The connection goes after the database stored the entry and before it said so."""
    real, cut = appending._stored, [True, True]

    def broken(*given):
        found = real(*given)
        if cut:
            cut.pop()
            raise sa.exc.DBAPIError("COMMIT", {}, OSError("gone"), connection_invalidated=True)
        return found

    monkeypatch.setattr(appending, "_stored", broken)
    new = entry(answer=1)
    (stored,) = journal.append("votes", [new])
    assert not cut
    assert stored.id == new.id
    assert [one.id for one in journal.read("votes")] == [new.id]


def begun(tmp_path):
    journal = Journal(sqlite_url(tmp_path))
    journal.append("votes", [entry(answer=1)])
    return journal


def test_a_full_disk_is_reported_and_typing_goes_on(tmp_path):
    journal = begun(tmp_path)
    database = open_database(journal.url)
    with database.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()

    # SQLite itself says what it says on a full disk, once its file may not grow.
    @sa.event.listens_for(database.engine, "checkout")
    def bounded(connection, *_):
        connection.execute(f"PRAGMA max_page_count={pages if full else 1_000_000}")

    full = True
    with pytest.raises(DataSourceError, match="cannot be saved: the disk is full") as told:
        journal.append("votes", [entry(text="x" * 100_000)])
    assert "Make space" in told.value.hint
    full = False
    journal.append("votes", [entry(answer=2)])
    assert [one.body["answer"] for one in journal.read("votes")] == [1, 2]


READ_ONLY = """
import os, sys
import alembic.operations, alembic.script, sqlalchemy.dialects.sqlite.pysqlite
from core.errors import DataSourceError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.journal.database import upgrade
os.setgid(65534), os.setuid(65534)
try:
    Journal(sys.argv[1]).append("votes", [NewEntry(kind="vote")])
except DataSourceError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True])
def test_a_read_only_folder_is_reported(tmp_path, begun):
    folder = tmp_path / "folder"
    folder.mkdir()
    journal = Journal(sqlite_url(folder))
    if begun:
        journal.append("votes", [entry(answer=1)])
        close(journal.url)
    folder.chmod(0o555)
    if os.geteuid():
        with pytest.raises(DataSourceError, match="cannot be saved: the f"):
            journal.append("votes", [entry()])
    else:
        # root writes everywhere: a process without its rights tries it.
        for parent in folder.parents:
            if parent.owner() == "root" and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o055)
        said = printed(READ_ONLY, journal.url)
        assert "cannot be saved: the f" in said
        assert "then try again" in said
    folder.chmod(0o755)
    journal.append("votes", [entry(answer=2)])
    assert [one.body["answer"] for one in journal.read("votes")] == [1] * begun + [2]


@pytest.mark.parametrize("damage", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_file_is_reported_and_left_as_it_is(tmp_path, damage):
    journal = Journal(sqlite_url(tmp_path))
    file = tmp_path / "journal.sqlite"
    file.write_bytes(damage)
    for act in (lambda: journal.append("votes", [entry()]), lambda: journal.read("votes"), journal.streams):
        with pytest.raises(DataSourceError, match="the file is damaged") as told:
            act()
        assert "headline-lab restore" in told.value.hint
    assert file.read_bytes() == damage
    # Moved away, as the hint says, the server goes on with a new file without a restart.
    file.rename(tmp_path / "damaged")
    journal.append("votes", [entry(answer=1)])
    assert len(journal.read("votes")) == 1


def test_a_lock_that_another_program_holds_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATABASE_SECONDS", "1")
    journal = begun(tmp_path)
    other = sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DataSourceError, match="another program has locked it"):
        journal.append("votes", [entry()])
    # Reading goes on meanwhile.
    assert len(journal.read("votes")) == 1
    other.execute("ROLLBACK")
    journal.append("votes", [entry()])
    assert len(journal.read("votes")) == 2


def dropped(postgres):
    """Ends all connections of the tests to the server; how many."""
    engine = sa.create_engine(postgres.get_uri(driver="psycopg"))
    ask = (
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with engine.begin() as connection:
        count = connection.execute(sa.text(ask)).scalar()
    engine.dispose()
    return int(count or 0)


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["postgres"], indirect=True)
def test_postgresql_that_drops_connections_in_mid_save_loses_nothing(journal, postgres):
    acknowledged: list[str] = []
    stop = threading.Event()

    def write(who):
        while not stop.is_set():
            new = replace(entry(), who=f"w{who}")
            journal.append("votes", [new])
            acknowledged.append(new.id)

    writers = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for one in writers:
        one.start()
    ended = 0
    for _ in range(5):
        time.sleep(0.1)
        ended += dropped(postgres)
    stop.set()
    for one in writers:
        one.join()
    assert ended
    stored = Counter(one.id for one in journal.read("votes"))
    assert stored == Counter(acknowledged)
    assert acknowledged


def numbers(journal, stream="votes"):
    return [one.body["n"] for one in journal.read(stream)]


def during_a_restore(journal, monkeypatch, act):
    """Does something at the moment at which what is stored now is written into a backup."""
    real = files.write

    def write(path, content, **how):
        act()
        real(path, content, **how)

    monkeypatch.setattr(files, "write", write)


def test_what_is_given_during_a_restore_is_there_after_it(journal, monkeypatch, tmp_path):
    journal.append("votes", [entry(n=1), replace(entry(n=2), who="Bo")])
    backup = taken(journal)
    journal.append("votes", [entry(n=3)])
    others = [
        threading.Thread(target=lambda: journal.append("votes", [entry(n=4)])),
        threading.Thread(target=lambda: forget(journal, secret_of(ErasureTarget.PERSON, "Bo"), {})),
    ]

    def meanwhile():
        assert journal.restoring()
        for other in others:
            other.start()
        time.sleep(0.3)

    during_a_restore(journal, monkeypatch, meanwhile)
    put_back(journal, backup, keep=tmp_path / "kept.jsonl.gz")
    for other in others:
        other.join()
    assert not journal.restoring()
    kept = read_backup(tmp_path / "kept.jsonl.gz").entries
    assert [row["body"] for row in kept] == [f'{{"n":{n}}}' for n in (1, 2, 3)]
    assert numbers(journal) == [1, 4]
    assert verify(journal) == []


def test_who_waits_too_long_for_a_restore_is_told_of_it(journal, monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_DATABASE_SECONDS", "1")
    journal.append("votes", [entry(n=1)])
    told = []

    def meanwhile():
        with pytest.raises(DataSourceError, match="backup is being restored") as error:
            Journal(journal.url).append("votes", [entry(n=2)])
        told.append(error.value.hint)

    during_a_restore(journal, monkeypatch, meanwhile)
    put_back(journal, taken(journal), keep=tmp_path / "kept.jsonl.gz")
    assert told == ["Wait a minute, then try again."]
    assert numbers(journal) == [1]


def test_a_restore_that_was_killed_keeps_nobody_waiting(tmp_path):
    journal = begun(tmp_path)
    (tmp_path / "journal.sqlite-restore").touch()
    assert not journal.restoring()
    assert not (tmp_path / "journal.sqlite-restore").exists()


def asked_all(journal):
    """All that a journal can be asked."""
    return (
        [journal.read(stream) for stream in ("s/0", "s/1")],
        journal.streams(),
        journal.people(),
        list(journal.receipts().items()),
        taken(journal),
    )


def flipped(tmp_path, seeds):
    """Journals with a bit turned on the disk, each with what it held before."""
    (tmp_path / "whole").mkdir()
    journal = Journal(sqlite_url(tmp_path / "whole"))
    for number in range(120):
        new = NewEntry(kind="vote", who=f"P{number % 7}", body={"answer": "same", "shown": ["abc"] * 9})
        journal.append(f"s/{number % 2}", [new])
    forget(journal, secret_of(ErasureTarget.PERSON, "P3"), {})
    before = asked_all(journal)
    close(journal.url)
    with closing(sqlite3.connect(tmp_path / "whole" / "journal.sqlite")) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    content = (tmp_path / "whole" / "journal.sqlite").read_bytes()
    for seed in seeds:
        drawn, damaged = random.Random(seed), bytearray(content)
        damaged[drawn.randrange(len(damaged))] ^= 1 << drawn.randrange(8)
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        (folder / "journal.sqlite").write_bytes(damaged)
        journal = Journal(sqlite_url(folder))
        yield journal, before
        close(journal.url)


def told_or_whole(journal, before):
    """Whether all answers of a journal are as before; what is refused is none."""
    for at, ask in enumerate(
        (lambda: [journal.read(f"s/{n}") for n in (0, 1)], journal.streams, journal.people,
         lambda: list(journal.receipts().items()), lambda: taken(journal))
    ):  # fmt: skip
        with suppress(CoreError):
            assert ask() == before[at] or journal.losses()


@pytest.mark.slow
def test_a_turned_bit_is_never_an_answer(tmp_path):
    for journal, before in flipped(tmp_path, range(40)):
        told_or_whole(journal, before)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(40, 440, 200))
def test_of_four_hundred_turned_bits_none_is_an_answer(tmp_path, first):
    for journal, before in flipped(tmp_path, range(first, first + 200)):
        told_or_whole(journal, before)


def changed(journal, *statements):
    """Changes a database as a program does that knows nothing of digests."""
    with open_database(journal.url).engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    close(journal.url)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE entries SET body = '{}' WHERE sequence = 2", "Entry 2"),
        ("UPDATE entries SET who = 'Eva' WHERE sequence = 1", "Entry 1"),
        ("UPDATE entries SET time = '2020-01-01T00:00:00.000000+00:00' WHERE sequence = 3", "Entry 3"),
        ("DELETE FROM entries WHERE sequence = 2", "Entry 3"),
        ("DELETE FROM entries WHERE sequence = 3", "newest entries of 'votes'"),
        ("DELETE FROM heads WHERE stream = 'votes'", "newest entries of 'votes'"),
        ("UPDATE entries SET stream = 'notes' WHERE sequence = 3", "newest entries of 'votes'"),
    ],
)
def test_what_was_changed_without_a_receipt_is_noticed(journal, statement, named):
    journal.append("votes", [entry(n=1), entry(n=2), entry(n=3)])
    journal.append("other", [entry(n=4)])
    assert verify(journal) == []
    changed(journal, statement)
    with pytest.raises(DataSourceError, match=named):
        journal.read("votes")
    with pytest.raises(DataSourceError):
        taken(journal)
    assert any(named in fault for fault in verify(journal))
    # What is damaged takes no other stream with it.
    assert numbers(journal, "other") == [4]


def test_a_changed_receipt_is_noticed(journal):
    journal.append("votes", [entry(n=1)])
    forget(journal, secret_of(ErasureTarget.PERSON, "Ada"), {})
    changed(journal, "UPDATE receipts SET time = '2020' WHERE number = 1")
    with pytest.raises(DataSourceError, match="Receipt 1"):
        taken(journal)
    (fault,) = verify(journal)
    assert "Receipt 1" in fault


@pytest.mark.parametrize("index", ["entries_of_stream", "sqlite_autoindex_entries_1"])
def test_an_index_that_leads_past_entries_is_made_again(tmp_path, index):
    """The page of the index is that of an older moment."""
    journal = begun(tmp_path)
    file = tmp_path / "journal.sqlite"

    def page():
        close(journal.url)
        with closing(sqlite3.connect(file)) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            asked = "SELECT (rootpage - 1) * page_size, page_size FROM sqlite_master, pragma_page_size"
            start, size = raw.execute(f"{asked} WHERE name = ?", (index,)).fetchone()
        return start, file.read_bytes()[start : start + size]

    start, before = page()
    journal.append("votes", [entry(answer=2), entry(answer=3)])
    expected = journal.read("votes")
    assert page()[1] != before
    with file.open("r+b") as raw:
        raw.seek(start)
        raw.write(before)
    assert journal.read("votes") == expected
    assert journal.append("votes", [NewEntry(kind="vote", who="Ada", body={"answer": 3}, id=expected[2].id)])
    assert journal.read("votes") == expected
    assert verify(journal) == []


def older(journal, monkeypatch):
    """A database of the first version, with four entries and a receipt."""
    with monkeypatch.context() as first, open_database(journal.url).engine.begin() as connection:
        first.setattr(schema, "REVISION", "v0001")
        schema.upgrade(connection)
        for number in range(4):
            row = {"id": f"i{number}", "time": f"2026-01-01T00:00:0{number}.000000+00:00"}
            connection.execute(
                sa.text(
                    "INSERT INTO entries (stream, id, kind, who, time, body)"
                    " VALUES ('votes', :id, 'vote', 'Ada', :time, :body)"
                ),
                {**row, "body": f'{{"n":{number}}}'},
            )
        connection.execute(sa.text("DELETE FROM entries WHERE sequence = 2"))
        body = '{"what": "restore", "entries": 1}'
        connection.execute(
            sa.text("INSERT INTO receipts (time, body) VALUES ('2026', :body)"), {"body": body}
        )
    close(journal.url)


def test_an_older_database_gets_its_digests(journal, monkeypatch):
    older(journal, monkeypatch)
    assert numbers(journal) == [0, 2, 3]
    assert list(journal.receipts()) == [1]
    assert verify(journal) == []
    (new,) = journal.append("votes", [entry(n=4)])
    assert (new.sequence, numbers(journal)) == (5, [0, 2, 3, 4])
    assert verify(journal) == []
    # A server of the version before, which still runs, stores nothing that has no digest.
    with pytest.raises(sa.exc.DBAPIError):
        changed(
            journal,
            "INSERT INTO entries (stream, id, kind, who, time, body)"
            " VALUES ('votes', 'x', 'vote', 'Ada', '2026', '{}')",
        )
    close(journal.url)
    assert numbers(journal) == [0, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.usefixtures("bare_main")
def test_two_servers_that_open_an_older_database_at_once_lose_nothing(journal, monkeypatch):
    older(journal, monkeypatch)
    pipes = [PROCESSES.Pipe(duplex=False) for _ in range(2)]
    servers = [
        PROCESSES.Process(target=vote_on, args=(journal.url, f"server {at}", sending))
        for at, (_, sending) in enumerate(pipes)
    ]
    for server in servers:
        server.start()
    acknowledged = {receiving.recv() for receiving, _ in pipes}
    for server in servers:
        server.kill()
        server.join()
    assert {"i0", "i2", "i3"} | acknowledged <= {one.id for one in journal.read("votes")}
    assert verify(journal) == []
