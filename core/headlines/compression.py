"""Sentences shortened to headlines by rules: nothing is added, and what stays is in its order."""

import itertools
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from core.files import read_tables
from core.headlines.headline_text import clean_headline

CHARACTERS: Final = 6.5  # of a word of a headline and the space behind it: 14 words have 91
FEWEST_WORDS: Final = 4  # what remains of a sentence, at least
JOINING: Final = frozenset({"that", "who", "which", "where"})
_TABLES: Final = read_tables(__file__)
_PART: Final = re.compile("<([A-Z]+)>")
_SPACE: Final = re.compile(r"\s+(?=[,;])|(?<=\s)\s+")
_FIGURE: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class ShorteningRule:
    off: re.Pattern[str]  # what is taken off
    head: re.Pattern[str] | None  # what stands before it, from the beginning on; None for anything
    keeps: re.Pattern[str] | None  # how what stays begins, although `off` finds it
    long: int  # only where the line has more words than these, or their characters; 0 for always
    again: bool  # until nothing changes
    verb: bool  # only behind a verb


@dataclass(frozen=True, slots=True)
class ShorteningRules:
    rules: tuple[ShorteningRule, ...]
    depends: re.Pattern[str]  # words of which none is taken off: the rest would say more than the sentence
    verb: re.Pattern[str]  # what tells that a sentence has begun to say something
    relative: re.Pattern[str]  # verbs that are not the sentence's own
    opening: re.Pattern[str]  # a clause that leads to another one, alone
    subject: re.Pattern[str] | None  # up to the noun of whom it tells; None where that is not known
    auxiliaries: frozenset[str]
    pronouns: frozenset[str]  # with which a sentence does not stand alone
    dangling: frozenset[str]  # with which none ends


@cache
def rules_of(language: str) -> ShorteningRules | None:
    """The rules of a language; None where it has none."""
    table = _TABLES.get(language)
    if table is None:
        return None

    def read(pattern: str) -> re.Pattern[str]:
        while _PART.search(pattern):
            pattern = _PART.sub(lambda name: table["parts"][name[1]], pattern)
        return re.compile(pattern)

    def rule(row: dict[str, Any]) -> ShorteningRule:
        head, keeps = (read(row[name]) if name in row else None for name in ("head", "keeps"))
        flags = (row.get(name, 0) for name in ("long", "again", "verb"))
        return ShorteningRule(read(row["off"]), head, keeps, *flags)

    words = (frozenset(table[name].split()) for name in ("auxiliaries", "pronouns", "dangling"))
    verbs = read(r"\b<FINITE>\b"), read(table["relative"]), read(table["opening"])
    subject = read(table["subject"]) if "subject" in table else None
    depends = re.compile(table["depends"], re.IGNORECASE)
    return ShorteningRules(tuple(map(rule, table["rules"])), depends, *verbs, subject, *words)


def compressed(sentence: str, language: str) -> str:
    """The sentence without what a headline can do without, about a dozen words where that is possible."""
    line, rules = clean_headline(sentence), rules_of(language)
    if rules is None:
        return line
    for rule in rules.rules:
        while not rule.long or is_long(line, rule.long):
            shorter = _shorter(line, rule, rules)
            if shorter == line:
                break
            line = shorter
            if not rule.again:
                break
    return line[:1].upper() + line[1:]


def is_long(line: str, most_words: int) -> bool:
    return len(line) > most_words * CHARACTERS or len(line.split()) > most_words


def core_of(sentence: str, language: str) -> tuple[str, ...]:
    """Words of whom a sentence tells and its main verb, which is no auxiliary; () where that is not known."""
    rules = rules_of(language)
    if rules is None or rules.subject is None:
        return ()
    line = rules.relative.sub("", compressed(sentence, language))
    subject = rules.subject.match(line)
    verbs = (verb for verb in rules.verb.findall(line) if verb not in rules.auxiliaries)
    return *(subject[1].split() if subject else ()), *itertools.islice(verbs, 1)


def stands_alone(sentence: str, language: str) -> bool:
    """Whether a sentence tells something by itself: no question, and no pronoun in front."""
    rules, words = rules_of(language), sentence.split()
    first = re.sub(r"\W", "", words[0]).lower() if words else ""
    short = len(words) < FEWEST_WORDS or sentence.rstrip("\"'”’»").endswith("?")
    if short or rules is None:
        return not short
    return first not in rules.pronouns and bool(rules.verb.search(sentence))


def _breaks_off(words: list[str], rule: ShorteningRule, rules: ShorteningRules) -> bool:
    last = words[-1].lower()
    joined = words[-2].lower() in JOINING
    return last in rules.dangling or joined or bool(rule.long and last.endswith("ing"))


def _shorter(line: str, rule: ShorteningRule, rules: ShorteningRules) -> str:
    """The line with the rule used once, where the rest still says what the sentence does."""
    for match in rule.off.finditer(line):
        before, rest = line[: match.start()], line[: match.start()] + line[match.end() :]
        rest = _SPACE.sub("", rest).strip(" ,;:–—-")
        words = rest.split()
        if (
            len(words) >= FEWEST_WORDS
            and not (match.end() == len(line) and _breaks_off(words, rule, rules))
            and not rules.opening.match(rest)
            and not rules.depends.search(match[0])
            and not (rule.keeps and rule.keeps.match(match[0]))
            and not (rule.head and not rule.head.search(before))
            and not (rule.verb and not rules.verb.search(rules.relative.sub("", before)))
            and not (rule.long and _FIGURE.search(line) and not _FIGURE.search(rest))
        ):
            return rest
    return line
