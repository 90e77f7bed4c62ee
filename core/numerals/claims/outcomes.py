"""What a headline says became of somebody or something, against what the article says."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from core.files import read_tables
from core.numerals.claims.claim import beginnings
from core.numerals.claims.clauses import Clause, clauses_of
from core.numerals.claims.fates import plain_text
from core.numerals.claims.words import LEAVES_OPEN, OPEN, TABLES, article_words
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.german_nouns import is_common_noun
from core.text.tokens import STOP_WORDS

_TABLES: Final = read_tables(__file__)
AGAINST: Final = {name: tuple(listed.split()) for name, listed in _TABLES["against"].items()}
WORTH: Final = {name: tuple(counts) for name, counts in _TABLES["worth"].items()}
"""By rule: false written headlines, and all, that met it."""
_NEAR: Final = 5  # words before an outcome in which it is denied
_BEHIND: Final = 3  # words behind it in which a German "nicht" stands
_AHEAD: Final = 9  # words before it in which it is made a plan
_SAME: Final = 0.3  # share of the headline's other words in a sentence from which it tells of the same
_MUCH: Final = 0.5  # the same for words that are said of all sorts of things
_GRADED: Final = frozenset(_TABLES["rules"]["graded"].split())
_MEET: Final = frozenset(_TABLES["rules"]["meet"].split())
_LITTLE: Final = 0.2  # the same where the word itself is there
_GAP: Final = 80  # characters of a clause between two words that belong together
_NAME: Final = re.compile(r"[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*")
Spoken = tuple[str, tuple[int, int]]  # one sentence on what disagrees, and the place of the article's


class ToldOutcome(NamedTuple):
    text: str  # as it stands
    start: int  # where it begins, in characters of its text
    end: int
    clause: Clause
    denied: bool
    open: bool  # planned, feared or asked for


class ComparedHeadline(NamedTuple):
    headline: str
    article: ReadArticle

    @property
    def language(self) -> str:
        return self.article.language

    def outcomes(self, name: str) -> list[ToldOutcome]:
        return list(_outcomes(self.headline, 0, len(self.headline), self.language, name))

    def given(self, name: str) -> list[tuple[int, ToldOutcome]]:
        return list(_given(self.article, self.language, name))

    def sentence(self, row: int) -> str:
        return self.article.text[slice(*self.article.sentences[row])]

    def words_beside(self, outcome: ToldOutcome) -> frozenset[str]:
        return _stems(f"{self.headline[: outcome.start]} {self.headline[outcome.end :]}", self.language)


@cache
def _pattern(language: str, name: str) -> re.Pattern[str]:
    listed = sorted(_TABLES["words"][language][name].split(), key=len, reverse=True)
    words = "|".join(map(re.escape, listed)).replace(r"\*", r"[^\W\d_]*").replace("_", r"\s+")
    gap = rf"\b[^.,;:]{{0,{_GAP}}}?\b"
    return re.compile(rf"(?<![\w-])(?:{words.replace('…', gap)})(?![\w-])", re.IGNORECASE)


@cache
def _denials(language: str) -> re.Pattern[str]:
    words = " ".join(TABLES[name][language] for name in ("nobody", "denied")).split()
    verbs = "|".join(_pattern(language, name).pattern for name in ("refused", "denied"))
    return re.compile(rf"\b(?:{'|'.join(words)})\b|\w+n['’]t\b|{verbs}", re.IGNORECASE)


def _outcomes(text: str, start: int, end: int, language: str, name: str) -> Iterator[ToldOutcome]:
    clauses = clauses_of(text, start, end, language)
    for match in _pattern(language, name).finditer(text, start, end):
        clause = next(each for each in clauses if each.holds(match.start()))
        before, behind = text[clause.start : match.start()].split(), text[match.end() : clause.end].split()
        denied = _denials(language).search(" ".join(before[-_NEAR:])) is not None
        denied = denied or (language == "de" and "nicht" in behind[:_BEHIND])
        leaves = OPEN[language].search(" ".join(before[-_AHEAD:])) is not None
        yield ToldOutcome(match[0], match.start(), match.end(), clause, denied, leaves)


@lru_cache(maxsize=AT_ONCE * 32)
def _given(article: ReadArticle, language: str, name: str) -> tuple[tuple[int, ToldOutcome], ...]:
    places = enumerate(article.sentences)
    return tuple((row, each) for row, at in places for each in _outcomes(article.text, *at, language, name))


@lru_cache(maxsize=AT_ONCE * 32)
def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(beginnings(text) - {word[:5] for word in STOP_WORDS.get(language, ())})


def _shared(said: ComparedHeadline, outcome: ToldOutcome, row: int) -> float:
    """Share of a headline's words beside an outcome that a sentence of the article has."""
    words = said.words_beside(outcome)
    return len(words & _stems(said.sentence(row), said.language)) / max(1, len(words))


