"""What a headline is known by in every file that holds it."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeVar

from core import limits
from core.data.timelines.addresses import names_article, read_address
from core.data.timelines.editions import is_article
from core.text.normalise import comparison_key

SHARED: Final = 0.5
"""Share of the headlines of the smaller of two files that both hold, from which they are versions of one."""
NEARLY: Final = 90.0  # per cent of equal characters (Indel ratio) from which a text was repaired
_TEXT, _REST = 12, 6
_NUMBER: Final = re.compile(r"\d+")

_T = TypeVar("_T")
HeadlineId = str
"""12 hex digits over the normalised text of a headline; 6 over day, outlet, address and which copy it is."""


class HeadlineKey(NamedTuple):
    text: str  # as the program shows it
    day: str = ""  # ISO date in UTC; "" where it is not known
    outlet: str = ""  # "" where it is not known
    address: str = ""  # of the article; "" where it is not known
    copy: int = 0  # how many before it in its file agree in all of this

    @property
    def plain(self) -> tuple[str, str, str, str]:
        """What copies agree in: the words of the text, and the rest."""
        return comparison_key(self.text), self.day, self.outlet, self.address

    @property
    def id(self) -> HeadlineId:
        """A short name that no other headline of a file has."""
        text, *rest = self.plain
        return _digits(text, _TEXT) + _digits("\x1f".join((*rest, str(self.copy))), _REST)

    def body(self) -> list[str | int]:
        """As plain JSON values; what is not known at the end is left out."""
        cells: list[str | int] = list(self)
        while len(cells) > 1 and not cells[-1]:
            cells.pop()
        return cells

    @classmethod
    def of(cls, body: Any) -> "HeadlineKey":
        if not isinstance(body, list) or not 1 <= len(body) <= len(cls._fields):
            raise ValueError("headline")
        key, most = cls(*body), limits.FIELD_CHARACTERS.value
        longest = 2 * limits.HEADLINE_CHARACTERS.value + 3, 10, most, most  # the first of a pair
        texts = zip(key[:4], longest, strict=True)
        fit = all(isinstance(text, str) and len(text) <= characters for text, characters in texts)
        if type(key.copy) is not int or not fit:
            raise ValueError("headline")
        return key


class HeadlineIndex:
    def __init__(self, keys: Iterable[HeadlineKey]) -> None:
        seen: Counter[tuple[str, str, str, str]] = Counter()
        numbered = []
        for key in keys:
            plain = key.plain
            numbered.append(key._replace(copy=seen[plain]) if seen[plain] else key)
            seen[plain] += 1
        self.keys = tuple(numbered)
        self.row = {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def ids(self) -> tuple[HeadlineId, ...]:
        return tuple(key.id for key in self.keys)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits over all headlines, in whatever order."""
        return blake2b("".join(sorted(self.ids)).encode(), digest_size=8).hexdigest()

    def shares(self, ids: Collection[HeadlineId]) -> bool:
        """Whether another file with these headlines is a version of this one: by their texts alone."""
        ours, theirs = ({headline_id[:_TEXT] for headline_id in some} for some in (self.ids, ids))
        return 0 < SHARED * min(len(ours), len(theirs)) <= len(ours & theirs)

    def rows_of(
        self, known: Iterable[HeadlineKey], files: Sequence[Collection[HeadlineId]] = ()
    ) -> dict[HeadlineKey, int]:
        """The rows of headlines that were in other files; those that are gone are left out.

        Where no row agrees in all, it is the row with the same words that agrees in most of day, outlet and
        address, or of the same day, outlet and address with nearly the same text and the same numbers, or of
        the same outlet at the address of one article, whose words were edited. What stood beside the headline
        in one of these files is another headline, and where two could be meant none is.
        """
        known = set(known)
        rows = {key: row for key in known if (row := self.row.get(key)) is not None}
        lost = {key: key.id for key in known - rows.keys()}
        sets = [frozenset(file) for file in files]
        by_text, by_place, by_article = self._places if lost else ({}, {}, {})
        near: dict[int, dict[HeadlineKey, tuple[int, bool]]] = defaultdict(dict)
        for key, name in lost.items():
            close = {row: _agreement(key, self.keys[row]) for row in by_text.get(key.plain[0], ())}
            close = {row: agreed for row, agreed in close.items() if agreed[0] >= 0} or {
                row: (-1, True) for row in by_place.get(key[1:], ()) if _nearly(key, self.keys[row])
            }
            edited = by_article.get(_article(key), ())
            if not close and len(edited) == 1 and _is_edited(key, self.keys[edited[0]]):
                close = {edited[0]: (-2, True)}
            best = _best({row: at for row, at in close.items() if not _are_two(sets, name, self.ids[row])})
            if len(best) == 1:
                near[best[0]][key] = close[best[0]]
        for row, keys in near.items():
            best_keys = _best(keys)
            if not any(_are_two(sets, lost[left], lost[right]) for left, right in combinations(best_keys, 2)):
                rows |= dict.fromkeys(best_keys, row)
        return rows

    @cached_property
    def _places(self) -> tuple[Mapping[Any, list[int]], ...]:
        by_text, by_place, by_article = (defaultdict[Any, list[int]](list) for _ in range(3))
        for row, key in enumerate(self.keys):
            by_text[key.plain[0]].append(row)
            by_place[key[1:]].append(row)
            by_article[_article(key)].append(row)
        return by_text, by_place, by_article


def _digits(text: str, digits: int) -> str:
    return blake2b(text.encode("utf-8", errors="surrogatepass"), digest_size=digits // 2).hexdigest()


def _best(scored: Mapping[_T, tuple[int, bool]]) -> list[_T]:
    most = max(scored.values(), default=None)
    return [candidate for candidate, score in scored.items() if score == most]


def _are_two(files: Iterable[Collection[HeadlineId]], first: HeadlineId, second: HeadlineId) -> bool:
    return first != second and any(first in file and second in file for file in files)


def _agreement(first: HeadlineKey, second: HeadlineKey) -> tuple[int, bool]:
    """In how many more of day, outlet and address two agree than contradict; whether both are that copy."""
    if first[1:4] == second[1:4] and first.copy != second.copy:
        return -1, False
    known = [left == right for left, right in zip(first[1:4], second[1:4], strict=True) if left and right]
    return 2 * sum(known) - len(known), first.copy == second.copy


def _nearly(first: HeadlineKey, second: HeadlineKey) -> bool:
    from rapidfuzz import fuzz

    alike = fuzz.ratio(first.text, second.text, score_cutoff=NEARLY) > 0
    return alike and _NUMBER.findall(first.text) == _NUMBER.findall(second.text)


def _article(key: HeadlineKey) -> tuple[str, ...]:
    return comparison_key(key.outlet), *read_address(key.address)


def _is_edited(before: HeadlineKey, after: HeadlineKey) -> bool:
    """Whether two headlines of one outlet and address are wordings of one article."""
    same_words = comparison_key(before.text) == comparison_key(after.text)
    dated = before.day and after.day  # without a day it may be what stood beside it
    if same_words or not dated or not names_article(read_address(before.address)):
        return False
    return before.day == after.day or is_article((before.text, after.text), ())
