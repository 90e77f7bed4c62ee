import re
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa

from core import limits
from core.errors import DataSourceError, InputError
from core.journal import database_errors, opening, schema
from core.journal import folds as folding
from core.journal import journal as appending
from core.journal.database_errors import explained
from core.journal.entries import Entry, NewEntry
from core.journal.folds import Folds
from core.journal.journal import Journal
from core.journal.opening import close, open_database, sqlite_url
from core.journal.schema import REVISION
from core.journal.tables import ENTRIES, METADATA, RECEIPTS
from tests.unit.people.by_hand import entries

ADA, BO, CY = entries(("Ada", "said", {}), ("Bo", "said", {}), ("Cy", "said", {}))


def names(fold, read):
    return fold.fold("key", read, tuple, lambda known, new: (*known, *(entry.who for entry in new)))


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([(ADA,), (ADA, BO), (ADA, BO)], ("Ada", "Bo")),
        ([(ADA, ADA), (ADA, ADA, BO, ADA)], ("Ada", "Bo")),
        ([(ADA, BO), (BO,)], ("Bo",)),
        ([(ADA, BO), (BO, CY)], ("Bo", "Cy")),
        ([(ADA, BO), ()], ()),
    ],
)
def test_every_entry_counts_once_and_what_was_removed_not_at_all(looks, expected):
    fold: Folds[tuple[str, ...]] = Folds()
    assert [names(fold, read) for read in looks][-1] == expected


def test_only_new_entries_are_folded_in():
    fold: Folds[int] = Folds()
    sizes: list[int] = []
    for read in ((ADA,), (ADA, BO, CY), (ADA, BO, CY)):
        fold.fold("key", read, int, lambda _, new: sizes.append(len(new)) or 0)
    assert sizes == [1, 2]


def test_states_looked_at_longest_ago_are_forgotten_first(monkeypatch):
    monkeypatch.setattr(folding, "_MOST", 2)
    fold, begun = Folds[int](), []
    for key in "abacab":
        fold.fold(key, (ADA,), lambda: begun.append(key) or 0, lambda state, new: state + len(new))  # noqa: B023
    assert begun == list("abcb")


TEXT = "\0 “Ünïcode” 🗞 \\ \u2028 \ud800"


def entry(kind="rated", who="Ada", **body):
    return NewEntry(kind=kind, who=who, body=body)