def other_outcome(said: ComparedHeadline, name: str, mine: ToldOutcome) -> Spoken | None:
    """Rejected, where the article says that the same was approved, and nothing nearer otherwise."""
    if any(said.outcomes(opposite) for opposite in AGAINST[name]):
        return None  # "Four convicted, one cleared"
    least = _MUCH if name in _GRADED else _SAME
    same = [_near(said, mine, *each) for each in said.given(name) if not each[1].denied]
    for row, other in (each for opposite in AGAINST[name] for each in said.given(opposite)):
        near = _near(said, mine, row, other)
        if other.denied or other.open or near[1] < least or not near[0]:
            continue
        of_others = name not in _MEET or not same or _is_of_others(said, name, mine, other)
        if of_others and all(each < near for each in same):
            return f"The article says “{other.text}”, not “{mine.text}”.", said.article.sentences[row]
    return None


def _is_of_others(said: ComparedHeadline, name: str, mine: ToldOutcome, other: ToldOutcome) -> bool:
    """Whether who does it, or suffers it, stands with an opposite outcome and with none of its own."""
    text, language = said.article.text, said.language
    who = _stems(said.headline[: mine.start], language) or _stems(said.headline[mine.end :], language)
    there = who & _stems(text[slice(*other.clause)], language)
    own = (_stems(said.sentence(row), language) for row, _ in said.given(name))
    return bool(there) and all(there.isdisjoint(stems) for stems in own)


def _near(said: ComparedHeadline, mine: ToldOutcome, row: int, other: ToldOutcome) -> tuple[int, float]:
    """How many of a headline's other words stand in an outcome's clause, and their share in its sentence."""
    clause = _stems(said.article.text[slice(*other.clause)], said.language)
    return len(said.words_beside(mine) & clause), _shared(said, mine, row)


def denied_outcome(said: ComparedHeadline, name: str, mine: ToldOutcome) -> Spoken | None:
    """Killed, where the article says it of nobody; resigns, where it says that she will not."""
    given = said.given(name)
    row, other = max(given, key=lambda each: _shared(said, mine, each[0]), default=(0, mine))
    if not given or not all(other.denied for _, other in given) or _shared(said, mine, row) < _LITTLE:
        return None
    return f"The article says “{plain_text(said.article.text, other.clause)}”.", said.article.sentences[row]


def planned_outcome(said: ComparedHeadline, name: str, mine: ToldOutcome) -> Spoken | None:
    """Opened, where the article has it only as a plan."""
    given = [each for each in said.given(name) if not each[1].denied]
    leaves_open = "?" in said.headline or LEAVES_OPEN[said.language].search(said.headline)
    if name in _GRADED or leaves_open or not given or not all(other.open for _, other in given):
        return None
    row, other = given[0]
    quoted = plain_text(said.article.text, other.clause)
    return f"The article says “{quoted}”: it need not have come about.", said.article.sentences[row]


def other_winner(said: ComparedHeadline, name: str, mine: ToldOutcome) -> Spoken | None:
    """A winner whom the article names with none of its victories."""
    if name != "won" or _is_in_capitals(said):
        return None
    given = [*said.given(name), *said.given("victory")]
    named = _names(said, said.headline[: mine.start])
    doers = frozenset[str]().union(*(_doers(said, *each) for each in given))
    if not doers or not named or named & doers:
        return None
    who = " ".join(word for word in _NAME.findall(said.headline) if word in named)
    return f"The article does not say “{mine.text}” of “{who}”.", said.article.sentences[given[0][0]]


def _doers(said: ComparedHeadline, row: int, outcome: ToldOutcome) -> frozenset[str]:
    """Names before an outcome in its sentence; where there are none, those of the sentence before."""
    names = _names(said, said.article.text[said.article.sentences[row][0] : outcome.start])
    return names or (_names(said, said.sentence(row - 1)) if row else names)


@lru_cache(maxsize=AT_ONCE * 8)
def _names(said: ComparedHeadline, text: str) -> frozenset[str]:
    """Names of the article in a text: words with a capital that it never has without."""
    small = {*map(str.lower, article_words(said.article).small), *STOP_WORDS.get(said.language, ())}
    words = [word for word in _NAME.findall(text) if word[0].isupper() and word.lower() not in small]
    names = frozenset(_NAME.findall(said.article.text)).intersection(words)
    return frozenset(w for w in names if said.language != "de" or not is_common_noun(w))


def _is_in_capitals(said: ComparedHeadline) -> bool:
    """Whether most words of a headline have a capital, so that no name can be told by it."""
    words = [word for word in _NAME.findall(said.headline) if word.lower() not in STOP_WORDS.get("en", ())]
    return said.language != "de" and 2 * sum(word[0].isupper() for word in words) > len(words)


RULES: Final = (other_outcome, denied_outcome, planned_outcome, other_winner)
