"""The figures and verbs that a headline states, by small tables of words.

A figure belongs to the nearest word behind it that is counted, up to a number or sign, else before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import Final

from core.files import read_tables
from core.text.differences import TOLLS, ParsedHeadline, read, unlabelled
from core.text.normalise import searched
from core.text.numerals.language_tables import LANGUAGES, language_tables
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.numerals.quantities import Quantity, agree, read_quantities
from core.text.reading import reads
from core.text.tokens import REMEMBERED, STOP_WORDS, Token, fold, tokenize, word_list

FACT_WORDS: Final = read_tables(__file__)
MONEY, PERCENT, SCORE, VERB, SPAN = "money", "per cent", "score", "what happened", "how long"
_SAYING: Final = frozenset(("say", "confirm", "deny", "warn"))  # senses by which nothing happened
OUTCOMES: Final = frozenset(word_list("die kill arrest charge win resign approve reject evacuate"))
"""Senses of verbs that say how something ended."""
_WEAK, _SIZE = "people", "magnitude"
# Tables of words without columns.
_PLAIN: Final = frozenset(
    word_list("tolls reaches passed active numbered from to instead unstated denied feared")
)
_BEHIND, _BEFORE = 4, 3
_BETWEEN: Final = 2  # words between a number and what it counts that are shown; more are left out
_SHORT: Final = 3  # words of a headline whose language what it counts says
_LONG: Final = 5  # letters of a word that is known whatever language a short headline seems to be in
_SCORE: Final = re.compile(r"(?<![\w.,:/$€£–-])(\d{1,3})(?:[-–](\d{1,3})|:(\d))(?![\w.,:/%–-])")
_TEAMS: Final = re.compile(
    r"(?<![\w.,])(\d{1,2}) ?[-–] ?[^\W\d_][\w. ]{2,24} (\d{1,2})(?![\w.,%])"
)  # "Getafe 0 - Betis 1"
_MAGNITUDE: Final = re.compile(r"(?<!\w)M ?(\d\.\d)(?!\w)")
_OF_PERSON: Final = re.compile(r"(?: d[ie]|,) $")
_GROWN: Final = 11  # years from which they are more often an age than a time
_RANGES: Final = frozenset({"-", "–", "to", "bis", "à", "a", "до"})  # between the ends of a range
_ENDS: Final = re.compile(r"[,;:!?()«»„“”\"]|[-–—|](?=\s)|\.\s")
_UNCOUNTED: Final = frozenset(
    {NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.YEAR, NumeralKind.ORDINAL}
)
_DEGREE: Final = fold("degree")
_MEASURES: Final = frozenset(
    fold(unit) for code in LANGUAGES for unit in language_tables(code).measures.values()
) - {_DEGREE}
_COLUMNS: Final = {NumeralKind.MONEY: MONEY, NumeralKind.PERCENT: PERCENT, NumeralKind.AGE: "age"}
_SPANS: Final = frozenset(map(fold, word_list("year month week day hour minute second")))
_SHARED: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})  # whose range has the unit once
_JOINING: Final = frozenset(word_list("and und et e и y & while as after nach après dopo после tras"))


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
        of_one_unit = self.column not in (MONEY, SPAN) or a.unit == b.unit
        return meant and of_one_unit and agree(a, b) and a.exact == b.exact


@reads("facts", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def read_facts(text: str, *, language: str = "en") -> tuple[Fact, ...]:
    """The figures and verbs of a headline, in order; () where there are none."""
    code, tokens = language_of(text, doubtful=language), tokenize(text)
    # "Neun Tote" is too short to say in which language it is, but for its number and what it counts.
    counting = {other for other in LANGUAGES for token in tokens if _sense(token.text, "counted", other)}
    short = len(tokens) <= _SHORT and code not in counting
    if len(counting) == 1 and (short or not read_quantities(text, language=code)):
        code = counting.pop() if read_quantities(text, language=min(counting)) else code
    numbers = [
        quantity for quantity in read_quantities(text, language=code) if quantity.kind not in _UNCOUNTED
    ]
    scores = _SCORE.finditer(text)
    counts = {token.start - 1 for token in tokens if counted_kind(token.text, code)}  # "100-120 dead"
    facts = [
        Fact(SCORE, score[0], f"{score[1]}-{score[2] or score[3]}", score.start())
        for score in scores
        if score.end() not in counts or int(score[1]) > int(score[2] or score[3])  # "a 7-2 vote"
    ]
    facts += [Fact(SCORE, f"{m[1]}-{m[2]}", f"{m[1]}-{m[2]}", m.start()) for m in _TEAMS.finditer(text)]
    facts += [
        Fact(_SIZE, match[0], read_quantities(match[1], language="en")[0], match.start())
        for match in _MAGNITUDE.finditer(text)
    ]
    spans = [(fact.start, fact.start + len(fact.said)) for fact in facts]
    changes = [
        _change(tokens, *pair, code) for pair in pairwise(numbers)
    ]  # what a number replaces: "from 15"
    starts = [number.start for number in numbers]
    lows: list[Quantity] = []
    for number, following, old, replaced in zip(
        numbers, [*numbers[1:], None], [(), *changes], [*changes, ()], strict=False
    ):
        if replaced:
            continue
        between = text[number.end : following.start].strip() if following else "."
        if following and number.kind == following.kind in _SHARED and between in _RANGES and not old:
            lows = [number]
        elif not any(start <= number.start < end for start, end in spans):
            of_number = _of_number(text, tokens, number, starts, code, old=old)
            begins = lows[0].start if lows else number.start
            facts += [
                replace(fact, said=text[begins : number.start] + fact.said) if lows else fact
                for fact in of_number
            ]
            lows = []
    for token, behind in zip(tokens, [*tokens[1:], None], strict=False):
        sense = _sense(token.text, "verbs", code)
        down = behind is not None and behind.text in ("down", "aside")
        if sense and sense not in _SAYING and not token.acronym and (down or token.form != "step"):
            written = text[token.start : behind.end if behind and down else token.end]
            facts.append(Fact(VERB, written if code == "de" else written.casefold(), sense, token.start))
    return tuple(sorted(facts, key=lambda fact: fact.start))


@reads("facts", read)
def read_counted(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> ParsedHeadline:
    """A headline without its desk's label, whose tolls say what they count: "toll … rises to nine"."""
    reading = unlabelled(read(text, known=known, language=language))
    facts = {fact.start: fact for fact in read_facts(text, language=language) if fact.column in TOLLS}
    numbers = tuple(
        replace(number, unit=fact.column, firm=number.exact and not fact.more)
        if (fact := facts.get(number.start)) and number.kind is NumeralKind.COUNT
        else number
        for number in reading.numbers
    )
    return replace(reading, numbers=numbers)


