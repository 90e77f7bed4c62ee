"""Facts that an article's numbers state, and what a person corrects in them before headlines are checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from core.data.articles.article_files import READ_CHARACTERS
from core.errors import InputError
from core.headlines.found_right import stream_of
from core.journal.entries import NewEntry
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Fault, Light
from core.numerals.checks.verdict_words import links_of
from core.numerals.claims.periods import periods_of
from core.numerals.claims.words import sentence_words
from core.numerals.question import AT_ONCE, ReadArticle, read_article
from core.results.render import shorten
from core.text.claims import read_claims
from core.text.facts import read_facts
from core.text.names import learn_names
from core.text.normalise import clean_line
from core.text.numerals.counted import normal_form
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from core.text.numerals.read import read_numerals
from core.text.tokens import tokenize

if TYPE_CHECKING:
    from core.journal.journal import Journal

GAP: Final = "…"  # stands for the number in a fact's words, and in the article for what is taken out
NONE: Final = "–"  # what is typed for nobody, at no time, or sure
LONGEST: Final = 200  # characters of a fact's words
_NAMED: Final = 3  # names or times in a cell
_BEHIND, _FARTHEST = 4, 120  # words and characters behind a number in which what it counts is looked for
_READ: Final = 1_000  # characters of a sentence, at most, whose words are read: a list may have no end
_BEFORE: Final = re.compile(r"(?:\b[^\W\d_][\w’'-]*\s+){1,3}\Z")  # the last words, up to three
_DATED: Final = frozenset({NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME})
FACT, UNDO = "fact", "undo"


class FactCorrection(msgspec.Struct, frozen=True):
    """What a person makes of one number of an article."""

    sentence: str  # of the article, white space as one space
    start: int  # where the number begins in it, in characters from 0
    number: str  # as it stands there
    value: str = ""  # the number instead: "29", "$3.5bn"; "" for none
    words: str = ""  # what it counts instead, the number as "…": "injuring … people"; "" for nothing else
    struck: bool = False  # nothing may rest on it
    # what its sentence says instead, listed as in `ArticleFact`; `NONE` for nothing, "" for nothing else
    who: str = ""
    when: str = ""
    hedge: str = ""

    @property
    def fact(self) -> FactCorrection:
        """The same number, not corrected."""
        return FactCorrection(self.sentence, self.start, self.number)


Corrections = Mapping[FactCorrection, FactCorrection]
"""Those that hold, by what they correct, which is one that changes nothing."""


@dataclass(frozen=True, slots=True)
class ArticleFact:
    numeral: Numeral
    language: str  # of the article
    said: tuple[int, int]  # where the number and the words that say what it counts stand in the article
    words: str  # those words, the number as "…"
    who: str  # names and roles of the sentence
    when: str  # periods, days and years of the sentence
    hedge: str  # "at least", "feared"; "" where the article vouches for it
    place: FactCorrection  # where it stands; what changes nothing


@lru_cache(maxsize=AT_ONCE)
def facts_of(text: str) -> tuple[ArticleFact, ...]:
    """A fact for each number of an article, but datelines and names; their words do not overlap."""
    article, facts = read_article(text), list[ArticleFact]()
    names = learn_names(article.text[first:last] for first, last in article.sentences)
    told = (row for row, numeral in enumerate(article.numerals) if numeral.start >= article.dateline)
    stated = [row for row in told if article.numerals[row].kind is not NumeralKind.NAME]
    for place, rows in groupby(stated, article.places.__getitem__):
        first, last = article.sentences[place]
        sentence = article.text[first : min(last, first + _READ)]
        claims = read_claims(sentence, known=names, language=article.language)
        who, hedges = [phrase.text for phrase in claims.phrases], [hedge.text for hedge in claims.hedges]
        numerals = list(rows)
        times = [period.text for period in periods_of(sentence_words(article, numerals[0]), article.language)]
        times += [each.text for row in numerals if (each := article.numerals[row]).kind in _DATED]
        for row in numerals:
            free = facts[-1].said[1] if facts else 0
            facts.append(_fact(article, row, free, who=who, when=times, hedges=hedges))
    return tuple(facts)


def _fact(article: ReadArticle, row: int, free: int, **said: list[str]) -> ArticleFact:
    numeral, text, code = article.numerals[row], article.text, article.language
    first, last = article.sentences[article.places[row]]
    sentence, start, end = text[first:last], numeral.start, numeral.end
    stated = read_facts(sentence[:_READ], language=code)
    fact = next((each for each in stated if each.start == start - first), None)
    place = sentence.find(fact.said, max(0, start - first - len(fact.said))) if fact else -1
    if fact and place >= 0:
        start, end = min(start, first + place), max(end, first + place + len(fact.said))
    following = min(last, *(other.start for other in article.numerals[row + 1 : row + 2]), end + _FARTHEST)
    behind = tokenize(text[numeral.end : following])[:_BEHIND]
    nouns = {token.end: normal_form(token.text.lower(), code) for token in behind}
    counted = (to for to, noun in nouns.items() if noun == numeral.counted or len(behind[0].text) == to)
    end, start = max(end, numeral.end + next(counted, 0)), max(start, free)
    if end - start == len(numeral.text) and (before := _BEFORE.search(text, max(first, free), start)):
        start = before.start()
    exact = numeral.approximation is Approximation.EXACT
    at = len(" ".join(f"{text[first : numeral.start]}.".split())) - 1
    return ArticleFact(
        numeral,
        code,
        (start, end),
        " ".join(f"{text[start : numeral.start]}{GAP}{text[numeral.end : end]}".split()),
        _listed(said["who"]),
        _listed(time for time in said["when"] if time != numeral.text),
        _listed(["" if exact else numeral.approximation.value, fact.more if fact else "", *said["hedges"]]),
        FactCorrection(" ".join(sentence.split()), at, numeral.text),
    )


def _listed(words: Iterable[str]) -> str:
    return ", ".join(list(dict.fromkeys(filter(None, words)))[:_NAMED])


def corrected(fact: ArticleFact, typed: FactCorrection) -> FactCorrection:
    """A correction as it is typed; what is empty, or as the article has it, changes nothing."""
    given = {"value": fact.numeral.text, "words": fact.words}
    given |= {name: getattr(fact, name) or NONE for name in ("who", "when", "hedge")}
    said = {name: clean_line(getattr(typed, name)).replace("...", GAP) for name in given}
    for name, text in said.items():
        if len(text) > LONGEST:
            long = f"“{shorten(text, 40)}” is longer than {LONGEST} characters."
            raise InputError(long, hint="Shorten it.")
        bare = name not in ("value", "when") and GAP not in text
        if bare and read_numerals(text, language=fact.language):
            hint = f"Write {GAP} where the number stands, and correct the number in its own cell."
            raise InputError(f"“{shorten(text, 40)}” holds a number.", hint=hint)
    if said["value"]:
        said["value"] = _whole(fact.numeral, said["value"], fact.language)
    changed = {name: text * (text != given[name]) for name, text in said.items()}
    return msgspec.structs.replace(fact.place, struck=typed.struck, **changed)


def _whole(numeral: Numeral, typed: str, language: str) -> str:
    """A typed number with what belongs to the article's: "$3.5bn" for "3.5" instead of "$3.2bn"."""
    numerals = read_numerals(typed, language=language)
    if [number.text for number in numerals] != [typed]:
        hint = "Type a number such as 29, or strike the fact out."
        raise InputError(f"“{shorten(typed, 40)}” is not a number.", hint=hint)
    (number,) = numerals
    if number.unit:
        return typed
    at = numeral.number_start - numeral.start
    tail = numeral.text[at + len(numeral.number) :]
    # "450,000" or "5 billion" instead of "4.2 million euros"
    if numeral.factor != 1 and (number.factor != 1 or number.value >= 1_000):
        tail = "".join(f" {word}" for word in tail.split()[1:])
    return f"{numeral.text[:at]}{typed}{tail}"


