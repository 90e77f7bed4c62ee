"""A study of pairs on a server as programs reach it: with tokens of three roles, in a workshop."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from components.server import logs, study_routes
from components.server.security import Security
from core.journal.journal import the_journal
from core.journal.opening import close
from core.people import studies, study_material
from core.people.study import Background, Study, StudyPair, Version
from core.runtime import MODE, Mode
from core.study_access.tokens import AccessRole, make_token

USES = ("training", 2), ("exam", 4), ("control", 2), ("main", 6)


def registered(title, **more):
    pairs = tuple(
        StudyPair(use, f"{use} {at}", "Other", "" if use == "main" else "same")
        for use, count in USES
        for at in range(count)
    )
    about = {"asks": "same_event", "pairs": pairs, "training": 2, "exam": 4, "votes": 2, **more}
    study = Study(title=title, **about)
    return studies.register(
        the_journal(), Study(title=title, **about, fingerprint=study_material.fingerprint_of(study, None))
    )


class Program:
    def __init__(self, client, token, code):
        self.client, self.token, self.code = client, token, code

    def ask(self, what="", body=None, *, method="", status=200, **more):
        place = f"/api/studies/{self.code}/{what}".rstrip("/") if not what.startswith("/") else what
        method = method or ("GET" if body is None else "POST")
        headers = {"authorization": f"Bearer {self.token}"}
        answer = self.client.request(method, place, headers=headers, json=body, **more)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def answer_all(self, answers=lambda texts: "same"):
        """Answers until nothing is asked; gives the pairs of the work that were answered."""
        done = []
        while (asked := self.ask("next"))["item"]:
            item = asked["item"]
            self.ask("answers", {"item": item["id"], "answer": answers(item["texts"])})
            done += [item["texts"]] * (asked["state"] == "work")
        return done


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A client; each test has a journal of its own."""
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    ways = [Middleware(logs.Watched), Middleware(Security)]
    with TestClient(
        Starlette(routes=study_routes.ROUTES, middleware=ways), headers={"host": "localhost"}
    ) as client:
        yield client
    close(the_journal().url)


@pytest.fixture
def study(server):
    return registered(
        "Pairs", consent=(Version("2026-05-04", "I may stop."),), background=(Background("Age"),)
    )


@pytest.fixture
def program(server, study):
    def made(role, name="Ada", code=None):
        code = study.code if code is None else code
        return Program(server, make_token(the_journal(), AccessRole(role), name, code), study.code)

    return made
