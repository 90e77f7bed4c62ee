"""What people answered about items, from any table: a row a vote, or a column a person."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import pairs_together
from core.data.timelines.raw import listing
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.people import exchange
from core.statistics.bootstrap import ENOUGH, Figure, draws, few_units
from core.text.normalise import clean_line, is_missing

MOST_ANSWERS: Final = 100  # different answers; more are texts or numbers that nobody meant as a scale
_PERSON: Final = ("worker_id", "annotator", "annotator_id", "worker", "judge", "rater", "coder", "user")
_ANSWER: Final = ("answer", "vote", "label", "quality", "rating", "score")
_PREFIX: Final = re.compile(r"^(input|output|assignment):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """What m people answered about n items."""

    items: tuple[str, ...]  # names
    people: tuple[str, ...]  # names
    answers: tuple[str, ...]  # the different ones, numbers from low to high, then texts by the alphabet
    codes: IntArray  # place in `answers`, int64 [n, m]; -1 where there is none
    repeated: int = 0  # left out since the same person had answered the same item before
    dated: npt.NDArray[np.object_] | None = None  # version of instructions and day of each, text [n, m, 2]

    @property
    def count(self) -> int:
        return int((self.codes >= 0).sum())

    def numbers(self) -> npt.NDArray[np.float64]:
        """The answers as numbers, float64 [answers]."""
        bad = next((answer for answer in self.answers if _number(answer) is None), None)
        if bad is not None:
            raise InputError(
                f"The answer {bad[:40]!r} is no number, so answers have no order and no distance.",
                hint="Use the nominal scale, or write the answers as numbers.",
            )
        return np.array([float(answer) for answer in self.answers])


def read_votes(
    data: bytes,
    name: str,
    *,
    items: Sequence[str] = (),
    person: str = "",
    answer: str = "",
    day: str = "",
    version: str = "",
) -> VoteTable:
    """Votes from a table: a row a vote, or, where `person` names several columns (* for any), a person each.

    Columns that are not named are found by usual names, such as worker_id and label; the rest names the item.
    `day` and `version` name those with the time of a vote and the version of the instructions, if any.
    """
    read = exchange.read_answers(data, name)
    table = read.cells.astype(object)
    if read.questions:  # the file of another tool, which says itself what is what
        items, person = items or (exchange.NAME,), person or exchange.PERSON
        answer = answer or (next(iter(read.questions)) if len(read.questions) == 1 else "")
        day = day or (exchange.TIME if table[exchange.TIME].any() else "")
    columns = list(table.columns)
    for wanted in filter(None, (*items, answer, day, version)):
        known_column(wanted, columns, name)
    free = [column for column in columns if column not in {*items, answer, day, version}]
    people = matching_columns(person, free, name) if person else [_usual(_PERSON, free, "person", name)]
    if len(people) > 1:
        wide = []
        names = table[list(items)].to_numpy()
        for row, cells in enumerate(table[people].to_numpy()):
            item = str(row + 1)
            if items:  # the number of the row keeps two items of one name apart: a row is an item
                item = f"{clean_line(' | '.join(map(_text, names[row])))} ({item})"
            texts = zip(people, map(_text, cells), strict=True)
            wide += [(item, who, text) for who, text in texts if text]
        return vote_table(wide, name)
    others = [column for column in columns if column not in people]
    answered = answer or _usual(_ANSWER, list(read.questions) or others, "answer", name)
    keys = list(items) or [column for column in free if column not in {people[0], answered}]
    if not keys:
        raise InputError(f"{name[:80]} has no column for the item.", hint="Name it with --item.")
    votes: dict[tuple[str, str], str] = {}
    dated: dict[tuple[str, str], tuple[str, str]] = {}
    repeated = 0
    times = (table[column] if column else [""] * len(table) for column in (version, day))
    cells = table[[*keys, people[0], answered]].to_numpy()
    for (*parts, who, said), under, at in zip(cells, *times, strict=True):
        key, text = (clean_line(" | ".join(map(_text, parts))), _text(who)), _text(said)
        if text and all(key):
            repeated += key in votes
            votes.setdefault(key, text)
            dated.setdefault(key, (_text(under), _day(_text(at))))
    given = [(*key, text) for key, text in votes.items()]
    return vote_table(given, name, repeated, list(dated.values()) if day else ())


def _day(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat() if text else ""
    except ValueError:
        raise InputError(
            f"{text[:40]!r} is no time of an answer.", hint="Write days as 2026-05-04 and times as ISO 8601."
        ) from None


def vote_table(
    given: Sequence[tuple[str, str, str]],
    name: str,
    repeated: int = 0,
    dated: Sequence[tuple[str, str]] = (),
) -> VoteTable:
    """Votes from item, person and answer of each, perhaps with version of the instructions and day."""
    if not given:
        raise InputError(f"{name[:80]} holds no answers.", hint="Check which columns hold them.")
    items, people, texts = (dict.fromkeys(column) for column in zip(*given, strict=True))
    answers = sorted(texts, key=lambda text: ((number := _number(text)) is None, number or 0.0, text))
    if len(answers) > MOST_ANSWERS:
        raise InputError(
            f"{name[:80]} has {len(answers):,} different answers; at most {MOST_ANSWERS} make a scale.",
            hint="Check which column holds the answers.",
        )
    rows, columns, places = (
        {name: at for at, name in enumerate(names)} for names in (items, people, answers)
    )
    codes = np.full((len(items), len(people)), -1, dtype=np.int64)
    for item, who, text in given:
        codes[rows[item], columns[who]] = places[text]
    when = np.full((*codes.shape, 2), "", dtype=object)
    for (item, who, _), said in zip(given, dated, strict=False):
        when[rows[item], columns[who]] = said
    names = tuple(items), tuple(people), tuple(answers)
    return VoteTable(*names, codes, repeated, when if dated else None)


def joined_votes(tables: Sequence[VoteTable]) -> VoteTable:
    """The votes of several files as one; a person's first answer to an item counts."""
    given: dict[tuple[str, str], str] = {}
    dated: dict[tuple[str, str], tuple[str, str]] = {}
    for table in tables:
        for item, person in np.argwhere(table.codes >= 0).tolist():
            key = table.items[item], table.people[person]
            given.setdefault(key, table.answers[table.codes[item, person]])
            dated.setdefault(key, ("", "") if table.dated is None else tuple(table.dated[item, person]))
    repeated = sum(table.count + table.repeated for table in tables) - len(given)
    days = list(dated.values()) if any(map(any, dated.values())) else ()
    return vote_table([(*key, answer) for key, answer in given.items()], "The files", repeated, days)


