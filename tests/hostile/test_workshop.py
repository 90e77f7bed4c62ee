"""What docs/security.md promises of a workshop, tried as a visitor would."""

import importlib
import sys
from http.cookies import SimpleCookie

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from components import page
from components.frame import cookie
from components.server import security, sessions, signed_in, start, visitor_files
from components.server.security import HEADERS, Security
from components.server.server_keys import BROWSER, browser_token, is_open
from components.server.shelf import Shelf, Store
from components.server.visitor_files import VISITOR
from core.data.pair_sets.kept import keep_pairs, own_sets
from core.errors import InputError, ModelUnavailableError
from core.models.encoders.encoder import encoders
from core.models.weights import hub_allowed, locate
from core.plugin_files import folder, page_scripts
from core.runtime import MODE, Mode, mode
from tests.pages.opening import opened, settled
from tests.programs import finished, printed


@pytest.fixture
def workshop(monkeypatch):
    """A workshop behind the middleware, without which pages refuse to open."""
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    Security(lambda scope, receive, send: None)


def visitor(*, server="127.0.0.1", host="localhost:8501"):
    """A browser at an app behind the middleware."""

    async def page(_request):
        return HTMLResponse("<h1>")

    async def text(_request):
        return PlainTextResponse("ok")

    async def speak(socket):
        await socket.accept()
        await socket.send_text(socket.headers.get("sec-websocket-protocol", "open"))
        async for content in socket.iter_bytes():
            await socket.send_text(BackMsg.FromString(content).WhichOneof("type"))

    counts = [Route(one + "/_stcore/metrics" + end, text) for one in ("", "/base") for end in ("", "/")]
    routes = [
        Route("/", page), Route("/join", page), Route("/text", text), WebSocketRoute("/socket", speak),
        *counts,
    ]  # fmt: skip
    app = Starlette(routes=routes, middleware=[Middleware(Security)])

    async def at(scope, receive, send):
        await app(
            {**scope, "server": (server, 8501)} if scope["type"] != "lifespan" else scope, receive, send
        )

    return TestClient(at, headers={"host": host})


@pytest.mark.parametrize(
    ("address", "others"),
    [
        ("127.8.8.8", False), ("localhost", False), ("[::1]", False), ("0.0.0.0", True),
        ("192.168.1.7", True), ("127.0.0.1.example.org", True), ("unix://socket", True), (None, True),
    ],
)  # fmt: skip
def test_an_address_is_open_unless_it_is_this_computer_s_own(address, others):
    assert is_open(address) is others


def test_an_open_address_becomes_a_workshop_unless_somebody_says_otherwise(monkeypatch):
    monkeypatch.setenv(MODE, "to be put back")
    monkeypatch.delenv(MODE)
    monkeypatch.setattr("streamlit.config.get_option", lambda name: "0.0.0.0")
    security.settle_mode()
    assert mode() is Mode.WORKSHOP
    monkeypatch.setenv(MODE, "local")
    security.settle_mode()
    assert mode() is Mode.LOCAL
    monkeypatch.setenv(MODE, "worksop")
    with pytest.raises(InputError, match="worksop"):
        security.settle_mode()


@pytest.mark.parametrize(
    ("server", "host"),
    [("192.168.1.7", "192.168.1.7:8501"), ("127.0.0.1", "attacker.example:8501"), ("127.0.0.1", "[bad")],
)
def test_an_open_address_or_another_name_is_refused_where_nobody_said_a_word(server, host, monkeypatch):
    monkeypatch.delenv(MODE, raising=False)
    answer = visitor(server=server, host=host).get("/")
    assert answer.status_code == 403
    assert MODE in answer.text


