"""A real server, a workshop, and a program that annotates by a token that the command made."""

import json
import stat
import sys
import urllib.error
import urllib.request

import pytest

from core.journal.journal import Journal
from core.journal.opening import close, sqlite_url
from core.people import studies
from core.people.study import Study, StudyPair
from tests.browser.steps import made
from tests.programs import finished

pytestmark = pytest.mark.browser


def ask(url, token="", body=None):
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_program_answers_a_study_of_a_workshop_and_nobody_without_a_token_learns_of_it(tmp_path):
    user = tmp_path / "user"
    journal = Journal(sqlite_url(user))
    uses = ("training", 1), ("exam", 1), ("control", 1), ("main", 3)
    pairs = tuple(
        StudyPair(use, f"{use} {at}", "Other", "" if use == "main" else "same")
        for use, count in uses
        for at in range(count)
    )
    about = Study(title="Dams", asks="same_event", pairs=pairs)
    study = studies.register(journal, about)
    close(journal.url)
    around = {"HEADLINE_LAB_USER": str(user), "HEADLINE_LAB_MODE": "workshop"}

    def verb(*words):
        done = finished(sys.executable, "-m", "cli", "study", "token", *words, **around)
        assert not done.returncode, done.stderr
        return done.stdout.strip()

    with made(tmp_path, HEADLINE_LAB_MODE="workshop") as url:
        place = f"{url.rstrip('/')}/api/studies"
        assert ask(place, "x")[0] == 404
        token = verb("--study", study.code, "--role", "annotator", "--name", "Robot")
        manager = verb("--role", "manager", "--name", "CI")
        for wrong in ("", "x"):
            status, said = ask(f"{place}/{study.code}/items", wrong)
            assert (status, "Dams" in said or "main 0" in said) == (401, False)
        done = 0
        while (item := ask(f"{place}/{study.code}/next", token)[1]["item"]) is not None:
            status, _ = ask(f"{place}/{study.code}/answers", token, {"item": item["id"], "answer": "same"})
            assert status == 200
            done += 1
        assert done >= 5
        assert len(ask(f"{place}/{study.code}/answers", manager)[1]) == done
        listed = verb()
        assert token not in listed
        (line,) = [line for line in listed.splitlines() if "Robot" in line]
        verb("--revoke", line.split()[0])
        assert ask(f"{place}/{study.code}/next", token)[0] == 401
        assert len(ask(place, manager)[1]) == 1
    kept = [path for path in user.rglob("*") if path.is_file()]
    assert not any(token.encode() in path.read_bytes() for path in kept)
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept if "sqlite" in path.name} == {0o600}
