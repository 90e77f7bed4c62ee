"""Six simulated phones for a room without a class; they join and answer by the calls that real phones use."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Final

import numpy as np

from components.frame.errors import errors_kept
from components.opened.views.people import TEACHING
from components.people.room import held, league, setup
from core.digests import digest
from core.errors import InputError
from core.people.room import measures, state
from core.people.room.rooms import RoomRefused
from core.people.room.task import LONGEST_WRITTEN, RoomItem, RoomKind, RoomTask, item_order

PHONES: Final = 6
PACE: Final = 0.5  # chance that a phone answers its next item at one look at the room
MOST_ATTEMPTS: Final = 12  # of one phone in a round to break the model
_SURE: Final = (0.55, 0.95)  # chance of the usual answer to the hardest and to the easiest item
_STAYS: Final = 0.5  # chance that a second vote is the first one; the others join the most


def open_with_phones(task: RoomTask, material: Mapping[str, str]) -> None:
    setup.open_room(task, material)
    if TEACHING.now().code:
        let_in()


@errors_kept()
def let_in() -> None:
    _join(TEACHING.now().code, TEACHING.now().token)


def _join(code: str, token: str) -> None:
    number = len(simulated(held.rooms().room(code))) + 1
    more = {"browser": f"simulated {number} {token}", "door": held.rooms().room(code).door, "simulated": True}
    held.rooms().join(code, f"Simulated {number}", **more)


def send_away() -> None:
    for person in simulated(held.rooms().room(TEACHING.now().code)):
        held.do(state.RoomStep.REMOVED, person=person.who)


def simulated(room: state.Room) -> list[state.RoomPerson]:
    return [person for person in room.here if person.simulated]


def act(code: str, token: str) -> None:
    """What the phones do between two looks of the teacher's page: one joins, and some answer."""
    room = held.rooms().room(code)
    phones = [person for person in room.people.values() if person.simulated]
    if room.closed or not phones or phones != simulated(room):
        return
    with suppress(RoomRefused):  # a step of the teacher came between
        if len(phones) < PHONES and not room.locked:
            _join(code, token)
        for number, person in enumerate(phones, 1):
            held.rooms().see(code, person.who)
            given = room.answers_of(person.who)
            order = [room.round.led] if room.round.led else item_order(room.round.task, person.who)
            left = [key for key in order if key not in given]
            item = room.round.task.item(left[0]) if left else None
            closed = not room.round.vote or room.paused or room.round.over(datetime.now(UTC))
            if item is None or closed or np.random.default_rng().random() > PACE:
                continue
            if room.round.task.kind is RoomKind.BREAK:
                _attempt(room, person, item, f"simulated {number} {token}")
                return  # one after the other: people wait for the same model
            answer = {"began": room.round.began, "item": item.key, "answer": _answer(room, person, item)}
            held.rooms().answer(code, f"simulated {number} {token}", **answer)


def _attempt(room: state.Room, person: state.RoomPerson, item: RoomItem, browser: str) -> None:
    if sum(attempt.who == person.who for attempt in room.round.attempts) >= MOST_ATTEMPTS:
        return
    chance = np.random.default_rng()
    typed = list(item.texts)
    place = int(chance.integers(len(typed)))
    words = typed[place].split()
    typed[place] = " ".join(words[: int(chance.integers(1, len(words)))] if len(words) > 1 else words)
    about = {"began": room.round.began, "item": item.key, "typed": typed}
    with suppress(InputError):  # no word was cut
        held.rooms().attempt(room.code, browser, ask=partial(league.ask, room.round.task.scorer), **about)


def _answer(room: state.Room, person: state.RoomPerson, item: RoomItem) -> str:
    """The usual answer, with a chance that the item has; in a second vote the first, or what most said."""
    task, chance = room.round.task, np.random.default_rng()
    if task.kind_of(item) is RoomKind.TEXT:
        words = " ".join(item.texts or (item.question,)).split()
        return max(chance.choice(words, 3), key=len)[:LONGEST_WRITTEN]
    if task.kind_of(item) is RoomKind.RANKING:
        if item.right and chance.random() < _STAYS:
            return item.right
        return task.order_of(item, chance.permutation(list(task.options_of(item))).tolist())
    options = list(task.options_of(item))
    about, voted = (room.code, item.key), (person.who, str(room.round.vote))
    shared, own = (np.random.default_rng(int(digest(*of)[:8], 16)) for of in (about, (*about, *voted)))
    usual, sure = item.right or options[int(shared.integers(len(options)))], shared.uniform(*_SURE)
    if room.round.vote > 1:
        first = room.round.first.get((person.who, item.key), "")
        counts = measures.tally(room.round, item, state.counted(room, room.round.first))
        most = max(counts, key=counts.__getitem__)
        return first if first and own.random() < _STAYS else most
    others = [option for option in options if option != usual]
    return usual if own.random() < sure or not others else others[int(own.integers(len(others)))]
