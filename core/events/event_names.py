"""Whom and where the headlines of an event name: each name once, in the words of each headline."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.events.outlets import Saying
from core.events.places import PlaceReading, is_known_place, stands_as_place
from core.files import read_tables
from core.text.claims import Claims, is_common
from core.text.facts import same_name
from core.text.normalise import searched
from core.text.numerals.languages import language_of
from core.text.tokens import STOP_WORDS, Token, fold, tokenize, word_list

_STEM: Final = 4  # letters that two forms of a name share at least: "Libya", "Libyan"
_ENDING: Final = 2  # letters of a case that a Russian name has behind the Latin one: "Казани", "Kazan"
_BETWEEN: Final = frozenset({" ", ". ", "-", "'s ", "’s "})
_BEFORE: Final = (re.compile(r"\b[A-Z]\w+ [Oo]f $"), re.compile(r"\b[A-ZÀ-ÞА-Я][\w'’&]+ $"))
_BEHIND: Final = re.compile(r"(?:\.? [A-Z]\b)*\.? [A-ZÀ-ÞА-Я]\w+")  # "Jos" is "Jos. A. Bank"
_WHOLE: Final = re.compile(
    r"(?<![\w-])(?:[A-ZÀ-Þ]\w+-|(?<=[\w,] )(?:[A-ZÀ-Þ][\w&]+ )+(?:von der )?|[Vv]on der |Mt\.? )$"
)  # not the first word of a sentence, whose capital says nothing
_TITLE: Final = 0.5  # share of words in capitals from which a headline is in Title Case
_NO_NAMES: Final = frozenset(word_list("inc ltd corp plc tv ceo coo cfo usd video review"))
_TOGETHER: Final = 0.7  # share of the headlines with either of two names that have both side by side
_KNOWN: Final = 3  # a place of the gazetteers is where something is if one in so many headlines says so
_STOPS: Final = frozenset().union(*STOP_WORDS.values())
_LATIN: Final = str.maketrans(read_tables(__file__))
_SOUNDS: Final = str.maketrans("cqw", "kkv", "aeiouyjh")  # what languages keep of a name: "Crete", "Kreta"
_SOUND: Final = 3  # consonants that a name has at least to be known by them

Span = tuple[int, int]  # from where to where a name stands in a headline
Spans = dict[int, Span]  # of one name, by row
_Part = tuple[str, Spans, Spans]  # what is said, where it stands, and where its shortest form does
_UNWRITTEN: Final[Span] = (-1, -1)  # of a name that a headline means, in none of its own words


@dataclass(frozen=True, slots=True)
class Name:
    is_place: bool  # it is where something happened, not who or what acts
    is_common_word: bool  # it is no name anywhere but a word for people in general: "police", "Astronauts"
    words: tuple[tuple[int, str], ...]  # rows that name it, by time, and how each writes it


def names_of(
    texts: Sequence[str], claims: Mapping[int, Claims], sayings: Sequence[Saying], language: str
) -> list[Name]:
    """Each name that `sayings` have, by how many outlets have it; no word of a headline is of two names."""
    spans = _spans_of(texts, claims, sayings)
    _join_neighbours(texts, spans)
    short = [dict(placed) for placed in spans]
    _write_out(texts, spans)
    names = (
        _name(texts, claims, [(sayings[at].text, spans[at], short[at]) for at in spellings], language)
        for spellings in _spellings(texts, spans, language)
    )
    return [name for name in names if name is not None]


def _spans_of(texts: Sequence[str], claims: Mapping[int, Claims], sayings: Sequence[Saying]) -> list[Spans]:
    words = (tokenize(saying.text) for saying in sayings)
    forms = [frozenset(form for word in own for form in (word.form, fold(word.text))) for own in words]
    order = sorted(range(len(sayings)), key=lambda at: -sayings[at].outlets * len(sayings[at].text.split()))
    spans: list[Spans] = [{} for _ in sayings]
    for row, claim in claims.items():
        meant = {at: (sayings[at].text, forms[at]) for at in order if row in sayings[at].rows}
        for at, span in _spans_in(texts[row], claim, meant).items():
            spans[at][row] = span
    return spans


def _spans_in(text: str, claim: Claims, meant: Mapping[int, tuple[str, Collection[str]]]) -> dict[int, Span]:
    spans: dict[int, Span] = {}
    met = set[int]()
    for phrase in claim.phrases:
        stop = phrase.start + len(phrase.text)
        tokens = [token for token in claim.reading.tokens if phrase.start <= token.start < stop]
        owners: list[int | None] = [None] * len(tokens)
        for at, (written, forms) in meant.items():
            mine = _meeting(tokens, forms, written)
            if mine:
                met.add(at)
            if at not in spans and all(owners[place] is None for place in mine):
                for place in mine:
                    owners[place] = at
        for at, (start, end) in _spread(owners, tokens).items():
            before = len("New ") if text[:start].endswith("New ") else 0
            spans[at] = start - before, min(end, stop)
    return spans | {at: _UNWRITTEN for at in meant if at not in met}


def _spellings(texts: Sequence[str], spans: Sequence[Spans], language: str) -> Collection[list[int]]:
    joined: dict[tuple[str, str], list[int]] = {}
    for at, placed in enumerate(spans):
        written = {texts[row][span[0] : span[1]]: row for row, span in placed.items() if span != _UNWRITTEN}
        if written:
            code = language_of(texts[min(written.values())], doubtful=language)
            joined.setdefault(_key(list(written), code, joined), []).append(at)
        elif placed:
            joined.setdefault((f"\0{at}", ""), []).append(at)
    return joined.values()


def _meeting(tokens: Sequence[Token], forms: Collection[str], text: str) -> list[int]:
    """Which words of a phrase are of a name, also where one of them spells the other's initials."""
    meeting = [at for at, token in enumerate(tokens) if any(_same(token.form, form) for form in forms)]
    if meeting:
        return meeting
    letters = {_initials(text), fold(text)}
    whole = _initials(" ".join(token.text for token in tokens))
    if len(tokens) > 1 and whole in letters:
        return list(range(len(tokens)))
    return [at for at, token in enumerate(tokens) if token.acronym and fold(token.text) in letters]


