"""Takes the pictures of the user guide's part on people (`python -m docs.pictures.people [NAME ...]`).

Headlines are those that ship; answers that nobody gave are simulated, and their study is called so.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from benchmarks.browser import PATIENCE, SERVE, chromium, opened, running, settled
from core.data.exchange.table import AnswerTable
from core.data.exchange.writer import TOOLS, write_answers
from core.data.pair_sets.annotated import timeline_groups
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.simulated import with_simulated
from core.data.timelines.samples import load_sample
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.people import studies
from core.people.group_columns import group_answers
from core.people.grouping import PLACED, TRAINED, grouping_task, place, training
from core.people.questions import SAME_EVENT
from core.people.study import Background, Order, Purpose, Study
from core.people.study_material import fingerprint_of, pairs_task
from core.people.voting import VOTED, simulated_voters, vote

HERE = Path(__file__).parent
PAIRS = "iss.v1"
CONSENT = "My answers may be used for research and be published without my name."
CLEARER = "Two reports of one event have the same what, where and when. A later step is another event."
DAYS = 10  # on which simulated people answer

NOT_SAID = dict.fromkeys(("Age", "Your profession"), studies.NOT_SAID)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        os.environ["HEADLINE_LAB_USER"] = str(Path(folder) / "user")
        study = _simulated_study()
        with running(SERVE, Path(folder)) as (url, _):
            for name in sys.argv[1:] or PICTURES:
                PICTURES[name](browser, url, study)


def _simulated_study() -> Study:
    """Five simulated people vote on ten days; the instructions get clearer in the middle."""
    journal, today = the_journal(), datetime.now(UTC)
    template = studies.templates()[SAME_EVENT.key]
    asked = replace(
        template,
        title="Same event? (simulated answers)",
        consent=(studies.version(CONSENT),),
        background=(
            Background("Age", ("under 30", "30 to 59", "60 or older")),
            Background("Your profession"),
        ),
        material=(("pairs", PAIRS),),
        order=Order.ROUTED,
        gate=0.8,
        retention=365,
    )
    study = studies.register(journal, replace(asked, fingerprint=fingerprint_of(asked, None)))
    voters = simulated_voters(pairs_task(study), load_pair_set(PAIRS)).values()
    draw = np.random.default_rng(0)
    for day in range(DAYS):
        if day == DAYS // 2:
            study = studies.register(
                journal, replace(study, instructions=(*study.instructions, studies.version(CLEARER)))
            )
        task = pairs_task(study)
        main = task.pool(Purpose.MAIN)
        known = task.pool(Purpose.TRAINING) + task.pool(Purpose.EXAM)
        entries = []
        for voter in voters:
            if not day:
                at = len(entries) // max(1, len(known))
                age = study.background[0].answers[at % 3]
                studies.join(journal, study, voter.who, NOT_SAID | {"Age": age})
            right = {item: task.question.right(item)[0] for item in known}
            for item in known * (not day) + main[day::DAYS]:
                answer = right.get(item) or voter.votes[item.id].answer
                if item in main and day < DAYS // 2 and draw.random() < 0.3:
                    answer = str(draw.choice(task.question.values))
                when = today - timedelta(days=DAYS - day)
                entries.append(NewEntry(kind=VOTED, who=voter.who, body=vote(task, item, answer), when=when))
        task.answers.append(entries)
    return study


def _page(browser: Browser, address: str, *, width: int = 1280, height: int = 1600, who: str = "") -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    opened(page, address)
    if who:
        page.get_by_label("Your name or initials").fill(who)
        page.keyboard.press("Enter")
        _rest(page)
    return page


def _rest(page: Page) -> None:
    page.wait_for_timeout(1_500)
    settled(page)
    page.wait_for_timeout(1_500)


def _save(
    page: Page, name: str, top: Locator, bottom: Locator, *, width: int = 1280, left: int = 0, below: int = 12
) -> None:
    """What lies between two elements, in a palette of colours, which makes the file small."""
    begin, end = top.bounding_box(), bottom.bounding_box()
    if begin is None or end is None:
        raise RuntimeError(f"{name}: what it shows is hidden")
    y = max(0.0, begin["y"] - 12)
    clip = {"x": left, "y": y, "width": width, "height": end["y"] + end["height"] + below - y}
    shot = Image.open(io.BytesIO(page.screenshot(clip=clip)))
    shot.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(HERE / f"{name}.png", optimize=True)


def _controls(browser: Browser, url: str, _: Study) -> None:
    """Right answers of one's own with their thresholds; then the order of pairs."""
    page = _page(browser, f"{url}/judge?part=studies")
    page.get_by_label("Task", exact=True).click()
    page.get_by_role("option", name="Same event?").click()
    _rest(page)
    page.get_by_text("More settings").click()
    _rest(page)
    known = load_pair_set(PAIRS)
    rows = [row for label in (1, 0) for row in np.flatnonzero(known.labels == label)[:15].tolist()]
    sides = [(known.texts[int(known.left[row])], known.texts[int(known.right[row])]) for row in rows]
    cells = pd.DataFrame(sides, columns=["headline_a", "headline_b"]).assign(label=known.labels[rows])
    settings = page.get_by_test_id("stExpander").filter(has_text="More settings")
    given = settings.get_by_test_id("stFileUploaderDropzoneInput")
    _give(given, {"our-controls.csv": cells.to_csv(index=False).encode()})
    _rest(page)
    exam, own = page.get_by_text("Right in the exam"), page.get_by_text("our-controls.csv")
    _save(page, "study-controls", exam, own, left=30, width=1220, below=36)
    page.get_by_label("Order", exact=True).click()
    page.wait_for_timeout(800)
    top, last = (
        page.get_by_text("Delete answers after"),
        page.get_by_role("option", name="What tells most first"),
    )
    _save(page, "study-order", top, last, left=30, width=820, below=8)
    page.close()


