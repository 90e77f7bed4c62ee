"""The article's right number beside a doubt, and whose number each one is."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from core.numerals.checked_headline import Fault, Objection, RightNumber
from core.numerals.claims import amounts, changes, fates, sayings
from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import clauses_in, own_rows, rival_rows
from core.numerals.claims.words import OWNER, TABLES, Word, article_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.expressions.printing import plain_decimal
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.german_nouns import is_common_noun
from core.text.numerals.numeral import Numeral, NumeralForm, NumeralKind
from core.text.tokens import STOP_WORDS

OF_HOLDERS: Final = frozenset(  # reasons for which the number of whom the headline names is looked for
    {*("said otherwise", "other name before it", "said of another number", "other age", "named later")}
    | {"other way", "opposite word", "profit or loss", "other holder"}
)
_OF_THINGS: Final = frozenset({"said otherwise", "other thing"})
_OF_FATES: Final = frozenset({"other fate", "said of another number alone"})
_NAMED_FIRST: Final = frozenset({"other unit", "other currency", "other magnitude"})  # quote it first
_BESIDE_AGE: Final = re.compile(r"[\s,(]*(?:aged |âgée? de )?")
_PLACED: Final = re.compile(
    r"\b(?:in|at|near|on|from|to|of|bei|auf|aus|nach|von|dans|à|en|de|nel|nella|da|di|в|на|из)\s(?:the\s)?$",
    re.IGNORECASE,
)
_WORD_BEHIND: Final = re.compile(r"[ -]?[^\W\d_]+")
_JOINING: Final = frozenset().union(*STOP_WORDS.values())
_GAPS: Final = frozenset({" ", "' ", "’ "})  # between the words of "the Farmers' League"
_STEM: Final = 4  # letters at the beginning by which names are of one country
_FAR: Final = 10  # times as much: no number of the same thing
_CALENDAR: Final = frozenset(" ".join(TABLES["periods"]["en"].values()).split())
_LEFT: Final = 20  # characters before a name in which the preposition stands that makes it no subject


class NumberHolder(NamedTuple):
    text: str  # a name as it stands in the article
    start: int  # in characters of the article
    forms: tuple[str, ...]  # of its words


@lru_cache(maxsize=AT_ONCE)
def holders_of(article: ReadArticle) -> tuple[NumberHolder | None, ...]:
    """Whose each of an article's numbers is, by the names of its clause or of the clauses before it."""
    named = [_names(article, place) for place in range(len(article.sentences))]
    pairs = zip(article.numerals, article.places, strict=True)
    return tuple(_holder(article, numeral, place, named[place]) for numeral, place in pairs)


def _names(article: ReadArticle, place: int) -> list[NumberHolder]:
    """Runs of words with capitals: "Portugal's Rita Lopes" has two, "the People's Front" is one."""
    known, text, german = article_words(article), article.text, article.language == "de"
    runs: list[list[Word]] = []
    for at, word in enumerate(known.sentences[place]):
        low, last = word.text.lower(), runs[-1][-1] if runs else word
        plain = not word.text[0].isupper() or not word.content or low in _CALENDAR
        plain = plain or word.start < article.dateline
        if plain or (german and is_common_noun(word.text)):
            continue
        gap = text[last.end : word.start] if runs else ""
        owner = gap != " " or OWNER.search(last.text)
        if gap in _GAPS and (not owner or text[: runs[-1][0].start].lower().endswith("the ")):
            runs[-1].append(word)
        elif at or low not in known.small:
            runs.append([word])
    first = [*known.sentences[place][:1]]
    sure = (run for run in runs if run != first or run[0].form in known.names)
    texts = ((run, OWNER.sub("", text[run[0].start : run[-1].end])) for run in sure)
    return [NumberHolder(name, run[0].start, tuple(word.form for word in run)) for run, name in texts]


def _holder(
    article: ReadArticle, numeral: Numeral, place: int, names: Sequence[NumberHolder]
) -> NumberHolder | None:
    at, text = numeral.start, article.text
    if numeral.kind is NumeralKind.AGE:
        return next((n for n in names if _BESIDE_AGE.fullmatch(text, n.start + len(n.text), at)), None)
    clauses = [clause for clause in clauses_in(article)[place] if clause.start <= at]
    for clause in reversed(clauses):
        inside = [name for name in names if clause.holds(name.start)]
        before = [name for name in inside if name.start < at]
        starts = ((name, text[max(0, name.start - _LEFT) : name.start]) for name in before)
        subjects = [name for name, left in starts if not _PLACED.search(left)]
        # "19 seats for the People's Front"
        behind = inside if clause is clauses[-1] else []
        if holder := next(iter(subjects or before or behind), None):
            return holder
    return None


