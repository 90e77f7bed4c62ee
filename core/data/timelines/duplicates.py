"""Headlines that are copies of one another: word for word, or syndicated with small changes."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.timelines.timeline import Timeline
from core.files import read_tables
from core.text.desk_marks import label_end, without_trailer
from core.text.normalise import clean_line, comparison_key

SIMILARITY = 95.0  # percent of the characters; below it the words need not be compared
NEIGHBOURS = 8  # how far copies may stand apart in sorted order
SHORTEST = 24  # characters; shorter texts are near copies only when their keys are equal
_PUBLISHER = re.compile(r"\s+(?P<sign>[-–—|·:]{1,2})\s+(?P<name>[^-–—|·:]{2,40})$")
_CUT = re.compile(r"\s*(?:…|\.\.\.)$")
_OUTLETS, _KINDS_OF_OUTLET, _SMALL = (
    frozenset(read_tables(__file__)[name].split()) for name in ("outlets", "kinds_of_outlet", "small")
)
_RECURRING = 3  # different headlines that end with a name from which it is taken for an outlet
_LONG_WORD = 8  # letters; in shorter words one other letter makes another name ("Iran", "Iraq")
_DIGITS = re.compile(r"\d+")


class DuplicateKind(IntEnum):
    FIRST = 0
    EXACT = 1
    NEAR = 2


@dataclass(frozen=True, slots=True)
class Duplicates:
    duplicate_of: IntArray  # int64 [n]; row of the first copy, or the row itself
    kind: npt.NDArray[np.int8]  # int8 [n] of `DuplicateKind`: FIRST where `duplicate_of` is the row itself

    @property
    def exact(self) -> int:
        return int((self.kind == DuplicateKind.EXACT).sum())

    @property
    def near(self) -> int:
        return int((self.kind == DuplicateKind.NEAR).sum())


@dataclass(frozen=True, slots=True)
class Folded:
    timeline: Timeline  # the first copies alone, in input order
    rows: IntArray  # int64 [m]; their rows in the full timeline
    position: IntArray  # [n]; `labels[position]` spreads folded labels to all copies


def find_duplicates(texts: Sequence[str], *, publishers: Sequence[str | None] | None = None) -> Duplicates:
    """Finds exact and near copies (docs/formats.md): one report of several outlets everywhere in the program.

    Copies of copies count as copies of the first. Pairs are looked for among neighbours in sorted order: time
    grows with their number, and a few copies that differ at both ends and in their longest words are missed.
    """
    count = len(texts)
    lines = [clean_line(text) for text in texts]
    exact = _joined_by_key(count, lines)
    firsts = np.flatnonzero(exact == np.arange(count))
    cores = _cores([lines[row] for row in firsts.tolist()], publishers or ())
    keys = [comparison_key(core) for core in cores]
    joined = enumerate(_joined_by_key(len(keys), keys).tolist())
    equal = [(row, other) for row, other in joined if row != other]
    near = components(len(firsts), [*_similar(keys, equal), *_truncated(cores, keys)])
    place = np.zeros(count, dtype=np.int64)
    place[firsts] = np.arange(len(firsts))
    duplicate_of = firsts[near[place[exact]]] if count else np.zeros(0, dtype=np.int64)
    rows = np.arange(count)
    copies = np.where(exact == duplicate_of, DuplicateKind.EXACT, DuplicateKind.NEAR)
    kind = np.where(duplicate_of == rows, DuplicateKind.FIRST, copies)
    return Duplicates(duplicate_of.astype(np.int64), kind.astype(np.int8))


def has_label(text: str) -> bool:
    """Whether a desk's label stands in front of a headline: "UPDATE 1-", "EIL:", "VIDEO:"."""
    return label_end(text) > 0


def fold(timeline: Timeline, duplicates: Duplicates) -> Folded:
    originals = np.flatnonzero(duplicates.duplicate_of == np.arange(len(timeline)))
    place = np.full(len(timeline), -1, dtype=np.int64)
    place[originals] = np.arange(len(originals))
    return Folded(timeline.select(originals), originals, place[duplicates.duplicate_of])


def _joined_by_key(count: int, keys: Sequence[str]) -> IntArray:
    first: dict[str, int] = {}
    return np.fromiter((first.setdefault(key, row) for row, key in enumerate(keys)), np.int64, count)


def _cores(lines: Sequence[str], publishers: Iterable[str | None]) -> list[str]:
    bare = [without_trailer(line[label_end(line) :]) for line in lines]
    tails = [_PUBLISHER.search(core) for core in bare]
    names = [comparison_key(tail["name"]) if tail else "" for tail in tails]
    heads: dict[str, set[str]] = {}
    for core, tail, name in zip(bare, tails, names, strict=True):
        if tail and _like_a_name(tail["name"]):
            heads.setdefault(name, set()).add(core[: tail.start()])
    known = {comparison_key(name) for name in publishers if name}
    known |= {name for name, before in heads.items() if len(before) >= _RECURRING}
    return [
        core[: tail.start()]
        if tail and tail.start() >= SHORTEST and _is_outlet(tail["name"], tail["sign"], name, known)
        # Nothing but labels is a headline by itself.
        else core or line
        for core, tail, name, line in zip(bare, tails, names, lines, strict=True)
    ]