def _same(a: str, b: str) -> bool:
    a, b = a.replace(".", ""), b.replace(".", "")  # "U.S.", "US"
    return a == b or (min(len(a), len(b)) >= _STEM and (a.startswith(b) or b.startswith(a)))


def _initials(text: str) -> str:
    return "".join(word[0] for word in text.split()).casefold()


def _join_neighbours(texts: Sequence[str], spans: list[Spans]) -> None:
    """Makes one name of two that mostly stand side by side: "Mt." and "Gox", "Metro" and "North"."""
    together: dict[tuple[int, int], list[int]] = {}
    for row in sorted({row for placed in spans for row in placed}):
        here = ((placed.get(row, _UNWRITTEN), at) for at, placed in enumerate(spans))
        written = sorted((span, at) for span, at in here if span != _UNWRITTEN)
        for ((_, end), left), ((start, _), right) in pairwise(written):
            if texts[row][end:start] in _BETWEEN:
                together.setdefault((left, right), []).append(row)
    for (left, right), rows in together.items():
        if len(rows) >= max(_TOGETHER * max(len(spans[left]), len(spans[right])), 2):
            moved = {row: (spans[left][row][0], spans[right][row][1]) for row in rows}
            spans[left] = spans[right] | spans[left] | moved
            spans[right] = {}


def _write_out(texts: Sequence[str], spans: Sequence[Spans]) -> None:
    """Gives a name what mostly stands beside it: "Game of" before "Thrones", "Popcorn" before "Time"."""
    for placed in spans:
        written = {row: span for row, span in placed.items() if span != _UNWRITTEN}
        for pattern in _BEFORE:
            before = ((row, pattern.search(texts[row], 0, start)) for row, (start, _) in written.items())
            _widen(texts, spans, placed, {row: match.span() for row, match in before if match})
        for row, (start, end) in written.items():
            if match := _WHOLE.search(texts[row], 0, start):
                words = texts[row].split()
                in_title_case = sum(word[0].isupper() for word in words) > _TITLE * len(words)
                if "-" in match[0] or not in_title_case:
                    _put(spans, placed, row, (match.start(), end))
        behind = ((row, _BEHIND.match(texts[row], end)) for row, (_, end) in written.items())
        _widen(texts, spans, placed, {row: match.span() for row, match in behind if match})


