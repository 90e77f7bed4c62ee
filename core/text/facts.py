"""The figures and verbs that a headline states, by small tables of words.

A figure belongs to the nearest word behind it that is counted, up to a number or sign, else before it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import Final

from core.files import read_tables
from core.text.differences import TOLLS, ParsedHeadline, read, unlabelled
from core.text.names import is_sentence_case
from core.text.normalise import searched
from core.text.numerals.language_tables import LANGUAGES, language_tables
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound, NumeralKind
from core.text.numerals.quantities import Quantity, agree, read_quantities
from core.text.numerals.read import read_numerals
from core.text.reading import reads
from core.text.scores import MatchScore, read_scores
from core.text.tokens import REMEMBERED, STOP_WORDS, Token, fold, tokenize, word_list

FACT_WORDS: Final = read_tables(__file__)
MONEY, PERCENT, SCORE, VERB, SPAN = "money", "per cent", "score", "what happened", "how long"
HALF_TIME, VOTES, RANGE, CHANGE = "half-time", "votes", "range", "points"
LOOSE: Final = (Approximation.AT_MOST, Approximation.LESS_THAN, RANGE)  # what a number that is none may mean
FURTHER: Final = "further "  # before the column of what came on top: new cases are no line of all cases
_SAYING: Final = frozenset(("say", "confirm", "deny", "warn"))  # senses by which nothing happened
OUTCOMES: Final = frozenset(word_list(FACT_WORDS["anywhere"]["outcomes"]))
"""Senses of verbs that say how something ended."""
PEOPLE, _SIZE, _ABOARD, _ARRESTED, _AGE, _PERSON = word_list("people magnitude aboard arrested age person")
_MOST_ABOARD: Final = 10_000  # no vehicle carries more
_BESIDE_THOSE: Final = frozenset({*TOLLS, "escaped", "affected"})  # what happened to passengers or prisoners
_ON_BOARD: Final = frozenset(word_list("aboard board bord borda bordo борту"))
# Tables of words without columns.
_PLAIN: Final = frozenset(
    word_list("tolls reaches passed active numbered from to instead unstated denied feared wished")
)
_BEHIND, _BEFORE = 4, 3
_BETWEEN: Final = 2  # words between a number and what it counts that are shown; more are left out
_SHORT: Final = 3  # words of a headline whose language what it counts says
_LONG: Final = 5  # letters of a word that is known whatever language a short headline seems to be in
_MAGNITUDE: Final = re.compile(r"(?<!\w)M ?(\d\.\d)(?!\w)")
_OF_PERSON: Final = re.compile(r"(?: d[ie]|,) $")
_NOUNS: Final = frozenset(word_list("block pass charge arrest"))
_MAY_NAME: Final = frozenset(("May", "Will"))  # who somebody is: "Will Smith wins"
_DEADLY: Final = frozenset(word_list("die kill shoot explode crash"))
_OF: Final = frozenset(word_list("di de von of d"))
_THOSE: Final = frozenset(word_list("les des aux"))  # before an age limit: "les moins de 15 ans"
_BETWEEN_WORDS: Final = re.compile(r"[_|]")
_GROWN: Final = 11  # years from which they are more often an age than a time
# Before a count of an earlier event: "in echo of 2009 fire that killed", "huit ans après … et ses".
_THERE: Final = r"(?:where|when|où|quand|wo|als|dove|quando|donde|cuando|onde|где|когда)"
_WHO: Final = r"(?:that|which|who|qui|che|que|der|die|das|котор\w+)"
_LAST: Final = (
    r"(?:last year|(?:vergangen|letzt|vorig)en jahr\w*|l['’]an(?:née)? derni[eè]re?|anno scorso|año pasado"
    r"|ano passado|прошл\w+ год\w*)"
)
_EARLIER: Final = re.compile(
    rf"\b(?:19|20)\d\d\b[^:;!?]*\b(?:(?!das\b){_WHO}|{_THERE})\b[^,:;!?]*\0"
    r"|\b(?:(?:years?|decades?|ans?|jahre?|ann[io]|años?|anos?|лет|года?)"
    r"\s(?:after|après|nach|dopo|después|depois|после|спустя)\b|anniversary of|jahrestag de[rs]"
    r"|anniversaire d|anniversario d|anivers[aá]rio d|годовщин)"
    rf"[^,:;!?]*(?:, (?:\w+ )?(?:{_THERE}|{_WHO})\b[^,:;!?]*)?\0"
    rf"|(?:{_LAST}[^:;!?]*\b{_WHO}\b|\b{_WHO}\b[^,:;!?]*{_LAST}|last year['’]s|прошлогодн)[^,:;!?]*\0"
    r"|\0[^,:;!?]*\b(?:(?:years?|decades?) ago|vor \w+ jahr(?:en)?|il y a \w+ ans?|hace \w+ años?|anni fa"
    r"|há \w+ anos?|лет назад)\b",
    re.IGNORECASE,
)
# Between "rises" and the number: "to", "from 31 to"; in "hits Ohio, 44 dead" nothing rises.
_RISEN_TO: Final = re.compile(r"\s+(?:[a-zà-ÿа-я]{1,4}\s+\d[\d.,]*\s+)?(?:[a-zà-ÿа-я]{1,4}\s+)?")
_WORD: Final = re.compile(r"\w+")
_UNIT: Final = re.compile(r"[\d.,\s]")
_POINTS: Final = re.compile(r"p[ou]i?n[kt]|пункт|bps", re.IGNORECASE)  # of a percentage that changes
_NAMED_ABOARD: Final = re.compile(r" (?:[A-ZА-Я]|de[lr] |d[ou] )")  # "aboard Delta 1182"
_NOT: Final = "_nicht_"
_PART_OF_COUNTRY: Final = re.compile(r"^(?:nord|sud|ost|west|zentral)(?=\w{4})")
_ENDS_OF_RANGE: Final = (Bound.LOW, Bound.HIGH)
_RANGES: Final = frozenset({"-", "–", "to", "bis", "à", "a", "до"})  # between the ends of a range
_ENDS: Final = re.compile(r"[,;:!?()«»„“”\"]|[-–—|](?=\s)|\.\s")
_UNCOUNTED: Final = frozenset(
    {NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.YEAR, NumeralKind.ORDINAL}
)
_DEGREE: Final = fold("degree")
_MEASURES: Final = frozenset(
    fold(unit) for code in LANGUAGES for unit in language_tables(code).measures.values()
) - {_DEGREE}
_COLUMNS: Final = {NumeralKind.MONEY: MONEY, NumeralKind.PERCENT: PERCENT, NumeralKind.AGE: _AGE}
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

    @property
    def of_somebody(self) -> bool:
        """Whether no number says how many: "man killed"."""
        return isinstance(self.value, Quantity) and self.value.unit == _PERSON

    def same(self, other: Fact) -> bool:
        """Whether two facts of one column say the same, in whichever languages."""
        a, b = self.value, other.value
        if isinstance(a, str) and isinstance(b, str):
            return self._same_score(other) if self.column in (SCORE, HALF_TIME) else a == b
        if isinstance(a, str) or isinstance(b, str):  # "289-274" and "289 votes"
            led = (each.split("-")[0] if isinstance(each, str) else f"{each.value:g}" for each in (a, b))
            return next(led) == next(led)
        meant = self.column in (SPAN, _SIZE) or self.more == other.more
        of_one_unit = self.column not in (MONEY, SPAN) or a.unit == b.unit
        return meant and of_one_unit and agree(a, b) and a.exact == b.exact

    def _same_score(self, other: Fact) -> bool:
        """2-3 is 3-2 told from the other side, but where two tellings name the teams in one order."""
        turned, away = "-".join(str(self.value).split("-")[::-1]), " ".join(self.more.split()[::-1])
        if self.more and other.more in (self.more, away):
            return other.value == (self.value if other.more == self.more else turned)
        return other.value in (self.value, turned)


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
    numbers = [each for each in read_quantities(text, language=code) if each.kind not in _UNCOUNTED]
    numbers = _in_force(text, tokens, numbers, code)
    # "100-120 dead"
    counts = {token.start - 1 for token in tokens if counted_kind(token.text, code) in TOLLS}
    facts = [
        _ballot(text, score, tokens, code) or Fact(
            HALF_TIME if score.half_time else SCORE, text[score.start : score.end], score.value, score.start,
            score.teams,
        )
        for score in read_scores(text)
        if score.end not in counts
    ]  # fmt: skip
    facts += [
        Fact(_SIZE, match[0], read_quantities(match[1], language="en")[0], match.start())
        for match in _MAGNITUDE.finditer(text)
    ]
    facts += _ballots(text, tokens, numbers, code)
    spans = [(fact.start, fact.start + len(fact.said)) for fact in facts]
    facts += _figures(text, tokens, numbers, spans, code)
    facts = [each for each in facts if each.column not in TOLLS or not _is_earlier(text, each.start)]
    facts = _whole(_summed(text, tokens, facts, numbers, code), code)
    if not any(fact.column == "dead" for fact in facts):
        facts += _ranked(text, tokens, code)
    if not any(fact.column == "dead" for fact in facts):
        facts += _single(text, tokens, code)
    phrases = list(_phrases(text, tokens))
    facts += [each for each in phrases if not _is_wished(text, tokens, each.start, code)]
    for token in tokens:
        sense = _sense(token.text, "verbs", code)
        noun = sense and code == "en" and token.form in _NOUNS and _is_noun(text, tokens, token)
        within = any(each.start <= token.start < each.start + len(each.said) for each in phrases)
        wished = sense in OUTCOMES and _is_wished(text, tokens, token.start, code)
        # "retire son bilan", "Trump-backed", "задержано 14 рейсов"
        wished |= sense == "withdraw" and _has(tokens, "tolls", code)
        wished |= sense == "arrest" and any(counted_kind(each.text, code) == "flights" for each in tokens)
        wished |= sense in OUTCOMES and text[: token.start].endswith("-")
        if sense and not (noun or within or wished or sense in _SAYING or token.acronym):
            said = token.text if code == "de" else token.text.casefold()
            facts.append(Fact(VERB, said, sense, token.start))
    return tuple(sorted(facts, key=lambda fact: fact.start))


def _is_earlier(text: str, start: int) -> bool:
    return _EARLIER.search(f"{text[:start]}\0{text[start:]}") is not None


def _phrases(text: str, tokens: Sequence[Token]) -> Iterator[Fact]:
    """Verbs of several words: "votes to bar", "demite-se", and whole across others: "lehnt Haushalt ab"."""
    line = "".join(
        ("|" if before and _ENDS.search(text[before.end - 1 : token.start + 1]) else "_")
        + token.text.casefold().replace("ё", "е")
        for before, token in zip((None, *tokens), tokens, strict=False)
    )
    for match in _phrase_pattern().finditer(line):
        if _NOT in match[0]:  # "tritt nicht zurück"
            continue
        first, last = (
            tokens[len(_BETWEEN_WORDS.findall(line, 0, end)) - 1] for end in (match.start() + 1, match.end())
        )
        long = len(_BETWEEN_WORDS.findall(match[0])) > _BEHIND + 1
        start = text.rfind(" ", 0, first.start) + 1 if text[: first.start].endswith("-") else first.start
        said = f"{first.text} … {last.text}" if long else text[start : last.end]  # "dix-huit mois de prison"
        yield Fact(VERB, said, match.lastgroup or "", start)


def _is_wished(text: str, tokens: Sequence[Token], start: int, code: str) -> bool:
    before = [token for token in tokens if token.end <= start][: -_BEFORE - 1 : -1]
    near = [
        token for token in _run(before, text, start, [])
        # "Minister May Resign" and "Will He Quit?" are no names.
        if token.text not in _MAY_NAME or text.endswith("?") or (token.start and not is_sentence_case(text))
    ]  # fmt: skip
    return _has(near[::-1], "wished", code, pairs=True)


def _is_noun(text: str, tokens: Sequence[Token], token: Token) -> bool:
    """Whether an English word that is a verb only behind a plural is a noun: "apartment block"."""
    before = next((each for each in reversed(tokens) if each.end < token.start), None)
    if before is None or token.text.casefold() not in _NOUNS or text[before.end : token.start].strip(" -"):
        return False
    word = before.text.casefold()
    plural = word.endswith("s") and not word.endswith(("ss", "'s", "’s"))
    return not (plural or before.text.isupper() or _has([before], "subjects", ""))


def _figures(
    text: str, tokens: tuple[Token, ...], numbers: Sequence[Quantity], spans: Sequence[tuple[int, int]],
    code: str,
) -> list[Fact]:  # fmt: skip
    numerals = read_numerals(text, language=language_of(text, doubtful=code)) if numbers else ()
    bounds = {numeral.start: numeral.bound for numeral in numerals}
    facts: list[Fact] = []
    changes = [_change(tokens, *pair, code) for pair in pairwise(numbers)]  # what is replaced: "from 15"
    starts = [number.start for number in numbers]
    low = part = None
    for number, following, old, replaced in zip(
        numbers, [*numbers[1:], None], [(), *changes], [*changes, ()], strict=False
    ):
        if replaced or any(start <= number.start < end for start, end in spans):
            continue
        ends = (
            following
            and following.kind is not NumeralKind.AGE
            and (bounds.get(number.start), bounds.get(following.start)) == _ENDS_OF_RANGE
        )
        # "25 basis points to 4.10%" is a change and a level.
        units = [_UNIT.sub("", each.text) for each in (number, following) if each]
        alike = number.kind is not NumeralKind.PERCENT or units[0] in ("", units[-1])
        if following and alike and not old and (ends or _is_range(text, number, following)):
            low = number
            continue
        of_number = _of_number(text, tokens, number, starts, code, old=old)
        held = any(fact.column in counted_kinds() for fact in of_number)
        if following and not held and _is_part(tokens, number, following):
            part = number
            continue
        if low:
            of_number = [_ranged(fact, text, tokens, low, high=number, code=code) for fact in of_number]
        elif part:  # "47 of 88 seats"
            said = text[part.start : number.start]
            of_number = [
                fact if fact.column in TOLLS
                else replace(fact, said=said + fact.said, value=part, start=part.start)
                for fact in of_number
            ]  # fmt: skip
        facts += (_of_others(fact, facts, code) for fact in of_number)
        low = part = None
    return facts


def _in_force(
    text: str, tokens: Sequence[Token], numbers: Sequence[Quantity], code: str
) -> list[Quantity]:  # fmt: skip
    """The numbers without those that others stand for: "son siete, y no nueve, los fallecidos"."""
    kept: list[Quantity] = []
    for number in numbers:
        between = [each.text for each in tokens if kept and kept[-1].end <= each.start < number.start]
        between = between[between[0] in _JOINING :] if between else []
        if between and _sense("_".join(between), "instead", code):
            kept[-1] = replace(kept[-1], end=number.end + text.startswith(",", number.end))
        else:
            kept.append(number)
    return kept


def _is_range(text: str, low: Quantity, high: Quantity) -> bool:
    return low.kind == high.kind in _SHARED and text[low.end : high.start].strip() in _RANGES


def _of_others(fact: Fact, facts: Sequence[Fact], code: str) -> Fact:
    """What came on top, or another count where one stands before it: "one dead, two others hurt"."""
    kind = fact.column.removeprefix(FURTHER)
    others = any(other.column in TOLLS and other.column != kind for other in facts)
    return replace(fact, column=kind) if others and not _has(tokenize(fact.said), "new", code) else fact


@reads("facts", read)
def read_counted(text: str, *, known: Collection[str] = frozenset(), language: str = "en") -> ParsedHeadline:
    """A headline without its desk's label, whose tolls say what they count: "toll … rises to nine"."""
    reading = unlabelled(read(text, known=known, language=language))
    stated = read_facts(text, language=language)
    facts = {fact.start: fact for fact in stated if fact.column in TOLLS}
    # The 88 of "47 of 88 seats" is no value of its own.
    wholes = {
        at for fact in stated if isinstance(fact.value, Quantity) and fact.value.start == fact.start
        for at in range(fact.value.end, fact.start + len(fact.said))
    }  # fmt: skip
    numbers = tuple(
        replace(number, unit=fact.column, firm=number.exact and not fact.more)
        if (fact := facts.get(number.start)) and number.kind is NumeralKind.COUNT
        else _of_topic(replace(number, firm=number.firm and number.start not in wholes), reading.tokens)
        for number in reading.numbers
    )
    return replace(reading, numbers=numbers)


