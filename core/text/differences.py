"""What two headlines share, add and contradict."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from core.files import read_tables
from core.text import desk_marks, normalise
from core.text.marks import MarkKind, TextMark, apart
from core.text.names import Initials, find_names
from core.text.numerals.quantities import Quantity, conflict, read_quantities, same
from core.text.reading import reads
from core.text.tokens import REMEMBERED, Token, content, fold, guess_language, tokenize, word_list

_DENIALS = frozenset(word_list("not never cannot не никогда non mai"))
TOLLS: Final = ("dead", "hurt", "missing", "arrested", "evacuated", "rescued", "infected")
"""What is counted anew as an event goes on."""
FALLING: Final = frozenset({"missing"})  # of these what may fall: they are found
AT_ONCE: Final = 1 / 24  # days up to which two reports are of one time
MOST_NUMBERS = 100
"""Numbers of a headline that are compared, each with each of the other's; those past it count as added."""
_ALIKE = 0.5  # share of words in both from which one denial is worth a look; set by hand
_QuantityPairs = list[tuple[Quantity, Quantity]]
_Opposed = list[tuple[Token | None, Token | None]]
_OPPOSITES: dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]] = {
    language: tuple(
        (frozenset(map(fold, word_list(first))), frozenset(map(fold, word_list(second))))
        for first, _, second in (pair.partition(" | ") for pair in pairs)
    )
    for language, pairs in read_tables(__file__, "opposites").items()
}
OPPOSITES_KNOWN_IN = frozenset(_OPPOSITES)
"""Languages, by code, whose words of opposite sense are compared; numbers are in more."""


@dataclass(frozen=True, slots=True)
class Clash:
    left: str  # the words of the left headline; "" where it lacks the other's negation
    right: str  # the words of the right one


@dataclass(frozen=True, slots=True)
class ParsedHeadline:
    """A headline taken apart once, so that it can be compared many times."""

    text: str  # the headline
    tokens: tuple[Token, ...]  # all its words
    names: tuple[Token, ...]  # those that look like names
    numbers: tuple[Quantity, ...]
    words: tuple[Token, ...]  # content words that are neither names nor in a number
    language: str  # "en", "ru" or "it": whose opposites apply


@dataclass(frozen=True, slots=True)
class Differences:
    """The comparison of two headlines. Texts are as they stand in the headline, each once."""

    shared_words: tuple[str, ...]  # content words in both, in the left one's spelling
    shared_names: tuple[str, ...]  # names in both, acronyms and their expansions included
    shared_numbers: tuple[str, ...]  # numbers in both, perhaps rounded in one
    number_conflicts: tuple[Clash, ...]  # numbers that count the same thing and differ
    opposed: tuple[Clash, ...]  # opposites, or a negation on one side alone: a possible contradiction
    overlap: float  # content words and names in both over those in either (Jaccard), 0 to 1
    left_marks: tuple[TextMark, ...]  # what to mark in the left headline, in order, not overlapping
    right_marks: tuple[TextMark, ...]  # the same for the right

    def corrected(self) -> "Differences":
        """The same where the right headline was edited since: what disagreed was only said besides."""
        kinds = {MarkKind.CONFLICTING_NUMBER: MarkKind.ADDED_NUMBER, MarkKind.OPPOSED: MarkKind.ADDED_WORD}
        marks = tuple(replace(mark, kind=kinds.get(mark.kind, mark.kind)) for mark in self.right_marks)
        return replace(self, number_conflicts=(), opposed=(), right_marks=marks)


