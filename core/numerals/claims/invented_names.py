"""Names of a headline that its article lacks."""

import re
from functools import lru_cache
from typing import Final

from core.numerals.claims.words import OWNER, TABLES, article_words, words_of
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.gazetteer import place_rows, with_parents
from core.text.german_nouns import is_common_noun

LONGEST_PREFIX = 5  # words that begin with so many letters alike are forms of one word
_OF_A_COUNTRY: Final = re.compile(TABLES["signs"]["of_a_country"])
_SHORT: Final = 3  # capitals of an abbreviation that an article may have in full


def invented_in(headline: str, article: ReadArticle) -> tuple[str, ...]:
    """Names of a headline that the article has in no form: words with a capital that not most words have.

    Of a headline in capitals only places can be told; a place around those of the article is none.
    """
    words = [word for word in words_of(headline, article.language) if word.content]
    if not words or not article.sentences:
        return ()
    german = article.language == "de"
    names = [word for word in words if word.text[0].isupper() and not (german and is_common_noun(word.text))]
    known = article_words(article)
    reach = LONGEST_PREFIX - german  # Hessen, hessisch
    beginnings = {form[:reach] for form in known.forms}
    lacking = (w for w in names if w.form not in known.forms and w.form[:reach] not in beginnings)
    longer = (word for word in lacking if not (word.text.isupper() and len(word.text) <= _SHORT))
    places = {word: _places(word.text) for word in longer}
    new = [word for word, here in places.items() if here or not _OF_A_COUNTRY.search(word.text)]
    if len(names) > len(words) / 2:
        named = set(place_rows([headline])[0]) if new else set()
        new = [word for word in new if places[word] & named]
    else:  # nor what begins a headline, or in German stands behind a colon or a dash
        before = {word: headline[: word.start].rstrip()[-1:] for word in new}
        new = [word for word in new if before[word] and not (german and before[word] in ":-")]
    around = _around(article) if any(places[word] for word in new) else frozenset()
    return tuple(word.text for word in new if not places[word] & around)


@lru_cache(maxsize=AT_ONCE * 8)
def _places(name: str) -> frozenset[int]:
    return frozenset(place_rows([f"in {OWNER.sub('', name)}"])[0])


@lru_cache(maxsize=AT_ONCE)
def _around(article: ReadArticle) -> frozenset[int]:
    """The places that an article names, and what they lie in or near."""
    texts = [article.text[slice(*sentence)] for sentence in article.sentences]
    return frozenset(with_parents(place for places in place_rows(texts) for place in places))