def _of_topic(number: Quantity, tokens: Sequence[Token]) -> Quantity:
    """A sum with what it is of, so that a forecast of revenue is no rival of a loss."""
    if number.kind is not NumeralKind.MONEY:
        return number
    near = [token for token in tokens if token.end <= number.start][-_BEHIND:]
    near += [token for token in tokens if token.start >= number.end][:_BEHIND]
    topics = {_sense(token.text, "topics", "") for token in near}
    topic = next((each for each in FACT_WORDS["topics"] if each in topics), "")
    return replace(number, unit=f"{number.unit} {topic}".rstrip())


def is_passed(words: str) -> bool:
    """Whether words such as "toll passes 690" say that the number is less than there are."""
    return any(_sense(word, "passed", code) for word in words.split() for code in LANGUAGES)


def is_risen(text: str, start: int, code: str) -> bool:
    """Whether a headline says that the number that starts there rose to it: "toll climbs to 34"."""
    tokens, (begins, _) = tokenize(text), _hedged(text, start, code)
    moving = [each for each in tokens if each.end < begins and _RISEN_TO.fullmatch(text[each.end : begins])]
    if code == "de":  # "ist auf 44 gestiegen"
        moving += [each for each in tokens if each.start > start][:_BEHIND]
    words = [each.text for each in moving if not _has([each], "stays", "")]
    return any(_is_reached(word, other) for word in words for other in LANGUAGES)


