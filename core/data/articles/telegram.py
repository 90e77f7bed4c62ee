"""The Telegram contest: news articles with titles, some in events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from core.data.articles.articles import Articles, ArticleSource, article_sources, articles_of
from core.data.articles.numhg import part_of
from core.data.files import DataPlace
from core.data.timelines.duplicates import components
from core.data.timelines.tables import read_bytes, read_table
from core.text.normalise import clean_block, clean_line

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
    named = ((url, title, text) for url, (title, text) in articles.items() if url and title)
    by_text = {text: (url, title) for url, title, text in named if len(text.split()) >= _FEWEST_WORDS}
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
