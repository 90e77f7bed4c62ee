"""The languages whose numerals are read: each is a file of tables next to this module."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from core.errors import InputError
from core.files import read_tables
from core.text.language import MIXED, NAMES, guess
from core.text.numerals.language_tables import WORDS, Language, Phrase, words
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.reading import reads
from core.text.tokens import REMEMBERED, STOP_WORDS

_FOLDER: Final = Path(__file__).parent
TABLES: Final = tuple(sorted(file.stem for file in _FOLDER.glob("??.toml")))
"""Languages whose numbers are read in headlines, so that outlets can be compared."""
_HEADLINES_ONLY: Final = frozenset({"es"})
LANGUAGES: Final = tuple(code for code in TABLES if code not in _HEADLINES_ONLY)
"""Those in which numbers are checked against articles as well."""
LANGUAGE_NAMES: Final = "English, French, German, Italian and Russian"
_SAMPLE: Final = 1_000
_LATER: Final = ("de", "fr")
_UNSURE: Final = WORDS["unsure"]
_OWN_WORDS: Final = {
    code: frozenset(word for word in STOP_WORDS[code] if len(word) > 1)
    - _UNSURE
    - frozenset().union(*(STOP_WORDS[other] for other in ("en", "it", "de", "fr") if other != code))
    | {"on"}.intersection(STOP_WORDS[code] if code == "en" else ())
    for code in ("en", "it", "de", "fr")
}
"""Function words of one language alone."""
_MARKS: Final = re.compile("[äöüßàâçéèêëîïôœùûÄÖÜÀÂÇÉÈÊËÎÏÔŒÙÛ]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ROMANCE: Final = words("as no do me so on an i a")  # that Spanish and Portuguese have, too
_SHARED: Final = {"pt": words("um des"), "es": words("sobre"), "gl": words("um")}
"""German function words that another language has, too."""
_SURE: Final = 0.5
_SURE_OF_FOREIGN: Final = 0.5
_SHORT: Final = 3
_FEWEST: Final = 3
_FEWEST_OWN: Final = 2
_LONG: Final = 40
_FEW_OWN: Final = 0.08
"""Share of a long text's words that are function words; a text of a language that is read has more."""
_NAMES: Final = {
    **{code: name for code, name in NAMES.items() if code not in {*LANGUAGES, MIXED, "th"}},
    **{"be": "Belarusian", "gl": "Galician", "mk": "Macedonian"},
}
READ_IN_HEADLINES: Final = frozenset(map(_NAMES.__getitem__, _HEADLINES_ONLY))  # as `unread_language` says
_OTHER_CYRILLIC: Final = re.compile(r"[іїєґўјљњћђќѓѕџ]|(?<=\w)ъ(?![еёюя])")
"""Letters that Russian lacks, and the Bulgarian vowel; the Russian ъ stands before four vowels only."""
_RUSSIAN_LETTERS: Final = re.compile("[ыэё]|ь(?!о)")
"""Letters of Russian that Bulgarian, Macedonian and Serbian lack, and Ukrainian in part."""
_OTHER_SLAVIC: Final = WORDS["other_slavic"]
_MANY_OTHER: Final = 0.1  # share of words with letters that Russian lacks; foreign names make fewer
_ITALIAN: Final = STOP_WORDS["it"] - STOP_WORDS["en"]
_ENGLISH: Final = STOP_WORDS["en"] - STOP_WORDS["it"]
_VOWELS: Final = "aeiouàèéìòù"
_OPEN: Final = 0.6  # share of words that end in a vowel: in Italian nearly always more, in English less
_SPANISH: Final = WORDS["spanish"]
_SPANISH_LETTERS: Final = re.compile("[ñáíóú¿¡]")
_EDGES: Final = " .,;:!?()[]«»\"'“”‘’"
_MOST_WITH_HALF: Final = 20
_Table = Mapping[str, str]
_T = TypeVar("_T")


