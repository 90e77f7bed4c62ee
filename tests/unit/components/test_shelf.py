"""Each session keeps its opened files; nobody's open file is pushed out by others; the whole is bounded."""

import numpy as np
import pytest

from components.shelf import Store
from core import limits
from core.errors import InputError


class House:
    """A store and the sessions that are connected to it."""

    def __init__(self) -> None:
        self.here = {"ada", "bo", "cy", *(f"visitor {number}" for number in range(40))}
        self.store = Store(lambda session: session in self.here)

    def put(self, session: str, name: str, megabytes: int = 0, kind: str = "timelines") -> None:
        self.store.put((kind, name), np.zeros(megabytes * 1_000_000, np.uint8), session)

    def has(self, *names: str, kind: str = "timelines") -> list[bool]:
        return [self.store.get((kind, name), "nobody", opens=False) is not None for name in names]


@pytest.fixture
def house():
    return House()


def test_thirty_files_of_others_push_out_nobody_s_open_file(house):
    house.put("ada", "ada's")
    for number in range(2 * limits.KEPT_FILES.value):
        house.put("bo", f"bo's {number}")
    assert house.has("ada's", "bo's 0", "bo's 59") == [True, False, True]


def test_a_session_keeps_so_many_and_its_oldest_goes(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_FILES.variable, "2")
    for name in ("a", "b"):
        house.put("ada", name)
    house.store.get(("timelines", "a"), "ada", opens=True)
    house.put("ada", "c")
    assert house.has("a", "b", "c") == [True, False, True]
    house.put("bo", "a")
    house.put("ada", "d")
    house.put("ada", "e")
    assert house.has("a", "d") == [True, True]  # a is bo's as well
    house.put("ada", "one of another kind", kind="articles")
    assert house.has("d", "e") == [True, True]


def test_past_the_bound_files_of_the_gone_go_first_and_open_ones_stay(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "10")
    house.put("ada", "ada's earlier", 2)
    house.put("ada", "ada's open", 2)
    house.put("bo", "bo's", 2)
    house.put("cy", "cy's", 3)
    house.here.remove("bo")
    house.put("visitor 1", "first", 2)
    assert house.has("ada's earlier", "ada's open", "bo's", "cy's", "first") == [
        True,
        True,
        False,
        True,
        True,
    ]
    house.put("visitor 2", "second", 2)
    assert house.has("ada's earlier", "ada's open", "cy's", "second") == [False, True, True, True]


def test_a_file_for_which_there_is_no_space_is_refused_in_one_sentence(house, monkeypatch):
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "5")
    house.put("ada", "ada's", 2)
    house.put("bo", "bo's", 2)
    with pytest.raises(InputError, match=r"it takes 3 megabytes .* leave 1\..*HEADLINE_LAB_KEPT_MEGABYTES"):
        house.put("cy", "cy's", 3)
    assert house.has("ada's", "bo's", "cy's") == [True, True, False]
    # Its own open file makes space for the next one of the same session, and stays where that fails.
    house.put("bo", "bo's next", 3)
    assert house.has("ada's", "bo's", "bo's next") == [True, False, True]
    with pytest.raises(InputError):
        house.put("bo", "too large", 4)
    assert house.has("bo's next") == [True]