def test_entries_come_back_as_they_were_in_their_order(journal):
    assert journal.read("ratings/x") == ()
    assert journal.streams() == {}
    when = datetime(2026, 3, 1, 12, 30, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    first = replace(entry(answer=3, shown=[TEXT, None, {"b": 1.5, "a": True}]), when=when)
    given = first, entry(who="Бо", answer=4)
    assert journal.append("ratings/x", []) == ()
    stored = journal.append("ratings/x", given)
    for one, new in zip(stored, given, strict=True):
        assert (one.stream, one.when.tzinfo) == ("ratings/x", UTC)
        assert {name: getattr(one, name) for name in asdict(new)} == asdict(new)
    assert journal.read("ratings/x") == stored
    (third,) = journal.append("ratings/x", [entry(answer=5)])
    assert journal.read("ratings/x") == (*stored, third)
    assert journal.read("ratings/x", after=stored[1].sequence) == (third,)
    assert journal.read("ratings/x", after=third.sequence) == ()
    assert stored[0].sequence < stored[1].sequence < third.sequence
    journal.append("votes/x", [entry(who="Cy")])
    assert journal.streams("ratings/") == {"ratings/x": third.sequence}
    assert list(journal.streams()) == ["votes/x", "ratings/x"]
    assert (journal.people("ratings/"), journal.people()) == (("Ada", "Бо"), ("Ada", "Cy", "Бо"))
    # A process that remembers nothing reads the same.
    close(journal.url)
    assert Journal(journal.url).read("ratings/x") == (*stored, third)


def test_the_number_of_an_entry_that_is_gone_is_not_given_again(journal):
    last = journal.append("s", [entry(), entry()])[-1].sequence
    with open_database(journal.url).engine.begin() as connection:
        connection.execute(sa.delete(ENTRIES))
    assert journal.append("s", [entry()])[0].sequence > last


class Refused(Exception):
    """What the library of another database raises."""


def refused(said):
    return sa.exc.OperationalError("", {}, Refused(said))


@pytest.mark.parametrize(
    ("doing", "error", "said"),
    [
        *(("saved", sa.exc.DatabaseError("", {}, OSError(sign)), f"cannot be saved: {reason} (here).")
          for sign, reason, _ in database_errors._SAYS),
        ("saved", refused("server closed the connection"), "the database does not answer (here)."),
        ("read", sa.exc.OperationalError("", {}, sqlite3.OperationalError("odd")), "refuses (here: odd)."),
        ("saved", sa.exc.TimeoutError(), "This cannot be saved: the database does not answer (here)."),
        ("read", sa.exc.TimeoutError(), "was stored cannot be read: the database does not answer (here)."),
        ("saved", sa.exc.DatabaseError("", {}, OSError("Odd\nmore")), "the database refuses (here: odd)."),
    ],
)  # fmt: skip
def test_a_database_that_does_not_work_is_one_sentence(doing, error, said):
    with pytest.raises(DataSourceError, match=re.escape(said)), explained("here", doing):
        raise error


def test_an_id_does_not_stand_for_two_answers(journal):
    one = entry(answer=1)
    journal.append("s", [one])
    for forged in (replace(one, body={"answer": 2}), replace(one, who="Bo"), replace(one, kind="undone")):
        with pytest.raises(InputError, match="Something else"):
            journal.append("s", [entry(answer=9), forged])
    assert [found.body["answer"] for found in journal.read("s")] == [1]


def test_names_are_stored_up_to_their_limit_and_numbers_only_that_are_some(journal):
    longest = replace(entry(who="a" * 200, kind="k" * 200), id="i" * 200)
    assert journal.append("s" * 200, [longest])[0].who == "a" * 200
    with pytest.raises(ValueError, match="JSON"):
        journal.append("s", [entry(share=float("nan"))])


@pytest.mark.parametrize("url", ["nonsense", "mysql://a@b/c", "sqlite://", "sqlite:///:memory:"])
def test_an_address_of_no_database_is_refused(url):
    with pytest.raises(InputError, match="HEADLINE_LAB_DATABASE_URL is no address"):
        Journal(url).read("s")


def test_a_server_is_asked_by_fifty_connections_at_most_and_its_password_shown_nobody(monkeypatch):
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        server = opening._database(f"{scheme}://ada:secret@example.org/lab")
        assert server.place == "postgresql+psycopg://ada:***@example.org/lab"
        assert (server.engine.pool.size(), server.engine.pool._max_overflow) == (50, 0)
        assert (server.file, server.identity) == (None, "PostgreSQL")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DataSourceError, match="The library for postgresql is not installed"):
        opening._database("postgresql://ada@example.org/lab")


@pytest.mark.parametrize(
    ("error", "pauses"), [(refused("gone"), [0.1, 0.5, 2.0]), (sa.exc.DatabaseError("", {}, OSError()), [])]
)
def test_a_connection_that_is_cut_off_is_tried_again_three_times(monkeypatch, error, pauses):
    waited: list[float] = []
    monkeypatch.setattr(appending.time, "sleep", waited.append)

    def work():
        raise error

    with pytest.raises(sa.exc.DBAPIError):
        appending._patiently(work)
    assert waited == pauses


def test_a_file_that_was_moved_away_takes_no_more_entries(tmp_path):
    journal = Journal(sqlite_url(tmp_path))
    journal.append("s", [entry(n=1)])
    (tmp_path / "journal.sqlite").rename(tmp_path / "away.sqlite")
    journal.append("s", [entry(n=2)])
    assert [one.body["n"] for one in journal.read("s")] == [2]
    close(journal.url)


def test_what_was_read_longest_ago_is_read_again(journal, monkeypatch):
    monkeypatch.setattr(appending, "_MOST_STREAMS", 2)
    for stream in "abc":
        journal.append(stream, [entry()])
        first = journal.read(stream)
        assert journal.read(stream)[0] is first[0]
    assert len(appending._KNOWN) == 2
    assert [stream for *_, stream in appending._KNOWN] == ["b", "c"]


@pytest.mark.parametrize(
    "wrong",
    [
        *(replace(entry(), who=who) for who in ("a" * 201, "a\0b", "\ud800")),
        replace(entry(), kind="k" * 201),
        replace(entry(), id="i" * 201),
        entry(text="x" * limits.ENTRY_CHARACTERS.value),
    ],
)
def test_what_no_database_could_hold_is_refused_whole(journal, wrong):
    with pytest.raises(InputError):
        journal.append("s", [entry(), wrong])
    assert journal.read("s") == ()


