"""Names in headlines, told by their capitals.

In Title Case capitals say nothing: names are learnt from the sentence-case headlines of the timeline. In
German, what is in a list of common nouns, or is made of such, is no name.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from core.text.german_nouns import is_common_noun
from core.text.numerals.languages import language_of
from core.text.reading import reads
from core.text.tokens import REMEMBERED, Token, content, fold, guess_language, tokenize, word_list

_SENTENCE_CASE_SHARE = 0.5
_FEW_WORDS = 4
_OFTEN = 3  # times that a name has a capital for each time that it has none, at least
_CALENDAR = frozenset(
    fold(word)
    for word in word_list(
        """monday tuesday wednesday thursday friday saturday sunday january february march april june july
        august september october november december mr mrs ms dr"""
    )
)
_LABELS = frozenset(map(fold, word_list("live video watch update breaking exclusive photos gallery new")))
_RESTARTS = frozenset('.:;!?|–—"“«([')
_OPENING = frozenset("'‘\"“«")


def learn_names(texts: Iterable[str]) -> frozenset[str]:
    """Names of a timeline, by form: acronyms, and what mostly has a capital inside sentence-case ones."""
    capital, small = _cased(texts)
    return frozenset(f for f, n in capital.items() if n > small[f] and f not in _CALENDAR | _LABELS)


def learn_common_words(texts: Iterable[str]) -> frozenset[str]:
    """Words of a timeline, by form, that inside sentence-case headlines often have small letters."""
    capital, small = _cased(texts)
    return frozenset(form for form, times in small.items() if _OFTEN * times >= capital[form])


def _cased(texts: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for text in texts:
        large, little = _casing(text)
        capital.update(large)
        small.update(little)
    return capital, small


@reads("names", lambda text: ((), ()))
@lru_cache(maxsize=REMEMBERED)
def _casing(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tokens = tokenize(text)
    acronyms = [token.form for token in tokens if token.acronym and not (token.stop or token.number)]
    if not is_sentence_case(text):
        return tuple(acronyms), ()
    nouns = _german_nouns(text)
    words = [token for token in tokens if not (token.stop or token.number or token.acronym)]
    capitals = [word for word in words if word.text[0].isupper() and word not in nouns]
    small = tuple(word.form for word in words if word not in capitals)
    return (*acronyms, *(word.form for word in capitals if not begins_sentence(text, word))), small


@reads("names", lambda text: ())
def find_names(text: str, *, known: Collection[str] = frozenset()) -> tuple[Token, ...]:
    """The words of a headline that look like names, in order; () where there are none."""
    return tuple(token for token, sure in _candidates(text) if sure or token.form in known)


@lru_cache(maxsize=REMEMBERED)
def _candidates(text: str) -> tuple[tuple[Token, bool], ...]:
    tokens = tokenize(text)
    sentence_case = is_sentence_case(text)
    nouns = _german_nouns(text)
    candidates: list[tuple[Token, bool]] = []
    for token in content(tokens):
        if token.number or token.form in _CALENDAR or token.form in _LABELS:
            continue
        capital = token.text[0].isupper()
        mixed = any(c.isupper() for c in token.text[1:]) and not token.text.isupper()  # iPhone, McDonald
        sure = token.acronym or mixed or (sentence_case and capital and not begins_sentence(text, token))
        sure = sure and token not in nouns  # "Oran" may be one that headlines of other languages name
        if sure or capital:
            candidates.append((token, sure))
    return tuple(candidates)


@lru_cache(maxsize=REMEMBERED)
def _german_nouns(text: str) -> frozenset[Token]:
    capitals = [
        each for each in tokenize(text) if each.text[0].isupper() and not (each.acronym or each.number)
    ]
    nouns = frozenset(token for token in capitals if is_common_noun(token.text))
    # Few words have to be looked up for English headlines: "Band", "Winter".
    return nouns if nouns and language_of(text) == "de" else frozenset()


@lru_cache(maxsize=REMEMBERED)
def is_sentence_case(text: str) -> bool:
    tokens = tokenize(text)
    words = [t for t in tokens[1:] if not (t.stop or t.number or t.acronym)]
    inside = [t for t in words if not (t.form in _CALENDAR or begins_sentence(text, t))]
    if not inside or not any(c.islower() for c in text):
        return False
    if guess_language(t.text for t in tokens) != "en":
        # Russian and Italian headlines are not written in Title Case, unless every word has a capital.
        return len(tokens) < _FEW_WORDS or not all(t.text[0].isupper() or t.number for t in tokens)
    share = sum(t.text[0].isupper() for t in inside) / len(inside)
    return share <= _SENTENCE_CASE_SHARE or language_of(text) == "de"


def begins_sentence(text: str, token: Token) -> bool:
    end = _back_over_space(text, token.start)
    if not any(map(str.isalnum, text[:end])):
        return True
    if text[end - 1] in "'‘" and (end == 1 or text[end - 2].isspace()):
        return True
    return _restarts(text, end) or (
        text[end - 1] in _OPENING and _restarts(text, _back_over_space(text, end - 1))
    )


def _restarts(text: str, end: int) -> bool:
    sign = text[end - 1 : end]
    return sign in _RESTARTS or (sign == "-" and text[end - 2 : end - 1].isspace())


def _back_over_space(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


class Initials:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._words = [t for t in tokens if not t.number and not t.acronym and not t.stop]
        self._letters = "".join(t.text[0].casefold()[:1] for t in self._words)

    def spelling(self, acronym: Token) -> tuple[Token, ...]:
        """The words whose initials spell an acronym ("ISS": International Space Station), or ()."""
        letters = acronym.text.replace(".", "").casefold()
        if not acronym.acronym or len(letters) < 3 or not letters.isalpha():
            return ()
        at = self._letters.find(letters)
        return tuple(self._words[at : at + len(letters)]) if at >= 0 else ()
