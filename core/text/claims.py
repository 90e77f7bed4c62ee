"""What a headline claims: whom it names, who acts or speaks, and how sure it is.

An actor is a name or a role ("police") that the headline begins with, that stands beside a word of saying,
behind "by", or alone behind the last colon or dash.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from core.files import read_tables
from core.text.differences import ParsedHeadline, read
from core.text.facts import FACT_WORDS, counted_kind, read_counted, same_name
from core.text.reading import reads
from core.text.tokens import Token, fold, word_list

_WITHIN: Final = (" ", " of ", " of the ")
_MOST_BEHIND: Final = 4  # words behind the last colon or dash that can say who speaks
_TITLE_CASE: Final = 0.6
_NO_CLAIM: Final = re.compile(
    r"\s+(?:\d|the\s+li(?:fe|ves)\b|li(?:fe|ves)\b|(?:first\s+)?(?:title|victory|win|gold)\b)"
)
"""What follows "claims" where a storm claims lives and a team a title."""
_ENDS_WHAT_IS_SAID: Final = frozenset(",'\"”»?!")
_BEFORE_MONTH: Final = re.compile(
    r"(?:\b(?:in|of|since|by|until|till|on|last|next|this|early|late|mid)|\d)[\s-]*$"
)
_AFTER_MONTH: Final = re.compile(r"\W{0,2}\d")


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str  # as it stands in the headline
    forms: tuple[str, ...]  # normal forms of its words
    start: int  # where it begins, in characters from 0
    actor: bool  # whether it acts or speaks
    role: bool = False  # it is no name but a word such as "police"


@dataclass(frozen=True, slots=True)
class Hedge:
    text: str  # as it stands in the headline
    form: str  # in small letters; equal forms are the same hedge
    start: int  # where it begins, in characters from 0


@dataclass(frozen=True, slots=True)
class Claims:
    reading: ParsedHeadline  # its words and numbers
    phrases: tuple[Phrase, ...]  # its names and roles, in order; no role beside a name ("NASA astronaut")
    hedges: tuple[Hedge, ...]  # its hedges, in order


@dataclass(frozen=True, slots=True)
class _Words:
    hedges: re.Pattern[str]
    roles: frozenset[str]
    says: frozenset[str]
    by: re.Pattern[str]
    also: frozenset[str]


def _plain(text: str) -> str:
    small = text.lower()
    if len(small) != len(text):
        small = "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)
    return small.replace("ё", "е").replace("’", "'")


def _pattern(phrases: str) -> re.Pattern[str]:
    each = sorted((_plain(phrase.strip()) for phrase in phrases.split("|")), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(phrase) for phrase in each)})(?!\w)")


_TABLES: Final = {
    language: _Words(
        hedges=_pattern(table["hedges"]),
        roles=frozenset(map(_plain, word_list(table["roles"]))),
        says=frozenset(map(_plain, word_list(table["says"]))),
        by=_pattern(table["by"]),
        also=frozenset(word_list(table["and"])),
    )
    for language, table in read_tables(__file__).items()
}
_COMMON: Final = frozenset().union(
    *(table.roles for table in _TABLES.values()),
    (word for of in FACT_WORDS["counted"]["people"].values() for word in of.split() if "-" not in word),
    word_list(FACT_WORDS["persons"]["roles"]),
)


@reads("facts", lambda text: Claims(read(text), (), ()))
def read_claims(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> Claims:
    reading = read_counted(text, known=known, language=language)
    tokens, table, plain = reading.tokens, _TABLES[reading.language], _plain(text)
    names = {token.start for token in reading.names}
    able = (token for token in tokens if not token.number and token.start not in names)
    roles = {token.start for token in able if _plain(token.text) in table.roles}
    acting = _acting(reading, table, names | roles, plain)
    phrases = []
    for run in _runs(tokens, text, names):
        said, forms = text[run[0].start : run[-1].bare_end], tuple(token.form for token in run)
        phrases.append(Phrase(said, forms, run[0].start, any(token.start in acting for token in run)))
    for at, token in enumerate(tokens):
        beside = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
        if token.start in roles and not any(neighbour.start in names for neighbour in beside):
            acts = token.start in acting
            phrases.append(Phrase(token.text, (token.form,), token.start, acts, role=True))
    hedges = []
    words = re.findall(r"[^\W\d_]{4,}", text)
    titled = bool(words) and sum(word[0].isupper() for word in words) >= _TITLE_CASE * len(words)
    for match in table.hedges.finditer(plain):
        word = match[0]
        start, end = match.span()
        if word == "may" and _is_month_or_name(text, plain, start, titled=titled):
            continue
        jobless = plain.endswith("jobless ", 0, start)
        if word.startswith("claim") and (jobless or _NO_CLAIM.match(plain, end)):
            continue
        hedges.append(Hedge(text[start:end], " ".join(map(fold, word.split())), start))
    return Claims(reading, tuple(sorted(phrases, key=lambda part: part.start)), tuple(hedges))


def _runs(tokens: Sequence[Token], text: str, names: Collection[int]) -> list[list[Token]]:
    runs: list[list[Token]] = []
    for token in tokens:
        if token.start not in names:
            continue
        last = runs[-1][-1] if runs else None
        between = text[last.end : token.start].casefold() if last else ""
        joined = between in _WITHIN or (between == "-" and same_name(text[runs[-1][0].start : token.end]))
        if last is not None and joined and last.bare_end == last.end:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _acting(reading: ParsedHeadline, table: _Words, able: Collection[int], plain: str) -> set[int]:
    tokens = reading.tokens
    acting = set(_run_from(tokens, 0, 1, able, table))
    for at, token in enumerate(tokens):
        if _plain(token.text) in table.says and (not at or tokens[at - 1].form != "to"):
            # "…", says Carney: a sign ends what is said, and the speaker follows.
            turned = plain[: token.start].rstrip()[-1:] in _ENDS_WHAT_IS_SAID
            acting |= _run_from(tokens, at + 1, 1, able, table) if turned else set()
            acting |= _run_from(tokens, at - 1, -1, able, table) if not turned else set()
    starts = [token.start for token in tokens]
    for match in table.by.finditer(plain):
        acting |= _run_from(tokens, bisect_left(starts, match.end()), 1, able, table)
    last = max(plain.rfind(": "), plain.rfind(" - "), plain.rfind(" – "), plain.rfind(" — "))
    behind = [token for token in tokens if token.start > last] if last > 0 else []
    if 0 < len(behind) <= _MOST_BEHIND and all(token.start in able or token.stop for token in behind):
        acting |= {token.start for token in behind if token.start in able}
    return acting


def _run_from(tokens: Sequence[Token], at: int, step: int, able: Collection[int], table: _Words) -> set[int]:
    run: set[int] = set()
    skipped = 0
    while 0 <= at < len(tokens) and skipped < 2:
        token = tokens[at]
        if token.start in able:
            run.add(token.start)
            skipped = 0
        elif token.stop and (not run or token.text.casefold() in table.also):
            skipped += 1
        else:
            break
        at += step
    return run


def _is_month_or_name(text: str, plain: str, start: int, *, titled: bool) -> bool:
    if _AFTER_MONTH.match(plain, start + 3) or _BEFORE_MONTH.search(plain[max(0, start - 12) : start]):
        return True
    return text[start] == "M" and (not start or not titled)


def is_common(name: str) -> bool:
    """Whether all words of what stands as a name are of people in general: "Crew", "Astronautas"."""
    words = _plain(name).split()
    return bool(words) and all(word in _COMMON or counted_kind(word, "en") == "aboard" for word in words)
