"""Texts as words of a network, and words as a headline in the style of others."""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.text.desk_marks import without_dateline
from core.text.tokens import word_list

GLUE: Final = "\u2060"
"""Before what stands right after the word before: the K of 5K is GLUE + "k", a closing quote GLUE + "'"."""
READ_CHARACTERS: Final = 30_000  # an article's beginning that is read; networks take some hundred words
_TOKEN: Final = re.compile(
    r"(?P<dotted>(?:[^\W\d_]\.){2,})"
    r"|(?P<number>\d+(?:[.,:/]\d+)*(?:(?:st|nd|rd|th|º|ª)\b)?)(?P<unit>[^\W\d_]{1,4}\b)?"
    r"|(?P<ampersand>\b[A-Z]{1,3}&[A-Z]{1,2}\b)"
    r"|(?P<elided>[^\W\d_]+['’](?=[aeiouhàèéìòùAEIOUHÀÈÉÌÒÙ]\w))"
    r"|(?P<word>[^\W_]+?(?=['’]s\b)|[^\W_]+(?:['’][^\W_]+)*)"
    r"|(?P<possessive>['’]s\b)"
    r"|(?P<dash>\s-{1,2}\s|--|[–—])"
    r"|(?P<sign>[^\w\s])"
)
_PLAIN: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_UNITS: Final = {"thousand": "k", "million": "m", "billion": "b", "trillion": "t"}
_SPELLED: Final = word_list("""
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
""")
_DIGITS: Final = dict(zip(_SPELLED, map(str, [*range(2, 21), *range(30, 100, 10)]), strict=True))
_BEFORE: Final = frozenset(",.:;?!%)]-/")
_AFTER: Final = frozenset("([$£€#@/-'\"")
_SMALL_SHARE: Final = 0.9
_QUOTES: Final = frozenset("'\"")


class TextWords(NamedTuple):
    forms: tuple[str, ...]
    written: tuple[str, ...]

    def first(self, most: int) -> "TextWords":
        return TextWords(self.forms[:most], self.written[:most])


@dataclass(frozen=True, kw_only=True, slots=True)
class LearnedStyle:
    title: bool = False
    small: frozenset[str] = frozenset()
    digits: bool = False


def split(text: str, *, language: str = "en", digits: bool = False) -> TextWords:
    words = _russian(text) if language == "ru" else _other(text)
    pairs = list(_with_digits(words) if digits and language == "en" else words)
    return TextWords(tuple(form for form, _ in pairs), tuple(written for _, written in pairs))


def article_words(text: str, *, language: str = "en", digits: bool = False, most: int = 0) -> TextWords:
    """The words of an article without its dateline; the first `most` of them, 0 for all."""
    # No language has more than about 12 characters a word on average.
    beginning = text[: min(READ_CHARACTERS, 200 + 14 * most) if most else READ_CHARACTERS]
    words = split(without_dateline(beginning), language=language, digits=digits)
    return words.first(most) if most else words


def first_sentence(words: TextWords) -> TextWords:
    """The words of an article up to the first sign that ends a sentence, with it."""
    ends = (place + 1 for place, form in enumerate(words.forms) if form in {".", "?", "!"})
    return words.first(next((end for end in ends if end >= 6), len(words.forms)))


def _other(text: str) -> Iterable[tuple[str, str]]:
    text = html.unescape(text).translate(_PLAIN)
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup, match.group()
        if kind == "dotted":
            piece = piece.replace(".", "")
        elif kind == "dash":
            piece = "—"
        elif piece in _QUOTES:
            piece = _quote(text, match.start())
        if kind == "unit":
            number, unit = match.group("number"), match.group("unit")
            yield number, number
            yield GLUE + unit.lower(), GLUE + unit
        else:
            yield piece.lower(), piece


def _quote(text: str, place: int) -> str:
    opens = place == 0 or text[place - 1].isspace() or text[place - 1] in "([-—"
    return text[place] if opens else GLUE + text[place]


def _russian(text: str) -> Iterable[tuple[str, str]]:
    import razdel

    text = html.unescape(text).translate(_PLAIN)
    for token in razdel.tokenize(text):
        for piece in re.split(r"(-)", token.text) if len(token.text) > 1 else [token.text]:
            if piece in _QUOTES:
                yield (quote := _quote(text, token.start)), quote
            elif piece:
                yield ("—", "—") if piece in "–—" else (piece.lower().replace("ё", "е"), piece)


def _with_digits(words: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    number = ""
    for form, written in words:
        if form in _UNITS and number[:1].isdigit():
            number = GLUE + _UNITS[form]
            yield number, number.upper()
        elif re.fullmatch(r"\d{1,3},000", form):
            yield (figures := form.removesuffix(",000")), figures
            number = GLUE + "k"
            yield number, number.upper()
        else:
            number = _DIGITS.get(form, form)
            yield number, _DIGITS.get(form, written)


def learn_style(headlines: Iterable[str], *, language: str) -> LearnedStyle:
    """The style of some headlines: capitals, words without them, and whether numbers stand in digits."""
    capital, total = Counter[str](), Counter[str]()
    spelled = figures = 0
    for headline in headlines:
        words = split(headline, language=language)
        for place, (form, written) in enumerate(zip(words.forms, words.written, strict=True)):
            spelled += form in _DIGITS
            figures += form[:1].isdigit()
            if place and written[:1].isalpha() and written[1:] == written[1:].lower():
                total[form] += 1
                capital[form] += written[:1].isupper()
    digits = language == "en" and figures > spelled
    if capital.total() <= total.total() / 2:
        return LearnedStyle(digits=digits)
    often = (form for form, count in total.items() if count >= 3 and not form.startswith(GLUE))
    small = frozenset(form for form in often if capital[form] <= (1 - _SMALL_SHARE) * total[form])
    return LearnedStyle(title=True, small=small, digits=digits)


def join(words: Sequence[str], style: LearnedStyle) -> str:
    line = ""
    glued = first = True
    for word in words:
        if not glued and not joins_previous(word):
            line += " "
        glued = joins_next(word)
        small = style.title and word.lower() in style.small
        if word.startswith(GLUE):
            line += word[1:]
        elif word == "'s" or (not first and (small or not style.title)):
            line += word.lower() if small else word
        else:
            line += word[:1].upper() + word[1:]
        if any(map(str.isalnum, word)):
            first = False
        elif word in ("?!:—" if style.title else "?!"):
            first = True
    return line.strip()


def joins_previous(form: str) -> bool:
    return form.startswith(GLUE) or form in _BEFORE or form == "'s"


def joins_next(form: str) -> bool:
    return form in _AFTER or (form.endswith("'") and not form.startswith(GLUE))


def is_word(form: str) -> bool:
    return any(map(str.isalnum, form)) and not joins_previous(form)
