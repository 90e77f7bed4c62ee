"""Writes `outputs.jsonl`: headlines of real systems for the sample's articles, by running the systems.

python -m samples.articles.make_outputs SIGNATURE [SIGNATURE ...]
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from core.data.articles.opening import load_articles
from core.headlines.generator import GenerationOptions
from core.headlines.opening import FILE
from core.headlines.writing import title_of, write_headlines
from core.runtime import Runtime, stay_offline


def main() -> None:
    """Runs the systems that were named, in their order."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    stay_offline()
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    articles = load_articles("sample:articles")
    text = ""
    for signature in sys.argv[1:]:
        written = write_headlines(articles, signature, GenerationOptions(), Runtime())
        about = {"signature": written.source, "date": today}
        for row, headline in zip(articles.ids, written.headlines, strict=True):
            line = {"id": row, "system": title_of(written.system), "headline": headline, **about}
            text += json.dumps(line, ensure_ascii=False) + "\n"
    (Path(__file__).parent / FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
