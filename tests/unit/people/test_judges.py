"""Names and tokens: who took a name first has it, and nobody else gets in."""

from __future__ import annotations

import hmac
import threading
from contextlib import suppress

import pytest

from core.errors import InputError
from core.journal.journal import Journal, NewEntry
from core.people.ratings import judge_key
from core.people.store import Judges
from tests.unit.people.answering import answer, store_of


@pytest.fixture
def judges(journal: Journal) -> Judges:
    return Judges(journal=journal)


SPELLINGS = [" ADA  b ", "Ａｄａ b", "ada\u00a0B", "A\u200eda\u200d b\ufe0f", "a\u00adda b"]
SPELLINGS += ["Ada" + blank + " b" for blank in "\u3164\u2800\u115f\u1160\uffa0\u17b4\u17b5\u061c\u2028\x01"]
SPELLINGS += ["Ada b" + unseen for unseen in "\u3164\u2800\U000e0100\U000e0041\u2065\ufff0\u180e\ufff9"]


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_name_is_taken_however_it_is_spelled(judges: Judges, spelling: str) -> None:
    token = judges.take("Ada B")
    assert judges.holder(token) == "Ada B"
    assert judges.taken(spelling)
    with pytest.raises(InputError, match="has judged here before"):
        judges.take(spelling)
    assert judges.holder(token) == "Ada B"
    assert judge_key(spelling) == judge_key("Ada B")


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\U000e0100"])
def test_a_name_that_nobody_sees_is_none(judges: Judges, name: str) -> None:
    with pytest.raises(InputError, match="has no name"):
        judges.take(name)


def test_composed_and_decomposed_letters_are_one_name() -> None:
    assert judge_key("Zoe\u0308") == judge_key("ZO\u00cb")
    assert judge_key("Straße") == judge_key("STRASSE")
    assert len({judge_key(name) for name in ("Ada", "Ada 2", "Ada-2", "Ада", "=1")}) == 5


def test_a_forged_token_opens_nothing(judges: Judges, monkeypatch: pytest.MonkeyPatch) -> None:
    token = judges.take("Ada")
    compared: list[tuple[str, str]] = []
    real = hmac.compare_digest
    monkeypatch.setattr(
        hmac, "compare_digest", lambda one, other: (compared.append((one, other)), real(one, other))[1]
    )
    judges.take("Bo")
    forged = ["", "x", token[:-1], token + "x", token.swapcase(), "ä\ud800", "x" * 10_000_000, token * 5]
    assert [judges.holder(one) for one in forged] == [""] * len(forged)
    # All hashes are compared each time, whether one fits or not.
    compared.clear()
    assert judges.holder(token) == "Ada"
    assert len(compared) == 2


def test_no_token_is_stored(judges: Judges) -> None:
    tokens = [judges.take("Ada"), judges.renew("Ada")]
    stored = repr(judges.journal.read("judges"))
    assert not any(token in stored for token in tokens)
    assert len(tokens[0]) >= 43


def test_of_many_who_take_a_name_at_once_one_gets_it(judges: Judges) -> None:
    got: list[str] = []
    start = threading.Barrier(20)

    def take() -> None:
        start.wait()
        with suppress(InputError):
            got.append(Judges(journal=judges.journal).take("Ada"))

    threads = [threading.Thread(target=take) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (token,) = got
    assert judges.holder(token) == "Ada"


def test_a_name_stays_with_the_first_however_close_the_second_is(
    judges: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = judges.take("Ada")
    # As it looks to another process that looked a moment before.
    monkeypatch.setattr(Judges, "taken", lambda *_: False)
    with pytest.raises(InputError, match="has judged here before"):
        judges.take("Ada")
    assert judges.holder(first) == "Ada"


def test_a_new_token_ends_the_old_one(judges: Judges) -> None:
    old = judges.take("Ada")
    other = judges.take("Bo")
    new = judges.renew("ada")
    assert [judges.holder(one) for one in (old, new, other)] == ["", "Ada", "Bo"]
    with pytest.raises(InputError, match="Nobody has judged as Cy"):
        judges.renew("Cy")


def test_a_name_with_answers_that_nobody_took_is_closed(judges: Judges) -> None:
    store_of(judges.journal).record("Ada", answer("a0", "readability", "A", 3))
    with pytest.raises(InputError, match="has judged here before"):
        judges.take("ada")
    assert judges.holder(judges.renew("Ada")) == "Ada"
    store_of(judges.journal).record("Bo", answer("a0", "readability", "A", 3))
    assert judges.holder(judges.take("Bo", answered=True)) == "Bo"


def test_damaged_entries_are_ignored(judges: Judges) -> None:
    token = judges.take("Ada")
    spoiled = ({}, {"sha256": 7}, {"sha256": "ä"})
    judges.journal.append("judges", [NewEntry(kind="renewed", who="Ada", body=body) for body in spoiled])
    second = judges.take("Bo")
    assert [judges.holder(one) for one in (token, second)] == ["Ada", "Bo"]