def other_holder(claim: Claim) -> Iterator[Objection]:
    """48 seats for the People's Front, where the article has 19 for it, and 48 for somebody else nearby."""
    row, places = _of_holder(claim) if claim.equal else None, claim.article.places
    if row is None or not (holder := holders_of(claim.article)[row]):
        return
    before = (word for word in claim.words if word.start < claim.numeral.start and word.text[0].isupper())
    named = {word.form[:_STEM] for word in before if word.form in holder.forms}
    names = (holders_of(claim.article)[at] for at in claim.equal)
    kin = named & {form[:_STEM] for name in names if name for form in name.forms}  # Syrian forces are Syria's
    if named and not kin and any(abs(places[at] - places[row]) <= 1 for at in claim.equal):
        yield Fault.OTHER, f"The article has “{claim.article.numerals[row].text}” for {holder.text}."


def right_number(claim: Claim, rule: str, reason: str) -> RightNumber | None:
    """What the article has instead, by the reason against a number; None where that is not plain."""
    article, equal, row = claim.article, claim.equal, None
    if rule == "other score":
        return _score(claim)
    if rule in _NAMED_FIRST:
        quoted = reason.partition("“")[2].partition("”")[0]
        texts = (amounts.with_unit(article.text, numeral) for numeral in article.numerals)
        row = next((row for row, text in enumerate(texts) if text == quoted), None)
    elif rule in ("earlier number", "ends of a change"):
        every = changes.changes_of(article) if rule == "earlier number" else changes.concerning(claim)
        later = (_part(article, end.after) for end in every if end.before in equal)
        way, own = changes.direction_of(claim), claim.numeral
        ends = ((row, article.numerals[row]) for row in later)
        same = ((row, end) for row, end in ends if len({end.counted, own.counted} - {""}) < 2)
        row = next((row for row, end in same if way in ("", changes.goes(end.value - own.value))), None)
    elif rule == "whole for part":
        row = equal[0] - 1
    elif rule in _OF_FATES:
        row = _only(claim, fates.rival_fates(claim))
    row = _of_holder(claim) if rule in OF_HOLDERS else row
    name = None if row is None or rule not in OF_HOLDERS else holders_of(article)[row]
    holder = name.text if name else ""
    if row is None and rule in _OF_THINGS:
        row = _of_thing(claim)
    if row is None or (not holder and rule not in _OF_FATES and not _is_near(claim, row)):
        return None
    return put_in(claim, row, holder)


def instead(claim: Claim, row: int) -> RightNumber | None:
    """The article's number for one that it lacks, where that is a slip or it alone counts the thing."""
    numeral, other = claim.numeral, claim.article.numerals[row]
    thing = numeral.counted or numeral.unit
    things = [(n.counted if numeral.counted else n.unit, n.value) for n in claim.article.numerals]
    alone = {value for name, value in things if thing and name == thing} == {other.value}
    like = (numeral.kind, numeral.unit, numeral.factor) == (other.kind, other.unit, other.factor)
    turned = like and sorted(numeral.number) == sorted(other.number)
    slip = turned or amounts.is_scaled(numeral, other)
    return put_in(claim, row) if slip or (alone and _is_near(claim, row)) else None


def _is_near(claim: Claim, row: int) -> bool:
    """Whether one may be put for the other: of one kind, and not ten times as much unless by magnitude."""
    numeral, other = claim.numeral, claim.article.numerals[row]
    small, large = sorted((numeral.value, other.value))
    return numeral.kind is other.kind and (large < _FAR * small or amounts.is_scaled(numeral, other))


def _part(article: ReadArticle, row: int) -> int:
    """The row of the part where a number is a whole ("48 of the 120"), else the number's own."""
    before, number = article.numerals[max(row - 1, 0)], article.numerals[row]
    return row - 1 if row and sayings.OF_WHOLE.fullmatch(article.text[before.end : number.start]) else row


def _only(claim: Claim, rows: Sequence[int]) -> int | None:
    """The first of some rows, where their numbers have one value."""
    return rows[0] if len({claim.article.numerals[row].value for row in rows}) == 1 else None


def _rivals(claim: Claim) -> list[int]:
    """Rows of the article's other numbers of the headline's kind and unit that may stand in its place."""
    numeral, article = claim.numeral, claim.article
    begun = {change.before for change in changes.changes_of(article)}
    scored = [match.span() for match in amounts.SCORE.finditer(article.text)]

    def may_stand(row: int) -> bool:
        other = article.numerals[row]
        kin = (other.kind, other.unit) == (numeral.kind, numeral.unit) and not looks_like_year(other)
        score = any(start <= other.start < end for start, end in scored)
        return kin and not score and row not in begun and _part(article, row) == row

    return list(filter(may_stand, rival_rows(claim)))


