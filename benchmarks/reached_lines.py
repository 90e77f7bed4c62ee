"""pytest that records which lines of a package each test runs: `reached_lines PACKAGE FILE [OPTIONS]`."""

import json
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from core.files import ROOT


class ReachedLines:
    """For each test that passes its seconds and its lines by file; under "" those that imports run."""

    def __init__(self, package: str) -> None:
        self.folder = f"{ROOT / package}/"
        self.lines: set[tuple[str, int]] = set()
        self.tests: dict[str, Any] = {}
        self.failed: set[str] = set()

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(self.folder):
            return None
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace

    def take(self, name: str, seconds: float) -> None:
        files: dict[str, list[int]] = {}
        for file, line in self.lines:
            files.setdefault(str(Path(file).relative_to(ROOT)), []).append(line)
        self.tests[name] = {"seconds": seconds, "lines": files}
        self.lines = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        if "" not in self.tests:
            self.take("", 0.0)
        self.lines, begun = set(), time.process_time()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        outcome = yield
        self.take(item.nodeid, time.process_time() - begun)
        return outcome

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)


if __name__ == "__main__":
    package, file, *words = sys.argv[1:]
    reached = ReachedLines(package)
    sys.settrace(reached.trace)
    code = pytest.main(words, plugins=[reached])
    sys.settrace(None)
    passed = {name: test for name, test in reached.tests.items() if name not in reached.failed}
    Path(file).write_text(json.dumps(passed), encoding="utf-8")
    sys.exit(int(code))