@dataclass(frozen=True, slots=True)
class CorrectedArticle:
    corrections: Corrections
    text: str  # as headlines are checked and written
    notes: tuple[str, ...] = ()  # of each corrected fact: "The article says “27”; corrected to “29” here."
    numerals: tuple[Numeral, ...] = ()  # as the article itself has them
    # where each ends: the line up to there, and the characters of the number
    ends: tuple[tuple[str, int], ...] = ()


class _Edit(NamedTuple):
    start: int  # in characters of the article
    end: int
    text: str
    after: str  # what follows a number, with which `text` ends
    size: int  # characters of the number, or of what is said of it
    note: str


def correct(article: str, corrections: Corrections) -> CorrectedArticle:
    """The article with its facts corrected; a correction of a sentence that it lacks changes nothing."""
    facts = [(fact, corrections[fact.place]) for fact in facts_of(article) if fact.place in corrections]
    edits = [(edit, fact.numeral) for fact, change in facts for edit in _edits(article, fact, change)]
    text, at, made = "", 0, list[tuple[str, Numeral, tuple[str, int]]]()
    for edit, numeral in sorted(edits, key=lambda each: each[0][:2]):
        if edit.start >= at:
            text += f"{article[at : edit.start]}{edit.text}"
            made.append((edit.note, numeral, (text.rpartition("\n")[2], edit.size)))
            text, at = f"{text}{edit.after}", edit.end
    return CorrectedArticle(corrections, text + article[at:], *zip(*made, strict=True))


