"""What stands around a number's place in a headline, and so decides which numbers fit there."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.files import read_tables
from core.numerals.derivations.operands import Operands, looks_like_year, operands_of
from core.numerals.expressions.expression import Call, Expression
from core.numerals.operators import UNITS, Operator, PairFacts, PairSearch, searched
from core.numerals.question import AT_ONCE, NumeralQuestion, ReadArticle
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Numeral, NumeralKind
from core.text.numerals.read import read_numerals

LETTERS: Final[dict[int, str]] = {factor: letter for letter, (factor, _) in UNITS.items()}
"""How `Paraphrase` names a magnitude."""
TABLES: Final = read_tables(__file__)
_MAGNITUDES: Final = {
    int(factor): re.compile(rf"(?:{signs})(?!\w)") for factor, signs in TABLES["magnitudes"].items()
}
_SPANS: Final = {
    name: re.compile(rf"(?:\s|-)?(?:{words})(?!\w)", re.IGNORECASE) for name, words in TABLES["spans"].items()
}
_PERCENT: Final = re.compile(r"\s?(?:%|per\s?cent|percent|процент\w*|Prozent|pour\s?cent)", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"(?:st|nd|rd|th|º|ª|-?(?:й|я|е|го|му|ю|ая|ый|ой|ое)|er|re|e|ème)(?!\w)")
_AGE: Final = re.compile(r"-year-old|-летн|-?enne\b|\s?ann[io]\b|-?jährig|\s?ans\b", re.IGNORECASE)
_AGE_ALONE: Final = re.compile(r"\s*[,:)]")
_WORD: Final = re.compile(r"[^\W\d_]+")
STAND_IN: Final = "7"  # a number that reads as nothing but a number: no year, no hour, no name
_FLAGS: Final = ("money", "percent", "ordinal", "age", "apostrophe", "attached")
MARKS: Final = (*(f"place_{name}" for name in _FLAGS), "place_span")  # columns of `marks_of`
CLOSE: Final = 1e-9  # relative error that float64 sums of numbers below `LARGEST` stay under
WAY_PRIORS: Final[dict[str, float]] = TABLES["way_priors"]
LIST_PRIOR: Final = -7.0  # log-odds-like prior of counting a list: NumHG's 9,295 annotations have it once
OTHERS: Final = frozenset({"other", "others", "другие", "других", "другим", "altri", "altre"})
"""Words after a number from which one has been taken away: "Zuckerberg, 15 Other Tycoons" of sixteen."""


@dataclass(frozen=True, slots=True)
class Slot:
    factor: Fraction  # what a magnitude right after it multiplies it by, 1 where there is none
    letter: str  # name of the magnitude in NumHG's terms ("K"), "" for 1 or one without a name
    money: bool  # a currency sign stands right before it
    percent: bool  # it is a percentage
    ordinal: bool  # an ordinal's ending stands right after it
    age: bool  # it is somebody's age by its signs: "-Year-Old" after it, or commas around it
    apostrophe: bool  # it is a year without its century ("'87")
    attached: bool  # a letter or hyphen stands right before it ("U2", "COVID-19")
    span: str  # which of the spans of `slots.toml` follows, "" for none
    before: str  # the word before it, lower case, "" for none
    after: str  # the word after it and after its magnitude, lower case, "" for none


def marks_of(slot: Slot) -> list[bool]:
    return [*(bool(getattr(slot, name)) for name in _FLAGS), slot.span != ""]


@lru_cache(maxsize=4 * AT_ONCE)
def slot_of(question: NumeralQuestion) -> Slot:
    """Looks around the place of a question; the number itself is not looked at."""
    before, after = question.headline[: question.start], question.headline[question.end :]
    matches = ((factor, form.match(after)) for factor, form in _MAGNITUDES.items())
    size, match = next(((factor, match) for factor, match in matches if match), (1, None))
    factor, rest = Fraction(size), after[match.end() :] if match else after
    if question.numeral is not None and question.numeral.factor > 1:
        factor = question.numeral.factor
    last = before[-1:]
    words_before, word_after = _WORD.findall(before[-40:]), _WORD.search(rest)
    return Slot(
        factor=factor,
        letter=LETTERS.get(int(factor), ""),
        money=last in set("$€£₽¥₴"),
        percent=bool(_PERCENT.match(rest)),
        ordinal=bool(_ORDINAL.match(after)),
        age=bool(_AGE.match(after)) or (before.endswith(", ") and bool(_AGE_ALONE.match(after))),
        apostrophe=last in set("'’‘") and not before[:-1][-1:].isalnum(),
        attached=last.isalpha() or (last == "-" and before[:-1][-1:].isalnum()),
        span=next((name for name, form in _SPANS.items() if form.match(rest)), ""),
        before=words_before[-1].lower() if words_before else "",
        after=word_after.group().lower() if word_after else "",
    )


@lru_cache(maxsize=4 * AT_ONCE)
def asked_of(question: NumeralQuestion) -> Numeral:
    """The numeral that would stand at the place were its number 7; the one that does is not looked at."""
    headline = question.holding(STAND_IN)
    language = language_of(headline, doubtful=question.article.language)
    read = read_numerals(headline, language=language)
    here = (each for each in read if each.number_start <= question.start < each.number_end)
    (plain,) = read_numerals(STAND_IN, language="en")
    start, end = question.start, question.start + len(STAND_IN)
    return next(here, replace(plain, start=start, end=end, number_start=start, number_end=end))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """All p applications of an operator to two operands."""

    tried: tuple[Operator, ...]  # the operators that were tried, t of them
    scalings: BoolArray  # which of them scale, bool [t]
    operators: IntArray  # row in `tried`, int64 [p]
    left: IntArray  # first operand's row in `Operands`, int64 [p]
    right: IntArray  # second operand's row, int64 [p]
    values: FloatArray  # what each gives, float64 [p], ascending, all greater than 0
    scaled: BoolArray  # whether one of the operands has a magnitude beyond its value, bool [p]

    def by(self, operator: Operator, rows: IntArray | slice = slice(None)) -> BoolArray:
        """Which of some rows are of an operator, bool [m]."""
        return np.asarray(self.operators[rows] == self.tried.index(operator))

    def within(self, low: float, high: float) -> IntArray:
        """Rows whose value lies in [low, high], with the slack of float64."""
        slack = CLOSE * max(abs(low), abs(high), 1e-6)
        first, last = np.searchsorted(self.values, [low - slack, high + slack])
        return np.arange(first, last)


@lru_cache(maxsize=AT_ONCE)
def pairs_of(article: ReadArticle) -> Pairs:
    """The tables of an article; what may change places has its operands in the article's order."""
    operands, tried = operands_of(article), searched()
    values = operands.values
    with np.errstate(divide="ignore", invalid="ignore"):
        results = (operator.execute(values[:, None], values) for operator in tried)
        tables = [np.asarray(result, dtype=np.float64) for result in results]
    masks = (_cells(operands, operator, how) for operator, how in tried.items())
    both = zip(masks, tables, strict=True)
    indices = [np.nonzero(mask & np.isfinite(table) & (table > 0)) for mask, table in both]
    left, right = (np.concatenate([cells[side] for cells in indices]) for side in (0, 1))
    given = np.concatenate([table[cells] for table, cells in zip(tables, indices, strict=True)])
    operators = np.repeat(np.arange(len(tried)), [len(cells[0]) for cells in indices])
    order = np.lexsort((right, left, operators, given))
    left, right = left[order], right[order]
    scaled = (operands.factors[left] != 1) | (operands.factors[right] != 1)
    scalings = np.array([how.scales for how in tried.values()], dtype=np.bool_)
    return Pairs(tuple(tried), scalings, operators[order], left, right, given[order], scaled)