@reads("words", lambda text: ParsedHeadline(text, (), (), (), (), "en"))
def read(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> ParsedHeadline:
    return _read(text, find_names(text, known=known), language)


@lru_cache(maxsize=REMEMBERED)
def _read(text: str, named: tuple[Token, ...], language: str) -> ParsedHeadline:
    tokens = tokenize(text)
    numbers = read_quantities(text, language=language)
    counted = starts_inside(tokens, numbers)
    names = tuple(t for t in named if t.start not in counted)
    taken = counted | {t.start for t in names}
    words = tuple(t for t in content(tokens) if not t.number and t.start not in taken)
    return ParsedHeadline(text, tokens, names, numbers, words, guess_language(t.text for t in tokens))


def unlabelled(reading: ParsedHeadline) -> ParsedHeadline:
    """A headline without the names and words of a desk's label in front of it ("EIL:", "UPDATE 2-")."""
    if not (end := desk_marks.label_end(reading.text)):
        return reading
    parts = (reading.tokens, reading.names, reading.words)
    tokens, names, words = (tuple(token for token in each if token.start >= end) for each in parts)
    return replace(reading, tokens=tokens, names=names, words=words)


def starts_inside(tokens: Sequence[Token], numbers: Sequence[Quantity]) -> set[int]:
    """Places of the tokens that begin within a number; both come in order."""
    ends = [number.end for number in numbers]
    behind = ((token.start, bisect_right(ends, token.start)) for token in tokens)
    return {start for start, at in behind if at < len(numbers) and numbers[at].start <= start}


def compare(
    left: str, right: str, *, known: Collection[str] = frozenset(), language: str = "en"
) -> Differences:
    """What two headlines share, add and contradict."""
    sides = (read(text, known=known, language=language) for text in (left, right))
    return compare_readings(*sides)


def compare_readings(
    left: ParsedHeadline, right: ParsedHeadline, *, across: bool = False, later: float = 0.0
) -> Differences:
    """What two headlines share, add and contradict; `across` languages other words add nothing.

    A toll that is higher in the headline that came an hour or more `later`, in days, contradicts nothing.
    """
    named = {t.form for t in (*left.names, *right.names)}
    left_side, right_side = _Side(left, right, named), _Side(right, left, named)
    union = left_side.forms | right_side.forms
    shared_numbers, conflicts = _match_numbers(left.numbers[:MOST_NUMBERS], right.numbers[:MOST_NUMBERS])
    conflicts = [(a, b) for a, b in conflicts if not _has_grown(a, b, later)]
    opposed = _opposed(left, right, left_side.forms & right_side.forms, union)
    return Differences(
        shared_words=_texts(left_side.shared_words),
        shared_names=_texts(left_side.shared_names),
        shared_numbers=tuple(pair[0].text for pair in shared_numbers),
        number_conflicts=tuple(Clash(a.text, b.text) for a, b in conflicts),
        opposed=tuple(Clash(a.text if a else "", b.text if b else "") for a, b in opposed),
        overlap=len(left_side.forms & right_side.forms) / len(union) if union else 0.0,
        left_marks=_marks(left_side, 0, shared_numbers, conflicts, opposed, across=across),
        right_marks=_marks(right_side, 1, shared_numbers, conflicts, opposed, across=across),
    )


class _Side:
    def __init__(self, reading: ParsedHeadline, other: ParsedHeadline, named: set[str]) -> None:
        spelled, back = _spelled_out(reading, other), _spelled_out(other, reading)
        there = ({t.form for t in other.names} | {t.form for t in other.words}) | set(back.values())
        self.reading = reading
        starts = {t.start for t in reading.names} | spelled.keys()
        able = starts | {t.start for t in reading.words}
        names: list[Token] = []
        words: list[Token] = []
        for token in reading.tokens:
            if token.start in able:
                is_name = token.start in starts or (token.text[0].isupper() and token.form in named)
                (names if is_name else words).append(token)
        bare = set(map(normalise.searched, there))
        self.shared_names = [t for t in names if normalise.searched(t.form) in bare or t.start in spelled]
        self.own_names = [t for t in names if t not in self.shared_names]
        self.shared_words = [t for t in words if t.form in there]
        self.own_words = [t for t in words if t.form not in there]
        self.forms = {spelled.get(t.start, t.form) for t in (*names, *words)}


def _spelled_out(reading: ParsedHeadline, other: ParsedHeadline) -> dict[int, str]:
    initials = Initials(reading.tokens)
    acronyms = {acronym.form: acronym for acronym in other.names}
    return {token.start: form for form, acronym in acronyms.items() for token in initials.spelling(acronym)}


def _texts(tokens: Iterable[Token]) -> tuple[str, ...]:
    return tuple({t.form: t.text for t in reversed(list(tokens))}.values())[::-1]


def _match_numbers(
    left: Sequence[Quantity], right: Sequence[Quantity]
) -> tuple[_QuantityPairs, _QuantityPairs]:
    used: set[int] = set()

    def pair_up(fits: Callable[[Quantity, Quantity], bool]) -> _QuantityPairs:
        pairs: _QuantityPairs = []
        for a in left:
            match = next((b for b in right if id(b) not in used and fits(a, b)), None)
            if id(a) not in used and match is not None:
                used.update((id(a), id(match)))
                pairs.append((a, match))
        return pairs

    return pair_up(lambda a, b: a.kind is b.kind and same(a, b)), pair_up(conflict)


def _opposed(left: ParsedHeadline, right: ParsedHeadline, shared: set[str], union: set[str]) -> _Opposed:
    if not shared:
        return []
    pairs: _Opposed = []
    told, said = ({token.form for token in reading.tokens} for reading in (left, right))
    for first, second in _OPPOSITES[left.language] if left.language == right.language else ():
        for a_forms, b_forms in ((first, second), (second, first)):
            if a_forms & told and b_forms & said and not (_having(left, b_forms) or _having(right, a_forms)):
                pairs.extend(zip(_having(left, a_forms), _having(right, b_forms), strict=False))
    a, b = denial(left), denial(right)
    if (a is None) != (b is None) and len(shared) >= max(2, _ALIKE * len(union)):
        pairs.append((a, b))
    return pairs


def _has_grown(left: Quantity, right: Quantity, later: float) -> bool:
    apart = abs(later) > AT_ONCE and left.unit in TOLLS
    return apart and (left.unit in FALLING or (right.value > left.value) == (later > 0))


def _having(reading: ParsedHeadline, forms: frozenset[str]) -> list[Token]:
    counted = {number.end for number in reading.numbers if number.unit in TOLLS}  # no state of somebody
    tokens = (token for token in reading.tokens if token.form in forms)
    return [token for token in tokens if not {token.start, token.start - 1} & counted]


@cache
def sides(language: str) -> Mapping[str, str]:
    """The side of an opposition that a word is on, by its form: "shuts" and "closes" are on one side."""
    labels: dict[str, str] = {}
    for number, pair in enumerate(_OPPOSITES[language]):
        for side, forms in zip("ab", pair, strict=True):
            labels |= {form: f"~{number}{side}" for form in forms if form not in labels}
    return labels


def denial(reading: ParsedHeadline) -> Token | None:
    """The word that denies a headline's verb; "no" and "without" deny less than the sentence."""
    for token in reading.tokens:
        word = token.text.casefold().replace("’", "'")
        if token.stop and (word in _DENIALS or word.endswith("n't")):
            return token
    return None


def _marks(
    side: _Side,
    which: int,
    shared: _QuantityPairs,
    conflicts: _QuantityPairs,
    opposed: _Opposed,
    *,
    across: bool,
) -> tuple[TextMark, ...]:
    marks: list[TextMark] = []

    def put(start: int, end: int, kind: MarkKind) -> None:
        marks.append(TextMark(start, end, kind))

    numbers = {id(pair[which]): MarkKind.SHARED_NUMBER for pair in shared}
    numbers |= {id(pair[which]): MarkKind.CONFLICTING_NUMBER for pair in conflicts}
    for quantity in side.reading.numbers:
        put(quantity.start, quantity.end, numbers.get(id(quantity), MarkKind.ADDED_NUMBER))
    for pair in opposed:
        if token := pair[which]:
            put(token.start, token.end, MarkKind.OPPOSED)
    kinds = (MarkKind.SHARED_NAME, MarkKind.ADDED_NAME, MarkKind.SHARED_WORD, MarkKind.ADDED_WORD)
    listed = (side.shared_names, side.own_names, side.shared_words, [] if across else side.own_words)
    for tokens, kind in zip(listed, kinds, strict=True):
        for token in tokens:
            put(token.start, token.end, kind)
    return apart(marks)
