"""Writes `outputs.jsonl`: headlines of real systems for the sample's articles, by running the systems.

python -m samples.articles.make_outputs SIGNATURE [SIGNATURE ...]
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from core.data.articles.load import load_articles
from core.headlines.reruns import FILE, written_lines
from core.runtime import Runtime, stay_offline


def main() -> None:
    """Runs the systems that were named, in their order."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    stay_offline()
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    lines = written_lines(load_articles("sample:articles"), sys.argv[1:], today, Runtime())
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (Path(__file__).parent / FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
