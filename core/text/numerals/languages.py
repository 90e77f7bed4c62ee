"""Which language a text is in, as far as its numerals need it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from core.text.language import MIXED, NAMES, guess
from core.text.numerals.language_tables import LANGUAGES, WORDS, words
from core.text.reading import reads
from core.text.tokens import REMEMBERED, STOP_WORDS

LANGUAGE_NAMES: Final = "English, French, German, Italian, Portuguese, Russian and Spanish"
_SAMPLE: Final = 1_000
_GERMAN_FRENCH: Final = ("de", "fr")
_OWN_WORDS: Final = {
    code: frozenset(word for word in STOP_WORDS[code] if len(word) > 1)
    - WORDS["unsure"]
    - frozenset().union(*(STOP_WORDS[other] for other in ("en", "it", "de", "fr") if other != code))
    | {"on"}.intersection(STOP_WORDS[code] if code == "en" else ())
    for code in ("en", "it", "de", "fr")
}
"""Function words of one language alone."""
_MARKS: Final = re.compile("[äöüßàâçéèêëîïôœùûÄÖÜÀÂÇÉÈÊËÎÏÔŒÙÛ]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ROMANCE: Final = words("as no do me so on an i a")  # that Spanish and Portuguese have, too
_SHARED: Final = {"gl": words("um")}
"""German function words that another language has, too."""
_LEAST_PROBABILITY: Final = 0.5
_LETTERS_OF_A_WORD: Final = 3
_FEWEST_WORDS: Final = 3
_FEWEST_OWN: Final = 2
_LONG_TEXT: Final = 40
_FUNCTION_WORD_SHARE: Final = 0.08
"""Share of a long text's words that are function words; a text of a language that is read has more."""
_NAMES: Final = {
    **{code: name for code, name in NAMES.items() if code not in {*LANGUAGES, MIXED, "th"}},
    **{"be": "Belarusian", "gl": "Galician", "mk": "Macedonian"},
}
_OTHER_CYRILLIC: Final = re.compile(r"[іїєґўјљњћђќѓѕџ]|(?<=\w)ъ(?![еёюя])")
"""Letters that Russian lacks, and the Bulgarian vowel; the Russian ъ stands before four vowels only."""
_RUSSIAN_LETTERS: Final = re.compile("[ыэё]|ь(?!о)")
"""Letters of Russian that Bulgarian, Macedonian and Serbian lack, and Ukrainian in part."""
_OTHER_SLAVIC: Final = WORDS["other_slavic"]
_OTHER_CYRILLIC_SHARE: Final = 0.1  # share of words with letters that Russian lacks; foreign names make fewer
_IBERIAN: Final = {
    "es": (WORDS["spanish"], re.compile("[ñáíóú¿¡]")),
    "pt": (WORDS["portuguese"], re.compile("[ãõçáíóúâê]")),
}
"""Words of headlines in Spanish and in Portuguese, and letters that English lacks."""
# English or Italian
_ITALIAN: Final = STOP_WORDS["it"] - STOP_WORDS["en"]
_ENGLISH: Final = STOP_WORDS["en"] - STOP_WORDS["it"]
_VOWELS: Final = "aeiouàèéìòù"
_VOWEL_ENDINGS: Final = 0.6  # share of words that end so: in Italian nearly always more, in English less
_EDGES: Final = " .,;:!?()[]«»\"'“”‘’"


@reads("language", lambda text: "en")
@lru_cache(maxsize=REMEMBERED)
def language_of(text: str, *, doubtful: str = "en") -> str:
    """The language of a text among `LANGUAGES`, by script and function words, else by the language model."""
    sample = text[:_SAMPLE]
    tokens = _WORD.findall(sample)
    letters = [word.casefold() for word in tokens if not word.isupper()] or list(map(str.casefold, tokens))
    if _is_cyrillic(letters):
        return "ru"
    counts = _own_words(letters)
    if code := _iberian(sample, letters, counts, doubtful):
        return code
    best = max(_GERMAN_FRENCH, key=lambda code: counts[code])
    if counts[best] > max(1, counts["en"], counts["it"]):
        return best
    if not counts["en"] or counts["en"] < counts[best]:
        # A headline in English Title Case has no word in small letters that is no function word.
        small = any(word.islower() and len(word) >= _LETTERS_OF_A_WORD for word in tokens)
        if counts[best] or small or _MARKS.search(sample):
            code, share = _guess(sample)
            if code in _GERMAN_FRENCH and share > _LEAST_PROBABILITY:
                return code
        if doubtful in _GERMAN_FRENCH and counts[doubtful] >= max(counts.values()):
            return doubtful
    return _english_or_italian(sample, doubtful)


