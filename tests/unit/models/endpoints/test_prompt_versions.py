"""A copy of a prompt has a version of its own, stands in for the one that ships, and is signed."""

import numpy as np
import pytest

from core.errors import InputError
from core.models.endpoints import addresses
from core.models.endpoints.prompt_files import (
    Prompt,
    read_prompt,
    shipped_prompts,
    store_version,
    use_version,
    version_in_use,
    versions,
)
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from tests import language_model_server as server

NAME = "same_event.v1"
MINE = Prompt('One "event"?\nA: $left\nB: $right, for $$5\\ \x7f', "Yes or no.")


@pytest.fixture(autouse=True)
def user(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))


def test_a_copy_is_asked_and_signed_until_the_one_that_ships_is_used_again(tmp_path):
    context = PairContext(["Storm", "Rain"], np.full(2, np.nan), np.empty((2, 0), dtype=np.float32))
    signed = []

    def score():
        scorer = pair_scorers.parse("endpoint")
        scorer.prepare(context, Runtime(cache=tmp_path / "cache")).pairs(np.array([0]), np.array([1]))
        signed.append(scorer.pinned())

    with server.serving(lambda body, number: server.chat("yes", tokens={"yes": -0.1})) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        score()
        copy = store_version(NAME, MINE)
        score()
        use_version(NAME, NAME)
        score()
    assert len(asked.bodies) == 2  # the third is the first, and stored
    assert asked.texts[1] == 'One "event"?\nA: Storm\nB: Rain, for $5\\ \x7f'
    assert signed[0] == signed[2] != signed[1]
    assert signed[1] == f"{copy}-{MINE.digest}"
    assert pair_scorers.parse(f"endpoint|prompt:{copy}").pinned() == signed[1]


def test_each_change_is_a_version_and_the_same_text_is_none():
    assert version_in_use(NAME) == NAME
    assert store_version(NAME, read_prompt(NAME)) == NAME
    first, second = store_version(NAME, MINE), store_version(NAME, Prompt(f"{MINE.user}?"))
    assert store_version(NAME, MINE) == first != second
    assert versions(NAME) == [NAME, first, second]
    assert (version_in_use(NAME), version_in_use("same_event_scale.v1")) == (first, "same_event_scale.v1")
    assert read_prompt(first) == MINE


@pytest.mark.parametrize("user", ["$left", "$left $right $more", "$left $right 5$", ""])
def test_a_copy_that_lacks_what_is_put_in_is_refused_and_nothing_stored(user):
    with pytest.raises(InputError):
        store_version(NAME, Prompt(user))
    assert (versions(NAME), version_in_use(NAME)) == ([NAME], NAME)


def test_a_copy_that_is_gone_leaves_the_one_that_ships(tmp_path):
    copy = store_version(NAME, MINE)
    (tmp_path / "user" / "prompts" / f"{copy}.toml").unlink()
    assert pair_scorers.parse("endpoint").prompt == NAME


def test_every_prompt_that_ships_can_be_copied():
    for name in shipped_prompts():
        shipped = read_prompt(name)
        copy = store_version(name, Prompt(f"{shipped.user}!", shipped.system))
        assert read_prompt(copy).digest != shipped.digest