def is_denied(text: str, language: str) -> bool:
    """Whether a headline says that a toll is not known of: "No immediate reports of deaths"."""
    code, tokens = language_of(text, doubtful=language), tokenize(text)
    near = (
        tokens[at + 1 : at + 1 + _BEHIND] for at, token in enumerate(tokens) if _has([token], "none", code)
    )
    return any(counted_kind(token.text, code) in TOLLS for run in near for token in run)


def is_retracted(text: str) -> bool:
    """Whether a headline says that what was said before does not hold."""
    return _has(tokenize(text), "retracted", "")


def is_corrected(text: str) -> bool:
    """Whether a headline says that a number before its own was wrong: "toll revised down to eight"."""
    return _has(tokenize(text), "corrected", "", pairs=True)


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
    ahead = [token for token in tokens if token.start >= number.end]
    behind = _run(ahead[:_BEHIND], text, number.end, starts)
    earlier = [token for token in tokens if token.end <= start and token not in old][::-1]
    unstated = _is_unstated(earlier, _run(earlier[:_BEHIND], text, start, starts), code)
    if column := _COLUMNS.get(number.kind):
        # "5 Mio. könnte der Umbau kosten", "… der 5 Mio. kosten könnte"
        possible = _has(behind[: 1 if len(behind) > _BETWEEN else _BETWEEN], "unstated", code)
        stated = column == _AGE or not (unstated or possible)
        start = number.start if more == Approximation.AT_MOST and number.start > starts[0] else start
        more = more if more != Approximation.AT_MOST else ""  # "на 100 пунктов, до 15%"
        column = CHANGE if _POINTS.search(number.text) else column
        return [Fact(column, text[start : number.end], number, number.start, more)] * stated
    of_age = any(token.text.casefold() in ("at", "aged") for token in earlier[:1])  # "dies at 79"
    of_person = number.unit == "year" and number.value >= _GROWN and _OF_PERSON.search(text, 0, start)
    near = _run(earlier[:_BEFORE], text, start, starts)
    if _is_age(number, near, behind, code, hedge=more):
        return [Fact(_AGE, text[start : number.end], number, number.start)]
    joined = behind and counted_kind(behind[0].text, code) == _ABOARD and _is_joined(earlier, code)
    if unstated or of_person or joined:
        return []  # "l'infermiera di 61 anni", "captain and two crew"
    before = _own(text, near, earlier, behind, start=start, starts=starts, code=code)
    behind = list(takewhile(lambda token: not _sense(token.text, "active", code), behind))
    if number.unit in _SPANS:
        return _span(text, number, earlier, behind, ahead, code=code, hedge=(start, more))
    named = before[:1] if before and counted_kind(before[0].text, code) == _SIZE else []
    strong, weak = _holders(named, behind, before, code, whole=number.value % 1 == 0)
    for token, counted in strong or weak:
        passed = behind[: behind.index(token) + 2] if token in behind else behind[:1]
        within = [each for each in passed if each.start < token.start]
        aged = of_age and counted in TOLLS and not _sense(token.text, "tolls", code)  # but "puts toll at 32"
        died = counted == "hurt" and _has(_run(ahead, text, number.end, starts), "died", "")
        if aged or died or _has(within, "unstated", code, pairs=True):
            return []  # "500 people could have died", "Zwei Schwerverletzte sind gestorben"
        after = behind[behind.index(token) + 1 :] if token in behind else behind
        stops = STOP_WORDS.get(code, ())
        if _has(after[:1], "denied", code) and all(each.text.casefold() in stops for each in after[1:2]):
            return []  # "Acht Tote dementiert", but not "eight wounded denied entry"
        more = more if counted in TOLLS or more != Approximation.AT_MOST else ""
        of_strike = counted == _ABOARD and number.value > _MOST_ABOARD
        kind = _ABOARD if counted == PEOPLE and _has(earlier[:1], "carrying", code) else counted
        kind = "affected" if of_strike else kind
        if kind in TOLLS and any(_has([*earlier[:1], *passed], table, code) for table in ("new", "more")):
            kind = FURTHER + kind
        fears = [each.end for each in passed if _sense(each.text, "feared", code)]
        more = "feared" if fears else more
        end = max(number.end, token.end, *fears)
        said = _said(text, number, token, within, start=start, end=end)
        return [Fact(kind, said, number, number.start, more)]
    return _far_or_named(
        text, earlier, behind, number, (start, more), starts=starts, code=code, changed=bool(old)
    )


