"""Words of a headline with their places in it, and their stems.

The light normal form is for comparing and marking headlines only: a fold of endings lets "returns" and
"returned" meet. It knows no dictionary, and errs ("units", "united"; "died", "dies").

`german_nouns.txt.gz` has the nouns of Wikidata's lexemes (CC0) that `_is_compound` does not make of shorter
ones, in small letters; surnames that are common nouns as well ("Koch") count as nouns.
"""

import gzip
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

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
_SNOWBALL: Final = {"ru": "russian", "it": "italian", "de": "german", "fr": "french"}
SHORTEST_STEMMED: Final = 4  # letters of the shortest word that is stemmed, as in rouge-score 0.1.2
_ENGLISH = bytes(sign if chr(sign) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for sign in range(256))
_ANY = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]+")
_UNSPACED: Final = (
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Signs of scripts without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Japanese, Chinese."""
SCRIPTS: Final = {
    "unspaced": re.compile(_UNSPACED),
    "uncut": re.compile(f"{_UNSPACED}|[\u0900-\u0dff]"),  # vowel signs of India are no letters: words break
    "not ASCII": re.compile(r"[^\x00-\x7f]"),
}
_ENDINGS: Final = ("e", "n", "en", "er", "ern", "s", "es", "ns", "se", "sen", "nen", "ens")
_UMLAUTS: Final = str.maketrans("äöü", "aou")
_LINKS: Final = ("", "s", "n", "en", "es", "er", "e")
_PEOPLES: Final = frozenset({"bayern", "sachsen", "franken", "schwaben", "hessen", "polen", "schweden"})
"""Places that are called as their people."""
_SHORTEST: Final = 3
_LONGEST: Final = 50


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


@reads("words", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def tokenize(text: str, *, language: str | None = None) -> tuple[Token, ...]:
    """The words of a headline, in order, without punctuation; () for an empty one.

    Compounds are split at the hyphen ("US-Russia"), not before digits ("COVID-19") nor after one letter
    ("e-mail"), Italian elisions after the apostrophe; "U.S." and "$3.2bn" stay whole. The language, one of
    `STOP_WORDS`, picks the function words; any other is guessed among "en", "ru" and "it".
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


def mostly(script: str, text: str) -> bool:
    """Whether more than half of the letters of a text, its marks among them, are of one of `SCRIPTS`."""
    if text.isascii():
        return False
    letters = [sign for sign in text if unicodedata.category(sign)[0] in "LM"]
    return 2 * sum(SCRIPTS[script].match(sign) is not None for sign in letters) > len(letters)


def plain_words(text: str, language: str) -> list[str]:
    """The words of a text in lower case, not stemmed."""
    if language == "en":
        return text.lower().encode("ascii", "replace").translate(_ENGLISH).decode("ascii").split()
    return _ANY.findall(_without_marks(text))


@lru_cache(maxsize=8)
def stemmer(language: str) -> Callable[[str], str] | None:
    """What stems a lower-case word, remembering the last 100,000; None for a language without stems.

    Source: nltk; Porter 1980 for English, as in rouge-score; Snowball (Porter 2001) for de, fr, it and ru.
    """
    made: Any
    if language == "en":
        from nltk.stem.porter import PorterStemmer

        made = PorterStemmer()
    elif language in _SNOWBALL:
        from nltk.stem.snowball import SnowballStemmer

        made = SnowballStemmer(_SNOWBALL[language])
    else:
        return None
    return lru_cache(maxsize=100_000)(made.stem)


def stemmer_name(language: str) -> str:
    """The stemmer of a language in words, "no stems" where there is none."""
    snowball = f"Snowball stems ({language})" if language in _SNOWBALL else "no stems"
    return "Porter stems" if language == "en" else snowball


def _without_marks(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return composed if composed.isascii() else _MARKS.sub("", composed)


_OF_PLACES: Final = word_list("burg berg dorf land heim furt hausen bach feld kirchen stein mund reich ow")
"""Endings of towns and countries: a compound of these that is in no list of nouns is a name."""


@lru_cache(maxsize=65_536)
def is_common_noun(word: str) -> bool:
    """Whether a word is a German common noun, inflected or compound ones among them."""
    small = word.lower()
    if small in _PEOPLES or len(small) > _LONGEST:
        return False
    if not _nouns().isdisjoint(_bases(small)):
        return True
    return not small.endswith(_OF_PLACES) and _is_compound(small)


@cache
def _nouns() -> frozenset[str]:
    file = Path(__file__).with_name("german_nouns.txt.gz")
    return frozenset(gzip.decompress(file.read_bytes()).decode("utf-8").split())


def _bases(word: str) -> Iterator[str]:
    yield word
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST:
            yield base
        if base != word and len(base) >= (_SHORTEST if ending == "e" else _SHORTEST + 1):
            yield _without_umlaut(base)
    if len(word) > _SHORTEST:
        yield _without_umlaut(word)


def _without_umlaut(word: str) -> str:
    at = max(map(word.rfind, "äöü"))
    return word[:at] + word[at:].translate(_UMLAUTS) if at >= 0 else word


def _is_compound(word: str) -> bool:
    head = word[:-_SHORTEST]
    tied = head.endswith("s") and len(head) > _SHORTEST + 1  # "Unglücksbus", but not "Habeck" or "Passau"
    cuts = range(_SHORTEST, len(word) - _SHORTEST + tied)
    return any(_is_head(word[:cut]) and is_common_noun(word[cut:]) for cut in cuts)


def _is_head(part: str) -> bool:
    heads = (part.removesuffix(link) for link in _LINKS)
    return any(len(head) >= _SHORTEST and not _nouns().isdisjoint((head, f"{head}e")) for head in heads)
