"""What a study is about, item by item, with what is said of items; pairs that a program adds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from core import limits
from core.data.timelines.faults import why_no_headline
from core.data.timelines.periods import written_day
from core.digests import digest
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import studies
from core.people.study import STUDIES, Line, Purpose, Study, StudyPair
from core.people.study_material import fingerprint_of
from core.people.study_results import GroupAnswers, PairAnswers, StudyAnswers, answers_of
from core.text.normalise import clean_line

MOST_ITEMS: Final = 5_000  # pairs of a study, those with right answers among them
_ITEM: Final = "Each has left and right, and may have left_day and right_day, as in 2026-11-26."
ItemId = Annotated[str, Meta(max_length=40)]


class StudyItem(msgspec.Struct, frozen=True):
    id: str
    texts: Sequence[str]  # a headline, or the two of a pair
    days: Sequence[str]  # as they are shown; "" where one is not known


class GivenItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: Line
    right: Line
    left_day: date | None = None
    right_day: date | None = None


class GivenItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: Annotated[list[Any], Meta(min_length=1, max_length=MOST_ITEMS, description=_ITEM)]


class TakenItems(msgspec.Struct, frozen=True):
    taken: Sequence[StudyItem]
    refused: Mapping[int, str]  # why, by the place in what was given, from 0
    sha256: str  # of the study as it is now


class GivenComment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: ItemId
    text: Annotated[str, Meta(max_length=2_000)] = ""
    flag: bool = False


def items_of(answers: StudyAnswers, *, known: bool = False) -> list[StudyItem]:
    """What a study asks about; with `known` the pairs that have known answers too."""
    if isinstance(answers, PairAnswers):
        return list(map(item_of, answers.task.items if known else answers.task.pool(Purpose.MAIN)))
    index = (answers.task if isinstance(answers, GroupAnswers) else answers.ratings.task).index
    return [StudyItem(key.id, (key.text,), (key.day,)) for key in index.keys]


def item_of(pair: StudyPair) -> StudyItem:
    return StudyItem(pair.id, (pair.left, pair.right), pair.days)


def row_of(items: Iterable[StudyItem], id: str) -> int:
    for row, item in enumerate(items):
        if item.id == id:
            return row
    raise InputError(f"The study has no item {id[:40]!r}.", hint="Give the id as the items have it.")


def list_items(journal: Journal, study: Study) -> list[StudyItem]:
    """What the study is about, without pairs that have known answers."""
    return items_of(answers_of(journal, study))


def comment(journal: Journal, study: Study, who: str, given: GivenComment) -> None:
    """Comments on an item, or flags it, for who runs the study."""
    # Taken for each pair: a refusal would tell which have known answers.
    row_of(items_of(answers_of(journal, study), known=True), given.item)
    if not (given.text.strip() or given.flag):
        raise InputError("Neither a comment nor a flag is given.", hint="Give a text, or set the flag.")
    stream, most = study.stream("comments"), limits.STUDY_COMMENTS.value
    if sum(entry.who == who for entry in journal.read(stream)) >= most:
        raise InputError(f"{most:,} comments are taken of one program.", hint="Write fewer, on what matters.")
    entry = NewEntry(kind="commented", who=who, body=msgspec.structs.asdict(given))
    journal.append(stream, [entry])


def comments(journal: Journal, study: Study) -> list[dict[str, str]]:
    """What was said of items that the study still has, the newest first; codes in the place of names."""
    entries = journal.read(study.stream("comments"))
    items = items_of(answers_of(journal, study), known=True) if entries else []
    texts = {item.id: " | ".join(item.texts) for item in items}
    return [
        {"item": said["item"], "headline": texts[said["item"]], "comment": said["text"]}
        | {"flag": "yes" * said["flag"], "person": studies.pseudonym(journal, study, entry.who)}
        | {"when": f"{entry.when:%Y-%m-%dT%H:%M:%SZ}"}
        for entry in reversed(entries)
        if (said := entry.body)["item"] in texts
    ]


def add_items(journal: Journal, study: Study, given: GivenItems) -> TakenItems:
    """Adds pairs as a new version of the study; of each that cannot be asked it says why."""
    entries, most = journal.read(STUDIES + study.code), limits.STUDY_VERSIONS.value
    if sum(entry.kind == studies.REGISTERED for entry in entries) >= most:
        raise InputError(f"The study has {most:,} versions.", hint="Add many pairs at once, to a new study.")
    last = entries[-1].sequence
    study = studies.study_of(journal, study.code)
    taken, refused = _read(study, given.items)
    if taken:
        new = replace(study, pairs=(*study.pairs, *taken), fingerprint="")
        new = replace(new, fingerprint=fingerprint_of(new, None))
        try:
            # The id is that of the successor of what was read: of two who write at once, one begins again.
            studies.register(journal, new, id=digest(study.code, str(last))[:32])
        except InputError:
            if journal.read(STUDIES + study.code)[-1].sequence == last:
                raise
            return add_items(journal, study, given)
        study = new
    return TakenItems(list(map(item_of, taken)), refused, study.sha256)


def _read(study: Study, given: Sequence[Any]) -> tuple[list[StudyPair], dict[int, str]]:
    if not any(pair.use == Purpose.MAIN for pair in study.pairs):
        said = "Items can be added only to a study with its own table of pairs."
        raise InputError(said, hint="Start a study of a table of pairs, and add to that.")
    known = {_both(pair) for pair in study.pairs if pair.use == Purpose.MAIN}
    taken, why = list[StudyPair](), dict[int, str]()
    for place, item in enumerate(given):
        try:
            one = msgspec.convert(item, GivenItem)
        except msgspec.ValidationError as error:
            why[place] = f"{error}."
            continue
        sides = clean_line(one.left), clean_line(one.right)
        days = tuple("" if day is None else written_day(day) for day in (one.left_day, one.right_day))
        pair = StudyPair(Purpose.MAIN, *sides, days=days)
        if fault := next(filter(None, (why_no_headline(side, marked=True) for side in sides)), ""):
            why[place] = fault
        elif pair.left == pair.right:
            why[place] = "Both headlines are the same."
        elif _both(pair) in known:
            why[place] = "The study has this pair already."
        elif len(study.pairs) + len(taken) >= MOST_ITEMS:
            why[place] = f"A study has at most {MOST_ITEMS:,} pairs."
        else:
            known.add(_both(pair))
            taken.append(pair)
    return taken, why


def _both(pair: StudyPair) -> frozenset[tuple[str, str]]:
    """The two headlines with their days, whichever stands on the left."""
    return frozenset(zip((pair.left, pair.right), (*pair.days, "", ""), strict=False))
