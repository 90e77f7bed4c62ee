"""Two servers on one database: what they share, and what each says that it does not."""

from datetime import timedelta

import pytest

from components.people.room import held
from components.server import other_servers
from components.server.server_keys import SERVER_KEY, browser_token, own_secret, server_secret
from core.digests import signed
from core.errors import InputError
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE
from core.journal.verify import unread
from core.people.room.rooms import Rooms
from tests.unit.people.room.meeting import small_task


@pytest.fixture
def server(journal, tmp_path, monkeypatch):
    """Turns to a server of that name on one database."""
    monkeypatch.setenv(VARIABLE, journal.url)

    def turn(name):
        monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / name))
        own_secret.cache_clear()
        held._rooms.cache_clear()

    yield turn
    own_secret.cache_clear()
    held._rooms.cache_clear()


def test_a_server_says_what_another_on_its_database_does_not_share(server, tmp_path, monkeypatch):
    server("one")
    for _ in range(2):
        other_servers.note_server()
    assert len(the_journal().read("servers")) == 1
    assert other_servers.files_apart() == other_servers.rooms_apart() == ""
    server("two")
    other_servers.note_server()
    for name in ("one", "two"):
        server(name)
        said = other_servers.files_apart()
        assert all(
            word in said for word in ("Forms", "pair sets", "streams", "archives", str(tmp_path / name))
        )
        assert SERVER_KEY in other_servers.rooms_apart()
    assert unread(the_journal()) == []
    monkeypatch.setattr(other_servers, "_RECENT", timedelta(0))
    assert other_servers.files_apart() == ""
    monkeypatch.delenv(VARIABLE)
    assert other_servers.others() == []


def test_servers_with_one_key_sign_alike_and_see_each_other_s_phones(server, monkeypatch):
    server("one")
    theirs = signed(server_secret(), "browser", "phone")
    monkeypatch.setenv(SERVER_KEY, "short")
    with pytest.raises(InputError, match=SERVER_KEY):
        server_secret()
    monkeypatch.setenv(SERVER_KEY, "a long text that nobody guesses")
    ours = signed(server_secret(), "browser", "phone")
    other_servers.note_server()
    server("two")
    assert (browser_token(ours), browser_token(theirs)) == ("phone", "")
    assert other_servers.files_apart()
    assert other_servers.rooms_apart() == ""
    code, _ = held.rooms().open(small_task())
    Rooms(the_journal()).join(code, "Ada", browser="a", door=0)
    room = Rooms(the_journal()).room(code)
    assert held.seen(room).keys() == {person.who for person in room.here}
