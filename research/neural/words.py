"""Articles and headlines as words of a network, the words that it knows, and what a model says of itself."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from core import files
from core.errors import ModelUnavailableError
from core.headlines.generator import FILE
from core.text.desk_marks import without_dateline
from core.text.tokens import STOP_WORDS, word_list
from research.hub import FORMAT, readable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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

    def first(self, most: int) -> TextWords:
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


def joins_previous(form: str) -> bool:
    return form.startswith(GLUE) or form in _BEFORE or form == "'s"


def joins_next(form: str) -> bool:
    return form in _AFTER or (form.endswith("'") and not form.startswith(GLUE))


def is_word(form: str) -> bool:
    """Whether it has a letter or a digit and is not a part of the word before."""
    return any(map(str.isalnum, form)) and not joins_previous(form)


def join(words: Sequence[str], style: LearnedStyle) -> str:
    """Words as one line: spaces, quotes and capitals as in the headlines of a style."""
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


FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 10  # headlines of news are between these; each telegram draws its longest
_ENDS: Final = frozenset(".?!")
_KEPT_SIGNS: Final = frozenset({"$", "£", "€", "%", "-", "'s"})


def exercise(
    article: TextWords, generator: np.random.Generator, *, language: str
) -> tuple[TextWords, tuple[str, ...]]:
    """An article from one of its sentences on, and that sentence as a telegram.

    The telegram is the sentence's words without function words and most signs, up to 6 to 10 of them: what a
    network can learn from about reading, copying and leaving out before it sees a headline.

    Source: ours, after Zhang et al. 2020, "PEGASUS": a summary learned from an article's own sentences.
    """
    forms = article.forms
    ends = [place for place, form in enumerate(forms) if form in _ENDS]
    starts = [0, *(end + 1 for end in ends if end + FEWEST_WORDS < len(forms))]
    # Half begin with the article's first sentence, which headlines lean on most.
    start = 0 if generator.random() < 0.5 else starts[int(generator.integers(len(starts)))]
    end = next((place for place in ends if place >= start + FEWEST_WORDS), len(forms))
    telegram = [
        form
        for form in forms[start:end]
        if (is_word(form) or form in _KEPT_SIGNS or (form.startswith(GLUE) and form[1:].isalnum()))
        and form not in STOP_WORDS.get(language, ())
    ]
    most = int(generator.integers(FEWEST_WORDS + 1, MOST_WORDS + 1))
    return TextWords(forms[start:], article.written[start:]), tuple(telegram[:most])


PAD: Final = 0
UNKNOWN: Final = 1
START: Final = 2
END: Final = 3
SPECIALS: Final = ("<pad>", "<unk>", "<start>", "<end>")
WORDS_FILE: Final = "vocabulary.txt"
HEADLINE_WEIGHT: Final = 5  # how often a word of a headline counts when the most frequent words are chosen


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words by number: `SPECIALS` first, then the others, most frequent first."""

    written: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.written)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        return (*SPECIALS, *(word.lower() for word in self.written[len(SPECIALS) :]))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {form: number for number, form in enumerate(self.forms)}

    def encode_source(self, forms: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
        """An article's words as numbers, unknown ones on from the vocabulary's end (See et al. 2017)."""
        extra = tuple(dict.fromkeys(form for form in forms if form not in self.numbers))
        return self.encode_target(forms, extra), extra

    def encode_target(self, forms: Sequence[str], extra: Sequence[str]) -> list[int]:
        places = {form: len(self) + place for place, form in enumerate(extra)}
        numbers = self.numbers
        return [numbers.get(form, places.get(form, UNKNOWN)) for form in forms]

    def form(self, number: int, extra: Sequence[str] = ()) -> str:
        return self.forms[number] if number < len(self) else extra[number - len(self)]

    def save(self, folder: Path) -> None:
        text = "".join(f"{word}\n" for word in self.written[len(SPECIALS) :])
        files.write(folder / WORDS_FILE, text.encode())


def learn(texts: Iterable[TextWords], *, size: int, headlines: Iterable[TextWords] = ()) -> Vocabulary:
    counts, spellings = Counter[str](), dict[str, Counter[str]]()
    for text in texts:
        counts.update(text.forms)
        for before, form, written in zip((".", *text.forms), *text, strict=False):
            if written.lower() == form and before not in {".", "?", "!", ":", '"', "'"}:
                spellings.setdefault(form, Counter())[written] += 1
    for headline in headlines:
        counts.update(headline.forms * HEADLINE_WEIGHT)

    def usual(form: str) -> str:
        known = spellings.get(form, {form: 1})
        return min(known, key=lambda written: (-known[written], written))

    chosen = sorted(counts, key=lambda form: (-counts[form], form))[: size - len(SPECIALS)]
    return Vocabulary((*SPECIALS, *(usual(form) for form in chosen)))


def load(folder: Path) -> Vocabulary:
    with readable("vocabulary", folder):
        words = (folder / WORDS_FILE).read_text(encoding="utf-8").split("\n")[:-1]
        known = {word.lower() for word in words} | set(SPECIALS)
        if not words or "" in words or len(known) != len(words) + len(SPECIALS):
            raise ValueError(WORDS_FILE)
    return Vocabulary((*SPECIALS, *words))


BYTE_PAIRS_FILE: Final = "byte_pairs.json"


def learn_byte_pairs(path: str, *, size: int, language: str) -> Tokenizer | None:
    """Byte pairs (Sennrich et al. 2016) of a text file, None for none; all but a word's first behind GLUE."""
    from tokenizers import Tokenizer, models, trainers

    if not path:
        return None
    tokenizer = Tokenizer(models.BPE(continuing_subword_prefix=GLUE))
    with Path(path).open(encoding="utf-8", errors="replace") as lines:
        how: dict[str, Any] = {"continuing_subword_prefix": GLUE, "show_progress": False}
        forms = (form for line in lines for form in split(line, language=language).forms)
        tokenizer.train_from_iterator(forms, trainers.BpeTrainer(vocab_size=size, **how))
    return tokenizer


def load_byte_pairs(folder: Path) -> Tokenizer | None:
    from tokenizers import Tokenizer

    if not (path := folder / BYTE_PAIRS_FILE).is_file():
        return None
    with readable("byte pairs", folder):
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))