@pytest.mark.parametrize("chosen", [Mode.WORKSHOP, Mode.LOCAL])
@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("[fe80::1]:8501", True), ("localhost", True), ("This-Computer:8501", True),
        ("this-computer.lan.:8501", True), ("lab.example.org", True), ("attacker.example:8501", False),
        ("192.168.1.7.attacker.example", False), ("sub.lab.example.org", False), ("[bad", False), ("", False),
    ],
)  # fmt: skip
def test_a_named_mode_answers_to_addresses_and_names_of_its_own_alone(host, chosen, monkeypatch, *, known):
    monkeypatch.setenv(MODE, chosen)
    monkeypatch.setenv("HEADLINE_LAB_HOSTS", " other.example , Lab.example.org")
    monkeypatch.setattr("socket.gethostname", lambda: "this-computer")
    monkeypatch.setattr("socket.getfqdn", lambda *_: "this-computer.lan")
    monkeypatch.setattr(security, "_own_names", security._own_names.__wrapped__)
    answer = visitor(host=host).get("/")
    assert answer.status_code == (200 if known else 403)
    assert ("HEADLINE_LAB_HOSTS" in answer.text) is not known


def test_no_socket_opens_for_a_name_of_another_site(workshop):
    evil = {"host": "attacker.example", "origin": "http://attacker.example"}
    with pytest.raises(WebSocketDisconnect), visitor().websocket_connect("/socket", headers=evil):
        pass
    with visitor().websocket_connect("/socket") as opened_socket:
        assert opened_socket.receive_text() == "open"


OWN, ELSE = "own", "elsewhere"


@pytest.mark.parametrize("chosen", [None, *Mode])
@pytest.mark.parametrize(
    ("host", "origin", "whose"),
    [
        ("localhost:8501", "http://localhost:8501", OWN), ("127.0.0.1:8501", "http://127.0.0.1:8501", OWN),
        ("[::1]:8501", "http://[::1]:8501", OWN), ("LOCALHOST:8501", "http://localhost:8501", OWN),
        ("localhost", "http://localhost:80", OWN), ("localhost:80", "http://localhost", OWN),
        ("localhost", "https://localhost", OWN), ("localhost:443", "https://localhost", OWN),
        ("localhost:8501", "http://localhost:9999", ELSE), ("localhost:8501", "http://localhost", ELSE),
        ("localhost:8501", "http://127.0.0.1:8501", ELSE), ("[::1]:8501", "http://[::1]:9", ELSE),
        ("localhost:8501", "http://0.0.0.0:8501", ELSE), ("localhost:8501", "null", ELSE),
        ("localhost:8501", "file://", ELSE), ("localhost:8501", "http://evil.example:8501", ELSE),
        ("localhost:8501", "http://localhost:8501.evil.example", ELSE), ("localhost", "https://x@[", ELSE),
        ("localhost:8501", "chrome-extension://localhost:8501", ELSE), ("localhost:8501", "", ELSE),
    ],
)  # fmt: skip
def test_another_site_or_port_is_refused(chosen, host, origin, whose, monkeypatch):
    monkeypatch.delenv(MODE, raising=False)
    if chosen:
        monkeypatch.setenv(MODE, chosen)
    client, headers = visitor(host=host), {"origin": origin}
    assert client.get("/text", headers=headers).status_code == (200 if whose == OWN else 403)
    assert client.post("/text", headers=headers).status_code == (405 if whose == OWN else 403)
    if whose == OWN:
        with client.websocket_connect("/socket", headers={"host": host, **headers}):
            pass
    else:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/socket", headers=headers):
            pass


@pytest.fixture
def kept(monkeypatch):
    """What a page tells the browser when it keeps a token, and a browser that asks for it."""
    monkeypatch.setenv(MODE, Mode.LOCAL)
    told, state = [], {}
    monkeypatch.setattr(cookie, "_keep", lambda *, key, data: told.append(data))
    monkeypatch.setattr(st, "session_state", state)
    client = TestClient(Starlette(routes=cookie.ROUTES, middleware=[Middleware(Security)]))
    client.headers["host"] = "localhost:8501"
    return told, client


def test_the_server_sets_the_cookie_of_a_judge_once_and_no_script_is_told_the_token(kept):
    told, client = kept
    for _ in range(2):
        cookie.keep_cookie("headline_lab_judge", "ada-s-token", 60, key="judge")
    assert told[0] == told[1]
    assert "ada-s-token" not in str(told)
    path = f"/keep/{told[0]['ticket']}"
    assert client.get(path).status_code == 405
    assert client.post(path, headers={"origin": "http://localhost:9"}).status_code == 403
    given = client.post(path, headers={"origin": "http://localhost:8501"}).headers["set-cookie"]
    assert given.startswith("headline_lab_judge=ada-s-token;")
    assert {"HttpOnly", "SameSite=Strict", "Max-Age=60", "Path=/"} <= set(given.split("; "))
    assert "Secure" not in given
    assert client.post(path).status_code == 404
    cookie.keep_cookie("headline_lab_judge", "", 60, key="judge")
    assert "Max-Age=0" in client.post(f"/keep/{told[-1]['ticket']}").headers["set-cookie"]


