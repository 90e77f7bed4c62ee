"""Words of a headline with their places in it, and the light normal form that they are compared by.

The form is for comparing and marking headlines only: a fold of endings lets "returns" and "returned" meet.
It knows no dictionary, and errs ("units", "united"; "died", "dies").
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.files import read_tables
from core.text.reading import reads

REMEMBERED: Final = 8_192  # headlines whose reading is kept: a stream reads its window at each regrouping
_LETTERS = r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*"
_REST = r"(?:[^\W_]+|[\u0300-\u036f]+)*"
_WORD = re.compile(
    rf"""
    (?P<number>(?:(?:(?:US|HK|NZ|[ACS])?\$|[€£¥₹₽])\ ?)?(?<![^\W_])\d+(?:[.,]\d+)*
        (?:[ \u00a0\u202f]?[%€₽]|(?:{_LETTERS})?))
    | (?P<dotted>(?<!\w)(?:[^\W\d_]\.){{2,}}(?:[^\W\d_](?!\w))?)
    | (?P<elided>(?<!\w)(?:[LlCcSsMmTtVv]|d|[Uu]n|[Dd]ell|[Aa]ll|[Dd]all|[Nn]ell|[Ss]ull|[Qq]uell
        |[Qq]uest|[Cc]om|[Dd]ov|[Tt]utt|[Nn]essun|[Aa]nch|[Ss]enz)['’](?=[aeiouhàèéìòùAEIOUHÀÈÉÌÒÙ]))
    | (?P<ampersand>(?<!\w)[A-Z]{{1,3}}&[A-Z]{{1,2}}(?!\w))
    | (?P<word>[^\W\d_]{_REST}(?:['’ʼ]{_LETTERS})*(?:-\d+(?![^\W_]))?|\d+)
    """,
    re.VERBOSE,
)
_SINGLE_LETTER_COMPOUND = re.compile(r"-(?=[^\W\d_]{2})")
_SHORT = frozenset({"am", "pm", "ie", "eg", "те", "тд", "тп"})
_CONTRACTION = re.compile(r"'(?:s|m|re|ll|ve|d)$")


def word_list(text: str) -> tuple[str, ...]:
    """The words of a list that is written as one string, separated by white space."""
    return tuple(text.split())


STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    language: frozenset(word_list(listed)) for language, listed in read_tables(__file__, "stop_words").items()
}
"""Function words of each language, case-folded, ё written as е; our own lists."""
NEGATIONS = frozenset(word_list("not no never nor cannot without нет не ни без никогда non mai nessun senza"))
"""Words that turn a sentence round; those in n't come on top."""


@dataclass(frozen=True, slots=True)
class Token:
    text: str  # as it stands; `headline[start:end]`
    start: int  # where it begins, in characters from 0
    end: int  # where it ends, exclusive
    form: str  # light normal form, for matching only
    stop: bool  # it is a function word and carries no content
    acronym: bool  # it is written in capitals in a headline that is not all capitals, or with dots
    number: bool  # it begins with a digit or a currency sign

    @property
    def bare_end(self) -> int:
        """Where it ends without a possessive 's."""
        return self.end - 2 if self.text[-2:].casefold() in ("'s", "’s") else self.end


@reads("words", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def tokenize(text: str, *, language: str | None = None) -> tuple[Token, ...]:
    """The words of a headline, in order, without punctuation.

    Compounds are split at the hyphen, but before digits ("COVID-19") and after one letter ("e-mail"), Italian
    elisions after the apostrophe. A language outside of `STOP_WORDS` is guessed among "en", "ru" and "it".
    """
    matches = list(_matches(text))
    if language not in STOP_WORDS:
        language = guess_language(text[a:b] for a, b, _ in matches)
    shouting = len(matches) > 1 and not any(c.islower() for c in text)
    return tuple(
        Token(text[start:end], start, end, *_facts(text[start:end], kind, language, shouting))
        for start, end, kind in matches
    )


@reads("words", lambda text: [])
def words(text: str) -> list[str]:
    """The words of a text of any length in lower case, as `tokenize` cuts them, and much quicker."""
    return [text[start:end].casefold() for start, end, _ in _matches(text)]


def content(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens that are not function words; numbers are among them."""
    return tuple(token for token in tokens if not token.stop)


def guess_language(words: Iterable[str]) -> str:
    """A quick guess for choosing word lists: "ru" where Cyrillic prevails, else "it", or "en" if even."""
    return _guessed(tuple(words))


@lru_cache(maxsize=REMEMBERED)
def _guessed(words: tuple[str, ...]) -> str:
    plain = [_plain(word).removesuffix("'") for word in words]
    cyrillic = sum(1 for word in plain if "а" <= word[:1] <= "я")
    if cyrillic * 2 > len(plain):
        return "ru"
    english, italian = STOP_WORDS["en"], STOP_WORDS["it"]
    score = sum((word in italian) - (word in english) for word in plain)
    return "it" if score > 0 else "en"


def _matches(text: str) -> Iterable[tuple[int, int, str]]:
    position = 0
    while match := _WORD.search(text, position):
        start, end, kind = match.start(), match.end(), match.lastgroup or "word"
        if kind == "word" and end - start == 1 and (_SINGLE_LETTER_COMPOUND.match(text, end)):
            follower = _WORD.match(text, end + 1)
            if follower and follower.lastgroup == "word":
                end = follower.end()
        position = end
        yield start, end, kind


@lru_cache(maxsize=65_536)
def _facts(surface: str, kind: str, language: str, shouting: bool) -> tuple[str, bool, bool, bool]:
    plain, stops = _plain(surface), STOP_WORDS[language]
    if kind == "number":
        return plain, False, False, True
    if kind == "elided":
        return plain, True, False, False
    bare = surface[:-2] if plain.endswith("'s") else surface
    capitals = len(bare) > 1 and bare.isupper() and not shouting
    if kind == "dotted":
        plain = plain.replace(".", "")
        if plain in _SHORT:
            return plain, True, False, False
        capitals = True
    if capitals and plain in ("us", "usa"):
        return "usa", False, True, False
    base = _CONTRACTION.sub("", plain) if "'" in plain else plain
    stop = not capitals and (plain in stops or base in stops or plain.endswith("n't"))
    return fold(plain), stop, capitals, False


@lru_cache(maxsize=65_536)
def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFC", word).casefold()
    return folded.replace("ё", "е").replace("’", "'").replace("ʼ", "'")


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """The light normal form of one word: case, ё, possessive and the commonest endings."""
    plain = _plain(word)
    plain = plain.removesuffix("'s").removesuffix("'")
    if "а" <= plain[:1] <= "я":
        return _fold_cyrillic(plain)
    return _fold_latin(plain) if plain.isalpha() else plain


_CASE_ENDINGS = word_list(
    """ами ями ого его ому ему ыми ими ая яя ое ее ые ие ый ий ой ей ом ем ам ям ах ях ов ев ую юю их ых
    ия ии ию ью"""
)
_VERB_ENDINGS = word_list(
    """ует уют ают яют ает яет али или ели ыли ули ала ила ела ула ало ило ать ять ить еть уть ет ит ют
    ут ат ят ал ил ел ул ла ло ли ть"""
)


def _fold_cyrillic(word: str) -> str:
    for reflexive in ("ся", "сь"):
        if len(word) >= 7:
            word = word.removesuffix(reflexive)
    for endings, least in ((_CASE_ENDINGS, 3), (_VERB_ENDINGS, 4)):
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= least:
                return word[: -len(ending)]
    return word[:-1] if len(word) >= 4 and word[-1] in "аяоеыиуюьй" else word


def _fold_latin(word: str) -> str:
    if len(word) >= 5 and word.endswith(("ies", "ied")):
        word = word[:-3] + "y"
    elif len(word) >= 4 and word[-1] == "s" and not word.endswith(("ss", "us", "is", "news")):
        word = word[:-1]
    elif len(word) >= 5 and word.endswith("ed") and not word.endswith("eed"):
        word = word[:-2]
    elif len(word) >= 6 and word.endswith("ing") and re.search("[aeiouy]", word[:-3]):
        word = word[:-3]
    if len(word) >= 4 and (word[-1] == "e" or (len(word) >= 5 and word[-1] in "aio")):
        word = word[:-1]
        if len(word) >= 5 and word[-1] == "i":
            word = word[:-1]
    if len(word) >= 4 and word[-1] == word[-2] and word[-1] in "bdglmnprt":
        word = word[:-1]
    return word
