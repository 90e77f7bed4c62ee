"""What a participant's browser gets of a workshop over the socket: the study, and nothing else."""

import asyncio
from dataclasses import replace

import pytest

from benchmarks.browser import SERVE, running
from components.frame.page_state import BARE_PAGES
from components.people.study.identity import COOKIE
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people import studies
from core.people.judges import Judges
from core.people.study import Purpose, StudyPair
from core.runtime import MODE
from tests.hostile.browsers import Person, Tab

TITLE = "Quillwort ferry"
LABORATORY = (b"check every number", b"do they agree", b"Grouping settings", b"Open the room", b"Leaderboard")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Address of a workshop with a study, its code, and the token of somebody who takes part."""
    folder = tmp_path_factory.mktemp("participants")
    journal = Journal(sqlite_url(folder / "user"))
    pairs = tuple(StudyPair(Purpose.MAIN, f"Ferry {at}", f"Boat {at}") for at in range(3))
    made = replace(studies.templates()["same_event"], title=TITLE, pairs=pairs)
    code = studies.register(journal, made).code
    token = Judges(journal=journal).take(f"Ada ({code})")
    with running(SERVE, folder, **{MODE: "workshop"}) as (url, _):
        yield url, code, token


async def seen(url, code, token, *, path=""):
    """What is sent for every page and address that a participant's browser can ask for."""
    person = await Person(url).arrive()
    person.web.cookies.set(COOKIE, token)
    tab, shown = await Tab(person).open(), {}

    async def show(page, query):
        message = tab.rerun()
        message.rerun_script.query_string, message.rerun_script.page_script_hash = query, page
        message.rerun_script.context_info.url = f"{url}/{path}"
        tab.shown = []
        await tab.send(message)
        return b"".join(tab.shown)

    shown["first"] = await show("", f"study={code}")
    pages = dict(tab.pages)
    for name, page in pages.items():
        for query in ("", f"study={code}&run=yes&part=studies", "part=agreement"):
            shown[name, query] = await show(page, query)
            # A new session asks for another page at once, as if no page of the study was ever open.
            if token:
                await tab.open()
                shown[name, query, "new"] = await show(page, query)
    await tab.close()
    return pages, shown


@pytest.mark.parametrize("by", ["cookie", "session"])
def test_no_page_of_the_laboratory_reaches_a_participant(study, by):
    url, code, token = study
    asked = {"path": ""} if by == "cookie" else {"path": "study"}
    pages, shown = asyncio.run(seen(url, code, token if by == "cookie" else "", **asked))
    assert len(pages) > 10
    for asked, content in shown.items():
        assert [word for word in LABORATORY if word in content] == [], asked
        if not set(BARE_PAGES) & {*asked}:
            assert TITLE.encode() in content, asked


def test_without_the_cookie_the_laboratory_opens(study):
    url, code, _ = study
    _, shown = asyncio.run(seen(url, code, "forged"))
    assert any(word in content for word in LABORATORY for content in shown.values())