@pytest.mark.parametrize(
    "headers", [{"origin": "https://localhost", "host": "localhost"}, {"x-forwarded-proto": "https"}]
)
def test_a_cookie_that_came_by_https_does_not_go_without(headers, kept, workshop):
    told, client = kept
    cookie.keep_cookie("headline_lab_judge", "t", 60, key="judge")
    assert "; Secure" in client.post(f"/keep/{told[0]['ticket']}", headers=headers).headers["set-cookie"]
    assert "; Secure" in visitor().get("/", headers=headers).headers["set-cookie"]


def test_a_file_is_the_visitor_s_for_whom_a_page_made_it(workshop, monkeypatch):
    manager, who = MediaFileManager(MemoryMediaFileStorage("/media")), {VISITOR: "ada"}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda _: who))
    start.keep_files(manager)
    address = manager.add(b"points", "application/gzip", "map")
    assert not visitor_files.is_anothers(asking(address, "ada"))
    assert visitor_files.is_anothers(asking(address, "bo"))
    # A page that says an address, in a headline or in what a component was given, gives nobody anything.
    message = ForwardMsg()
    message.delta.new_element.bidi_component.json = f'{{"title": "{address}"}}'
    message.delta.new_element.markdown.body = address
    visitor_files._noted(message.SerializeToString(), "bo")
    assert visitor_files.is_anothers(asking(address, "bo"))
    who[VISITOR] = "bo"
    assert manager.add(b"points", "application/gzip", "map") == address
    assert not visitor_files.is_anothers(asking(address, "bo"))
    who[VISITOR] = ""
    nobodys = manager.add(b"others", "application/gzip", "map")
    assert visitor_files.is_anothers(asking(nobodys, ""))


def asking(path, who):
    return {"type": "http", "path": path, "headers": [(b"cookie", f"{VISITOR}={who}".encode())]}


def test_a_visitor_s_socket_takes_only_what_pages_say(workshop):
    flags = ("clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime")
    refused = [BackMsg(**{name: True}) for name in flags]
    for name in ("install_skills", "dismiss_skills_nudge", "deferred_file"):
        refused.append(BackMsg())
        getattr(refused[-1].backend_operation_request, name).SetInParent()
    with visitor().websocket_connect("/socket") as socket:
        assert socket.receive_text() == "open"
        for message in (*refused, BackMsg(stop_script=True)):
            socket.send_bytes(message.SerializeToString())
        assert socket.receive_text() == "stop_script"


def test_no_session_of_another_is_resumed(workshop):
    stolen = {"sec-websocket-protocol": "streamlit, token, stolen"}
    with visitor().websocket_connect("/socket", headers=stolen) as socket:
        assert "stolen" not in socket.receive_text()


def test_one_visitor_reads_and_changes_nothing_of_another_over_the_wire():
    played = finished(sys.executable, "-m", "tests.hostile.websocket", "--seeds", "0", "1")
    assert played.returncode == 0, played.stderr
    assert "none broke a promise" in played.stdout


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/base/_stcore/metrics"])
def test_visitors_are_not_told_what_the_server_counts(path, monkeypatch):
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    assert visitor().get(path).status_code == 404
    monkeypatch.setenv(MODE, Mode.LOCAL)
    assert visitor().get(path).text == "ok"


def test_this_computer_is_answered(monkeypatch):
    monkeypatch.delenv(MODE, raising=False)
    assert visitor().get("/").status_code == 200
    assert visitor(host="127.0.0.1:8501").get("/").status_code == 200
    assert "set-cookie" not in visitor().get("/").headers


