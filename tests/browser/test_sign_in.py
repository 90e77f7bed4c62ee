"""Judges sign in by Streamlit's own `st.login`, at a small OpenID provider on this computer."""

import base64
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from tests.browser.steps import LONG, opened, ready

pytestmark = [pytest.mark.slow, pytest.mark.browser]
CLIENT = {"client_id": "lab", "client_secret": "of the lab"}
WHO = {"sub": "7", "name": "Ada", "email": "ada@example.org", "email_verified": True}


class Provider(BaseHTTPRequestHandler):
    """Signs everybody in as Ada, without a question."""

    asked, key = {}, None

    def do_GET(self):
        place, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        here = f"http://127.0.0.1:{self.server.server_address[1]}"
        if place == "/authorize":
            assert query["client_id"] == CLIENT["client_id"]
            self.asked["one-time"] = query["nonce"]
            self.send_response(302)
            back = urlencode({"code": "one-time", "state": query["state"]})
            self.send_header("Location", f"{query['redirect_uri']}?{back}")
            self.end_headers()
        elif place == "/jwks":
            self.say({"keys": [self.key.as_dict(private=False)]})
        else:
            ends = {
                f"{name}_endpoint": f"{here}/{path}"
                for name, path in (("authorization", "authorize"), ("token", "token"))
            }
            self.say(
                {
                    "issuer": here,
                    "jwks_uri": f"{here}/jwks",
                    "id_token_signing_alg_values_supported": ["RS256"],
                    **ends,
                }
            )

    def do_POST(self):
        from joserfc import jwt

        said = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        given = base64.b64decode(self.headers["Authorization"].partition(" ")[2]).decode()
        assert given.replace("+", " ").replace("%20", " ") == ":".join(CLIENT.values())
        now, nonce = int(time.time()), self.asked.pop(said["code"])
        here = f"http://127.0.0.1:{self.server.server_address[1]}"
        claims = {"iss": here, "aud": CLIENT["client_id"], "iat": now, "exp": now + 60, "nonce": nonce, **WHO}
        token = jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)
        self.say({"access_token": "unused", "token_type": "Bearer", "expires_in": 60, "id_token": token})

    def say(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def provider():
    from joserfc.jwk import RSAKey

    Provider.key = RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def test_a_judge_signs_in_at_a_provider_and_out_again(browser, provider, tmp_path):
    port = free_port()
    auth = {"redirect_uri": f"http://127.0.0.1:{port}/oauth2callback", "cookie_secret": "c" * 32, **CLIENT}
    auth["server_metadata_url"] = f"{provider}/.well-known/openid-configuration"
    lines = ["[auth]", *(f"{name} = {json.dumps(value)}" for name, value in auth.items())]
    (tmp_path / "secrets.toml").write_text("\n".join(lines), encoding="utf-8")
    start = [sys.executable, "-m", "cli", "app", "--no-browser", f"--port={port}"]
    secrets = {"STREAMLIT_SECRETS_FILES": str(tmp_path / "secrets.toml")}
    page = browser.new_context().new_page()
    page.set_default_timeout(LONG)
    with running(start, tmp_path, port=port, **secrets) as (url, _):
        opened(page, f"{url}/judge?part=evaluate", "Annotate and judge")
        expect(page.get_by_label("Your name or initials")).to_have_count(0)
        page.get_by_role("button", name="Sign in to judge").click()
        page.wait_for_url(f"{url}/")
        opened(page, f"{url}/judge?part=evaluate", "Annotate and judge")
        expect(page.get_by_text("Judging as ada@example.org")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{url}/")
        ready(page)
        opened(page, f"{url}/judge?part=evaluate", "Annotate and judge")
        expect(page.get_by_role("button", name="Sign in to judge")).to_be_visible()
