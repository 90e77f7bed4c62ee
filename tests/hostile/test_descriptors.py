"""Few files may be open at once, as on macOS: sessions that are gone, and those that are here, need none."""

import asyncio
import os
import sys

import pytest

from benchmarks.browser import SERVE, running
from components.server.start import FEW, MOST, ScriptLoop, raise_limit, word_on
from core.runtime import MODE, Mode
from tests.hostile.browsers import Person, Tab
from tests.programs import printed

resource = pytest.importorskip("resource")  # Windows has no such limit
LOW, VISITS, AT_ONCE = 256, 150, 5
UNDER = ("sh", "-c", f'ulimit -n {LOW} && exec "$@"', "sh", *SERVE)  # the hard limit as well


async def visit(url, staying):
    """Opens the first page and leaves, or stays; whether it was shown."""
    person = await Person(url).arrive()
    tab = await Tab(person).open()
    shown = b"check every number" in await tab.show()
    if staying is None:
        await tab.close()
    else:
        staying.append(tab)
    person.web.close()
    return shown


async def visits(url, count, staying=None):
    shown = []
    for _ in range(count // AT_ONCE):
        found = await asyncio.gather(*(visit(url, staying) for _ in range(AT_ONCE)), return_exceptions=True)
        shown += [one if isinstance(one, bool) else repr(one) for one in found]
    return [one for one in shown if one is not True]


async def reloads(url):
    """One browser opens a page anew again and again, each time before the last one stands."""
    person, last = await Person(url).arrive(), None
    for _ in range(30):
        tab = await Tab(person).open()
        await tab.send(tab.rerun(), wait=0)
        if last is not None:
            await last.close()
        last = tab
    shown = await last.show()
    await last.close()
    return b"check every number" in shown


@pytest.mark.timeout(1_800)
def test_150_visitors_each_see_the_page_where_256_files_may_be_open(tmp_path, monkeypatch):
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    with running(UNDER, tmp_path) as (url, server):
        assert asyncio.run(visits(url, VISITS // 3)) == []
        if os.path.isdir(f"/proc/{server}/fd"):
            assert len(os.listdir(f"/proc/{server}/fd")) < 64  # nothing of those who left
        assert asyncio.run(reloads(url))
        staying = []
        assert asyncio.run(visits(url, VISITS, staying)) == []
        assert len(staying) == VISITS
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert f"Only {LOW} files" in log
    assert "Too many open files" not in log


@pytest.mark.parametrize(
    ("soft", "hard", "wanted"),
    [(256, 4_096, 4_096), (256, 1_000_000, MOST), (50_000, 1_000_000, 50_000), (256, 256, 256)],
)
def test_the_limit_is_raised_to_what_the_system_allows(soft, hard, wanted):
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if allowed != resource.RLIM_INFINITY and hard > allowed:
        pytest.skip("this machine allows no process more")
    code = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
    code += "from components.server.start import raise_limit; print(raise_limit())\n"
    code += "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    assert printed(code).split() == [str(wanted), str(wanted), str(hard)]


def test_an_infinite_limit_is_not_asked_for_and_a_refusal_is_no_error(monkeypatch):
    asked = []

    def refused(_which, limits):
        asked.append(limits)
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (LOW, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refused)
    assert raise_limit() == LOW
    assert asked == [(MOST, resource.RLIM_INFINITY)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert raise_limit() == MOST


def test_a_low_limit_is_said_with_what_raises_it():
    assert str(LOW) in word_on(LOW)
    assert "ulimit" in word_on(FEW - 1)
    assert word_on(FEW) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_a_loop_has_no_descriptors_before_it_runs_and_wakes_when_it_does():
    before = len(os.listdir("/proc/self/fd"))
    loop = ScriptLoop()
    assert len(os.listdir("/proc/self/fd")) == before
    assert loop.run_until_complete(asyncio.wait_for(loop.run_in_executor(None, lambda: 7), 30)) == 7
    assert loop.run_until_complete(asyncio.wait_for(loop.run_in_executor(None, lambda: 8), 30)) == 8
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
    assert len(os.listdir("/proc/self/fd")) == before
    ScriptLoop().close()