def test_every_answer_has_the_headers(workshop):
    client = visitor()
    for path in ("/", "/text", "/nowhere"):
        answer = client.get(path)
        for name, value in HEADERS:
            assert answer.headers[name.decode()] == value.decode()
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy  # no other origin
    assert "*" not in policy


def test_each_browser_gets_one_cookie_that_scripts_do_not_see(workshop):
    client = visitor()
    assert "set-cookie" not in client.get("/text").headers
    given = client.get("/").headers["set-cookie"]
    assert given.startswith(f"{VISITOR}=")
    assert "HttpOnly" in given
    assert "SameSite=Lax" in given
    assert "set-cookie" not in client.get("/").headers
    assert visitor().get("/").headers["set-cookie"] != given


@pytest.mark.parametrize("chosen", Mode)
def test_a_phone_gets_a_signed_cookie_and_a_forged_one_is_replaced(chosen, monkeypatch):
    monkeypatch.setenv(MODE, chosen)
    client = visitor()
    assert BROWSER not in client.get("/").headers.get("set-cookie", "")
    given = client.get("/join").headers["set-cookie"]
    assert "HttpOnly" in given
    assert browser_token(client.cookies[BROWSER])
    assert BROWSER not in client.get("/join").headers.get("set-cookie", "")
    forged = visitor()
    forged.cookies[BROWSER] = f"another.{client.cookies[BROWSER].rpartition('.')[2]}"
    assert not browser_token(forged.cookies[BROWSER])
    assert browser_token(SimpleCookie(forged.get("/join").headers["set-cookie"])[BROWSER].value)


def test_nobody_reads_another_visitor_s_file(workshop, monkeypatch):
    store, names = Store(lambda session: True), {"cookies": "ada"}
    monkeypatch.setattr(sessions, "visitor", lambda: names["cookies"])
    Shelf("timelines", store).put("file-0123456789abcdef", "ada's")
    assert Shelf("timelines", store).open("file-0123456789abcdef") == "ada's"
    names["cookies"] = "bo"
    assert Shelf("timelines", store).open("file-0123456789abcdef") is None
    assert Shelf("timelines", store).get("file-0123456789abcdef") is None
    names["cookies"] = "ada"
    assert Shelf("timelines", store).get("file-0123456789abcdef") == "ada's"


def test_on_one_s_own_computer_a_link_opens_the_file_in_any_window(monkeypatch):
    monkeypatch.delenv(MODE, raising=False)
    assert sessions.visitor() == ""


def test_a_browser_that_empties_streamlit_s_caches_takes_nobody_s_file():
    Shelf("notes").put("file-kept", "kept")
    st.cache_resource.clear()
    assert Shelf("notes").get("file-kept") == "kept"