def is_passed(words: str) -> bool:
    """Whether words such as "toll passes 690" say that the number is less than there are."""
    return any(_sense(word, "passed", code) for word in words.split() for code in LANGUAGES)


def is_saying(word: str, language: str) -> bool:
    return _sense(word, "verbs", language) in _SAYING


def places(language: str) -> frozenset[str]:
    return frozenset(FACT_WORDS["places"].get(language, FACT_WORDS["places"]["en"]).split())


def counted_kinds() -> tuple[str, ...]:
    """Columns of figures that have words of their own, in the order of the table."""
    return tuple(FACT_WORDS["counted"])


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
    of_age = any(token.text.casefold() in ("at", "aged") for token in earlier[:1])  # "dies at 79"
    of_person = number.unit == "year" and number.value >= _GROWN and _OF_PERSON.search(text, 0, start)
    if unstated or of_person:
        return []  # "l'infermiera di 61 anni"
    before = _run(earlier[:_BEFORE], text, start, starts)
    behind = list(takewhile(lambda token: not _sense(token.text, "active", code), behind))
    if number.unit in _SPANS:
        whole = (
            text[number.start : number.end].rsplit(maxsplit=1)[-1].casefold() in language_tables(code).groups
        )
        unit = next(
            (token.end for token in behind[:_BETWEEN] if token.form == number.unit), 0
        )  # "six more months"
        end = max([number.end, unit, *(token.end for token in behind[:1] if not whole)])  # "four decades"
        return [Fact(SPAN, text[start:end], number, number.start, more)]
    named = before[:1] if before and counted_kind(before[0].text, code) == _SIZE else []
    words = [(token, counted_kind(token.text, code)) for token in (*named, *behind, *before)]
    words = [(token, kind) for token, kind in words if number.value % 1 == 0 or kind == _SIZE]
    strong = [(token, kind) for token, kind in words if kind and kind != _WEAK]
    for token, kind in strong or [word for word in words if word[1]]:
        passed = behind[: behind.index(token) + 2] if token in behind else behind[:1]
        within = [each for each in passed if each.start < token.start]
        aged = of_age and kind in TOLLS and not _sense(token.text, "tolls", code)  # but "puts toll at 32"
        if aged or _has(within, "unstated", code, pairs=True):
            return []  # "500 people could have died"
        after = behind[behind.index(token) + 1 :] if token in behind else behind
        stops = STOP_WORDS.get(code, ())
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
        return [Fact(counted_kind(far.text, code), said, number, number.start, more)]
    noun = behind[0] if behind and number.unit in (behind[0].form, _DEGREE) else None
    if noun is None or noun.stop or number.value % 1 or number.unit in _MEASURES or (
        not (noun.text.islower() or code == "de")
    ):  # fmt: skip
        return []  # "150,000 DDoS", "14 km": of what, the word does not say
    return [] if _sense(noun.text, "verbs", code) else [
        Fact(noun.text.casefold(), text[start : noun.end], number, number.start, more)
    ]  # fmt: skip


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
    words = [token.text for token in tokens]
    words += ["_".join(pair) for pair in pairwise(words)] if pairs else []
    return any(_sense(word, table, code) for word in words)


