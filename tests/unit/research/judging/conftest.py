"""Systems to judge: small scripts, good and bad."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from core.data.articles.articles import Articles, articles_of
from core.runtime import Runtime
from research.judging.running import run
from research.judging.sandbox import Finished, SandboxLimits
from research.judging.separate_process import SeparateProcess

Write = Callable[..., tuple[str, ...]]
SOON = SandboxLimits(seconds=30, megabytes=500)

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


def go(
    command: tuple[str, ...], given: bytes = b"", *, limits: SandboxLimits = SOON, **options: object
) -> Finished:
    return run(command, given, SeparateProcess(**options), limits, Runtime())  # type: ignore[arg-type]


def alive(word: str) -> list[psutil.Process]:
    """Processes with a word of their own in their command line that are no zombies."""
    found = []
    for one in psutil.process_iter(["cmdline", "status"]):
        if word in (one.info["cmdline"] or []) and one.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(one)
    return found


def new_word() -> str:
    """A word that no other process has in its command line."""
    return f"judged-survivor-{os.getpid()}-{time.monotonic_ns()}"


def leaving(word: str, then: str, *, environment: str = "{}") -> str:
    """A program whose grandchild leaves its session and would live for ten minutes, and what it then does."""
    return f"""import os, sys, time
guardian = os.getppid()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        program = "import time; time.sleep(600)"
        os.execve({sys.executable!r}, [{sys.executable!r}, "-S", "-c", program, {word!r}], {environment})
    os._exit(0)
{then}"""


def assert_ended(word: str) -> None:
    left = alive(word)
    for one in left:
        one.kill()
    assert left == []
