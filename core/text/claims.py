"""What a headline claims: whom and what it names, who acts or speaks in it, and how sure it is.

Rules over capitals and small tables of words, no model. An actor is a name or a role ("police") that the
headline begins with, that stands beside a word of saying, behind "by", or alone behind the last colon or
dash. It errs: "Titanfall launches" has an actor, "Rocket explodes" has none.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.text.differences import ParsedHeadline, read
from core.text.tokens import Token, fold, word_list

_WITHIN: Final = (" ", " of ", " of the ")
_MOST_BEHIND: Final = 4
"""Words behind the last colon or dash that can say who speaks: "…: Russian space agency"."""
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
    """A name of one word or more, or a role.

    Attributes:
        text: As it stands in the headline.
        forms: Normal forms of its words.
        start: Where it begins, in characters from 0.
        actor: Whether it acts or speaks.
        role: It is no name but a word such as "police".
    """

    text: str
    forms: tuple[str, ...]
    start: int
    actor: bool
    role: bool = False


@dataclass(frozen=True, slots=True)
class Hedge:
    """A word by which a headline does not vouch for what it says.

    Attributes:
        text: As it stands in the headline.
        form: In small letters; equal forms are the same hedge.
        start: Where it begins, in characters from 0.
    """

    text: str
    form: str
    start: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What a headline claims.

    Attributes:
        reading: Its words and numbers.
        phrases: Its names and roles, in order; no role beside a name ("NASA astronaut").
        hedges: Its hedges, in order.
    """

    reading: ParsedHeadline
    phrases: tuple[Phrase, ...]
    hedges: tuple[Hedge, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    hedges: re.Pattern[str]
    roles: frozenset[str]
    says: frozenset[str]
    by: re.Pattern[str]
    also: frozenset[str]


def read_claims(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> Claims:
    """What a headline claims."""
    reading = read(text, known=known, language=language)
    table = _TABLES[reading.language]
    plain = _plain(text)
    names = {token.start for token in reading.names}
    numbers = {token.start for token in reading.tokens if token.number}
    roles = {
        token.start
        for token in reading.tokens
        if _plain(token.text) in table.roles and token.start not in names | numbers
    }
    acting = _acting(reading, table, names | roles, plain)
    runs = _runs(reading.tokens, text, names)
    phrases = [
        Phrase(
            text[run[0].start : _bare_end(run[-1])],
            tuple(token.form for token in run),
            run[0].start,
            any(token.start in acting for token in run),
        )
        for run in runs
    ]
    places = {token.start for run in runs for token in run}
    marked = [token.start in places for token in reading.tokens]
    beside = {
        token.start
        for token, before, after in zip(reading.tokens, [False, *marked], [*marked[1:], False], strict=False)
        if before or after
    }
    phrases += [
        Phrase(token.text, (token.form,), token.start, token.start in acting, role=True)
        for token in reading.tokens
        if token.start in roles - beside
    ]
    return Claims(reading, tuple(sorted(phrases, key=lambda one: one.start)), _hedges(text, plain, table))


def _plain(text: str) -> str:
    small = text.lower()
    if len(small) != len(text):
        small = "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)
    return small.replace("ё", "е").replace("’", "'")


def _bare_end(token: Token) -> int:
    return token.end - 2 if token.text[-2:].casefold() in ("'s", "’s") else token.end


def _runs(tokens: Sequence[Token], text: str, names: Collection[int]) -> list[list[Token]]:
    runs: list[list[Token]] = []
    for token in tokens:
        if token.start not in names:
            continue
        last = runs[-1][-1] if runs else None
        if last is not None and text[last.end : token.start] in _WITHIN and _bare_end(last) == last.end:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _acting(reading: ParsedHeadline, table: _Words, able: Collection[int], plain: str) -> set[int]:
    tokens = reading.tokens
    found = set(_run_from(tokens, 0, 1, able, table))
    for at, token in enumerate(tokens):
        if _plain(token.text) in table.says and (not at or tokens[at - 1].form != "to"):
            # "…", says Carney: a sign ends what is said, and the speaker follows.
            turned = plain[: token.start].rstrip()[-1:] in _ENDS_WHAT_IS_SAID
            found |= _run_from(tokens, at + 1, 1, able, table) if turned else set()
            found |= _run_from(tokens, at - 1, -1, able, table) if not turned else set()
    starts = [token.start for token in tokens]
    for match in table.by.finditer(plain):
        found |= _run_from(tokens, bisect_left(starts, match.end()), 1, able, table)
    last = max(plain.rfind(": "), plain.rfind(" - "), plain.rfind(" – "), plain.rfind(" — "))
    behind = [token for token in tokens if token.start > last] if last > 0 else []
    if 0 < len(behind) <= _MOST_BEHIND and all(one.start in able or one.stop for one in behind):
        found |= {one.start for one in behind if one.start in able}
    return found


def _run_from(tokens: Sequence[Token], at: int, step: int, able: Collection[int], table: _Words) -> set[int]:
    found: set[int] = set()
    skipped = 0
    while 0 <= at < len(tokens) and skipped < 2:
        token = tokens[at]
        if token.start in able:
            found.add(token.start)
            skipped = 0
        elif token.stop and (not found or token.text.casefold() in table.also):
            skipped += 1
        else:
            break
        at += step
    return found


def _hedges(text: str, plain: str, table: _Words) -> tuple[Hedge, ...]:
    found = []
    words = re.findall(r"[^\W\d_]{4,}", text)
    titled = bool(words) and sum(word[0].isupper() for word in words) >= _TITLE_CASE * len(words)
    for match in table.hedges.finditer(plain):
        word = match[0]
        if word == "may" and _is_month_or_name(text, plain, match.start(), titled=titled):
            continue
        if word.startswith("claim") and (
            _NO_CLAIM.match(plain, match.end()) or plain.endswith("jobless ", 0, match.start())
        ):
            continue
        found.append(
            Hedge(text[match.start() : match.end()], " ".join(map(fold, word.split())), match.start())
        )
    return tuple(found)


def _is_month_or_name(text: str, plain: str, start: int, *, titled: bool) -> bool:
    if _AFTER_MONTH.match(plain, start + 3) or _BEFORE_MONTH.search(plain[max(0, start - 12) : start]):
        return True
    return text[start] == "M" and (not start or not titled)


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
    for language, table in tomllib.loads(
        Path(__file__).with_name("claims.toml").read_text(encoding="utf-8")
    ).items()
}
