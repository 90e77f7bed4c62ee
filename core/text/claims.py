"""What a headline claims: whom it names, who acts or speaks, how sure it is, and its figures and verbs.

Rules over capitals and small tables of words, no model. An actor is a name or a role ("police") that the
headline begins with, that stands beside a word of saying, behind "by", or alone behind the last colon or
dash. A figure belongs to the nearest word behind it that is counted, up to a number or sign, else before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import Final

from core.files import read_tables
from core.text.differences import ParsedHeadline, learn_names, read, unlabelled
from core.text.normalise import searched
from core.text.numerals.languages import TABLES, language_of, tables_of
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.numerals.quantities import Quantity, agree, read_quantities
from core.text.reading import reads
from core.text.tokens import NEGATIONS, REMEMBERED, STOP_WORDS, Token, fold, tokenize, word_list

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
THRESHOLD = 0.5
_FACTS: Final = read_tables(__file__, "facts")
_GENERIC = frozenset(fold(word) for words in _FACTS["generic"].values() for word in words.split())
"""Words that are too general to tell one event from another; our own list."""
_FORMAT = re.compile(_FACTS["format"], re.VERBOSE | re.IGNORECASE)
_WHOLE_FORMAT = re.compile(_FACTS["whole_format"], re.IGNORECASE)
MONEY, PERCENT, SCORE, VERB, SPAN = "money", "per cent", "score", "what happened", "how long"
_SAYING: Final = frozenset(("say", "confirm", "deny", "warn"))  # senses by which nothing happened
_WEAK, _SIZE = "people", "magnitude"
# Tables of words without columns.
_PLAIN: Final = frozenset(word_list("tolls reaches active numbered from to instead unstated denied feared"))
_COUNTED: Final = ("dead", "hurt")  # kinds that numbers of headlines have as units, too
_BEHIND, _BEFORE = 4, 3
_BETWEEN: Final = 2  # words between a number and what it counts that are shown; more are left out
_LONG: Final = 5  # letters of a word that is known whatever language a short headline seems to be in
_SCORE: Final = re.compile(r"(?<![\w.,:/–-])(\d{1,3})(?:[-–](\d{1,3})|:(\d))(?![\w.,:/%–-])")
_ENDS: Final = re.compile(r"[,;:!?()«»„“”\"]|[-–—|](?=\s)|\.\s")
_UNCOUNTED: Final = frozenset(
    {NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.YEAR, NumeralKind.ORDINAL}
)
_MEASURES: Final = frozenset(fold(unit) for code in TABLES for unit in tables_of(code).measures.values())
_COLUMNS: Final = {NumeralKind.MONEY: MONEY, NumeralKind.PERCENT: PERCENT, NumeralKind.AGE: "age"}
_SPANS: Final = frozenset(map(fold, word_list("year month week day hour minute second")))
_JOINING: Final = frozenset(word_list("and und et e и y & while as after nach après dopo после tras"))


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str  # as it stands in the headline
    forms: tuple[str, ...]  # normal forms of its words
    start: int  # where it begins, in characters from 0
    actor: bool  # whether it acts or speaks
    role: bool = False  # it is no name but a word such as "police"


@dataclass(frozen=True, slots=True)
class Hedge:
    """A word by which a headline does not vouch for what it says."""

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
        said, forms = text[run[0].start : _bare_end(run[-1])], tuple(token.form for token in run)
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
        between = text[last.end : token.start].casefold() if last else ""
        joined = between in _WITHIN or (between == "-" and same_name(text[runs[-1][0].start : token.end]))
        if last is not None and joined and _bare_end(last) == last.end:
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


@dataclass(frozen=True, slots=True)
class Vagueness:
    score: float  # 0 (names an event) to 1 (could be about anything)
    reasons: tuple[str, ...]  # short phrases for a reader, the weightiest first; () for a score of 0

    @property
    def is_vague(self) -> bool:
        return self.score >= THRESHOLD


def vague_headlines(texts: Sequence[str], *, names: Collection[str] | None = None) -> list[Vagueness]:
    """How vague each headline of a timeline is, with names and words learnt from the timeline."""
    learnt = learn_names(texts) if names is None else names
    known: dict[str, ParsedHeadline] = {text: read(text, known=learnt) for text in dict.fromkeys(texts)}
    counts = Counter(form for reading in known.values() for form in _forms(reading))
    vagueness: dict[str, Vagueness] = {}
    for text, reading in known.items():
        repeated = {form for form in _forms(reading) if counts[form] > 1}
        vagueness[text] = _weigh(text, reading, repeated if len(known) > 2 else None)
    return [vagueness[text] for text in texts]


def _forms(reading: ParsedHeadline) -> set[str]:
    return {t.form for t in (*reading.words, *reading.names)}


@reads("vagueness", lambda text: Vagueness(0.0, ()))
def _weigh(text: str, headline: ParsedHeadline, elsewhere: Collection[str] | None) -> Vagueness:
    forms = _forms(headline)
    telling = forms - _GENERIC
    anchored = bool(headline.names or headline.numbers)
    signs: list[tuple[float, str]] = []
    few = {0: 0.5, 1: 0.45, 2: 0.35, 3: 0.15}.get(len(telling), 0.0)
    if few:
        words = "no telling word" if not telling else f"only {len(telling)} telling word"
        signs.append((few, words + ("s" if len(telling) > 1 else "")))
    if not anchored:
        signs.append((0.15, "no name or number"))
    if elsewhere is not None and not any(form in elsewhere for form in telling):
        signs.append((0.25, "none of its telling words is in another headline"))
    if _FORMAT.search(text) or _WHOLE_FORMAT.match(text):
        signs.append((0.2, "a format, not an event"))
    if text.rstrip(" \"'”’»").endswith("?"):
        signs.append((0.15, "a question"))
    if _is_saying(headline):
        signs.append((0.25, "built like a saying"))
    total = sum(weight for weight, _ in signs)
    if anchored:
        total = total / 2
    if not telling and not anchored:
        total = max(total, 0.8)
    ordered = sorted(signs, key=lambda sign: -sign[0])
    strong = total >= 0.2
    return Vagueness(
        min(1.0, round(total, 3)) if strong else 0.0, tuple(words for _, words in ordered) if strong else ()
    )


def _is_saying(reading: ParsedHeadline) -> bool:
    halves = re.split(r"[,;:–—] ?| - ", " ".join(reading.text.split()).strip(" .!?\"'“”‘’«»"))
    if len(halves) != 2 or reading.names or reading.numbers:
        return False
    sides = [[word.casefold() for word in re.findall(r"[^\W\d_]+", half)] for half in halves]
    short = all(1 <= len(side) <= 4 for side in sides) and abs(len(sides[0]) - len(sides[1])) <= 1
    return short and bool(set(sides[0]) & set(sides[1]) or all(NEGATIONS & set(side) for side in sides))


_COMMON: Final = frozenset().union(
    *(table.roles for table in _TABLES.values()),
    (word for of in _FACTS["counted"]["people"].values() for word in of.split() if "-" not in word),
    word_list(_FACTS["persons"]["roles"]),
)


@dataclass(frozen=True, slots=True)
class Fact:
    column: str  # what is stated: "dead", "money", "score", "what happened", or the word that is counted
    said: str  # as it stands in the headline
    value: Quantity | str  # the number; the score, or the sense of the verb
    start: int  # where it begins, in characters from 0
    more: str = ""  # "more than", "less than" or "feared" where the headline does not vouch for the number

    def same(self, other: Fact) -> bool:
        """Whether two facts of one column say the same, in whichever languages."""
        a, b = self.value, other.value
        if isinstance(a, str) or isinstance(b, str):
            return a == b
        meant = self.column in (SPAN, _SIZE) or self.more == other.more
        return (
            meant
            and agree(a, b)
            and a.exact == b.exact
            and (self.column not in (MONEY, SPAN) or a.unit == b.unit)
        )


@reads("facts", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def read_facts(text: str, *, language: str = "en") -> tuple[Fact, ...]:
    """The figures and verbs of a headline, in order; () where there are none."""
    code, tokens = language_of(text, doubtful=language), tokenize(text)
    # "Neun Tote" is too short to say in which language it is, but for its number and what it counts.
    counting = {other for other in TABLES for token in tokens if _sense(token.text, "counted", other)}
    if len(counting) == 1 and not read_quantities(text, language=code):
        code = counting.pop() if read_quantities(text, language=min(counting)) else code
    numbers = [
        quantity for quantity in read_quantities(text, language=code) if quantity.kind not in _UNCOUNTED
    ]
    facts = [
        Fact(SCORE, match[0], f"{match[1]}-{match[2] or match[3]}", match.start())
        for match in _SCORE.finditer(text)
    ]
    spans = [(fact.start, fact.start + len(fact.said)) for fact in facts]
    changes = [
        _change(tokens, *pair, code) for pair in pairwise(numbers)
    ]  # what a number replaces: "from 15"
    starts = [number.start for number in numbers]
    for number, old, replaced in zip(numbers, [(), *changes], [*changes, ()], strict=False):
        if not replaced and not any(start <= number.start < end for start, end in spans):
            facts += _of_number(text, tokens, number, starts, code, old=old)
    for token in tokens:
        sense = _sense(token.text, "verbs", code)
        if sense and sense not in _SAYING and not token.acronym:
            written = token.text if code == "de" else token.text.casefold()
            facts.append(Fact(VERB, written, sense, token.start))
    return tuple(sorted(facts, key=lambda fact: fact.start))


@reads("facts", read)
def read_counted(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> ParsedHeadline:
    """A headline without its desk's label, whose numbers of dead and hurt say so: "toll … rises to nine"."""
    reading = unlabelled(read(text, known=known, language=language))
    facts = {fact.start: fact for fact in read_facts(text, language=language) if fact.column in _COUNTED}
    numbers = tuple(
        replace(number, unit=fact.column, firm=number.exact and not fact.more)
        if (fact := facts.get(number.start)) and number.kind is NumeralKind.COUNT
        else number
        for number in reading.numbers
    )
    return replace(reading, numbers=numbers)


