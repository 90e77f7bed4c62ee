"""Systems to judge: small scripts, good and bad."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.articles.articles import Articles, articles_of

SYSTEM = """import json, sys
for line in sys.stdin:
    article = json.loads(line)
    print(" ".join(article["text"].split()[:5]))
"""


@pytest.fixture
def articles() -> Articles:
    texts = [f"The council of town {n} opens a bridge. It took {n} years." for n in range(6)]
    return articles_of("towns", texts, references=[(f"Town {n} opens a bridge",) for n in range(6)])


@pytest.fixture
def system(tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """Writes a script and gives its command."""

    def write(source: str = SYSTEM) -> tuple[str, ...]:
        script = tmp_path / "system.py"
        script.write_text(source, encoding="utf-8")
        return sys.executable, "-S", str(script)

    return write