def _like_a_name(name: str) -> bool:
    words = name.split()
    return len(words) <= 2 and all(word[0].isupper() for word in words) and not _DIGITS.search(name)


def _is_outlet(name: str, sign: str, key: str, known: set[str]) -> bool:
    words = set(key.split())
    return (
        key in known
        or re.fullmatch(r"[\w-]+(\.[\w-]+)+", name) is not None
        or (_like_a_name(name) and ("|" in sign or not words.isdisjoint(_OUTLETS | _KINDS_OF_OUTLET)))
    )


def _truncated(cores: Sequence[str], keys: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of a headline that ends in an ellipsis and the shortest one that it is the beginning of."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    at = {row: i for i, row in enumerate(order)}
    pairs: list[tuple[int, int]] = []
    for row, core in enumerate(cores):
        if not _CUT.search(core) or len(keys[row]) < SHORTEST:
            continue
        following = order[at[row] + 1 : at[row] + 2 + NEIGHBOURS]
        begun = [other for other in following if keys[other].startswith(keys[row])]
        longest = max((keys[other] for other in begun), key=len, default="")
        if 0 < len(begun) <= NEIGHBOURS and all(longest.startswith(keys[other]) for other in begun):
            pairs.append((row, min(begun, key=lambda other: (len(keys[other]), other))))
    return pairs


def _similar(keys: Sequence[str], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    from rapidfuzz import fuzz, process
    from scipy.cluster.hierarchy import DisjointSet

    later = {row for row, _ in pairs}
    rows = [row for row, key in enumerate(keys) if row not in later and len(key) >= SHORTEST]
    joined = DisjointSet(rows)
    similar_pairs = list(pairs)
    orders = (
        sorted(rows, key=lambda row: keys[row]),
        sorted(rows, key=lambda row: keys[row][::-1]),
        sorted(rows, key=lambda row: " ".join(sorted(keys[row].split(), key=lambda w: (-len(w), w)))),
    )
    for order in orders:
        texts = [keys[row] for row in order]
        for step in range(1, min(NEIGHBOURS, len(order) - 1) + 1):
            scores = process.cpdist(texts[:-step], texts[step:], scorer=fuzz.ratio, score_cutoff=SIMILARITY)
            for i in np.flatnonzero(scores).tolist():
                a, b = order[i], order[i + step]
                if not joined.connected(a, b) and _same_wording(keys[a], keys[b]):
                    joined.merge(a, b)
                    similar_pairs.append((a, b))
    return similar_pairs


def _same_wording(a: str, b: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    if sorted(_DIGITS.findall(a)) != sorted(_DIGITS.findall(b)):
        return False
    left, right = a.split(), b.split()
    left_words: list[str] = []
    right_words: list[str] = []
    for step in Levenshtein.opcodes(left, right):
        if step.tag == "equal":
            if not _spelt_alike(left_words, right_words):
                return False
            left_words, right_words = [], []
        else:
            left_words += left[step.src_start : step.src_end]
            right_words += right[step.dest_start : step.dest_end]
    return _spelt_alike(left_words, right_words)


def _spelt_alike(left: list[str], right: list[str]) -> bool:
    from rapidfuzz.distance import Levenshtein

    left, right = ([word for word in words if word not in _SMALL] for words in (left, right))
    if "".join(left) == "".join(right):
        return True
    if len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        short, long = sorted((a, b), key=len)
        plural = len(short) >= 4 and f"{short}s" == long
        typo = (
            len(short) >= _LONG_WORD
            and short.isalpha()
            and long.isalpha()
            and a[0] == b[0]
            and Levenshtein.distance(a, b, score_cutoff=1) <= 1
        )
        if a != b and not plural and not typo and _letters(a) != _letters(b):
            return False
    return True


def _letters(word: str) -> str:
    bare = (c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(letter if letter.isalpha() else "".join(run) for letter, run in groupby(bare))


def components(count: int, pairs: Iterable[tuple[int, int]]) -> IntArray:
    """The smallest row that each row is joined to, directly or through others."""
    from scipy import sparse

    edges = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    graph = sparse.coo_array((np.ones(len(edges)), edges.T), shape=(count, count))
    labels = sparse.csgraph.connected_components(graph, directed=False)[1] if count else np.zeros(0, np.int64)
    _, firsts, places = np.unique(labels, return_index=True, return_inverse=True)
    return firsts[places].astype(np.int64)