def _widen(texts: Sequence[str], spans: Sequence[Spans], placed: Spans, beside: Mapping[int, Span]) -> None:
    said = {row: texts[row][start:end].casefold() for row, (start, end) in beside.items()}
    common = Counter(said.values()).most_common(1)
    if not common or common[0][1] < max(_TOGETHER * len(placed), 2) or common[0][0].strip() in _STOPS:
        return
    for row, (start, end) in beside.items():
        if said[row] == common[0][0]:
            _put(spans, placed, row, (start, end))


def _put(spans: Sequence[Spans], placed: Spans, row: int, span: Span) -> None:
    """Widens a name in a headline, unless another one stands there."""
    others = (other[row] for other in spans if other is not placed and row in other)
    if all(last <= span[0] or span[1] <= first for first, last in others):
        placed[row] = min(span[0], placed[row][0]), max(span[1], placed[row][1])


def _spread(owners: Sequence[int | None], tokens: Sequence[Token]) -> dict[int, Span]:
    """From where to where each name goes in a phrase; words of none are of the one behind or before them."""
    last = next((owner for owner in reversed(owners) if owner is not None), None)
    spans: dict[int, Span] = {}
    for place, token in enumerate(tokens):
        owner = next((owner for owner in owners[place:] if owner is not None), last)
        if owner is not None:
            start, _ = spans.get(owner, (token.start, 0))
            spans[owner] = start, token.end
    return spans


def _key(written: Sequence[str], code: str, others: Collection[tuple[str, str]]) -> tuple[str, str]:
    """What a name is called in every language, from tables or in Latin letters; and its own language."""
    if known := next(filter(None, map(same_name, sorted(written))), ""):
        return known, ""
    name = min(written, key=len).casefold()
    latin = searched(name.translate(_LATIN)).replace("-", " ")
    code = "ru" if any("а" <= letter <= "я" for letter in name) else code
    sound = _sound(latin)

    def near(key: tuple[str, str]) -> bool:
        if key[0] == latin or key[1] == code:
            return key[0] == latin
        begins = "ru" in (key[1], code) and _same(key[0], latin) and abs(len(key[0]) - len(latin)) <= _ENDING
        return begins or (len(sound) >= _SOUND and key[1] != "" and _sound(key[0]) == sound)

    return next(filter(near, others), (latin, code))


def _sound(name: str) -> str:
    bare = unicodedata.normalize("NFD", name.replace("ph", "f")).translate(_SOUNDS)
    return re.sub(r"(\w)\1+", r"\1", "".join(filter(str.isalnum, bare)))


def _name(
    texts: Sequence[str], claims: Mapping[int, Claims], parts: Sequence[_Part], language: str
) -> Name | None:
    order = {row: place for place, row in enumerate(claims)}
    words: dict[int, str] = {}
    votes: list[PlaceReading] = []
    known = acts = named = False
    for said, spans, short in parts:
        for row, (start, end) in spans.items():
            written = (start, end) != _UNWRITTEN
            text = texts[row][start:end] if written else said
            words.setdefault(row, text)
            named = named or not is_common(text)
            if not written:
                continue
            phrase = next(each for each in claims[row].phrases if start < each.start + len(each.text))
            mixed = any(map(str.isupper, text[1:])) and not text.isupper() and " " not in text
            acts, known = acts or phrase.actor, known or is_known_place(text)
            if mixed or phrase.role:
                votes.append(PlaceReading.NO_PLACE)
            else:
                votes.append(stands_as_place(texts[row], *short[row], language))
    if all(len(text) < 2 or text.islower() or text.casefold() in _NO_NAMES for text in words.values()):
        return None
    against = votes.count(PlaceReading.NO_PLACE)
    stands = votes.count(PlaceReading.PLACE) >= max(against, 1)
    is_place = _KNOWN * (len(votes) - against) >= len(votes) if known else stands
    if votes and not (is_place or against or acts):
        return None  # "in the Apple store": neither
    return Name(is_place, not named, tuple(sorted(words.items(), key=lambda each: order[each[0]])))
