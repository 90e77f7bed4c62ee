"""What a run of the tests leaves out, and what passed at its second run alone: the summary names both."""

import os
from typing import Any

import pytest

DONE = "HEADLINE_LAB_TESTS_DONE"
"""Variable with a file that gets a line for each test that came to its end; `.all` gets those there are."""


class Tally:
    """Counts on the controlling process; with xdist its workers say what there is to run."""

    def __init__(self) -> None:
        self.collected: set[str] = set()
        self.done: set[str] = set()
        self.failed: set[str] = set()
        self.again: dict[str, str] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.collected.update(ids)
        self._write()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not session.config.option.collectonly:
            self.collected.update(item.nodeid for item in session.items)
            self._write()

    def _write(self) -> None:
        if self.collected and (file := os.environ.get(DONE)):
            with open(f"{file}.all", "w", encoding="utf-8") as lines:
                lines.writelines(f"{test}\n" for test in sorted(self.collected))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test: str = report.nodeid
        if report.outcome == "rerun":
            crash = getattr(report.longrepr, "reprcrash", None)
            self.again[test] = crash.message if crash else report.longreprtext
        if report.failed:
            self.failed.add(test)
        if report.when != "teardown":
            return
        self.done.add(test)
        if file := os.environ.get(DONE):
            with open(file, "a", encoding="utf-8") as lines:
                lines.write(f"{test}\n")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for test, why in self.again.items():
            if test in self.done - self.failed:
                first = " ".join(why.split())[:400]
                terminalreporter.write_line(f"DEFECT passed at the second run: {test}: {first}")
        if missing := len(self.collected - self.done):
            terminalreporter.write_line(f"{missing} test{'s' * (missing > 1)} not run")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Tally())