def is_saying(word: str, language: str) -> bool:
    return _sense(word, "verbs", language) in _SAYING


def is_common(name: str) -> bool:
    """Whether all words of what stands as a name are of people in general: "Crew", "Astronautas"."""
    words = _plain(name).split()
    return bool(words) and all(word in _COMMON or _counted(word, "en") == "aboard" for word in words)


def places(language: str) -> frozenset[str]:
    return frozenset(_FACTS["places"].get(language, _FACTS["places"]["en"]).split())


def counted_kinds() -> tuple[str, ...]:
    """Columns of figures that have words of their own, in the order of the table."""
    return tuple(_FACTS["counted"])


def _of_number(
    text: str, tokens: tuple[Token, ...], number: Quantity, starts: list[int], code: str,
    *, old: Sequence[Token],
) -> list[Fact]:  # fmt: skip
    changed = _has(old[-1:], "to", code)  # "с 15 до 21" is no "up to 21"
    start, more = (number.start, "") if changed else _hedged(text, number.start, code)
    behind = _run(
        [token for token in tokens if token.start >= number.end][:_BEHIND], text, number.end, starts
    )
    earlier = [token for token in tokens if token.end <= start and token not in old][::-1]
    unstated = _is_unstated(earlier, _run(earlier[:_BEHIND], text, start, starts), code)
    if column := _COLUMNS.get(number.kind):
        # "5 Mio. könnte der Umbau kosten", "… der 5 Mio. kosten könnte"
        possible = _has(behind[: 1 if len(behind) > _BETWEEN else _BETWEEN], "unstated", code)
        stated = column == "age" or not (unstated or possible)
        return [Fact(column, text[start : number.end], number, number.start, more)] * stated
    if unstated:
        return []
    before = _run(earlier[:_BEFORE], text, start, starts)
    behind = list(takewhile(lambda token: not _sense(token.text, "active", code), behind))
    if number.unit in _SPANS:
        end = max([number.end, *(token.end for token in behind[:1])])
        return [Fact(SPAN, text[start:end], number, number.start, more)]
    named = before[:1] if before and _counted(before[0].text, code) == _SIZE else []
    words = [(token, _counted(token.text, code)) for token in (*named, *behind, *before)]
    words = [(token, kind) for token, kind in words if number.value % 1 == 0 or kind == _SIZE]
    strong = [(token, kind) for token, kind in words if kind and kind != _WEAK]
    for token, kind in strong or [word for word in words if word[1]]:
        passed = behind[: behind.index(token) + 2] if token in behind else behind[:1]
        within = [each for each in passed if each.start < token.start]
        if _has(within, "unstated", code, pairs=True):
            return []  # "500 people could have died"
        after, stops = (
            behind[behind.index(token) + 1 :] if token in behind else behind,
            STOP_WORDS.get(code, ()),
        )
        if _has(after[:1], "denied", code) and all(each.text.casefold() in stops for each in after[1:2]):
            return []  # "Acht Tote dementiert", but not "eight wounded denied entry"
        fears = [each.end for each in passed if _sense(each.text, "feared", code)]
        more = "feared" if fears else more
        said = text[min(start, token.start) : max(number.end, token.end, *fears)]
        if len(text[token.end : number.start].split()) > _BETWEEN:
            said = f"{token.text} … {text[start : number.end]}"
        return [Fact(kind, said, number, number.start, more)]
    if far := _toll(_run(earlier, text, start, starts, across=True), code, changed=bool(old)):
        said = f"{far.text} … {text[start : number.end]}"
        return [Fact(_counted(far.text, code), said, number, number.start, more)]
    measured = number.unit in _MEASURES
    noun = next((token for token in behind if measured or token.form == number.unit), None)
    if noun is None or noun.stop or (number.value % 1 and not measured) or _sense(noun.text, "verbs", code):
        return []
    return [Fact(noun.text.casefold(), text[start : noun.end], number, number.start, more)]