def _said(text: str, number: Quantity, token: Token, within: Sequence[Token], *, start: int, end: int) -> str:
    """A number and what it counts; without "el número de" between the two."""
    if any(_has(within, "tolls", code) for code in LANGUAGES):
        return f"{text[start : number.end]} {token.text}"
    far = len(text[token.end : number.start].split()) > _BETWEEN
    return f"{token.text} … {text[start : number.end]}" if far else text[min(start, token.start) : end]


def _span(
    text: str, number: Quantity, earlier: Sequence[Token], behind: Sequence[Token], ahead: Sequence[Token],
    *, code: str, hedge: tuple[int, str],
) -> list[Fact]:  # fmt: skip
    """A time in all its words, "six more months", "four decades"; none of "zwei Tage nach dem Debakel"."""
    start, more = hedge
    last = text[number.start : number.end].rsplit(maxsplit=1)[-1].casefold()
    next_word = () if last in language_tables(code).groups else behind[:1]
    unit = next((token.end for token in behind[:_BETWEEN] if token.form == number.unit), 0)
    end = max(number.end, unit, *(token.end for token in next_word), 0)
    since = _has([token for token in ahead if token.start == end + 1], "since", "")
    ago = _has(earlier[:1], "ago", "") or text[:start].endswith(" y a ")
    if ago or (since and not _has(earlier[:1], "lasting", "")):
        return []
    return [Fact(SPAN, text[start:end], number, number.start, more)]