@reads("language", lambda text: "en")
@lru_cache(maxsize=REMEMBERED)
def language_of(text: str, *, doubtful: str = "en") -> str:
    """The language of a text among `LANGUAGES`, by script and function words, else by the language model."""
    sample = text[:_SAMPLE]
    words = _WORD.findall(sample)
    letters = [word.casefold() for word in words if not word.isupper()] or [word.casefold() for word in words]
    if _is_cyrillic(letters):
        return "ru"
    counts = _own_words(letters)
    spanish = sum(word in _SPANISH for word in letters) > counts["en"] or _SPANISH_LETTERS.search(sample)
    if spanish and len(letters) >= _FEWEST and _guess(sample)[0] == "es":
        return "es"
    best = max(_LATER, key=lambda code: counts[code])
    if counts[best] > max(1, counts["en"], counts["it"]):
        return best
    if not counts["en"] or counts["en"] < counts[best]:
        # A headline in English Title Case has no word in small letters that is no function word.
        small = any(word.islower() and len(word) >= _SHORT for word in words)
        if counts[best] or small or _MARKS.search(sample):
            code, share = _guess(sample)
            if code in _LATER and share > _SURE:
                return code
        if doubtful in _LATER and counts[doubtful] >= max(counts.values()):
            return doubtful
    return _english_or_italian(sample, doubtful)


def _is_cyrillic(letters: Sequence[str]) -> bool:
    return 2 * sum("\u0400" <= word[0] <= "\u04ff" for word in letters) > len(letters)


def _own_words(letters: Sequence[str]) -> dict[str, int]:
    return {code: sum(word in own for word in letters) for code, own in _OWN_WORDS.items()}


def _english_or_italian(text: str, doubtful: str) -> str:
    words = [word.strip(_EDGES).casefold() for word in text.split() if not word.isupper()]
    letters = [word for word in words if word[:1].isalpha()]
    italian = sum(word in _ITALIAN for word in letters)
    english = sum(word in _ENGLISH for word in letters)
    long = [word for word in letters if len(word) > 1]
    open_share = sum(word[-1] in _VOWELS for word in long) / len(long) if long else 0.0
    if italian > english and open_share > _OPEN:
        return "it"
    return "it" if not english and doubtful == "it" else "en"


@reads("language", lambda text: "")
@lru_cache(maxsize=1_024)
def unread_language(text: str) -> str:
    """The English name of a language whose numerals are not read ("Spanish"); "" for any other text."""
    sample = text[:_SAMPLE]
    words = _WORD.findall(sample)
    letters = [word.casefold() for word in words]
    if _is_cyrillic(letters):
        return _unread_cyrillic(sample, letters)
    code, share = _guess(sample)
    if len(letters) < _FEWEST or code in LANGUAGES or not code:
        return ""
    counts = _own_words(letters)
    own = counts["de"] + sum(word in _ENGLISH - _ROMANCE for word in letters)
    foreign = share > _SURE_OF_FOREIGN or own < _FEW_OWN * len(letters)
    if len(letters) < _LONG:
        own -= sum(word in _SHARED.get(code, ()) for word in letters)
        titled = sample.isascii() and not any(word.islower() and len(word) >= _SHORT for word in words)
        foreign = code in _NAMES and not own and share > _SURE_OF_FOREIGN and not titled
    return _NAMES.get(code, f"a language ({code})") if foreign else ""


def unread_headlines(
    texts: Sequence[str], languages: Sequence[str | None], rows: Iterable[int]
) -> dict[int, str]:
    """The headlines among some of a timeline whose facts are not read, each with its language in English."""
    names = {row: unread_language(texts[row]) for row in rows if languages[row] not in TABLES}
    return {row: name for row, name in names.items() if name not in ("", *READ_IN_HEADLINES)}