def _change(tokens: Sequence[Token], old: Quantity, new: Quantity, code: str) -> tuple[Token, ...]:
    """The words of a number's change up to the new one: "from 15 to" before "21"; () where there is none."""
    between = [token for token in tokens if old.end <= token.start < new.start]
    before = [token for token in tokens if token.end <= old.start][-1:]
    if len(between) > _BEHIND or not (_has(before, "from", code) and _has(between[:2], "to", code)):
        return ()
    return tuple(token for token in tokens if before[0].start <= token.start < new.start)


def _is_unstated(earlier: Sequence[Token], near: Sequence[Token], code: str) -> bool:
    """Whether the words before a number, the last first, say that it is a name, denied or only possible."""
    last = ["_".join(token.text for token in earlier[:many][::-1]) for many in (1, 2)]
    replaced = any(_sense(words, "instead", code) for words in last)  # "not 8 dead", "21 dead, up from 15"
    numbered = _has(earlier[:1], "numbered", code)
    return replaced or numbered or _has(near[::-1], "unstated", code, pairs=True)


def _has(tokens: Sequence[Token], table: str, code: str, *, pairs: bool = False) -> bool:
    """Whether a table has one of some words, or two of them that follow each other."""
    words = [token.text for token in tokens]
    words += ["_".join(pair) for pair in pairwise(words)] if pairs else []
    return any(_sense(word, table, code) for word in words)


