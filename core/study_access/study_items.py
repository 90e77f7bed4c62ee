"""What a study is about, item by item, with what is said of items; pairs that a program adds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from core.data.pair_sets.pair_file import parse_pairs
from core.digests import digest
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import studies
from core.people.known_pairs import pair_of
from core.people.study import STUDIES, Day, Line, Purpose, Study, StudyPair, read_study, study_file
from core.people.study_material import fingerprint_of
from core.people.study_results import GroupAnswers, PairAnswers, StudyAnswers, answers_of

MOST_ITEMS: Final = 5_000  # pairs of a study, those with right answers among them
COMMENTED: Final = "commented"
_ITEM: Final = "Each has left and right, and may have left_day and right_day, as in 2026-11-26."
_EXAMPLE: Final = [[{"left": "Dam fails", "right": "Dam breaks", "left_day": "2026-11-26"}]]


class Item(msgspec.Struct, frozen=True):
    id: str
    texts: Sequence[str]  # a headline, or the two of a pair


class GivenItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: Line
    right: Line
    left_day: Day | None = None
    right_day: Day | None = None


class GivenItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: Annotated[
        list[Any], Meta(min_length=1, max_length=MOST_ITEMS, description=_ITEM, examples=_EXAMPLE)
    ]


class Refused(msgspec.Struct, frozen=True):
    place: int  # in what was given, from 0
    why: str


class ItemsTaken(msgspec.Struct, frozen=True):
    taken: Sequence[Item]
    refused: Sequence[Refused]
    sha256: str  # of the study as it is now


class GivenComment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: Annotated[str, Meta(max_length=40)]
    text: Annotated[str, Meta(max_length=2_000)] = ""
    flag: bool = False


class Comment(msgspec.Struct, frozen=True):
    item: str
    texts: Sequence[str]
    text: str
    flag: bool
    person: str  # a code
    when: datetime


def items_of(answers: StudyAnswers) -> list[Item]:
    if isinstance(answers, PairAnswers):
        return [Item(pair.id, (pair.left, pair.right)) for pair in answers.task.pool(Purpose.MAIN)]
    task = answers.task if isinstance(answers, GroupAnswers) else answers.ratings.task
    return [Item(id, (key.text,)) for id, key in zip(task.index.ids, task.index.keys, strict=True)]


def row_of(items: Iterable[Item], id: str) -> int:
    """The place of an item, which is its row in what is decided."""
    place = next((at for at, item in enumerate(items) if item.id == id), None)
    if place is None:
        raise InputError(f"The study has no item {id[:40]!r}.", hint="Give the id as the items have it.")
    return place


def comment(journal: Journal, study: Study, who: str, given: GivenComment) -> None:
    """Stores what somebody says of an item, for who runs the study."""
    row_of(items_of(answers_of(journal, study)), given.item)
    if not (given.text.strip() or given.flag):
        raise InputError("Neither a comment nor a flag is given.", hint="Give a text, or set the flag.")
    body = {"item": given.item, "text": given.text.strip(), "flag": given.flag}
    journal.append(study.stream("comments"), [NewEntry(kind=COMMENTED, who=who, body=body)])


def comments(journal: Journal, study: Study) -> list[Comment]:
    """What was said of items that the study still has, the newest last."""
    entries = journal.read(study.stream("comments"))
    if not entries:
        return []
    texts = {item.id: item.texts for item in items_of(answers_of(journal, study))}
    return [
        Comment(item, texts[item], str(said["text"]), said["flag"] is True, code, entry.when)
        for entry in entries
        if (item := str((said := entry.body).get("item"))) in texts
        and (code := studies.pseudonym(journal, study, entry.who))
    ]


def add_items(journal: Journal, code: str, given: GivenItems) -> ItemsTaken:
    """Adds what can be asked as a new version of the study, and says of each other item why not."""
    for turn in count():
        last = journal.read(STUDIES + code)[-1].sequence
        study = studies.study_of(journal, code)
        taken, refused = _read(study, given.items)
        items = [Item(pair.id, (pair.left, pair.right)) for pair in taken]
        if not taken:
            return ItemsTaken(items, refused, study.sha256)
        new = replace(study, pairs=(*study.pairs, *taken), fingerprint="")
        new = replace(new, fingerprint=fingerprint_of(new, None))
        content = study_file(new)
        read_study(content, "The study")
        # The id is that of this version's successor: of two who write at once, one begins again.
        id = digest(code, str(last))[:32]
        body = {"file": content.decode(), "sha256": new.sha256}
        try:
            journal.append(STUDIES + code, [NewEntry(kind=studies.REGISTERED, body=body, id=id)])
        except InputError:
            if turn >= 20 or journal.read(STUDIES + code)[-1].sequence == last:
                raise
        else:
            return ItemsTaken(items, refused, new.sha256)
    raise AssertionError


def _read(study: Study, given: Sequence[Any]) -> tuple[list[StudyPair], list[Refused]]:
    if not any(pair.use == Purpose.MAIN for pair in study.pairs):
        hint = "Start a study of a table of pairs, and add to that."
        raise InputError("Items are added to a study of pairs of its own alone.", hint=hint)
    read, why = dict[int, GivenItem](), dict[int, str]()
    for place, item in enumerate(given):
        try:
            read[place] = msgspec.convert(item, GivenItem)
        except msgspec.ValidationError as error:
            why[place] = f"{error}."
    lines = [
        {"headline_a": each.left, "headline_b": each.right, "date_a": each.left_day, "date_b": each.right_day}
        for each in read.values()
    ]
    places = list(read)
    # Each is read apart from the others, as the page reads the rows of a table.
    known = {pair.id for pair in study.pairs}
    taken = list[StudyPair]()
    if lines:
        file = parse_pairs(b"\n".join(map(msgspec.json.encode, lines)), "items.jsonl")
        why |= {places[fault.row]: fault.reason for fault in file.rejected}
        for at, row in enumerate(file.rows.tolist()):
            pair = pair_of(file.pairs, at)
            if pair.id in known:
                why[places[row]] = "The study has this pair already."
            elif len(study.pairs) + len(taken) >= MOST_ITEMS:
                why[places[row]] = f"A study has at most {MOST_ITEMS:,} pairs."
            else:
                known.add(pair.id)
                taken.append(pair)
    return taken, [Refused(place, why[place]) for place in sorted(why)]