def _cells(operands: Operands, operator: Operator, how: PairSearch) -> BoolArray:
    values, own = operands.values, ~operands.constants
    both = own[:, None] & own[None, :]
    # Of a dateline only the year is calculated with, and that only in sums and differences.
    usable = ~operands.dateline | (operands.years & (not how.scales))
    both &= usable[:, None] & usable[None, :]
    # Nothing is changed by adding 0, or by multiplying with 1 or dividing by it.
    nothing, single = values == 0, values == 1
    changes = ~(nothing[:, None] | nothing[None, :])
    if how.scales:
        changes &= ~single[None, :]
        if operator.any_order:
            changes &= ~single[:, None]
    else:  # millions are not added to plain numbers
        changes &= operands.factors[:, None] == operands.factors[None, :]
    places = np.arange(len(values))
    order = places[:, None] < places if operator.any_order else places[:, None] != places
    wanted = both | _beside(operands, how.second) | _beside(operands, how.first).T
    return np.asarray(order & changes & wanted)


def built(article: ReadArticle, pair: int) -> Expression:
    """The expression of a row of `pairs_of(article)`."""
    pairs, operands = pairs_of(article), operands_of(article)
    sides = (operands.expressions[pairs.left[pair]], operands.expressions[pairs.right[pair]])
    return Call(pairs.tried[pairs.operators[pair]], sides)


def sources(article: ReadArticle, pair: int) -> tuple[int, ...]:
    """Rows of the article's numerals that a row of `pairs_of(article)` uses."""
    pairs, operands = pairs_of(article), operands_of(article)
    rows = (int(operands.rows[pairs.left[pair]]), int(operands.rows[pairs.right[pair]]))
    return tuple(row for row in rows if row >= 0)


def _beside(operands: Operands, constants: frozenset[int]) -> BoolArray:
    own = ~operands.constants
    return np.asarray(own[:, None] & (~own & np.isin(operands.values, list(constants)))[None, :])