def _toll(clause: Sequence[Token], code: str, *, changed: bool) -> Token | None:
    """What a number counts that grows far behind it: "toll" in "Death toll in Peru rises to 34"."""
    reached = changed or any(_sense(token.text, "reaches", code) for token in clause[:_BEFORE])
    tolls = [at for at, token in enumerate(clause) if _sense(token.text, "tolls", code)] if reached else []
    near = (token for toll in tolls for token in (clause[toll], *clause[max(0, toll - 2) : toll][::-1]))
    return next((token for token in near if _counted(token.text, code) not in ("", _WEAK)), None)


def same_name(text: str, *, people: bool = True) -> str:
    """The English name of what languages write differently, accents apart: "turkey" for "Türkei", or ""."""
    plain = re.sub("[ -]", "_", searched(text))
    if len(text) <= len("us") and not text.isupper():
        return ""
    return _sense(plain, "names", "") or (_sense(plain, "people", "") if people else "")


def _run(
    near: list[Token], text: str, place: int, numbers: list[int], *, across: bool = False
) -> list[Token]:
    run: list[Token] = []
    for token in near:
        low, high = sorted((place, token.start if token.start >= place else token.end))
        between = text[low:high].replace(":", "") if across else text[low:high]  # "Todesopfer: nun neun"
        if token.start in numbers or token.number or _ENDS.search(between):
            break
        if token.text in _JOINING and not across:
            break
        run.append(token)
        place = token.end if token.start >= place else token.start
    return run


def _hedged(text: str, start: int, code: str) -> tuple[int, str]:
    """Where a number begins with what hedges it, and whether that is more or less than the number."""
    before = [token for token in tokenize(text) if token.end <= start][-3:]
    words = tuple(token.text.casefold() for token in before)
    for phrase, meaning in tables_of(code).near_before.get(words[-1] if words else "", ()):
        if words[-len(phrase) :] == phrase and len(phrase) <= len(words):
            beyond = meaning in (Approximation.MORE_THAN, Approximation.LESS_THAN)
            return before[-len(phrase)].start, meaning if beyond else ""
    return start, ""


def _counted(word: str, code: str) -> str:
    own = _sense(word, "counted", code)
    others = TABLES if not own and len(word) >= _LONG else ()
    return own or next(filter(None, (_sense(word, "counted", other) for other in others)), "")


@lru_cache(maxsize=65_536)
def _sense(word: str, table: str, code: str) -> str:
    plain = word.casefold().replace("ё", "е")
    return next((sense for sense, fits in _patterns(table, code) if fits.fullmatch(plain)), "")


@cache
def _patterns(table: str, code: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = _FACTS[table] if table not in _PLAIN else {table: _FACTS[table].get(code, "")}
    if table in ("names", "people"):
        rows = {sense: searched(words) for sense, words in rows.items()}
    return tuple(
        (sense, re.compile("|".join(re.escape(word).replace(r"\-", r"\w*") for word in words.split())))
        for sense, of in rows.items()
        for words in [of if isinstance(of, str) else of[code]]
    )