def _give(place: Locator, files: dict[str, bytes]) -> None:
    kinds = [{"name": name, "mimeType": "text/csv", "buffer": content} for name, content in files.items()]
    place.set_input_files(kinds)


def _gate(browser: Browser, url: str, study: Study) -> None:
    """Somebody who answered the training wrongly."""
    task = pairs_task(study)
    studies.join(the_journal(), study, "Ada", NOT_SAID)
    entries = []
    for item in task.pool(Purpose.TRAINING):
        wrong = next(value for value in task.question.values if value not in task.question.right(item))
        entries.append(NewEntry(kind=VOTED, who="Ada", body=vote(task, item, wrong)))
    task.answers.append(entries)
    page = _page(browser, f"{url}/judge?part=studies&study={study.code}", who="Ada")
    again = page.get_by_role("button", name="Take them again")
    _save(page, "study-gate", page.get_by_text("Judging as"), again, below=32)
    page.close()


def _consent(browser: Browser, url: str, study: Study) -> None:
    page = _page(browser, f"{url}/judge?part=studies&study={study.code}", who="Bo")
    page.get_by_text("I agree").click()
    _save(page, "study-consent", page.get_by_text("Judging as"), page.get_by_role("button", name="Begin"))
    page.close()


def _over_time(browser: Browser, url: str, study: Study) -> None:
    page = _page(browser, f"{url}/judge?part=studies&study={study.code}&run=yes", height=2400)
    page.get_by_text("Agreement over time").click()
    _rest(page)
    top = page.get_by_text("Agreement over time").first
    _save(page, "agreement-over-time", top, page.get_by_role("button", name="Publish this chart"))
    page.close()


def _probabilities(browser: Browser, url: str, _: Study) -> None:
    page = _page(browser, f"{url}/judge?part=agreement&simulate=yes", height=2400)
    page.get_by_text("Groups with their probability").click()
    _rest(page)
    box = page.get_by_test_id("stExpander").filter(has_text="Groups with their probability")
    _save(page, "group-probability", box, box)
    page.close()