def _is_age(number: Quantity, near: list[Token], behind: list[Token], code: str, *, hedge: str) -> bool:
    """Whether a number is somebody's age or its limit, by the words before it, the last first.

    "aveva 87 anni", "bambina di 6 anni", "Kinder unter 15 Jahren", "children under 15".
    """
    of = near[:1] and near[0].text.casefold() in _OF
    whose = near[1:2] if of else near[:1]
    limited = hedge in (Approximation.LESS_THAN, Approximation.AT_MOST, Approximation.MORE_THAN)
    person = any(_is_person(token, code) for token in whose)
    if number.unit not in ("year", "month"):
        bare = number.unit not in (*_SPANS, *_MEASURES) and number.value % 1 == 0
        counted = any(counted_kind(each.text, code) for each in behind[:2])
        return bare and limited and person and not (of or counted)
    had = _has(whose, "having", "") and not of and not (behind and behind[0].text.casefold() in _OF)
    those = code == "fr" and limited and whose and whose[0].text.casefold() in _THOSE
    return bool(had or those or (person and (of or limited)))


def _is_person(token: Token, code: str) -> bool:
    return _has([token], "person", "") or counted_kind(token.text, code) == PEOPLE


def _far_or_named(
    text: str, earlier: list[Token], behind: list[Token], number: Quantity, hedge: tuple[int, str],
    *, starts: list[int], code: str, changed: bool,
) -> list[Fact]:  # fmt: skip
    start, more = hedge
    risen = code == "de" and behind and _is_reached(behind[0].text, code)  # "auf vier gestiegen"
    if far := _toll(_run(earlier, text, start, starts, far=True), code, changed=changed or bool(risen)):
        said = f"{far.text} … {text[start : number.end]}"
        return [Fact(counted_kind(far.text, code), said, number, number.start, more)]
    noun = behind[0] if behind and number.unit in (behind[0].form, _DEGREE) else None
    if noun is None or noun.stop or noun.text in STOP_WORDS.get(code, ()) or _sense(noun.text, "verbs", code):
        return []
    named = (noun.text.islower() or code == "de") and not _has([noun], "beside", "")
    if number.value % 1 or number.unit in _MEASURES or not named:
        return []  # "150,000 DDoS", "14 km": of what, the word does not say
    return [Fact(noun.text.casefold(), text[start : noun.end], number, number.start, more)]


def _ballot(text: str, score: MatchScore, tokens: Sequence[Token], code: str) -> Fact | None:
    """A score that is no match's: "289-274" of a parliament; the winner's votes first."""
    sides = [int(side) for side in score.value.split("-")]
    voted = [token for token in tokens if counted_kind(token.text, code) == VOTES]
    gaps = (max(score.start - token.end, token.start - score.end) for token in voted)
    voting = voted and (max(sides) > _GROWN or min(gaps) <= 1)  # "a 5-4 vote" of judges
    ruled = {_sense(token.text, "verbs", code) for token in tokens}  # "House passes bill, 298-131"
    ruling = max(sides) > _GROWN and not ruled.isdisjoint(("approve", "reject")) and "win" not in ruled
    if not (voting or ruling or _has(tokens, "ballots", code)):
        return None
    return _votes(text[score.start : score.end], sides, score.start)