def _edits(article: str, fact: ArticleFact, change: FactCorrection) -> Iterator[_Edit]:
    numeral, words = fact.numeral, change.words or GAP
    number = GAP if change.struck else change.value or numeral.text
    first, last = fact.said if change.words else (numeral.start, numeral.end)
    before, _, after = (words if GAP in words else f"{GAP} {words}").partition(GAP)
    note = f"The article says “{article[first:last]}”; corrected to “{before}{number}{after}” here."
    note = f"The article's “{numeral.text}” was struck out here." if change.struck else note
    if change.struck or change.value or change.words:
        yield _Edit(first, last, f"{before}{number}", after, len(number), note)
    # Who, when and how sure, where the sentence says it; what it does not say stands beside the number.
    for field, form in (("who", " ({})"), ("when", " ({})"), ("hedge", "{} ")) if not change.struck else ():
        typed, at = getattr(change, field), numeral.start if field == "hedge" else fact.said[1]
        had, has = getattr(fact, field).split(", "), typed.strip(NONE).split(", ")
        gone, new = ([each for each in some if each not in rest] for some, rest in ((had, has), (has, had)))
        for each, text in zip_longest(gone, new, fillvalue="") if typed else ():
            start, end = _place_of(article, fact, each) or (at, at)
            was = article[start:end].strip()
            left = text or GAP * (field != "hedge")  # "in the vote on …", and not "on ."; a hedge leaves none
            told = (left + article[start + len(was) : end]) * bool(left) if was else form.format(text)
            note = f"The article says “{was}” of “{numeral.text}”; corrected to “{text or NONE}” here."
            note = note if was else f"“{text}” was added to “{numeral.text}” here."
            yield _Edit(start, end, told, "", len(text), note)


def _place_of(article: str, fact: ArticleFact, words: str) -> tuple[int, int] | None:
    """Where words of the number's sentence stand nearest to it, with the space behind them."""
    at = fact.numeral.start
    first, last = next(sentence for sentence in read_article(article).sentences if at < sentence[1])
    found = re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)\s?", article[first:last], re.IGNORECASE)
    spans = [(first + match.start(), first + match.end()) for match in found if words]
    if words == fact.numeral.approximation and at not in (end for _, end in spans):
        word = re.search(r"\S+\s+\Z", article[first:at])  # "some 40" is about 40
        return (first + word.start(), at) if word else None
    return min(spans, key=lambda span: abs(span[0] - at), default=None)


def noted(checked: CheckedHeadline, article: CorrectedArticle, given: str) -> CheckedHeadline:
    """The headline; a number that rests on a corrected fact says so. `given` is the article as it stands."""
    text = checked.article.text
    changes = list(zip(article.notes, article.numerals, article.ends, strict=True))
    gone = {numeral.value for numeral in article.numerals}
    gone -= {numeral.value for numeral in checked.article.numerals}

    def note(numeral: CheckedNumeral) -> CheckedNumeral:
        used = [checked.article.numerals[row] for row in links_of(numeral)]
        claim, value, rests = numeral.claim, numeral.numeral.value, []
        for said, stated, (line, size) in changes:
            end = text.find(line) + len(line)
            among = line in text and any(each.start < end and end - size < each.end for each in used)
            rests += [said] * (among or stated.value == value)
        said = " ".join(dict.fromkeys(rests))
        # What a person corrected away comes back by no arithmetic.
        if claim.light in PASSING and value in gone:
            reason = f"As corrected, the article does not have “{numeral.numeral.text}”."
            claim = replace(claim, light=Light.CHECK, fault=Fault.VALUE, reason=reason)
        reason = f"{claim.reason} {said}" if said else claim.reason
        return replace(numeral, claim=replace(claim, reason=reason, corrected=said))

    if not changes:
        return checked
    return replace(checked, numerals=tuple(map(note, checked.numerals)), given=given[:READ_CHARACTERS])


def save(journal: Journal, article: str, made: FactCorrection | None, owner: str = "") -> None:
    """Stores a correction of an article's fact; None takes the last one back."""
    entry = NewEntry(kind=FACT, body=msgspec.to_builtins(made)) if made else NewEntry(kind=UNDO)
    journal.append(stream_of(owner, clean_line(article)), [entry])


def corrections_of(journal: Journal, article: str, owner: str = "") -> Corrections:
    made = list[dict[str, Any]]()
    for entry in journal.read(stream_of(owner, clean_line(article))):
        if entry.kind == FACT:
            made.append(dict(entry.body))
        elif made:
            made.pop()
    return in_force(made)


def in_force(made: Iterable[object]) -> Corrections:
    """Of corrections as they are stored those that hold, the last one of each fact."""
    last = {change.fact: change for change in msgspec.convert(list(made), list[FactCorrection])}
    return {fact: change for fact, change in last.items() if change != fact}


Decisions = tuple[dict[str, set[int]], Corrections]
"""Where each headline has numbers that a person found right after all, and corrected facts."""
NOTHING: Final[Decisions] = {}, {}


def read_decisions(data: bytes, filename: str, article: str) -> Decisions:
    """What a file has that Check numbers exported as JSON."""
    try:
        given = msgspec.json.decode(data)
        headlines = [(str(line["headline"]), line["numerals"]) for line in given["headlines"]]
        right = {text: {n["start"] for n in own if n["claim"]["set_aside"]} for text, own in headlines}
        made = in_force(given["corrections"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        hint = "Export it with JSON on Check numbers, or give headlines as text, one on each line."
        raise InputError(f"{shorten(filename, 80)} was not exported by Check numbers.", hint=hint) from None
    for fact in facts_of(article):
        if change := made.get(fact.place):
            corrected(fact, change)
    return right, made
