"""The command in this process, and the app under Streamlit's own test runner."""

from __future__ import annotations

import sys

import pytest

from tests.hostile.running import Command, Visit, opened


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Exit code, stdout and stderr of `headline-lab` in this process."""
    from cli.main import main

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["headline-lab", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def visit() -> Visit:
    """Opens a page of the app as a link does."""
    return opened
