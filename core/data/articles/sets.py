"""Articles that come with headlines: NumHG and SemEval-2024 task 7, the Telegram contest, written claims."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from core.data.articles.articles import (
    Articles,
    ArticleSource,
    NamedRows,
    article_sources,
    articles_of,
    read_article_file,
    whole_table,
)
from core.data.files import DataPlace, column, named_columns, read_columns
from core.data.timelines.decode import text_of
from core.data.timelines.duplicates import components
from core.data.timelines.load import read_bytes, read_table
from core.digests import digest, share_of
from core.errors import InputError, UnknownNameError
from core.parts import Part
from core.registry import number
from core.text.desk_marks import without_dateline
from core.text.normalise import clean_block, clean_line

SHARES: Final = ((0.06, Part.VALIDATION), (0.17, Part.TEST), (1.0, Part.TRAIN))
"""Upper ends of the shares of the articles; an article's place in 0–1 is a hash of its text."""

FOLDS: Final = 5


@article_sources.register("numhg.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumHG(ArticleSource):
    """The 9,295 annotated training rows of NumHG, divided once: 83 % train, 6 % validation, 11 % test.

    Or one of five folds, as the paper has them; what ships has learned from the rows that folds test on.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation".
    """

    summary: ClassVar[str] = "NumHG: English articles whose headlines hold a number"
    licence: ClassVar[str] = "CC BY-SA 4.0"
    place: ClassVar[DataPlace] = DataPlace("NumHG", "numhg/numhg_train.csv.gz")

    fold: int = number(0, 0, FOLDS, "which of five folds is the test part; 0 for the one division")

    def load(self) -> Articles:
        table = read_columns(self.place.require())
        return articles_of(
            f"numhg, fold {self.fold}" if self.fold else "numhg",
            table["text"],
            references=[(headline,) for headline in table["summary"]],
            parts=[part_of(text, self.fold) for text in table["text"]],
            numbers=table["cloze_gt"],
            operations=["reasoning" if flag == "1" else "copy" for flag in table["need_reasoning"]],
        )


def part_of(text: str, fold: int = 0) -> Part:
    """The part of an article in the one division, or in a fold from 1."""
    if not fold:
        return next(part for end, part in SHARES if share_of(text) < end)
    place = (FOLDS * share_of(text) - fold + 1) % FOLDS
    return Part.TEST if place < 1.0 else Part.VALIDATION if place < 1.5 else Part.TRAIN


@article_sources.register("numeval.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumEval(ArticleSource):
    """2,365 articles of SemEval-2024 task 7; all of them are test.

    Source: Chen et al. 2024, "SemEval-2024 Task 7: Numeral-Aware Language Understanding and Generation".
    """

    summary: ClassVar[str] = "SemEval-2024 task 7: English articles whose headlines hold a number, all test"
    licence: ClassVar[str] = "as NumHG (CC BY-SA 4.0); texts belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("SemEval-2024 task 7", "numeval2024/Dev_Headline_Generation.json")

    def load(self) -> Articles:
        read = read_article_file(self.place.require()).articles
        return articles_of("numeval", read.texts, references=read.references, parts=Part.TEST)


NUMEVAL: Final = DataPlace("SemEval-2024 task 7", "numeval2024/Dev_Numerical_Reasoning.json")
PREDICTIONS: Final = DataPlace(
    "published answers to SemEval-2024 task 7", "numeval2024/dev_reasoning_predictions.csv.gz"
)
NAMES: Final = ("numhg", "numeval")


@dataclass(frozen=True, slots=True, eq=False)
class Blanks(NamedRows):
    """n headlines with a blank; every attribute that is not the name has n entries, in the file's order."""

    name: str  # "numhg" or "numeval"
    ids: tuple[str, ...]  # the row's number in the file, from 0; as in the article set for NumHG
    texts: tuple[str, ...]  # the articles, as in the file
    headlines: tuple[str, ...]  # headlines with `____` where the number was
    answers: tuple[str, ...]  # the number that was there, as written: "7", "1.5", "9/11"
    annotations: tuple[str, ...]  # its expression, as in the file; see `core.numerals.expressions.parse`
    parts: tuple[Part, ...]  # part of each article
    operations: tuple[str, ...]  # "copy" of a number of the article, or "reasoning"


@dataclass(frozen=True, slots=True, eq=False)
class FillPredictions:
    """What a published system put into the blanks of "numeval", row by row."""

    answers: tuple[str, ...]
    annotations: tuple[str, ...]


def load_blanks(name: str) -> Blanks:
    if name == "numhg":
        return numhg_blanks(NumHG.place.require())
    if name == "numeval":
        return numeval_blanks(NUMEVAL.require())
    raise UnknownNameError(
        f"There is no set of headlines with a blank that is called {name!r}.",
        hint=f"Choose one of {', '.join(NAMES)}.",
    )


def numhg_blanks(path: Path) -> Blanks:
    """Rows of a file with NumHG's columns, CSV or gz of it."""
    *columns, flags = _columns(path, "text", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning")
    return _blanks("numhg", columns, [flag != "1" for flag in flags], tuple(map(part_of, columns[0])))


def numeval_blanks(path: Path) -> Blanks:
    """Rows of a JSON file with the fields of SemEval-2024 task 7, subtask numerical reasoning."""
    columns = _columns(path, "news", "masked headline", "ans", "calculation")
    copied = [text.lstrip().startswith("Copy") for text in columns[-1]]
    return _blanks("numeval", columns, copied, (Part.TEST,) * len(copied))


def _blanks(
    name: str, columns: Sequence[tuple[str, ...]], copied: Sequence[bool], parts: tuple[Part, ...]
) -> Blanks:
    texts, headlines, answers, annotations = columns
    return Blanks(
        name=name,
        ids=tuple(map(str, range(len(texts)))),
        texts=texts,
        headlines=headlines,
        answers=answers,
        annotations=annotations,
        parts=parts,
        operations=tuple("copy" if is_copy else "reasoning" for is_copy in copied),
    )


def load_fill_predictions() -> FillPredictions:
    return FillPredictions(*_columns(PREDICTIONS.require(), "pred_ans", "pred_calc"))


def _columns(path: Path, *names: str) -> list[tuple[str, ...]]:
    table = whole_table(read_bytes(path), path.name)
    cells = {name: [value or "" for value in table.column(name)] for name in table.columns}
    return [tuple(column(cells, name, path)) for name in names]


TYPES = {"0": "copy", "1": "reasoning"}  # what the lines of `number_type.txt` say


def read_lines(path: str | Path) -> list[str]:
    r"""The lines of a text file as Python's own `open` gives them, without their ends."""
    return [line.removesuffix("\n") for line in io.StringIO(text_of(read_bytes(path)), newline=None)]


def read_types(path: str | Path) -> list[str]:
    lines = [line.strip() for line in read_lines(path)]
    for at, line in enumerate(lines, 1):
        if line not in TYPES:
            raise InputError(
                f"Line {at:,} of {Path(path).name[:80]} is {line[:40]!r}, which is no type.",
                hint="Write 0 where the number stands in the article and 1 where it must be worked out.",
            )
    return [TYPES[line] for line in lines]


def same_lengths(lengths: dict[str, int]) -> None:
    (first, count), *others = lengths.items()
    for name, length in others:
        if length != count:
            raise InputError(
                f"{Path(name).name[:80]} has {length:,} lines, and {Path(first).name[:80]} has {count:,}.",
                hint="Give one line an article in every file, in the same order.",
            )


def articles_of_numbers(
    numbers: str | Path, *, types: str | Path | None = None, references: str | Path | None = None
) -> Articles:
    """Articles of which only the gold numbers are known, for scoring headlines written elsewhere."""
    gold = [clean_line(line) for line in read_lines(numbers)]
    if not gold:
        raise InputError(f"{Path(numbers).name[:80]} is empty.", hint="Give one gold number a line.")
    lengths = {str(numbers): len(gold)}
    operations = None if types is None else read_types(types)
    given = None if references is None else [clean_line(line) for line in read_lines(references)]
    for path, lines in ((types, operations), (references, given)):
        if lines is not None:
            lengths[str(path)] = len(lines)
    same_lengths(lengths)
    return articles_of(
        Path(numbers).name.partition(".")[0],
        [""] * len(gold),
        references=None if given is None else [(line,) if line else () for line in given],
        numbers=gold,
        operations=operations,
    )


PLACE: Final = DataPlace("headlines written for NumHG", "written_claims", ships=True)
FILES: Final = {Part.TRAIN: "train.tsv", Part.VALIDATION: "validation.tsv"}
TRUTHS: Final = {"true": True, "false": False}
KINDS: Final = ("act", "roles", "who", "part", "what", "swap", "fact", "when", "change", "cause")
_MARKED: Final = re.compile(r"([^\[\]]*)\[\[([^\[\]]+)\]\]([^\[\]]*)")
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    headline: str
    start: int
    end: int
    article: str
    true: bool
    kind: str


def article_key(text: str) -> str:
    """What the files call an article: 16 hexadecimal digits of its text's SHA-256."""
    return digest(text, digits=_DIGITS)


def load_written_claims(part: Part, blanks: Blanks) -> list[WrittenClaim]:
    path = PLACE.require() / FILES[part]
    names = ("article", "truth", "kind", "headline")
    rows = zip(*named_columns(path, *names, delimiter="\t", quoted=False), strict=True)
    texts = {article_key(text): text for text in blanks.texts}
    claims = []
    for line, (key, truth, kind, headline) in enumerate(rows, start=2):
        marked = _MARKED.fullmatch(headline)
        if marked is None or truth not in TRUTHS or kind not in (("",) if TRUTHS[truth] else KINDS):
            raise InputError(
                f"Line {line} of {path.name} is no headline with one [[number]], its truth and its kind.",
                hint="Get the file again.",
            )
        if key not in texts:
            raise InputError(
                f"Line {line} of {path.name} names an article that the data does not have: {key[:_DIGITS]}.",
                hint="Get NumHG's file again; the headlines are of its training and validation parts.",
            )
        before, number, after = marked.groups()
        article = without_dateline(texts[key]).strip()
        end = len(before) + len(number)
        claim = WrittenClaim(before + number + after, len(before), end, article, TRUTHS[truth], kind)
        claims.append(claim)
    return claims


_FEWEST_WORDS: Final = 20  # a shorter text is a teaser, and its title says more than it does


@dataclass(frozen=True, kw_only=True, slots=True)
class Telegram(ArticleSource):
    """Base of both languages: all articles, each address and each text once; titles are the references."""

    licence: ClassVar[str] = "Apache-2.0; articles belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Telegram contest (its Toloka tables)", "tgcontest_toloka")
    language: ClassVar[str]

    def find(self) -> Path | None:
        path = self.place.find()
        return path if path and any(_tables(path, self.language)) else None

    def load(self) -> Articles:
        folder = self.find()
        if folder is None:
            raise self.place.missing()
        return _read(_tables(folder, self.language), self.language)


@article_sources.register("telegram_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramEnglish(Telegram):
    """English news of 2019 and 2020 with titles; articles of one event are known for the judged pairs.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "Telegram contest: English articles with titles, some in events"
    language: ClassVar[str] = "en"


@article_sources.register("telegram_ru.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramRussian(Telegram):
    """Russian news of 2019 and 2020 with titles; articles of one event are known for the judged pairs.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "Telegram contest: Russian articles with titles, some in events"
    language: ClassVar[str] = "ru"


def _read(tables: Sequence[Path], language: str) -> Articles:
    articles: dict[str, tuple[str, str]] = {}  # title and text by address
    same: list[tuple[str, str]] = []
    for path in tables:
        table = read_table(read_bytes(path), path.name).cells
        sides = []
        for side in ("first_", "second_") if "INPUT:first_text" in table.columns else ("",):
            url, title, text = (
                [clean(cell or "") for cell in table[f"INPUT:{side}{what}"]]
                for what, clean in (("url", clean_line), ("title", clean_line), ("text", clean_block))
            )
            sides.append(list(zip(url, title, text, strict=True)))
        for mentions in zip(*sides, strict=True):
            for address, *article in mentions:
                articles.setdefault(address, (article[0], article[1]))
        if len(sides) == 2 and "GOLDEN:quality" in table.columns:
            judged = zip(*sides, table["GOLDEN:quality"], strict=True)
            same += [(first[0], second[0]) for first, second, quality in judged if quality == "OK"]
    by_text = {
        text: (url, title)
        for url, (title, text) in articles.items()
        if url and title and len(text.split()) >= _FEWEST_WORDS
    }
    urls = [url for url, _ in by_text.values()]
    row_of = {url: row for row, url in enumerate(urls)}
    links = [(row_of[a], row_of[b]) for a, b in same if a in row_of and b in row_of]
    labels = components(len(urls), links).tolist()
    sizes = Counter(labels)
    firsts = {label: urls[row] for row, label in reversed(list(enumerate(labels)))}
    return articles_of(
        f"telegram_{language}",
        list(by_text),
        ids=urls,
        references=[(title,) for _, title in by_text.values()],
        parts=[part_of(firsts[label]) for label in labels],
        clusters=[f"event {label}" if sizes[label] > 1 else "" for label in labels],
    )


def _tables(place: Path, language: str) -> list[Path]:
    return sorted([*place.glob(f"*__{language}_*.tsv"), *place.glob(f"*__{language}_*.tsv.gz")])