@pytest.mark.parametrize(
    "name", ["/etc", "~root", "~nosuchuser/x", "./models", "intfloat/e5-small", "x" * 300, ""]
)
def test_no_visitor_names_a_folder_or_hub_model(name, workshop, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_ALLOW_HUB", "1")
    assert not hub_allowed()
    with pytest.raises(ModelUnavailableError, match=r"takes only the models that it lists\. Choose one of"):
        locate(name)


def test_models_that_ship_are_there(workshop):
    assert encoders.parse("minilm.v1").fingerprint
    assert not opened("timeline").exception


def test_visitors_get_no_field_that_names_a_folder(monkeypatch):
    def fields():
        app = opened("timeline", encoder="transformers_encoder.v1")
        app.toggle(key="all-scorers").set_value(True)
        return [field.label for field in settled(app.run()).text_input]

    assert "Folder, hub id or name" in fields()
    monkeypatch.setenv(MODE, "workshop")
    assert "Folder, hub id or name" not in fields()


def test_visitors_train_nothing(workshop):
    app = opened("train")
    assert "not trained in a workshop" in app.error[0].value
    assert "Start training" not in [button.label for button in app.button]


def test_visitors_neither_see_nor_drop_files_that_are_kept_for_all(monkeypatch):
    pairs = b"headline_a,headline_b,label,event\n" + b"Bank raises rates,Bank lifts rates,1,1\nA,B,0,2\n" * 3
    name = keep_pairs(pairs, "kept_for_all.csv")
    assert name in own_sets()
    monkeypatch.setenv(MODE, "workshop")
    assert own_sets() == {}
    app = opened("pair_sets")
    assert not app.exception
    assert "Remove" not in [button.label for button in app.button]


def test_visitors_correct_for_themselves_alone(workshop, monkeypatch):
    names = {"cookies": "ada"}
    monkeypatch.setattr(sessions, "visitor", lambda: names["cookies"])
    app = opened(show="map", rows="0,20")
    app.button(key="correct-rows-split").click()
    assert "**1 correction**" in " ".join(one.value for one in settled(app).markdown)
    for name, found in (("bo", False), ("../ada", False), ("ada", True)):
        names["cookies"] = name
        said = " ".join(one.value for one in opened(show="map").markdown)
        assert ("**1 correction**" in said) is found


def test_visitors_change_no_table_that_all_see(workshop):
    app = opened("pairs")
    assert not app.exception
    assert "Measure" not in [button.label for button in app.button]


def test_menu_py_is_no_workshop(workshop, monkeypatch):
    monkeypatch.setattr(security, "_installed", [])
    page._server.clear()  # what a server that begins looks at on its first page
    app = opened("timeline")
    assert not app.exception
    assert "menu" in app.error[0].value
    assert len(app.slider) == 0
    Security(lambda scope, receive, send: None)
    assert len(opened("timeline").error) == 0


def test_the_settings_that_streamlit_is_started_with_protect():
    code = (
        "from streamlit import config\n"
        "for name in ('client.showErrorDetails', 'server.enableXsrfProtection', 'server.enableCORS', "
        "'server.address', 'client.disableDataExport', 'server.enableStaticServing', "
        "'client.allowedOrigins'):\n"
        "    print(config.get_option(name))"
    )
    assert printed(code).split() == ["none", "True", "True", "127.0.0.1", "True", "False", "[]"]


def test_no_visitor_brings_a_plugin(workshop, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.delenv("HEADLINE_LAB_PLUGINS", raising=False)
    page_scripts.cache_clear()
    evil = f"open({str(tmp_path / 'ran')!r}, 'w')".encode()
    app = opened("open", plugins=str(tmp_path), HEADLINE_LAB_PLUGINS=str(tmp_path))
    for name in ("evil.py", "../plugins/evil.py", "plugins/pages/evil.py", "evil.csv"):
        settled(app.file_uploader[0].set_value((name, evil, "text/csv")))
        for button in [one for one in app.button if one.key == "load"]:
            settled(button.click())
    assert folder() == tmp_path / "user/plugins"
    assert not folder().exists()
    assert not list(tmp_path.rglob("*.py"))
    assert not page_scripts()
    assert not (tmp_path / "ran").exists()
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("core.plugins.evil")


def test_visitors_set_no_language_model(workshop):
    app = opened("own")
    assert "not set in a workshop" in app.error[0].value
    assert not app.text_input


def test_a_name_in_a_header_is_believed_of_the_proxy_that_has_the_key_alone(workshop, monkeypatch):
    monkeypatch.setenv(signed_in.HEADER, "X-Lab-User")
    for weak in ("", "short"):
        monkeypatch.setenv(signed_in.KEY, weak)
        with pytest.raises(InputError, match=signed_in.KEY):
            signed_in.settle_sign_in()
    monkeypatch.setenv(signed_in.KEY, key := "5f0c0c9e-6a55-4f0e")
    signed_in.settle_sign_in()

    def heard(*headers):
        scope = {"headers": [(name.lower().encode(), value.encode()) for name, value in headers]}
        return dict(signed_in.believed(scope)["headers"])

    ada, right = ("X-Lab-User", "ada"), (signed_in.KEY_HEADER, key)
    assert heard(ada, right, ("Host", "a")) == {b"x-lab-user": b"ada", b"host": b"a"}
    for forged in ([ada], [ada, (signed_in.KEY_HEADER, "guess")], [ada, right, right], [ada, ada, right]):
        assert heard(*forged) == {}
    # And the middleware asks it.
    monkeypatch.setattr(security, "believed", lambda scope: {**scope, "headers": [(b"host", b"localhost")]})
    assert visitor(host="elsewhere.example").get("/text").status_code == 200