def _best_worst(browser: Browser, url: str, _: Study) -> None:
    page = _page(browser, f"{url}/judge?part=evaluate&form=best_worst.v1", who="Eva")
    top, bottom = page.get_by_text("Which headline is the best?"), page.get_by_text("articles judged")
    _save(page, "best-worst", top, bottom)
    page.close()


def _phone(browser: Browser, url: str, _: Study) -> None:
    """A timeline grouped on a phone, after the training."""
    timeline = load_sample("iss")
    lesson, task = training().task, grouping_task(timeline)
    lesson.answers.append([NewEntry(kind=TRAINED, who="Mia", body={"placed": 12})])
    groups, _ = timeline_groups(timeline)
    for row in task.order[:6]:
        body = place(row, group=f"{groups[row]}", shown={})
        task.answers.append([NewEntry(kind=PLACED, who="Mia", body=body)])
    page = _page(browser, f"{url}/judge", width=390, height=844, who="Mia")
    everything = page.get_by_test_id("stApp")
    _save(page, "annotate-phone", everything, everything, width=390, below=-12)
    page.close()


def _imports(browser: Browser, url: str, _: Study) -> None:
    """Groups of an annotator each from four tools, of simulated annotators."""
    grouped = with_simulated(load_sample("iss"), 4)
    table = group_answers(grouped)
    files = {}
    for person, tool in zip(table.cells["annotator"].unique(), TOOLS, strict=False):
        own = AnswerTable(table.cells[table.cells["annotator"] == person], table.questions)
        files[f"{tool}.{TOOLS[tool][1]}"] = write_answers(own, tool)
    page = _page(browser, f"{url}/judge?part=agreement&simulate=no")
    page.get_by_role("button", name="Settings").click()
    body = page.get_by_test_id("stPopoverBody")
    _give(body.get_by_test_id("stFileUploaderDropzoneInput"), files)
    last = body.get_by_text("grouped headlines of potato")
    last.wait_for()
    _rest(page)
    top = body.get_by_text("Add groups from files")
    _save(page, "other-tools", top, last, left=325, width=735, below=32)
    page.close()


def _lobby(browser: Browser, _url: str, _: Study) -> None:
    """The screen of a room before the lesson starts, on a server that phones can reach."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running((*SERVE, "--server.address=0.0.0.0"), Path(folder)) as (url, _pid),
    ):
        teacher = _page(browser, f"{url}/room")
        key = (Path(folder) / "server.log").read_text().partition("opens rooms: ")[2].split()[0]
        teacher.get_by_label("Start-up key").fill(key)
        teacher.get_by_role("button", name="Next", exact=True).click()
        teacher.get_by_role("button", name="Open the room", exact=True).click()
        code = teacher.locator(".room-code").inner_text().replace(" ", "")
        for name in ("Otter", "Heron", "Maple"):
            phone = _page(browser, f"{url}/join?room={code}", width=390, height=844)
            phone.get_by_label("Your nickname").fill(name)
            phone.get_by_role("button", name="Join", exact=True).click()
            phone.get_by_text(f"{name} · room {code}").wait_for()
        teacher.get_by_role("button", name="Screen and remote").click()
        address = teacher.get_by_role("link", name="Open the screen").get_attribute("href")
        screen = browser.new_page(viewport={"width": 1280, "height": 720})
        screen.goto(str(address), timeout=PATIENCE)
        screen.get_by_text("3 here").wait_for(timeout=PATIENCE)
        screen.wait_for_timeout(4_000)
        everything = screen.get_by_test_id("stApp")
        _save(screen, "room-lobby", everything, everything, below=0)


PICTURES = {
    "controls": _controls,
    "gate": _gate,
    "consent": _consent,
    "time": _over_time,
    "probabilities": _probabilities,
    "best-worst": _best_worst,
    "phone": _phone,
    "imports": _imports,
    "lobby": _lobby,
}

if __name__ == "__main__":
    main()
