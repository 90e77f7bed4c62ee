"""Headlines that an article says itself, word for word: a sentence of it, or one cut at a clause."""

import re
from functools import lru_cache
from typing import Final

from core.numerals.claims.words import TABLES, expressions
from core.numerals.question import AT_ONCE, ReadArticle

_WORD: Final = re.compile(r"[^\W_]+(?:[.,:'’/-][^\W_]+)*|[%$€£¥₽°]")
_CUT: Final = re.compile(r"[.!?,;:–—()\[\]\"“”„«»…\n]|(?:^|\s)-\s")  # what may stand where a sentence is cut
_CUT_BEFORE, _CHANGES, _TAKEN_BACK = (
    expressions(TABLES[name]) for name in ("cut_before", "changes_what_is_said", "taken_back")
)
_FEWEST: Final = 3  # words of a quotation
_SHORT: Final = 14  # words of a sentence that takes back the one before


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
