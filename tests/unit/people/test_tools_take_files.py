"""Label Studio, doccano and Potato take the files that are written for them; run where they are installed.

Each stands in an environment of its own, whose `bin` a variable names: `HEADLINE_LAB_LABEL_STUDIO`,
`HEADLINE_LAB_DOCCANO`, `HEADLINE_LAB_POTATO`. Servers listen on this computer only.
"""

import html
import json
import os
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from benchmarks.browser import free_port
from core.data.exchange.projects import beside
from core.people.rating_files import read_ratings
from core.people.vote_files import read_votes
from tests.unit.people.projects import PAIRED, RATINGS, VOTES, as_dict, written

pytestmark = [pytest.mark.external, pytest.mark.slow]
KINDS = ("votes", "votes tasks", "ratings", "paired", "paired tasks", "groups")
TOKEN = "0123456789abcdef0123456789abcdef01234567"
IMPORTER = Path(__file__).with_name("doccano_import.py")


def command_of(tool, name):
    folder = os.environ.get(f"HEADLINE_LAB_{tool}")
    if not folder:
        pytest.skip(f"HEADLINE_LAB_{tool} names no environment with it")
    return str(Path(folder) / name)


@contextmanager
def serving(command, folder, port, path="/", **names):
    """A server in a folder, once it answers."""
    environment = {**os.environ, **names, "PYTHONPATH": ""}
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        while not _answers(f"http://127.0.0.1:{port}{path}"):
            assert server.poll() is None, (folder / "server.log").read_text()[-2000:]
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def asked(url, data=None, kind="application/json"):
    headers = {"Authorization": f"Token {TOKEN}", "Content-Type": kind}
    request = urllib.request.Request(url, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode()[:2000]) from error


@pytest.fixture(scope="module")
def label_studio(tmp_path_factory):
    command, folder, port = (
        command_of("LABEL_STUDIO", "label-studio"),
        tmp_path_factory.mktemp("ls"),
        free_port(),
    )
    known = {"LABEL_STUDIO_BASE_DATA_DIR": str(folder), "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true"}
    quiet = {
        "COLLECT_ANALYTICS": "0",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "LATEST_VERSION_CHECK": "false",
    }
    who = ("--username", "a@lab.example", "--password", "not-a-secret-1", "--user-token", TOKEN)
    start = [command, "start", "--no-browser", "--internal-host", "127.0.0.1", "-p", str(port), *who]
    with serving(start, folder, port, "/health", **known, **quiet) as url:
        yield url


@pytest.mark.parametrize("name", KINDS)
def test_label_studio_takes_tasks_and_answers_and_gives_them_back(label_studio, name):
    table, file = written(name, "label_studio")
    (config,) = beside(table, "label_studio", "f.json").values()
    about = json.dumps({"title": name, "label_config": config.decode()}).encode()
    project = json.loads(asked(f"{label_studio}/api/projects", about))["id"]
    mark = b"----headline"
    head = b'Content-Disposition: form-data; name="file"; filename="f.json"\r\nContent-Type: application/json'
    body = b"\r\n".join([b"--" + mark, head, b"", file, b"--" + mark + b"--", b""])
    kind = f"multipart/form-data; boundary={mark.decode()}"
    taken = json.loads(asked(f"{label_studio}/api/projects/{project}/import", body, kind))
    assert taken["task_count"] == table.cells["item"].nunique()
    assert taken["annotation_count"] == (table.cells["annotator"] != "").sum()
    export = f"{label_studio}/api/projects/{project}/export?exportType=JSON&download_all_tasks=true"
    back = asked(export)
    assert len(json.loads(back)) == taken["task_count"]
    if name == "votes":
        assert as_dict(read_votes(back, "f.json")) == as_dict(VOTES)
        small = asked(export.replace("=JSON", "=JSON_MIN"))
        assert as_dict(read_votes(small, "f.json", answer="answer")) == as_dict(VOTES)
    for ratings in {"ratings": [RATINGS], "paired": [PAIRED]}.get(name, ()):
        again = read_ratings(back, "f.json", ratings.form, ratings.task)
        assert again.judges == ratings.judges
        np.testing.assert_array_equal(again.values, ratings.values)


@pytest.mark.parametrize("name", KINDS)
def test_doccano_takes_tasks_and_answers_and_gives_them_back(tmp_path, name):
    _, file = written(name, "doccano")
    (tmp_path / "f.jsonl").write_bytes(file)
    subprocess.run(
        [command_of("DOCCANO", "python"), IMPORTER, tmp_path / "f.jsonl", tmp_path / "back.jsonl"],
        check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": "", "HOME": str(tmp_path)},
    )  # fmt: skip
    back = (tmp_path / "back.jsonl").read_bytes()
    assert len(back.splitlines()) == len(file.splitlines())
    if name == "votes":
        assert as_dict(read_votes(back, "f.jsonl")) == as_dict(VOTES)


@pytest.mark.parametrize("name", KINDS)
def test_potato_opens_the_project_and_shows_both_headlines(tmp_path, name):
    table, file = written(name, "potato")
    (tmp_path / "f.jsonl").write_bytes(file)
    for other, content in beside(table, "potato", "f.jsonl").items():
        (tmp_path / other).write_bytes(content)
    port = free_port()
    start = [command_of("POTATO", "potato"), "start", "f-config.yaml", "-p", str(port), "--host", "127.0.0.1"]
    known = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    who = urllib.parse.urlencode({"email": "ann", "pass": "not-a-secret", "action": "signup"}).encode()
    with serving(start, tmp_path, port) as url:
        known.open(f"{url}/register", who)
        page = html.unescape(known.open(f"{url}/annotate").read().decode())
    rows = table.cells.to_dict("records")
    seen = [row for row in rows if any(text and text in page for text in (row["text"], row.get("first")))]
    assert seen
    assert "first" not in table.cells or seen[0]["second"] in page
    assert all(f'value="{option}"' in page for options in table.questions.values() for option in options)
