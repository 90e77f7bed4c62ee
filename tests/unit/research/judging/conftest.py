"""Systems to judge: small scripts, good and bad."""

import os
import sys
import time

import psutil
import pytest

from core.data.articles.articles import articles_of
from core.runtime import Runtime
from research.judging.running import run_in_sandbox
from research.judging.sandbox import SandboxLimits
from research.judging.separate_process import separate_process

SOON = SandboxLimits(seconds=30, megabytes=500)

SYSTEM = """import json, sys
for line in sys.stdin:
    article = json.loads(line)
    print(" ".join(article["text"].split()[:5]))
"""


TRIED = """import os, pathlib, subprocess, sys
def tried(what):
    try:
        return what()
    except BaseException as error:
        return type(error).__name__
"""


@pytest.fixture
def articles():
    texts = [f"The council of town {n} opens a bridge. It took {n} years." for n in range(6)]
    return articles_of("towns", texts, references=[(f"Town {n} opens a bridge",) for n in range(6)])


@pytest.fixture
def system(tmp_path):
    def write(source=SYSTEM):
        script = tmp_path / "system.py"
        script.write_text(source, encoding="utf-8")
        return sys.executable, "-S", str(script)

    return write


def go(command, given=b"", *, limits=SOON, **options):
    return run_in_sandbox(command, given, separate_process(**options), limits, Runtime())


def alive(word):
    """Processes with a word of their own in their command line that are no zombies."""
    found = []
    for one in psutil.process_iter(["cmdline", "status"]):
        if word in (one.info["cmdline"] or []) and one.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(one)
    return found


def new_word():
    return f"judged-survivor-{os.getpid()}-{time.monotonic_ns()}"


def leaving(word, then, *, environment="{}"):
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


def assert_ended(word):
    left = alive(word)
    for one in left:
        one.kill()
    assert left == []
