"""The languages whose numerals are read: each is a file of tables next to this module."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from core.errors import InputError
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.numerals.tables import Language, Phrase, words
from core.text.tokens import STOP_WORDS

_FOLDER: Final = Path(__file__).parent
LANGUAGES: Final = tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))
_SAMPLE: Final = 1_000
_ITALIAN: Final = STOP_WORDS["it"] - STOP_WORDS["en"]
_ENGLISH: Final = STOP_WORDS["en"] - STOP_WORDS["it"]
_VOWELS: Final = "aeiouàèéìòù"
_OPEN: Final = 0.6
"""Share of words that end in a vowel: Italian texts nearly all have more, English ones less."""
_EDGES: Final = " .,;:!?()[]«»\"'“”‘’"
_Told = Mapping[str, str]
_T = TypeVar("_T")


def language_of(text: str, *, doubtful: str = "en") -> str:
    """The language of a text among `LANGUAGES`, by its script and function words.

    Args:
        text: Of any length; its first 1,000 characters count.
        doubtful: The answer where there are no English function words and few words that end in vowels, as
            nearly all Italian ones do; "ru" is taken for "en".
    """
    found = [word.strip(_EDGES).casefold() for word in text[:_SAMPLE].split() if not word.isupper()]
    letters = [word for word in found if word[:1].isalpha()]
    if 2 * sum("\u0400" <= word[0] <= "\u04ff" for word in letters) > len(letters):
        return "ru"
    italian = sum(word in _ITALIAN for word in letters)
    english = sum(word in _ENGLISH for word in letters)
    long = [word for word in letters if len(word) > 1]
    open_share = sum(word[-1] in _VOWELS for word in long) / len(long) if long else 0.0
    if italian > english and open_share > _OPEN:
        return "it"
    if not english and doubtful == "it":
        return "it"
    return "en"


@cache
def tables_of(code: str) -> Language:
    """The tables of a language: what its file says, and the words that are made from it.

    In a file, words are separated by spaces and phrases by commas. A table of numbers has a value before its
    words; after "1+" or "20+10" the values rise from word to word by 1 or 10, and "/" separates words of one
    value. `Language` says what each table is. These are not tables of it, but make others:

    - `stop_words`: whether all function words of `core.text.tokens` are `stops`, too;
    - `ordinal_stems`: each makes ordinals with each of `ordinal_endings`;
    - `ordinals_from_cardinals`: cardinals from `least` on, except those that end in one of `never`, make
      ordinals with `adds` and each of `ordinal_endings`; without their last letter, except those that end in
      one of `keeps`;
    - `joined_hundreds`: words of 100, 200, … that stand before others of 1–99, without their last letter
      before one of `elided`; `joined_only`: words of `joined` that are no cardinal by themselves;
    - `linking_tens`: those of `linking` that may have a unit behind them; `linking_drops`: letters without
      which joined numbers above 10 are `linking`.

    Raises:
        InputError: Its numerals are not read.
    """
    if code not in LANGUAGES:
        raise InputError(
            f"Numerals of the language {code!r} are not read.", hint=f"Give one of {', '.join(LANGUAGES)}."
        )
    told = tomllib.loads((_FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    _make_words(told)
    if told.pop("stop_words", False):
        told["stops"] = f"{told['stops']} {' '.join(STOP_WORDS[code])}"
    return Language(code=code, **{name: _READERS.get(name, _plain)(table) for name, table in told.items()})


def _make_words(told: dict[str, Any]) -> None:
    """Puts the words that are made from others into the tables; see `tables_of`."""
    made, ordinals = _numbers(told["cardinals"]), _numbers(told.get("ordinals", {}))
    linking = _numbers(told.get("linking", {}))
    if "joined_hundreds" in told:
        alone = _numbers(told.pop("joined_only"))
        joined = _joined(told, alone | {word: value for word, value in made.items() if 0 < value < 100})
        made |= {word: value for word, value in joined.items() if word not in alone}
        for letter in (*told.pop("linking_drops")[::-1], ""):
            linking |= {
                word.removesuffix(letter): value
                for word, value in joined.items()
                if value > 10 and word.endswith(letter)
            }
        told["joined"] = joined
    stems = _numbers(told.pop("ordinal_stems", {}))
    if rule := told.pop("ordinals_from_cardinals", None):
        keeps, never = tuple(rule["keeps"]), tuple(rule["never"])
        for word, value in made.items():
            if value >= rule["least"] and not word.endswith(never):
                stems[(word if word.endswith(keeps) else word[:-1]) + rule["adds"]] = value
    endings = told.pop("ordinal_endings", "").split()
    units = [(word, value) for word, value in linking.items() if value < 10]
    for tens in told.pop("linking_tens", "").split():
        linking |= {tens + word: linking[tens] + value for word, value in units}
    told["cardinals"], told["linking"] = made, linking
    told["ordinals"] = ordinals | {stem + end: value for stem, value in stems.items() for end in endings}


def _joined(told: dict[str, Any], small: Mapping[str, int]) -> dict[str, int]:
    joined, elided = dict(small), told.pop("elided")
    for place, hundred in enumerate(told.pop("joined_hundreds").split(), start=1):
        joined[hundred] = 100 * place
        for word, value in small.items():
            joined[hundred + word] = 100 * place + value
            if word[0] in elided:
                joined[hundred[:-1] + word] = 100 * place + value
    return joined


def _fractions(table: _Told) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for told, listed in table.items():
        first, rises, step = told.partition("+")
        for place, forms in enumerate(listed.split()):
            value = Fraction(first.replace("_", "")) + (place * int(step or 1) if rises else 0)
            found |= dict.fromkeys(forms.split("/"), value)
    return found


def _numbers(table: _Told) -> dict[str, int]:
    return {word: int(value) for word, value in _fractions(table).items()}


def _phrases(listed: str) -> frozenset[Phrase]:
    return frozenset(tuple(phrase.split()) for phrase in listed.split(","))


def _phrased(read: Callable[[str], _T]) -> Callable[[_Told], dict[Phrase, _T]]:
    """Reads a table of phrases; what they mean stands before them."""
    return lambda table: {phrase: read(told) for told, listed in table.items() for phrase in _phrases(listed)}


def _group(told: str) -> tuple[int, str]:
    factor, _, unit = told.partition(" ")
    return int(factor), unit


def _currency(told: str) -> tuple[str, Fraction]:
    code, _, parts = told.partition("/")
    return code, Fraction(1, int(parts or 1))


def _nearness(table: _Told) -> dict[str, tuple[tuple[Phrase, Approximation], ...]]:
    """Phrases by their last word, longest first."""
    found: dict[str, list[tuple[Phrase, Approximation]]] = {}
    for phrase, meaning in sorted(_phrased(Approximation)(table).items(), key=lambda row: -len(row[0])):
        found.setdefault(phrase[-1], []).append((phrase, meaning))
    return {word: tuple(rows) for word, rows in found.items()}


def _endings(rows: Sequence[str]) -> tuple[tuple[str, NumeralKind, str], ...]:
    return tuple((start, NumeralKind(kind), "".join(unit)) for start, kind, *unit in map(str.split, rows))


def _plain(told: Any) -> Any:
    """Words of a list; what is no list of words as it is."""
    return words(told) if isinstance(told, str) else told


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("scales", "abbreviations", "denominators", "denominators_many", "vague"), _numbers),
    **dict.fromkeys(("percents", "age_after", "time_after"), _phrases),
    **dict.fromkeys(
        ("not_after", "not_before"), lambda table: {word: words(told) for word, told in table.items()}
    ),
    **dict.fromkeys(("joined_thousands", "joined_thousand"), str),
    "singles": _fractions,
    "spans": lambda table: {word: span for span, listed in table.items() for word in listed.split()},
    "groups": lambda table: {word: _group(told) for told, listed in table.items() for word in listed.split()},
    "halves": _phrased(Fraction),
    "currencies": _phrased(_currency),
    "measures": _phrased(str),
    "near_before": _nearness,
    "near_after": _phrased(Approximation),
    "endings": _endings,
}
"""How a table is read that is no list of words."""
