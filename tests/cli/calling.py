"""The command, called in this process as a person or a script calls it."""

from __future__ import annotations

import sys

import pytest

from cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `headline-lab` with these arguments."""
    before = sys.argv
    sys.argv = ["headline-lab", *map(str, arguments)]
    try:
        main()
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        sys.argv = before
    out, err = capsys.readouterr()
    return code, out, err
