"""Two servers on one database: what they share, and what each says that it does not."""

from datetime import timedelta

import pytest

from components.people.room import held
from components.server import other_servers
from components.server.server_keys import SERVER_KEY, browser_token, own_secret, server_secret
from core.digests import signed
from core.errors import InputError
from core.journal.journal import Journal, the_journal
from core.journal.opening import VARIABLE
from core.journal.verify import unread
from core.people.room.rooms import NoSuchRoom, Rooms
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
    assert other_servers.said_of_others() == ""
    server("two")
    other_servers.note_server()
    for name in ("one", "two"):
        server(name)
        said = other_servers.said_of_others()
        assert str(tmp_path / name) in said
        assert all(word in said for word in ("forms", "pair sets", "streams", "archives", SERVER_KEY))
    assert unread(the_journal()) == []
    monkeypatch.setattr(other_servers, "_RECENT", timedelta(0))
    assert other_servers.said_of_others() == ""
    monkeypatch.delenv(VARIABLE)
    assert other_servers.others() == []


def test_a_room_over_two_servers_has_the_phones_of_both(server, monkeypatch):
    tickets, tokens = [], []
    for name in ("one", "two"):
        server(name)
        code, _ = held.rooms().open(small_task(), lobby=True)
        tickets.append(held.rooms().ticket(code))
        tokens.append(signed(server_secret(), "browser", "phone"))
    with pytest.raises(NoSuchRoom):  # each has a key of its own
        held.rooms().find(tickets[0])
    assert not browser_token(tokens[0])
    monkeypatch.setenv(SERVER_KEY, "short")
    with pytest.raises(InputError, match=SERVER_KEY):
        server_secret()
    monkeypatch.setenv(SERVER_KEY, "a long text that nobody guesses")
    server("one")
    other_servers.note_server()
    first = Rooms(the_journal(), secret=server_secret())
    code, _ = first.open(small_task(), lobby=True)
    first.join(code, "Ada", browser="a", door=0)
    server("two")
    other_servers.note_server()
    assert "pair sets" in other_servers.said_of_others()
    assert other_servers.rooms_apart() == ""
    second = Rooms(Journal(the_journal().url), secret=server_secret())
    at, door = second.find(first.ticket(code))
    second.join(at, "Bo", browser="b", door=door)
    second.join(code, "Cy", browser="c", door=0)
    assert [person.nickname for person in first.room(code).here] == ["Ada", "Bo", "Cy"]
    assert second.person(code, "a").nickname == "Ada"  # a phone that is answered by the other server next
    assert held.seen(first.room(code)).keys() == {person.who for person in first.room(code).here}