def _of_holder(claim: Claim) -> int | None:
    """The number of whom the headline names, where its own is somebody else's."""
    counted, holders = claim.numeral.counted, holders_of(claim.article)
    own = max((_named(claim, row) for row in own_rows(claim)), default=0)
    names = {name.text for row in own_rows(claim) if (name := holders[row])}
    if len(names) != 1 and claim.numeral.kind is not NumeralKind.AGE:
        return None
    things = {row: claim.article.numerals[row].counted for row in _rivals(claim)}
    fit = (row for row, thing in things.items() if not counted or thing in ("", counted))
    named = {row: _named(claim, row) for row in fit}
    most = max(named.values(), default=0)
    rows = [row for row, words in named.items() if words == most > own]
    return _only(claim, [row for row in rows if counted and things[row] == counted] or rows)


def _named(claim: Claim, row: int) -> int:
    """How many words of the name whose a number is the headline has; 0 without its last one."""
    holder = holders_of(claim.article)[row]
    forms = {word.form for word in claim.words if word.text[0].isupper()}
    return len(forms & {*holder.forms}) if holder and holder.forms[-1] in forms else 0


def _of_thing(claim: Claim) -> int | None:
    """The number of what the headline counts, where the article counts something else with its own."""
    numerals, counted = claim.article.numerals, _thing(claim.numeral)
    rows = [row for row in _rivals(claim) if counted and _thing(numerals[row]) == counted]
    others = all(_thing(numerals[row]) not in ("", counted) for row in own_rows(claim))
    return _only(claim, rows) if others else None


def _thing(numeral: Numeral) -> str:
    return numeral.counted or numeral.unit


def holders_said(claim: Claim, right: RightNumber) -> str:
    """Whose the headline's number is, and which one is of whom it names, a sentence."""
    article, rows = claim.article, own_rows(claim)
    given = article.numerals[right.row]
    if right.holder:
        name = next((holder.text for row in rows if (holder := holders_of(article)[row])), "")
        own = f"“{article.numerals[rows[0]].text}”"
        other = f"and {own} for {name}" if name else f"not {own}"
        return f"The article has “{given.text}” for {right.holder}, {other}."
    own = with_next(article.text, article.numerals[rows[0]])
    return f"The article has “{with_next(article.text, given)}” and “{own}”."


def given_as(claim: Claim) -> str:
    """The headline's number as the article has it in some other way, with the word behind it; "" for none."""
    text, numeral = claim.article.text, claim.numeral
    same = (with_next(text, other) for other in claim.article.numerals if other.value == numeral.value)
    literal = re.search(rf"(?<![\w.,:]){re.escape(numeral.number)}(?![\w:]|[.,]\d)", text, re.IGNORECASE)
    return next(same, literal[0] if literal else "")


def with_next(text: str, numeral: Numeral) -> str:
    """A number with the word behind it, unless that only joins or is a name: "48 seats", "1K" of "1K MF"."""
    match = _WORD_BEHIND.match(text, numeral.end)
    word = "" if match is None else match[0].strip(" -")
    thing = word.lower() not in _JOINING and (not word[1:].isupper() or text.isupper())
    return text[numeral.start : match.end() if match and thing else numeral.end]


def put_in(claim: Claim, row: int, holder: str = "") -> RightNumber:
    """One of the article's numbers, written as the headline writes its own."""
    numeral, other, headline = claim.numeral, claim.article.numerals[row], claim.headline
    start, end, text = numeral.start, numeral.end, other.text
    in_digits = numeral.form is NumeralForm.DIGITS and other.form is NumeralForm.WORDS
    if numeral.unit != other.unit:
        end = start + len(amounts.with_unit(headline, numeral))
        text = amounts.with_unit(claim.article.text, other)
    elif numeral.factor == other.factor and (in_digits or numeral.form is other.form):
        number = plain_decimal(other.value) if in_digits else other.number
        text = f"{headline[start : numeral.number_start]}{number}{headline[numeral.number_end : end]}"
    if other.form is NumeralForm.WORDS:
        text = (text[0].upper() if headline[start].isupper() else text[0].lower()) + text[1:]
    return RightNumber(row, text, start, end, holder)


def _score(claim: Claim) -> RightNumber | None:
    article = claim.article
    scores = [*amounts.SCORE.finditer(article.text, article.dateline)]
    for match, given in product(amounts.scores_of(claim), scores):
        mine, (first, last) = match.groups(), given.groups()
        # The number that is right stays where it stands.
        stays = mine[0] == first or mine[1] == last or {first, last} == {*mine}
        left, right = (first, last) if stays else (last, first)
        text = f"{left}{claim.headline[match.end(1) : match.start(2)]}{right}"
        for row, numeral in enumerate(article.numerals):
            if numeral.start <= given.start() < numeral.end and {first, last} & {*mine}:
                return RightNumber(row, text, match.start(), match.end())
    return None