def _toll(clause: Sequence[Token], code: str, *, changed: bool) -> Token | None:
    """What a number counts that grows far behind it: "toll" in "Death toll in Peru rises to 34"."""
    reached = changed or any(_sense(token.text, "reaches", code) for token in clause[:_BEFORE])
    tolls = [at for at, token in enumerate(clause) if _sense(token.text, "tolls", code)] if reached else []
    near = (token for toll in tolls for token in (clause[toll], *clause[max(0, toll - 2) : toll][::-1]))
    return next((token for token in near if counted_kind(token.text, code) not in ("", _WEAK)), None)


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
    for phrase, meaning in language_tables(code).near_before.get(words[-1] if words else "", ()):
        if words[-len(phrase) :] == phrase and len(phrase) <= len(words):
            beyond = meaning in (Approximation.MORE_THAN, Approximation.LESS_THAN)
            return before[-len(phrase)].start, meaning if beyond else ""
    return start, ""


def counted_kind(word: str, code: str) -> str:
    own = _sense(word, "counted", code)
    others = LANGUAGES if not own and len(word) >= _LONG else ()
    return own or next(filter(None, (_sense(word, "counted", other) for other in others)), "")


@lru_cache(maxsize=65_536)
def _sense(word: str, table: str, code: str) -> str:
    plain = word.casefold().replace("ё", "е")
    return next((sense for sense, fits in _patterns(table, code) if fits.fullmatch(plain)), "")


@cache
def _patterns(table: str, code: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = FACT_WORDS[table] if table not in _PLAIN else {table: FACT_WORDS[table].get(code, "")}
    if table in ("names", "people"):
        rows = {sense: searched(words) for sense, words in rows.items()}
    return tuple(
        (sense, re.compile("|".join(re.escape(word).replace(r"\-", r"\w*") for word in words.split())))
        for sense, of in rows.items()
        for words in [of if isinstance(of, str) else of[code]]
    )