def cut(text: TextWords, byte_pairs: Tokenizer | None) -> TextWords:
    """A text in parts of words, as it is without byte pairs; a word with signs that they lack stays whole."""
    if byte_pairs is None:
        return text
    forms, spelled = list[str](), list[str]()
    for form, written in zip(*text, strict=True):
        parts = [] if form.startswith(GLUE) else byte_pairs.encode(form).tokens
        letters = [part.removeprefix(GLUE) for part in parts]
        if "".join(letters) != form or len(written) != len(form):
            parts, letters = [form], [written]
        ends = np.cumsum([len(part) for part in letters])
        forms += parts
        spelled += [
            GLUE * part.startswith(GLUE) * (len(parts) > 1) + written[end - len(piece) : end]
            for part, piece, end in zip(parts, letters, ends, strict=True)
        ]
    return TextWords(tuple(forms), tuple(spelled))


VERSION: Final = 1
LARGEST: Final = 8192  # largest size that a setting may have: a damaged file must not ask for all memory


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineModelConfig:
    architecture: str
    settings: Mapping[str, int | float | bool | str]
    language: str  # ISO 639-1 code of the articles that it learned from
    words_read: int  # words of an article that it reads, from its beginning
    style: LearnedStyle
    trained: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        values = {"format": FORMAT, "version": VERSION, **dataclasses.asdict(self)}
        values["style"]["small"] = sorted(self.style.small)
        files.write(folder / FILE, f"{json.dumps(values, ensure_ascii=False, indent=2)}\n".encode())


def read_config(folder: Path) -> HeadlineModelConfig:
    if not (folder / FILE).is_file():
        hint = f"Give the folder `model` of a training run; it holds {FILE}."
        raise ModelUnavailableError(f"The folder {folder} holds no headline model.", hint=hint)
    with readable(FILE, folder), (folder / FILE).open(encoding="utf-8") as file:
        values = json.loads(file.read(1 << 20))
        if values.pop("format") != FORMAT or values.pop("version") != VERSION:
            raise ValueError(FORMAT)
        style = LearnedStyle(**values["style"] | {"small": frozenset(values["style"]["small"])})
        config = HeadlineModelConfig(**values | {"style": style})
        sizes = [value for value in config.settings.values() if not isinstance(value, str)]
        names = [config.language, config.architecture, *style.small]
        if not all(0 <= value <= LARGEST for value in sizes) or not 1 <= config.words_read <= LARGEST:
            raise ValueError("settings")
        if not isinstance(config.words_read, int) or not all(isinstance(name, str) for name in names):
            raise TypeError("language")
    return config