def _iberian(text: str, letters: Sequence[str], counts: Mapping[str, int], doubtful: str) -> str:
    """Which of Spanish and Portuguese a text is in; "" for neither."""
    own = {code: sum(word in listed for word in letters) for code, (listed, _) in _IBERIAN.items()}
    if doubtful in own and (own[doubtful] >= max(counts.values()) or _guess(text)[0] in own):
        return doubtful
    marked = (code for code, (_, marks) in _IBERIAN.items() if own[code] > counts["en"] or marks.search(text))
    return next((code for code in marked if len(letters) >= _FEWEST_WORDS and _guess(text)[0] == code), "")


def _is_cyrillic(letters: Sequence[str]) -> bool:
    return 2 * sum("\u0400" <= word[0] <= "\u04ff" for word in letters) > len(letters)


def _own_words(letters: Sequence[str]) -> dict[str, int]:
    return {code: sum(word in own for word in letters) for code, own in _OWN_WORDS.items()}


def _english_or_italian(text: str, doubtful: str) -> str:
    tokens = [word.strip(_EDGES).casefold() for word in text.split() if not word.isupper()]
    letters = [word for word in tokens if word[:1].isalpha()]
    italian = sum(word in _ITALIAN for word in letters)
    english = sum(word in _ENGLISH for word in letters)
    long = [word for word in letters if len(word) > 1]
    open_share = sum(word[-1] in _VOWELS for word in long) / len(long) if long else 0.0
    if italian > english and open_share > _VOWEL_ENDINGS:
        return "it"
    return "it" if not english and doubtful == "it" else "en"


@reads("language", lambda text: "")
@lru_cache(maxsize=1_024)
def unread_language(text: str) -> str:
    """The English name of a language whose numerals are not read ("Spanish"); "" for any other text."""
    sample = text[:_SAMPLE]
    tokens = _WORD.findall(sample)
    letters = [word.casefold() for word in tokens]
    if _is_cyrillic(letters):
        return _unread_cyrillic(sample, letters)
    code, share = _guess(sample)
    if len(letters) < _FEWEST_WORDS or code in LANGUAGES or not code:
        return ""
    counts = _own_words(letters)
    own = counts["de"] + sum(word in _ENGLISH - _ROMANCE for word in letters)
    foreign = share > _LEAST_PROBABILITY or own < _FUNCTION_WORD_SHARE * len(letters)
    if len(letters) < _LONG_TEXT:
        own -= sum(word in _SHARED.get(code, ()) for word in letters)
        titled = sample.isascii() and not any(
            word.islower() and len(word) >= _LETTERS_OF_A_WORD for word in tokens
        )
        foreign = code in _NAMES and not own and share > _LEAST_PROBABILITY and not titled
    return _NAMES.get(code, f"a language ({code})") if foreign else ""


def _unread_cyrillic(text: str, letters: Sequence[str]) -> str:
    code, share = _guess(text)
    other = sum(bool(_OTHER_CYRILLIC.search(word)) for word in letters)
    own = sum(bool(_RUSSIAN_LETTERS.search(word)) for word in letters)
    spoken = other + sum(word in _OTHER_SLAVIC for word in letters if not _OTHER_CYRILLIC.search(word))
    foreign = code not in LANGUAGES and share > _LEAST_PROBABILITY
    if code == "ru" and own > other:
        return ""
    many = max(1, _OTHER_CYRILLIC_SHARE * len(letters))
    if other >= many or (spoken >= many and not own) or (foreign and spoken >= own):
        return _NAMES.get(code, "another language in Cyrillic letters")
    return ""


def unread_headlines(
    texts: Sequence[str], languages: Sequence[str | None], rows: Iterable[int]
) -> dict[int, str]:
    """The headlines among some of a timeline whose facts are not read, each with its language in English."""
    names = {row: unread_language(texts[row]) for row in rows if languages[row] not in LANGUAGES}
    return {row: name for row, name in names.items() if name}


@reads("language", lambda text: False)
def is_of_doubtful_language(text: str) -> bool:
    """Whether neither model nor function words take a text of three words or more for one of `LANGUAGES`."""
    sample = text[:_SAMPLE]
    letters = [word.casefold() for word in _WORD.findall(sample)]
    if len(letters) < _FEWEST_WORDS or _guess(sample)[0] in LANGUAGES:
        return False
    own = sum(word in STOP_WORDS[code] for word in letters for code in ("en", "de", "ru"))
    return own < max(_FEWEST_OWN, _FUNCTION_WORD_SHARE * len(letters))


def _guess(text: str) -> tuple[str, float]:
    return guess(text) or ("", 0.0)