@reads("language", lambda text: False)
def is_of_doubtful_language(text: str) -> bool:
    """Whether neither model nor function words take a text of three words or more for one of `LANGUAGES`."""
    sample = text[:_SAMPLE]
    letters = [word.casefold() for word in _WORD.findall(sample)]
    if len(letters) < _FEWEST or _guess(sample)[0] in LANGUAGES:
        return False
    own = sum(word in STOP_WORDS[code] for word in letters for code in ("en", "de", "ru"))
    return own < max(_FEWEST_OWN, _FEW_OWN * len(letters))


def _unread_cyrillic(text: str, letters: Sequence[str]) -> str:
    code, share = _guess(text)
    other = sum(bool(_OTHER_CYRILLIC.search(word)) for word in letters)
    own = sum(bool(_RUSSIAN_LETTERS.search(word)) for word in letters)
    spoken = other + sum(word in _OTHER_SLAVIC for word in letters if not _OTHER_CYRILLIC.search(word))
    foreign = code not in LANGUAGES and share > _SURE_OF_FOREIGN
    if code == "ru" and own > other:
        return ""
    many = max(1, _MANY_OTHER * len(letters))
    if other >= many or (spoken >= many and not own) or (foreign and spoken >= own):
        return _NAMES.get(code, "another language in Cyrillic letters")
    return ""


def _guess(text: str) -> tuple[str, float]:
    return guess(text) or ("", 0.0)


@cache
def tables_of(code: str) -> Language:
    """What the file of a language says, and the words that are made from it; see `en.toml`."""
    if code not in TABLES:
        message = f"Numerals of the language {code!r} are not read."
        raise InputError(message, hint=f"Give one of {', '.join(TABLES)}.")
    tables = read_tables(__file__, code)
    cardinals, linking = _numbers(tables["cardinals"]), _numbers(tables.get("linking", {}))
    if "joined_hundreds" in tables:
        _join(tables, cardinals, linking)
    ordinals, stems = _numbers(tables.get("ordinals", {})), _numbers(tables.pop("ordinal_stems", {}))
    if rule := tables.pop("ordinals_from_cardinals", None):
        keeps, never = tuple(rule["keeps"]), tuple(rule["never"])
        for word, value in cardinals.items():
            if value >= rule["least"] and not word.endswith(never):
                stems[(word if word.endswith(keeps) else word[:-1]) + rule["adds"]] = value
        if rule.get("joins"):
            hundreds = [
                (word, value) for word, value in cardinals.items() if value >= 100 and not value % 100
            ]
            for table in (ordinals, stems):
                below = [(word, value) for word, value in table.items() if value < rule["least"]]
                table |= {head + word: hundred + value for head, hundred in hundreds for word, value in below}
    endings = tables.pop("ordinal_endings", "").split()
    units = [(word, value) for word, value in linking.items() if value < 10]
    for tens in tables.pop("linking_tens", "").split():
        linking |= {tens + word: linking[tens] + value for word, value in units}
    tables["cardinals"], tables["linking"] = cardinals, linking
    tables["ordinals"] = ordinals | {stem + end: value for stem, value in stems.items() for end in endings}
    if tables.pop("stop_words", False):
        tables["stops"] = f"{tables['stops']} {' '.join(STOP_WORDS[code])}"
    read = {name: _READERS[name](table) for name, table in tables.items() if name in _READERS}
    plain = {name: words(table) for name, table in tables.items() if isinstance(table, str)}
    return Language(code=code, **{**tables, **plain, **read})


def _join(tables: dict[str, Any], cardinals: dict[str, int], linking: dict[str, int]) -> None:
    alone = _numbers(tables.pop("joined_only"))
    small = alone | {word: value for word, value in cardinals.items() if 0 < value < 100}
    units, tens = tables.pop("joined_units", "").split(), tables.pop("joined_tens", "").split()
    small |= {
        f"{unit}{tables['joined_and']}{word}": 10 * ten + value
        for ten, forms in enumerate(tens, start=2)
        for word in forms.split("/")
        for value, unit in enumerate(units, start=1)
    }
    joined = _joined(tables, small)
    cardinals |= {word: value for word, value in joined.items() if word not in alone}
    least = tables.pop("linking_least")
    for letter in (*tables.pop("linking_drops", "")[::-1], ""):
        ending = [word for word, value in joined.items() if value >= least and word.endswith(letter)]
        linking |= {word.removesuffix(letter): joined[word] for word in ending}
    tables["joined"] = joined
    half = tables.pop("joined_half", "")
    for word, value in joined.items():
        if half and value < _MOST_WITH_HALF:
            key = f"{2 * value + 1}/2"
            tables["singles"][key] = f"{tables['singles'].get(key, '')} {word}{half}"