def _votes(said: str, sides: Iterable[float], start: int) -> Fact:
    return Fact(VOTES, said, "-".join(f"{side:g}" for side in sorted(sides, reverse=True)), start)


def _ballots(text: str, tokens: Sequence[Token], numbers: Sequence[Quantity], code: str) -> list[Fact]:
    """ "by 289 votes to 274", "mit 289 zu 274 Stimmen", "289 votos a favor y 274 en contra"."""
    facts = []
    for first, second in pairwise(numbers):
        between = [token for token in tokens if first.end <= token.start < second.start]
        behind = [token for token in tokens if token.start >= second.end][:_BETWEEN]
        near = [*between, *behind]
        counted = [token for token in (*between, *behind[:1]) if counted_kind(token.text, code) == VOTES]
        of_house = len(between) == 1 and _has(tokens, "ballots", code)
        whole = first.value % 1 == second.value % 1 == 0 and first.kind is second.kind is NumeralKind.COUNT
        if whole and len(between) <= _BEHIND and (counted or of_house) and _has(near, "against", code):
            opposed = [each for each in behind if each.text not in _RANGES and _has([each], "against", code)]
            end = max([second.end, *(token.end for token in (*counted, *opposed))])
            facts.append(_votes(text[first.start : end], (first.value, second.value), first.start))
    return facts


def _is_part(tokens: Sequence[Token], number: Quantity, whole: Quantity) -> bool:
    """Whether a number is a part of the next one, whatever language a short headline seems to be in."""
    between = [token for token in tokens if number.end <= token.start < whole.start]
    count = number.value % 1 == 0 and number.kind is whole.kind is NumeralKind.COUNT
    joined = 0 < len(between) <= _BETWEEN and number.value < whole.value
    return count and joined and all(_has([token], "part", "") for token in between)


def _ranged(
    fact: Fact, text: str, tokens: Sequence[Token], low: Quantity, *, high: Quantity, code: str
) -> Fact:
    """The fact of a range's high end with both ends in its words: "between four and six people dead"."""
    begins, _ = _hedged(text, low.start, code)
    before = [token for token in tokens if token.end <= low.start][-1:]
    if before and language_tables(code).between.get(before[0].text.casefold()) in _JOINING:
        begins = before[0].start
    place = text.find(fact.said)
    said = text[begins : place + len(fact.said)] if place > begins else (
        fact.said.replace(high.text, text[begins : high.end], 1)
    )  # fmt: skip
    return replace(fact, said=said, more=RANGE if fact.column in TOLLS else "")


def _is_joined(earlier: Sequence[Token], code: str) -> bool:
    """Whether the number before which these words stand, the last first, is counted on from somebody."""
    known = earlier[1:] and (earlier[1].number or counted_kind(earlier[1].text, code))
    return bool(earlier[1:]) and earlier[0].text in _JOINING and not known