@pytest.mark.slow
def test_a_reader_misses_no_entry_while_forty_write(journal):
    """Each of forty people gives five answers, one after the other."""

    def write(who):
        for n in range(5):
            journal.append(f"s/{who % 2}", [entry(who=f"{who}", n=n)])

    seen: list[Entry] = []
    with ThreadPoolExecutor(40) as threads:
        writers = [threads.submit(write, who) for who in range(40)]
        while not all(writer.done() for writer in writers):
            seen += journal.read("s/0", after=0)[len(seen) :]
    assert not any(writer.exception() for writer in writers)
    seen += journal.read("s/0")[len(seen) :]
    assert tuple(seen) == journal.read("s/0")
    for who in range(0, 40, 2):
        assert [one.body["n"] for one in seen if one.who == f"{who}"] == list(range(5))


def test_the_steps_make_the_tables_that_the_program_works_with(journal):
    journal.append("s", [entry()])
    with open_database(journal.url).engine.connect() as connection:
        assert schema.revision_of(connection) == REVISION
        found = sa.inspect(connection)
        for name, table in METADATA.tables.items():
            columns = {column["name"]: column["nullable"] for column in found.get_columns(name)}
            assert columns == {column.name: column.nullable for column in table.columns}
            numbered = "AUTOINCREMENT" in str(sa.schema.CreateTable(table).compile(connection))
            if connection.dialect.name == "sqlite":
                asked = "SELECT sql FROM sqlite_master WHERE name = ?"
                made = connection.exec_driver_sql(asked, (name,)).scalar()
                assert numbered == ("AUTOINCREMENT" in made)
            unique = [one["column_names"] for one in found.get_unique_constraints(name)]
            assert unique == [["stream", "id"]] * (name == "entries")


def test_a_newer_database_is_refused_and_left_alone(journal):
    journal.append("s", [entry()])
    with open_database(journal.url).engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'v9999'"))
    close(journal.url)
    for act in (lambda: journal.append("s", [entry()]), lambda: journal.read("s"), journal.streams):
        with pytest.raises(DataSourceError, match="newer version"):
            act()
    with open_database(journal.url).engine.begin() as connection:
        assert schema.revision_of(connection) == "v9999"
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{REVISION}'"))
    assert len(journal.read("s")) == 1


def test_an_entry_that_another_program_spoiled_is_reported(journal):
    journal.append("s", [entry()])
    with open_database(journal.url).engine.begin() as connection:
        connection.execute(sa.text("UPDATE entries SET body = '[1'"))
    with pytest.raises(DataSourceError, match="Entry 1 of the database is damaged"):
        journal.read("s")


def test_what_a_disk_lost_is_counted_and_the_number_of_an_entry_never_given_again(tmp_path):
    file, url = tmp_path / "journal.sqlite", sqlite_url(tmp_path)
    journal, begun = Journal(url), datetime.now(UTC)
    journal.append("s", [entry(), entry()])
    close(url)
    older = file.read_bytes()
    assert not journal.losses()
    last = journal.append("s", [entry(), entry(), entry()])[-1]
    close(url)
    file.write_bytes(older)
    assert list(journal.losses().values()) == [(3, 0)]
    assert "3" in journal.lost(begun)
    assert not journal.lost(datetime.now(UTC) + timedelta(days=1))
    (new,) = journal.append("s", [entry()])
    assert new.sequence > last.sequence
    close(url)
    # Pages of the table are older than those with the last number.
    with closing(sqlite3.connect(file, isolation_level=None)) as raw:
        raw.execute(f"DELETE FROM entries WHERE sequence = {new.sequence}")
    since = datetime.now(UTC)
    assert list(journal.losses().values())[1:] == [(1, 0)]
    assert journal.lost(since) == "The disk lost the newest answers, 1 in number: give them again."
    close(url)
    older = file.read_bytes()
    with open_database(url).writing() as connection:
        connection.execute(sa.insert(RECEIPTS).values(time="", body="{}"))
    close(url)
    file.write_bytes(older)
    since = datetime.now(UTC)
    assert list(journal.losses().values())[2:] == [(0, 1)]
    assert journal.lost(since) == "A removal on request was lost: repeat it with `headline-lab forget`."
    close(url)
