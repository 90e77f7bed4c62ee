"""A workshop behind nginx as Debian has it, with TLS and a sub-path, by the file that we print."""

import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from components.server.security import HOSTS
from components.server.signed_in import HEADER, KEY
from core.files import secret
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people.room.rooms import Rooms
from core.runtime import MODE, Mode
from tests.browser.steps import begun, ready
from tests.programs import finished
from tests.unit.people.room.meeting import small_task

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(
        not shutil.which(NGINX), reason="nginx is not installed (apt-get install nginx-light)"
    ),
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed"),
]
NAME = "lab.localhost"  # browsers look for it on this computer
SECRET = "5f0c0c9e-6a55-4f0e"
PROXIED = {MODE: Mode.WORKSHOP, HOSTS: NAME, HEADER: "X-Lab-User", KEY: SECRET}
HEAD_BYTES = 2_000  # of an answer at most: nginx refuses more than 4,096 where nobody set it otherwise


@contextmanager
def nginx(folder, recipe):
    """The proxy while it lives, with a certificate that nobody signed."""
    folder.mkdir()
    port, (pem, key) = free_port(), (folder / f"{NAME}.{ending}" for ending in ("pem", "key"))
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-days", "2"]
    subprocess.run([*made, "-keyout", key, "-out", pem], check=True, capture_output=True)
    site = recipe.replace("listen 443", f"listen 127.0.0.1:{port}")
    site = re.sub(r"/etc/ssl/\w+", str(folder), site)
    logs = f"pid {folder}/pid; error_log {folder}/error.log"
    text = f"daemon off; {logs}; events {{}} http {{ access_log off; {site} }}"
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"])
    try:
        while process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        assert process.poll() is None
        yield f"https://{NAME}:{port}/lab"
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The workshop behind it: its port, and the folder of its user."""
    folder, port = tmp_path_factory.mktemp("proxied"), free_port()
    start = [sys.executable, "-m", "cli", "app", "--no-browser", f"--port={port}", "--base-path=lab"]
    with running(start, folder, port=port, path="/lab", **PROXIED):
        yield port, folder / "user"


@pytest.fixture(scope="module")
def recipe(app):
    made = ["serve-config", "nginx", "--name", NAME, "--base-path", "lab", "--port", app[0]]
    return finished(sys.executable, "-m", "cli", *made).stdout


def visitor(browser):
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.set_default_timeout(60_000)
    return page


def test_three_phones_join_a_room_and_cookies_are_of_this_app_alone(browser, app, recipe, tmp_path):
    port, user = app
    rooms = Rooms(Journal(sqlite_url(user)), secret=secret(user / "server.key"))
    code, _ = rooms.open(small_task(), lobby=True)
    with nginx(tmp_path / "nginx", recipe) as url:
        for path in ("/lab/", "/lab/join", "/lab/map"):
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": NAME})
            with urllib.request.urlopen(request) as answer:
                assert len(str(answer.headers)) < HEAD_BYTES
        page = visitor(browser)
        begun(page, url)
        page.goto(f"{url}/")
        expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
        ready(page)
        phones = [visitor(browser) for _ in range(3)]
        for number, phone in enumerate(phones):
            phone.goto(f"{url}/join?room={code}")
            phone.get_by_label("Your nickname").fill(f"P{number}")
            phone.get_by_role("button", name="Join", exact=True).click()
            expect(phone.get_by_text(f"P{number} · room {code[:4]} {code[4:]}")).to_be_visible()
        assert {person.nickname for person in rooms.room(code).people.values()} == {"P0", "P1", "P2"}
        own = [one for one in phones[0].context.cookies() if one["name"].startswith("headline_lab")]
        assert len(own) == 2
        assert {(one["path"], one["secure"], one["httpOnly"]) for one in own} == {("/lab", True, True)}
        # A large file reaches the app, which asks for its session; nginx's own limit is one megabyte.
        put = "url => fetch(url, {method: 'PUT', body: 'x'.repeat(3e6)}).then(answer => answer.status)"
        assert page.evaluate(put, f"{url}/_stcore/upload_file/none/none") not in (413, 502)


def test_a_proxy_that_asks_by_another_name_is_named_on_the_page(browser, app, recipe, tmp_path):
    wrong = re.sub(r"proxy_set_header Host .*;", "", recipe)
    assert wrong != recipe
    with nginx(tmp_path / "nginx", wrong) as url:
        page = visitor(browser)
        page.goto(f"{url}/")
        expect(page.get_by_role("alert")).to_contain_text("proxy_set_header Host")


def test_judges_have_the_name_by_which_the_proxy_knows_them(browser, app, recipe, tmp_path):
    signing = recipe.replace("# proxy_set_header X-", "proxy_set_header X-").replace('"..."', SECRET)
    assert signing.count("# proxy_set") == 0
    page = visitor(browser)
    with nginx(tmp_path / "nginx", signing.replace("$remote_user", "ada@example.org")) as url:
        page.goto(f"{url}/judge?part=evaluate")
        expect(page.get_by_text("Judging as ada@example.org")).to_be_visible()
    page.goto(f"http://127.0.0.1:{app[0]}/lab/judge?part=evaluate")
    expect(page.get_by_text("Nobody is signed in here")).to_be_visible()
