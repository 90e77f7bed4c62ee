import multiprocessing
import os
import random
import sqlite3
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import DataSourceError
from core.journal import journal as appending
from core.journal.database import close, opened, sqlite_url
from core.journal.entries import NewEntry
from core.journal.journal import Journal
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
    database = opened(journal.url)
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