def vote_answers(votes: VoteTable) -> exchange.AnswerTable:
    """The votes as other tools have them."""
    places = np.argwhere(votes.codes >= 0).tolist()
    rows = [
        {
            exchange.ITEM: digest(votes.items[item])[:12],
            exchange.TEXT: votes.items[item],
            exchange.PERSON: votes.people[person],
            exchange.ANSWER: votes.answers[votes.codes[item, person]],
        }
        for item, person in places
    ]
    return exchange.make_answers(rows, {exchange.ANSWER: votes.answers})


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _text(cell: object) -> str:
    text = "" if cell is None else clean_line(str(cell))
    if is_missing(text):
        return ""
    number = _number(text)
    return f"{number:g}" if number is not None else text


def known_column(wanted: str, columns: Sequence[str], name: str) -> str:
    if wanted not in columns:
        raise InputError(
            f"{name[:80]} has no column {wanted[:60]!r}.",
            hint=f"It has {listing(columns)}; name one of these.",
        )
    return wanted


def matching_columns(wanted: str, columns: Sequence[str], name: str) -> list[str]:
    chosen: list[str] = []
    for pattern in filter(None, map(str.strip, wanted.split(","))):
        matches = [column for column in columns if fnmatchcase(column, pattern)] if "*" in pattern else []
        chosen += matches or [known_column(pattern, columns, name)]
    return list(dict.fromkeys(chosen))


