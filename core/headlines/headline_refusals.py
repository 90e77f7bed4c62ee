"""Why a written headline is not shown: what its article does not say, or not so, and what is no sentence."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from core.files import read_tables
from core.headlines.compression import FEWEST_WORDS, core_of, rules_of
from core.numerals.checked_headline import PASSING, CheckedHeadline
from core.numerals.claims.fates import OF_PEOPLE, clauses_of_nobody, plain_text
from core.numerals.claims.words import Word, article_words, words_of
from core.text.numerals.numeral import Numeral, NumeralKind
from core.text.stems import stemmer
from core.text.tokens import NEGATIONS

NEWS: Final = 2  # sentences of an article, from its first on, that may tell the news
NEXT_NUMBER: Final = 14  # characters between two parts of one duration: "four years and eight months"
BEFORE: Final = 30  # characters before a number in which the word that joins it stands
REACH: Final = 4  # words before a word in which the one that joins it stands
_TABLES: Final[dict[str, dict[str, Any]]] = read_tables(__file__)
NEUTRAL, STEPS = (
    {language: frozenset(words.split()) for language, words in _TABLES[name].items()}
    for name in ("headline_words", "steps")
)
IRREGULAR: Final = {
    language: dict(pair.split(":") for pair in pairs.split())
    for language, pairs in _TABLES["irregular"].items()
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_BEHIND: Final = re.compile(r"\s*[^\W\d]+(?:[-\s]+[^\W\d]+){0,2}")
_ON: Final = r"\s+(?:an?|the|about|nearly|almost|some|just)?\s*\W?$"  # what stands behind such a word
_JOINS: Final = re.compile(r"\b(?:after|before|while|amid|as)\b", re.IGNORECASE)


def refusal(check: CheckedHeadline) -> str:
    """Why a checked headline is not to be shown, a sentence; "" where it passes every check."""
    if check.light not in PASSING:
        return check.reason
    tests = (_mangled, _unattested, _loose_numbers, _other_steps)
    return next((why for test in tests for why in test(check)), "")


def _mangled(check: CheckedHeadline) -> Iterator[str]:
    words, rules = check.headline.lower().split(), rules_of(check.article.language)
    forms = Counter(word.form for word in words_of(check.headline, check.article.language) if word.content)
    said = Counter(word.form for sentence in article_words(check.article).sentences[:1] for word in sentence)
    twice = [form for form, count in forms.items() if count > max(1, said[form])]
    dangling = rules.dangling - {"the", "a", "an"} if rules else frozenset()
    if len(words) < FEWEST_WORDS:
        yield "It is too short to say what happened."
    elif twice or any(first == second for first, second in pairwise(words)):
        yield "It repeats a word."
    elif {words[0], words[-1].strip(".,;:")} & dangling or len(_JOINS.findall(check.headline)) > 1:
        yield "It is no whole sentence."


def _unattested(check: CheckedHeadline) -> Iterator[str]:
    """What neither sentence of the news says in its words, in their order and with its verb."""
    article, known = check.article, article_words(check.article)
    numerals = [each.numeral for each in check.numerals]
    words = [word for word in words_of(check.headline, article.language) if word.content]
    words = [word for word in words if word.text.lower() not in NEUTRAL.get(article.language, ())]
    told = [word for word in words if not any(n.start <= word.start < n.end for n in numerals)]
    news = zip(known.sentences[:NEWS], article.sentences[:NEWS], strict=True)
    reasons = [_otherwise(told, sentence, article.text[slice(*span)], check) for sentence, span in news]
    if reasons and all(reasons):
        yield reasons[0]
    said = frozenset(fate for word in told for fate in word.predicates) & OF_PEOPLE
    nobody = clauses_of_nobody(article, said, denied=True) if said else ()
    yield from (f"The article says “{plain_text(article.text, clause)}”." for clause in nobody)


def _otherwise(told: Sequence[Word], sentence: Sequence[Word], text: str, check: CheckedHeadline) -> str:
    """Why a sentence of the article does not say what a headline does; "" where it does."""
    language = check.article.language
    stems = [_stem(word.text, language) for word in sentence]
    own = [_stem(word.text, language) for word in told]
    missing = next((word.text for word, form in zip(told, own, strict=True) if form not in stems), "")
    if missing:
        return f"Its first sentences do not say “{missing}”."
    rest = iter(stems)
    if not all(form in rest for form in own):
        return "The article says it in another order."
    left = next((word for word in core_of(text, language) if _stem(word, language) not in own), "")
    if left:
        return f"It leaves out “{left}”."
    denied = _denies(text) and not _denies(check.headline)
    return "The article denies it, or something next to it." if denied else ""


def _stem(word: str, language: str) -> str:
    small, stem = _POSSESSIVE.sub("", word.lower()), stemmer(language)
    small = IRREGULAR.get(language, {}).get(small, small)
    return stem(small) if stem else small


def _denies(text: str) -> bool:
    return any(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in _WORD.findall(text.lower()))


def _loose_numbers(check: CheckedHeadline) -> Iterator[str]:
    """Numbers without what they count or are measured in, of another kind, or not of the news."""
    article, values = check.article, {each.numeral.value for each in check.numerals}
    for number in (each.numeral for each in check.numerals):
        rows = [row for row, n in enumerate(article.numerals) if n.value == number.value]
        given = [article.numerals[row] for row in rows if article.numerals[row].kind is number.kind]
        if not given:
            yield f"The article has no “{number.text}” of this kind."
        elif all(article.places[row] >= NEWS for row in rows):
            yield f"“{number.text}” is not the news."
        elif number.kind is NumeralKind.DURATION and all(_goes_on(n, check, values) for n in given):
            yield f"“{number.text}” is a part of the article's time."
        elif not number.unit and all(n.unit for n in given):
            yield f"“{number.text}” lacks its unit."
        elif number.kind is NumeralKind.COUNT and not any(_counts_alike(number, n, check) for n in given):
            yield f"It does not say what “{number.text}” counts."


def _goes_on(number: Numeral, check: CheckedHeadline, shown: Collection[object]) -> bool:
    """Whether another part of the same duration stands behind it that the headline leaves out."""
    near = (n for n in check.article.numerals if number.end < n.start <= number.end + NEXT_NUMBER)
    return any(n.kind is NumeralKind.DURATION and n.value not in shown for n in near)


def _counts_alike(number: Numeral, given: Numeral, check: CheckedHeadline) -> bool:
    """Whether what stands behind the article's number stands behind the headline's, or it tells a fate."""
    headline, language = check.headline, check.article.language
    theirs, behind = _BEHIND.match(check.article.text, given.end), _BEHIND.match(headline, number.end)
    words = words_of(behind[0], language)[:2] if behind else ()
    forms = {word.form for word in words_of(theirs[0], language) if word.content} if theirs else set()
    near = (*words_of(headline[: number.start], language)[-2:], *words)
    return any(word.form in forms for word in words) or any(word.predicates & OF_PEOPLE for word in near)


def _other_steps(check: CheckedHeadline) -> Iterator[str]:
    """Words such as "by" and "to" that do not stand before the same number or word in the article."""
    headline, article = check.headline, check.article
    for number in (each.numeral for each in check.numerals):
        same, step = (n for n in article.numerals if n.value == number.value), _step(check, headline, number)
        theirs = {_step(check, article.text, n) for n in same}
        if theirs and step not in theirs:
            yield f"The article does not say “{f'{step} {number.text}'.strip()}”."
    steps, small = STEPS.get(article.language, frozenset()), _WORD.findall(article.text.lower())
    stems = [_stem(word, article.language) for word in small]
    for step, word in pairwise(_WORD.findall(headline.lower())):
        places = (k for k, form in enumerate(stems) if form == _stem(word, article.language))
        if step in steps and not any(step in small[max(0, k - REACH) : k] for k in places):
            yield f"The article does not say “{step} {word}”."


def _step(check: CheckedHeadline, text: str, number: Numeral) -> str:
    listed = "|".join(sorted(STEPS.get(check.article.language, ()))) or r"(?!)"
    before = text[max(0, number.start - BEFORE) : number.start].lower()
    found = re.search(rf"\b({listed}){_ON}", before)
    return found[1] if found else ""
