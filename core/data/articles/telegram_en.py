"""English articles of the Telegram contest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.data.articles import telegram
from core.data.articles.articles import Articles, article_sources


@article_sources.register("telegram_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramEnglish:
    """English news of 2019 and 2020 with titles; articles of one event are known for the judged pairs.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "Telegram contest: English articles with titles, some in events"
    licence: ClassVar[str] = telegram.LICENCE

    def find(self) -> Path | None:
        """The folder of its tables, None where they are not on this machine."""
        return telegram.folder("en")

    def load(self) -> Articles:
        """Reads them.

        Raises:
            DataSourceError: They are not on this machine.
        """
        return telegram.read("en")