def _usual(known: Sequence[str], columns: Sequence[str], what: str, name: str) -> str:
    by_key = {_PREFIX.sub("", column).strip().lower(): column for column in reversed(columns)}
    for wanted in known:
        if wanted in by_key:
            return by_key[wanted]
    raise InputError(
        f"{name[:80]} has no column that is known to hold the {what}.",
        hint=f"It has {listing(columns)}; name it with --{what}.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """What follows from votes."""

    method: str
    labels: tuple[str, ...]  # answer of each item; "" where too few agree
    shares: FloatArray  # of the votes on each item that say so
    skills: FloatArray  # of each person's votes on decided items, the share that says the same, or NaN
    votes: npt.NDArray[np.int64]  # how many of these there are

    @property
    def decided(self) -> int:
        return sum(map(bool, self.labels))


METHODS: Final[dict[str, tuple[str, dict[str, int]]]] = {
    "majority": ("MajorityVote", {}),
    "dawid_skene": ("DawidSkene", {"n_iter": 100}),
    "glad": ("GLAD", {}),
}
"""Ways from votes to answers, as crowd-kit has them: most votes; Dawid and Skene (1979), who weigh each
person's confusions; GLAD (Whitehill et al. 2009), which weighs how hard an item is too."""


def consensus(votes: VoteTable, method: str = "majority", *, quorum: float = 0.0) -> Consensus:
    if method not in METHODS:
        raise UnknownNameError(
            f"There is no way called {method[:40]!r} from votes to answers.",
            hint=f"Choose one of: {', '.join(METHODS)}.",
        )
    if not 0 <= quorum <= 1:
        raise InputError(f"A quorum of {quorum:g} is no share of votes.", hint="Give a number from 0 to 1.")
    import pandas as pd
    from crowdkit import aggregation

    items, people = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame({"task": items, "worker": people, "label": votes.codes[items, people]})
    aggregate, options = METHODS[method]
    with warnings.catch_warnings():
        # crowd-kit uses words of pandas that a later pandas will not know, and takes logarithms of 0.
        warnings.simplefilter("ignore")
        winners = getattr(aggregation, aggregate)(**options).fit_predict(table)
    chosen = winners.reindex(range(len(votes.items))).to_numpy(dtype=np.int64)
    given = (votes.codes >= 0).sum(axis=1)
    agreeing = votes.codes == chosen[:, None]
    shares = agreeing.sum(axis=1) / given
    open_ = shares < quorum - 1e-9
    if method == "majority":
        # A tie is no answer of the majority, whatever order the answers stand in.
        counts = np.stack([(votes.codes == answer).sum(axis=1) for answer in range(len(votes.answers))])
        open_ |= (counts == counts.max(axis=0)).sum(axis=0) > 1
    labels = tuple("" if none else votes.answers[at] for at, none in zip(chosen, open_, strict=True))
    judged = (votes.codes >= 0) & ~open_[:, None]
    asked = judged.sum(axis=0)
    with np.errstate(invalid="ignore"):
        skills = (agreeing & judged).sum(axis=0) / asked
    return Consensus(method, labels, shares, skills, asked)


RESAMPLES: Final = 2000


class Scale(StrEnum):
    """How far apart two answers are."""

    NOMINAL = "nominal"  # the same or not
    ORDINAL = "ordinal"  # by how many answers lie between them
    INTERVAL = "interval"  # by their difference, squared


def alpha(votes: VoteTable, scale: Scale = Scale.NOMINAL, *, seed: int = 0, interval: bool = True) -> Figure:
    """How far the people agree beyond chance: 1 in all, 0 as by chance, below 0 less than that.

    Items with a single answer are left out. The interval, from ten items on, is that of Krippendorff's (2006)
    bootstrap, as evalica computes it; it would be too sure where items are not drawn one by one, as pairs.

    Source: Krippendorff (2018), Content Analysis, chapter 12.
    """
    import evalica
    import pandas as pd

    answered = (votes.codes >= 0).sum(axis=1) >= 2
    count = int((votes.codes[answered] >= 0).sum())
    if not answered.any():
        return Figure(None, "no item has two answers", count=0)
    if len(np.unique(votes.codes[answered][votes.codes[answered] >= 0])) < 2:
        return Figure(None, "all answers are the same, so chance alone agrees in full", count=count)
    worth = np.arange(len(votes.answers)) if scale is Scale.NOMINAL else votes.numbers()
    # Who gave an answer is nothing to alpha: as many columns as an item has answers hold them all.
    packed = -np.sort(-votes.codes[answered], axis=1)
    packed = packed[:, (packed >= 0).any(axis=0)]
    answers = pd.DataFrame(np.where(packed >= 0, worth[packed], np.nan).T)
    items = int(answered.sum())
    value = float(evalica.alpha(answers, scale.value).alpha)
    if not np.isfinite(value):
        return Figure(None, "the answers lie too far apart to be compared", count=count)
    if not interval:
        return Figure(value, count=count)
    if items < ENOUGH:
        return Figure(value, warning=few_units(items, "items"), count=count)
    drawn = evalica.alpha_bootstrap(answers, scale.value, n_resamples=RESAMPLES, random_state=seed)
    alphas = np.asarray(drawn.distribution, dtype=np.float64)
    return Figure.resampled(value, alphas, units=items, unit="items", count=count)


def pair_alpha(annotators: IntArray, *, resamples: int = 0, seed: int = 0) -> Figure:
    """Krippendorff's nominal alpha of the groups of annotators, int64 [n, m], -1 for none.

    Its items are all pairs of headlines, "same group" or not; headlines are drawn anew with all their pairs.

    Source: Krippendorff (2018), Content Analysis, chapter 12.
    """
    annotators = annotators[(annotators >= 0).sum(axis=1) >= 2]
    if not len(annotators):
        return Figure(None, "no headline was grouped by two")
    value = float(pair_alphas(annotators, np.ones((1, len(annotators))))[0])
    if np.isnan(value):
        return Figure(None, "all pairs have the same answer, so chance alone agrees in full")
    if not resamples:
        return Figure(value)
    cells = len(pairs_together(annotators)[0])
    blocks = draws(len(annotators), resamples=resamples, seed=seed, cells=cells)
    drawn = np.concatenate([pair_alphas(annotators, block.astype(np.float64)) for block in blocks])
    return Figure.resampled(value, drawn, units=len(annotators), unit="headlines")


def pair_alphas(annotators: IntArray, drawn: FloatArray, people: FloatArray | None = None) -> FloatArray:
    """That alpha where headlines count so often each, float64 [resamples, n], as do people, float64 [m].

    Nobody is compared with himself, however often he counts.
    """
    people = np.ones(annotators.shape[1]) if people is None else people
    given = annotators >= 0
    left, right, _, _ = pairs_together(annotators)
    seen = given[left] & given[right]
    yes, both, own = (
        (seen & (annotators[left] == annotators[right])) @ people,
        seen @ people,
        seen @ people**2,
    )
    counted = both**2 > own
    left, right, yes, both, own = left[counted], right[counted], yes[counted], both[counted], own[counted]
    differing = 2 * yes * (both - yes) * both / (both**2 - own)
    patterns, which = np.unique(given, axis=0, return_inverse=True)
    shared = (patterns * people) @ patterns.T
    shared[(patterns * (people > 0)).astype(np.int64) @ patterns.T < 2] = 0
    member = np.eye(len(patterns))[which.ravel()]  # pattern of each headline
    times, weights = drawn @ member, drawn[:, left] * drawn[:, right]
    said = ((times @ shared * times).sum(axis=1) - (drawn**2 @ member) @ np.diag(shared)) / 2
    agreed = weights @ yes
    expected = 2 * agreed * (said - agreed) / np.maximum(said - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - weights @ differing / expected, np.nan)


def raw_agreement(votes: VoteTable) -> float | None:
    """Share of the pairs of answers to one item that are the same, 0–1; None where no item has two."""
    counts = np.stack([(votes.codes == answer).sum(axis=1) for answer in range(len(votes.answers))])
    total = counts.sum(axis=0)
    pairs = int((total * (total - 1)).sum())
    return int((counts * (counts - 1)).sum()) / pairs if pairs else None
