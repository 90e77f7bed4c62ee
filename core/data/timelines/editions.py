"""Which headlines are one article whose outlet changed its headline: one address, another text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, zip_longest
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.addresses import NOWHERE, Address, may_be_section, names_article, read_address
from core.text.normalise import comparison_key
from core.text.tokens import STOP_WORDS, tokenize

_MOST: Final = 40  # wordings of one article at most; an address with more is no article's
_OUTLETS: Final = 2  # outlets with one address; more have it from a list of addresses that is no article's
_SEVERAL: Final = 4  # wordings from which on an article's are alike, not only on one subject
_ALIKE: Final = 0.4  # share of the shorter one's words, then
_FEWEST: Final = 3  # words of which a share is taken at least
_ANOTHER_DAY: Final = 0.5  # days after which a section has another story, of
_SAME: Final = 0.8  # whose words fewer are its earlier one's
_LETTERS: Final = 0.6  # share of equal letters of two wordings without words in between, as in Chinese
_EMPTY: Final = frozenset().union(*STOP_WORDS.values())  # function words of every language


@dataclass(frozen=True, slots=True, eq=False)
class Editions:
    addresses: tuple[Address, ...]  # of each headline, in one spelling; `NOWHERE` where none is known
    article: IntArray  # int64 [n]; the first headline of the same article of the same outlet, by time
    outdated: frozenset[int]  # rows whose article has another wording since
    changes: Mapping[int, int]  # rows, and the one with the wording that each came in place of
    unordered: Mapping[int, int]  # rows, and one with another wording; no time says which came first
    wordings: Mapping[int, str]  # of rows that share their article with others

    def versions_among(self, rows: Iterable[int]) -> list[list[tuple[int, int]]]:
        """The pairs of `changes` and those of `unordered` of whole articles that some rows are of."""
        articles = set(self.article[sorted(set(rows) & self.wordings.keys())].tolist())
        of = [row for row in sorted(self.wordings) if self.article[row] in articles]
        return [
            [(earlier[row], row) for row in of if self.wordings[earlier.get(row, row)] != self.wordings[row]]
            for earlier in (self.changes, self.unordered)
        ]

    def in_force(self, reports: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The reports without those whose outlet has edited them since; all where none is left."""
        return [report for report in reports if not self.outdated.issuperset(report)] or list(reports)


def find_editions(
    texts: Sequence[str], outlets: Sequence[str | None], links: Sequence[object], days: FloatArray,
    entries: Sequence[object] = (),
) -> Editions:  # fmt: skip
    """Groups the headlines that one outlet gave one article; those that no later one replaced are in force.

    An entry of a feed, by its guid, is one article wherever its link leads; it stands at its first address.
    An address is no article's where its texts have nothing in common; its outlet is that of all without one.
    """
    addresses = tuple(read_address(link) if isinstance(link, str) else NOWHERE for link in links)
    shared: dict[Address, list[int]] = {}
    homes: dict[tuple[str, str], Address] = {}
    for row, (address, entry) in enumerate(zip_longest(addresses, entries)):
        if isinstance(entry, str) and (outlet := comparison_key(outlets[row] or "")):
            own = address if names_article(address) else Address(outlet, entry, "")
            shared.setdefault(homes.setdefault((outlet, entry), own), []).append(row)
        else:
            shared.setdefault(address, []).append(row)
    article, outdated = np.arange(len(texts), dtype=np.int64), set[int]()
    changes, unordered, wordings = dict[int, int](), dict[int, int](), dict[int, str]()
    for address, rows in shared.items():
        telling = len(rows) > 1 and names_article(address)
        own_outlets = {comparison_key(outlets[row] or "") for row in rows} - {""}
        if not telling or not is_article([texts[row] for row in rows], own_outlets):
            continue
        for own in _by_outlet(rows, outlets):
            own.sort(key=lambda row: (np.isnan(days[row]), days[row], row))
            if may_be_section(address) and _has_other_stories([(days[row], texts[row]) for row in own]):
                continue
            article[own] = own[0]
            versions = {row: comparison_key(texts[row]) for row in own}
            wordings |= versions
            outdated |= _put_in_order(versions, days, changes, unordered)
    return Editions(addresses, article, frozenset(outdated), changes, unordered, wordings)


def _put_in_order(
    wordings: Mapping[int, str], days: FloatArray, changes: dict[int, int], unordered: dict[int, int]
) -> set[int]:
    """Adds what is known of an article's rows, by time, the undated last; gives those that are outdated."""
    first, *rows = wordings
    last, seen = first, {wordings[first]: days[first]}
    for row in rows:
        known = wordings[row] in seen and not days[row] > seen[wordings[row]]
        if not known and wordings[row] != wordings[last]:
            (changes if days[row] > days[last] else unordered)[row] = last
            last = row
        seen[wordings[row]] = days[row]
    dated = [row for row in wordings if not np.isnan(days[row])]
    past = {wordings[row] for row in dated if days[row] < days[dated[-1]]}
    past -= {wordings[row] for row in dated if days[row] == days[dated[-1]]}
    return {row for row in wordings if wordings[row] in past}


def _by_outlet(rows: Sequence[int], outlets: Sequence[str | None]) -> list[list[int]]:
    names = {row: comparison_key(outlets[row] or "") for row in rows}
    known = set(names.values()) - {""}
    own: dict[object, list[int]] = {}
    for row, name in names.items():
        key = name or (next(iter(known), "") if len(known) < 2 else row)
        own.setdefault(key, []).append(row)
    return list(own.values())


def is_article(texts: Sequence[str], outlets: Collection[str]) -> bool:
    """Whether headlines of one address are wordings of one article's."""
    wordings = {comparison_key(text): text for text in texts}
    if len(wordings) > _MOST or len(outlets) > _OUTLETS:
        return False
    words = {key: _words(text) for key, text in wordings.items()}
    shares = {pair: _share(*pair, words) for pair in combinations(wordings, 2)}
    if 2 * sum(share > 0 for share in shares.values()) < len(shares):
        return False
    nearest = [max(share for pair, share in shares.items() if key in pair) for key in words if shares]
    return len(wordings) < _SEVERAL or float(np.median(nearest)) >= _ALIKE


def _has_other_stories(told: Sequence[tuple[float, str]]) -> bool:
    """Whether an outlet's headlines at one address, by time, go on to another story a day later."""
    words = {text: _words(text) for _, text in told}
    return any(
        later - before >= _ANOTHER_DAY and _share(old, new, words) < _SAME
        for (before, old), (later, new) in pairwise(told)
    )


def _words(text: str) -> frozenset[str]:
    tokens = (token for token in tokenize(text) if not (token.stop or token.number))
    return frozenset(token.form for token in tokens if token.text.casefold() not in _EMPTY)


def _share(left: str, right: str, words: Mapping[str, frozenset[str]]) -> float:
    """The share of the shorter wording's words that both have; of unspaced letters, where they are alike."""
    from rapidfuzz.distance import Indel

    a, b = words[left], words[right]
    if common := len(a & b):
        return common / max(min(len(a), len(b)), _FEWEST)
    share = Indel.normalized_similarity(left, right)
    return share if share >= _LETTERS else 0.0