def _holders(
    named: list[Token], behind: list[Token], before: list[Token], code: str, *, whole: bool
) -> tuple[list[tuple[Token, str]], list[tuple[Token, str]]]:
    """The words that a number may count, the likelier first, and their kinds: those of a kind, and people."""
    words = [(token, counted_kind(token.text, code)) for token in (*named, *behind, *before)]
    following = ["_".join(token.text for token in behind[a:b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    kinds = [_sense(each, "behind", code) for each in following] if words and behind else []
    kinds = kinds if behind and counted_kind(behind[0].text, code) in ("", PEOPLE) else []
    beside = [(token, kind) for kind, token in zip(kinds, (*behind[:2], *behind[1:2]), strict=False) if kind]
    words = [(token, kind) for token, kind in (*beside, *words) if whole or kind == _SIZE]
    strong = [(token, kind) for token, kind in words if kind and kind != PEOPLE]
    held = strong and strong[0][1] == _ARRESTED and _has([strong[0][0]], "inmates", "")
    # "12 passengers injured", "arrests two crew", "17 presos mortos"
    if held or (strong and strong[0][1] == _ABOARD):
        at = [*behind, *named, *before].index(strong[0][0])
        near = [*behind[at + 1 : at + 3], *before[:1]]
        aboard = not _ON_BOARD.isdisjoint(token.text.casefold() for token in behind)
        beside = [each for each in strong if each[0] in near and each[1] in _BESIDE_THOSE and not aboard]
        strong = beside or strong
    return strong, [(token, kind) for token, kind in words if kind == PEOPLE]


def _own(
    text: str, before: list[Token], earlier: Sequence[Token], behind: Sequence[Token],
    *, start: int, starts: list[int], code: str,
) -> list[Token]:  # fmt: skip
    """The words before a number that it may count: none that the number before them counts.

    None across a preposition where it has a noun: "44 detenidos en seis países", "Arrests in six countries".
    """
    noun = behind and behind[0].text.casefold() not in STOP_WORDS.get(code, ())
    if noun and not counted_kind(behind[0].text, code) and _has(before[:1], "beside", code):
        return []
    stopped = earlier[len(before) :][:1]
    joined = before and stopped and not _ENDS.search(text[stopped[0].end : before[-1].start])
    counted = before[-_BETWEEN:] if joined and stopped[0].start in starts else []
    taken = [each for each in counted if counted_kind(each.text, code) and not _has([each], "active", code)]
    # "family-run hotel opens 120 rooms", "aboard Delta 1182"
    taken += [each for each in before if each.form == "run" or (
        each.text.casefold() in _ON_BOARD and _NAMED_ABOARD.match(text[each.end : start])
    )]  # fmt: skip
    return [token for token in before if token not in taken]


def _summed(
    text: str, tokens: Sequence[Token], facts: list[Fact], numbers: Sequence[Quantity], code: str
) -> list[Fact]:  # fmt: skip
    """The facts with the sum that new cases are added to: "Five new cases, total now 29"."""
    kinds = [fact.column.removeprefix(FURTHER) for fact in facts if fact.column.startswith(FURTHER)]
    known = {fact.start for fact in facts if fact.column in TOLLS or fact.column.startswith(FURTHER)}
    for number in numbers if kinds else ():
        earlier = [token for token in tokens if token.end <= number.start][-_BEFORE:]
        behind = [token for token in tokens if token.start >= number.end][:_BETWEEN]
        near = (*earlier, *behind)
        at = [each for each in near if _has([each], "totals", code) or _has([each], "tolls", code)]
        if at and number.start not in known and number.kind is NumeralKind.COUNT:
            said = text[min(at[0].start, number.start) : max(at[0].end, number.end)]
            facts = [fact for fact in facts if fact.start != number.start]
            facts.append(Fact(kinds[0], said, number, number.start))
    return facts


def _whole(facts: Sequence[Fact], code: str) -> list[Fact]:
    """The facts without parts of a toll that stands before them: "toll rises to 23 after two die"."""
    kept: list[Fact] = []
    highest: dict[str, float] = {}
    for fact in sorted(facts, key=lambda fact: fact.start):
        number = fact.value.value if isinstance(fact.value, Quantity) else math.inf
        if number >= highest.get(fact.column, 0):
            kept.append(fact)
        words = tokenize(fact.said)
        if fact.column in TOLLS and ("…" in fact.said or any(_is_reached(word.text, code) for word in words)):
            highest[fact.column] = number
    return kept


def _ranked(text: str, tokens: Sequence[Token], code: str) -> list[Fact]:
    """How many are dead by the rank of the last one: "Third victim dies", "troisième mort"."""
    deadly = {_sense(token.text, "verbs", code) for token in tokens} & _DEADLY
    violent = bool(deadly) or any(_has(tokens, table, code) for table in ("died", "bodies"))
    facts = []
    for numeral in read_numerals(text, language=language_of(text, doubtful=code)):
        if numeral.kind is not NumeralKind.ORDINAL or numeral.value <= 1:
            continue
        near = [token for token in tokens if token.start >= numeral.end][: _BETWEEN + 1]
        run = _run(near, text, numeral.end, [])
        many = _BETWEEN if numeral.value < _GROWN else 1  # "20th anniversary of his death"
        nouns = [token for token in run[:many] if _has([token], "nth", code)]
        deaths = [token for token in nouns if violent or counted_kind(token.text, code) == "dead"]
        before = [token for token in tokens if token.end <= numeral.start][-_BETWEEN:]
        before = before if all(token.text not in _JOINING for token in before) else []
        dies = [token for token in run[1:] if _has([token], "died", code)]
        last = _run([token for token in tokens if token.start >= numeral.end], text, numeral.end, [])[-1:]
        dies = dies or [token for token in last if code == "de" and _has([token], "died", code)]
        dies = dies or (run[:1] if _has(before, "died", code) else [])
        if ends := (dies or deaths)[:1]:
            value, start, end = float(numeral.value), numeral.start, numeral.end
            number = Quantity(numeral.text, value, NumeralKind.COUNT, "dead", 1.0, True, True, start, end)
            facts.append(Fact("dead", text[numeral.start : ends[0].end], number, numeral.start))
    return facts


def _single(text: str, tokens: Sequence[Token], code: str) -> list[Fact]:
    """One dead, where somebody is: "man killed by falling tree", "Muere un hombre"; not "second man dies"."""
    for at, token in enumerate(tokens):
        if not _has([token], "person", ""):
            continue
        ahead = _run([*tokens[max(0, at - _BETWEEN) : at][::-1]], text, token.start, [])
        behind = _run([*tokens[at + 1 :]], text, token.end, [])
        near = tokens[max(0, at - 1) : at + 2]
        several = any(each.number or each.text.casefold() in _JOINING for each in near)
        several = several or _has(near, "more", "") or sum(_has([each], "person", "") for each in near) > 1
        dies = behind[int(_has(behind[:1], "helping", "")) :][:1]
        if code == "de":
            dies = [] if _has([*ahead, *behind], "deed", "") else [*dies, *behind[-1:]]
        dies = [each for each in dies if _has([each], "died", "") or _has([each], "slain", "")]
        objects = [each for each in behind if dies and each.start >= dies[-1].end][:1]
        active = dies and dies[0].text.casefold() == "killed" and objects and not objects[0].stop
        first = [each for each in ahead if not dies and _has([each], "died", "")]
        if several or active or not (dies or first):
            continue
        numerals = read_numerals(text, language=language_of(text, doubtful=code))
        if any(each.kind is NumeralKind.ORDINAL for each in numerals):
            continue
        start, end = min(each.start for each in (token, *first)), max(each.end for each in (token, *dies))
        number = Quantity(token.text, 1.0, NumeralKind.COUNT, _PERSON, 1.0, True, True, start, end)
        return [Fact("dead", text[start:end], number, start)]
    return []


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
    tables = ("unstated", "retracted")
    return replaced or numbered or any(_has(near[::-1], table, code, pairs=True) for table in tables)


def _has(tokens: Sequence[Token], table: str, code: str, *, pairs: bool = False) -> bool:
    words = [token.text for token in tokens]
    words += ["_".join(pair) for pair in pairwise(words)] if pairs else []
    return any(_sense(word, table, code) for word in words)


def _toll(clause: Sequence[Token], code: str, *, changed: bool) -> Token | None:
    """What a number counts that grows far behind it: "toll" in "Death toll in Peru rises to 34"."""
    reached = changed or any(_is_reached(token.text, code) for token in clause[:_BEFORE])
    tolls = [at for at, token in enumerate(clause) if _sense(token.text, "tolls", code)] if reached else []
    near = (token for toll in tolls for token in (clause[toll], *clause[max(0, toll - 2) : toll][::-1]))
    return next((token for token in near if counted_kind(token.text, code) not in ("", PEOPLE)), None)


def _is_reached(word: str, code: str) -> bool:
    return any(_sense(word, table, code) for table in ("reaches", "corrected"))


def country_of(adjective: str) -> str:
    """The English name of the country of "Spanish", "russische", or ""."""
    return _sense(adjective, "adjectives", "")


def same_name(text: str, *, people: bool = True) -> str:
    """The English name of what languages write differently, accents apart: "turkey" for "Türkei", or ""."""
    plain = re.sub("[ -]", "_", searched(text))
    if len(text) <= len("us") and not text.isupper():
        return ""
    part = plain if plain == "sudsudan" else _PART_OF_COUNTRY.sub("", plain)
    known = _sense(plain, "names", "") or (_sense(part, "names", "") if part != plain else "")  # "Osttürkei"
    return known or (_sense(plain, "people", "") if people else "")


def _run(near: list[Token], text: str, place: int, numbers: list[int], *, far: bool = False) -> list[Token]:
    run: list[Token] = []
    for token in near:
        low, high = sorted((place, token.start if token.start >= place else token.end))
        between = text[low:high].replace(":", "") if far else text[low:high]  # "Todesopfer: nun neun"
        if token.start in numbers or token.number or _ENDS.search(between):
            break
        if token.text in _JOINING and not far:
            break
        run.append(token)
        place = token.end if token.start >= place else token.start
    return run


def _hedged(text: str, start: int, code: str) -> tuple[int, str]:
    """Where a number begins with what hedges it, and whether that is more or less than the number."""
    before = list(_WORD.finditer(text, 0, start))[-3:]  # "jusqu'à" is two
    words = tuple(match[0].casefold() for match in before)
    for phrase, meaning in language_tables(code).near_before.get(words[-1] if words else "", ()):
        if words[-len(phrase) :] == phrase and len(phrase) <= len(words):
            ahead = "".join(words[: -len(phrase)][-1:])
            grown = len(phrase) == 1 and _sense(words[-1], "to", code) and _is_reached(ahead, code)
            if grown or (meaning is Approximation.AT_MOST and _sense(ahead, "tolls", code)):
                return start, ""  # "выросло до 11", "death toll up to 5"
            near = meaning in (Approximation.ABOUT, Approximation.AT_LEAST)
            return before[-len(phrase)].start(), "" if near else meaning
    return start, ""


def counted_kind(word: str, code: str) -> str:
    own = _sense(word, "counted", code)
    others = LANGUAGES if not own and len(word) >= _LONG else ()
    return own or next(filter(None, (_sense(word, "counted", other) for other in others)), "")


def has_toll_word(text: str, codes: Iterable[str]) -> bool:
    """Whether a word in one of some languages says what tolls count; quicker than reading the headline."""
    plain = text.casefold().replace("ё", "е")
    return any(_toll_pattern(code).search(plain) for code in codes if code in LANGUAGES)


@cache
def _toll_pattern(code: str) -> re.Pattern[str]:
    words = (fits.pattern for kind, fits in _patterns("counted", code) if kind in TOLLS)
    return re.compile(rf"\b(?:{'|'.join(words)})\b")


@cache
def _phrase_pattern() -> re.Pattern[str]:
    """All verbs of several words in a line of words behind "_", or "|" where a clause begins."""
    senses = (
        f"(?P<{sense}>{'|'.join(map(re.escape, word_list(words)))})"
        for sense, words in FACT_WORDS["phrases"].items()
    )
    joined = "|".join(senses).replace(r"\-", r"[^_|]*").replace("…", r"_(?:[^_|]+_)*?")
    joined = joined.replace(r"_\(", "(?=_").replace(r"\)", ")")
    return re.compile(rf"[_|](?:{joined})(?![^_|])")


@lru_cache(maxsize=65_536)
def _sense(word: str, table: str, code: str) -> str:
    plain = word.casefold().replace("ё", "е")
    return next((sense for sense, fits in _patterns(table, code) if fits.fullmatch(plain)), "")


@cache
def _patterns(table: str, code: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    plain = FACT_WORDS["anywhere"].get(table) or (table in _PLAIN and FACT_WORDS[table].get(code, ""))
    rows = FACT_WORDS[table] if plain is False else {table: plain}
    if table in ("names", "people"):
        rows = {sense: searched(words) for sense, words in rows.items()}
    return tuple(
        (sense, re.compile("|".join(re.escape(word).replace(r"\-", r"[^\W_]*") for word in words.split())))
        for sense, of in rows.items()
        for words in [of if isinstance(of, str) else of[code]]
    )
