"""The verdict on a whole headline, with numbers or without; headlines that an article says itself."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from core.numerals.checked_headline import ClaimVerdict, Fault, Light
from core.numerals.claims import outcomes
from core.numerals.claims.words import TABLES, expressions
from core.numerals.question import AT_ONCE, ReadArticle

_WORD: Final = re.compile(r"[^\W_]+(?:[.,:'’/-][^\W_]+)*|[%$€£¥₽°]")
_CUT: Final = re.compile(r"[.!?,;:–—()\[\]\"“”„«»…\n]|(?:^|\s)-\s")  # what may stand where a sentence is cut
_CUT_BEFORE, _CHANGES, _TAKEN_BACK = (
    expressions(TABLES[name]) for name in ("cut_before", "changes_what_is_said", "taken_back")
)
_FEWEST: Final = 3  # words of a quotation
_SHORT: Final = 14  # words of a sentence that takes back the one before
QUOTED: Final = "The article says it word for word."
_SURE: Final = 0.99  # that a sentence of the article is true of it
_UNSAID: Final = 0.5  # of a headline against which nothing speaks: half of those written are false
NOTHING_AGAINST: Final = "Nothing in the article plainly speaks against it."


def whole_verdict(headline: str, article: ReadArticle) -> ClaimVerdict | None:
    """What the article says to a headline, its numbers aside; None where either holds no word."""
    if not article.sentences or not any(map(str.isalpha, headline)):
        return None
    said = outcomes.ComparedHeadline(headline, article)
    if place := quoted(headline, article):
        return ClaimVerdict(Light.SUPPORTED, None, _SURE, QUOTED, place)
    for rule, (reason, sentence) in against(said):
        false, count = outcomes.WORTH[rule]
        probability = (1 + count - false) / (2 + count)  # of few that were counted none is sure
        return ClaimVerdict(Light.CHECK, Fault.SAID, probability, reason, sentence, rule)
    return ClaimVerdict(Light.FOUND, None, _UNSAID, NOTHING_AGAINST, None)


def against(said: outcomes.ComparedHeadline) -> Iterator[tuple[str, outcomes.Spoken]]:
    """What of the article speaks against what a headline says came about, by the name of the rule."""
    for name in outcomes.AGAINST:
        for mine in said.outcomes(name):
            for rule in outcomes.RULES if not mine.denied else ():
                if found := rule(said, name, mine):
                    yield rule.__name__.replace("_", " "), found


@lru_cache(maxsize=AT_ONCE)
def _words(text: str) -> tuple[tuple[str, int, int], ...]:
    found = ((match[0].casefold().replace("’", "'"), *match.span()) for match in _WORD.finditer(text))
    return tuple(found)


def quoted(headline: str, article: ReadArticle) -> tuple[int, int] | None:
    """Where the article says the headline itself, whatever its last mark, quotes, capitals; None for nowhere.

    A cut sentence counts only if what is left out does not change the rest: no denial, doubt or condition.
    """
    said, words = [word for word, *_ in _words(headline)], _words(article.text)
    size = len(said)
    for at in range(len(words) - size + 1) if size >= _FEWEST else ():
        if words[at][0] == said[0] and all(words[at + k][0] == said[k] for k in range(size)):
            start, end = words[at][1], words[at + size - 1][2]
            if start >= article.dateline and _stands_alone(article, start, end):
                return start, end
    return None


def _stands_alone(article: ReadArticle, start: int, end: int) -> bool:
    text, sentences, language = article.text, article.sentences, article.language
    first = next((begin for begin, last in sentences if start < last), start)
    rows = (k for k, (_, last) in enumerate(sentences) if end <= last)
    last = next(rows, len(sentences) - 1)
    before = text[min(max(first, article.dateline), start) : start].lstrip()
    after = text[end : max(sentences[last][1], end)].lstrip()
    behind = " ".join(text[slice(*place)] for place in sentences[last + 1 : last + 2])
    taken_back = len(behind.split()) <= _SHORT and _TAKEN_BACK[language].search(behind)
    left, right = _WORD.search(before), _WORD.search(after)
    changed = _CHANGES[language].search(before) or (right and _CHANGES[language].search(after))
    if taken_back or changed:
        return False
    starts = not left or _CUT.search(before[len(before.rstrip(' "“„«([-–—,;:')) :])
    return bool(starts and (not right or _CUT.match(after) or _CUT_BEFORE[language].match(after)))