def exact_value(article: ReadArticle, pair: int) -> Fraction:
    """What a row of `pairs_of(article)` gives, without the error of float64."""
    pairs, exact = pairs_of(article), operands_of(article).exact
    operator = pairs.tried[pairs.operators[pair]]
    return Fraction(operator.execute(exact[pairs.left[pair]], exact[pairs.right[pair]]))


def pair_priors(article: ReadArticle, rows: IntArray) -> FloatArray:
    """Log-odds-like priors of rows of `pairs_of(article)`, float64 [m]."""
    operands, pairs = operands_of(article), pairs_of(article)
    left, right = pairs.left[rows], pairs.right[rows]
    apart = np.abs(operands.sentences[left] - operands.sentences[right])
    facts = _facts(operands, left, right)
    same = operands.kinds[left] == operands.kinds[right]
    prior = np.full(len(rows), -6.5)
    prior += 1.0 * same - 0.3 * np.minimum(apart, 5) * ~facts.constant
    for operator, how in searched().items():
        prior += pairs.by(operator, rows) * how.bonus(facts)
    prior -= 2.0 * facts.dateline * (facts.years < 2)
    return np.asarray(np.where(_centuries(operands, right, facts), -2.5, prior))


def _facts(operands: Operands, left: IntArray, right: IntArray) -> PairFacts:
    return PairFacts(
        constant=operands.constants[right] | operands.constants[left],
        years=operands.years[left].astype(np.int64) + operands.years[right],
        counts=operands.counts[left] & operands.counts[right],
        dateline=operands.dateline[left] | operands.dateline[right],
    )


def _centuries(operands: Operands, right: IntArray, facts: PairFacts) -> BoolArray:
    return np.asarray(operands.constants[right] & (facts.years == 1) & (operands.values[right] >= 1900))


def blank_way_prior(numeral: Numeral, place: Slot, way: str) -> float:
    """Log-odds-like prior of a way from one numeral into a blank."""
    prior = WAY_PRIORS[way] - 1.5 * (way == "round")
    if way in {"copy", "trans"}:
        money = place.money and numeral.kind is not NumeralKind.MONEY
        prior -= 3.0 * (numeral.factor != place.factor) + 2.0 * money
        prior -= 2.0 * (place.percent != (numeral.kind is NumeralKind.PERCENT))
        prior -= 1.0 * (looks_like_year(numeral) and bool(place.span or place.age or place.money))
    return prior


def blank_priors(article: ReadArticle, place: Slot) -> FloatArray:
    """Log-odds-like priors of all rows of `pairs_of(article)` for a blank, float64 [p]; -inf where none."""
    operands, pairs = operands_of(article), pairs_of(article)
    left, right, values = pairs.left, pairs.right, pairs.values
    apart = np.abs(operands.sentences[left] - operands.sentences[right])
    facts = _facts(operands, left, right)
    constant, years, dateline = facts.constant, facts.years, facts.dateline
    whole = values == np.floor(values)
    # Sums and differences, differences alone, products: of what is proposed for blanks.
    offered = np.array([how.blanks for how in searched().values()])[pairs.operators]
    fixed = np.array([not operator.any_order for operator in pairs.tried])[pairs.operators]
    scales = pairs.scalings[pairs.operators]
    summed, subtract = offered & ~scales, offered & ~scales & fixed
    multiply, prior = offered & scales, np.full(len(left), -np.inf)
    if place.apostrophe:
        return np.where(_centuries(operands, right, facts) & (values < 100), -2.0, prior)
    timed = place.span in {"year", "century"} or place.age or place.ordinal
    since = subtract & (years == 2) & (values <= 1000)
    prior[since] = (-3.0 if timed else -6.0) + 1.5 * dateline[since]
    if place.letter:
        both = operands.factors[left] == operands.factors[right]
        same = both & (operands.factors[left] == float(place.factor)) & ~constant
        plain = ~pairs.scaled & (values >= 500) & (years == 0) & (summed | multiply & ~constant)
        keep = (same & summed) | (plain & (place.letter == "K"))
        prior[keep & ~dateline] = -5.0 - 0.5 * apart[keep & ~dateline]
        return prior
    alike = operands.kinds[left] == operands.kinds[right]
    small = whole | (operands.decimals[left] + operands.decimals[right] > 0)
    both = ~constant & ~dateline & (years == 0) & summed & small
    added = facts.counts & summed & ~subtract
    prior[both] = (-5.8 + 0.7 * alike + 0.9 * added - 0.4 * np.minimum(apart, 6))[both]
    step = constant & (operands.values[right] <= 2) & summed & ~dateline & (years == 0) & whole
    others = place.after in OTHERS or place.after == "more"
    prior[step] = (-5.4 - 0.7 * operands.values[right] + 2.0 * (subtract & others) - 0.5 * subtract)[step]
    later = (years == 1) & summed & (values >= 1800) & (values <= 2100) & whole
    if not (timed or place.money or place.percent):
        prior[later] = (-5.5 - 0.3 * apart * ~dateline * ~constant - 1.0 * (constant & subtract))[later]
    return prior
