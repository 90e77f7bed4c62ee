"""A running app: its address while it lives, started as a user starts it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def made(folder: Path, tree: Path = ROOT) -> Iterator[str]:
    """Address of the app that `make run` starts in a tree, with a cache and user folder of its own.

    Args:
        folder: An empty folder for the cache, the user's files and the log of the server.
        tree: The project or a copy of it; a copy needs a `.venv` with its stamp.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            ["make", "run"],
            cwd=tree,
            env=os.environ
            | {
                "STREAMLIT_SERVER_HEADLESS": "true",
                "STREAMLIT_SERVER_PORT": str(port),
                "HEADLINE_LAB_CACHE": str(folder / "cache"),
                "HEADLINE_LAB_USER": str(folder / "user"),
                "HEADLINE_LAB_RUNS": str(folder / "runs"),
            },
            stdout=output,
            stderr=subprocess.STDOUT,
            # make does not pass a signal on: the whole group is stopped.
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, server, log)
        yield url
    finally:
        _stopped(server)


def _stopped(server: subprocess.Popen[bytes]) -> None:
    """Ends the whole group; one that never started has none, and one on a busy machine may need force."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not come up:\n{log.read_text()[-3000:]}")