def _joined(tables: dict[str, Any], small: Mapping[str, int]) -> dict[str, int]:
    joined, elided, link = dict(small), tables.pop("elided", ""), tables.pop("joined_and", "")
    for place, forms in enumerate(tables.pop("joined_hundreds").split(), start=1):
        for hundred in forms.split("/"):
            joined[hundred] = 100 * place
            for word, value in small.items():
                joined[hundred + word] = 100 * place + value
                if link:
                    joined[hundred + link + word] = 100 * place + value
                if word[0] in elided:
                    joined[hundred[:-1] + word] = 100 * place + value
    return joined


def _fractions(table: _Table) -> dict[str, Fraction]:
    fractions: dict[str, Fraction] = {}
    for key, listed in table.items():
        first, rises, step = key.partition("+")
        for place, forms in enumerate(listed.split()):
            value = Fraction(first.replace("_", "")) + (place * int(step or 1) if rises else 0)
            fractions |= dict.fromkeys(forms.split("/"), value)
    return fractions


def _numbers(table: _Table) -> dict[str, int]:
    return {word: int(value) for word, value in _fractions(table).items()}


def _phrases(listed: str) -> frozenset[Phrase]:
    return frozenset(tuple(phrase.split()) for phrase in listed.split(","))


def _phrased(read: Callable[[str], _T]) -> Callable[[_Table], dict[Phrase, _T]]:
    return lambda table: {phrase: read(key) for key, listed in table.items() for phrase in _phrases(listed)}


def _groups(table: _Table) -> dict[str, tuple[int, str]]:
    rows = ((*key.partition(" "), listed.split()) for key, listed in table.items())
    return {word: (int(factor), unit) for factor, _, unit, listed in rows for word in listed}


def _currency(key: str) -> tuple[str, Fraction]:
    code, _, parts = key.partition("/")
    return code, Fraction(1, int(parts or 1))


def _nearness(table: _Table) -> dict[str, tuple[tuple[Phrase, Approximation], ...]]:
    phrases: dict[str, list[tuple[Phrase, Approximation]]] = {}
    for phrase, meaning in sorted(_phrased(Approximation)(table).items(), key=lambda row: -len(row[0])):
        phrases.setdefault(phrase[-1], []).append((phrase, meaning))
    return {word: tuple(rows) for word, rows in phrases.items()}


def _endings(rows: Sequence[str]) -> tuple[tuple[str, NumeralKind, str], ...]:
    return tuple((start, NumeralKind(kind), "".join(unit)) for start, kind, *unit in map(str.split, rows))


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("scales", "abbreviations", "denominators", "denominators_many", "vague"), _numbers),
    **dict.fromkeys(("percents", "age_after", "time_after"), _phrases),
    **dict.fromkeys(
        ("not_after", "not_before", "only_before"),
        lambda table: {word: words(listed) for word, listed in table.items()},
    ),
    **dict.fromkeys(("joined_thousands", "joined_thousand", "hour_sign"), str),
    "singles": _fractions,
    "spans": lambda table: {word: span for span, listed in table.items() for word in listed.split()},
    "groups": _groups,
    "halves": _phrased(Fraction),
    "currencies": _phrased(_currency),
    "measures": _phrased(str),
    "near_before": _nearness,
    "near_after": _phrased(Approximation),
    "endings": _endings,
}
"""How a table is read that is no list of words."""
