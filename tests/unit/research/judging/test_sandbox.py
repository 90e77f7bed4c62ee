import json
import os
import pickle
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from core.errors import Cancelled, InputError
from core.runtime import Runtime
from research.judging import separate_process, shown_paths
from research.judging.container import ContainerRun, find_container
from research.judging.judge import JudgingOrder
from research.judging.running import run_in_sandbox
from research.judging.sandbox import JudgingError, SandboxLimits
from research.judging.separate_process import can_isolate
from research.judging.shown_paths import files_of, named_paths, program_paths, system_paths
from tests.docs.pages import ROOT

from .conftest import SOON, TRIED, assert_ended, go, leaving, new_word

CLOSED = can_isolate()


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_where_the_kernel_allows_namespaces_a_new_root_holds():
    tried = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--mount-proc"]
    try:
        allowed = subprocess.run([*tried, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        pytest.skip("this system allows no namespaces")
    assert can_isolate()


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")
@pytest.mark.parametrize("closed", [True, False])
def test_it_has_no_rights_of_an_administrator(system, monkeypatch, *, closed):
    if not closed:
        monkeypatch.setattr(separate_process, "can_isolate", lambda: False)
    source = """for line in open("/proc/self/status"):
    if line.startswith(("CapEff", "CapBnd", "NoNewPrivs")):
        print(line.split()[1].strip("0"))"""
    assert go(system(source)).output == b"\n\n1\n"


def test_it_reads_stdin_and_writes_stdout_in_an_empty_folder(system):
    source = """import os, sys
data = sys.stdin.buffer.read()
print(len(data), os.listdir("."), os.getcwd() == os.path.realpath(os.environ["HOME"]))
print("warned", file=sys.stderr)"""
    finished = go(system(source), b"x" * 3_000_000)
    assert finished.output == b"3000000 [] True\n"
    assert finished.stderr == "warned"
    assert 0 < finished.seconds < SOON.seconds


def test_the_environment_is_scrubbed(system, monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "hunter2")
    told = json.loads(go(system("import json, os; print(json.dumps(dict(os.environ)))")).output)
    assert "SOME_SECRET" not in told
    assert told["HF_HUB_OFFLINE"] == "1"
    assert told["PATH"] == os.environ["PATH"]


def test_the_network_is_closed_or_said_to_be_open(system):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source = f"""import socket
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=5).close()
    print("open")
except OSError:
    print("closed")"""
        # The server itself can be reached from here.
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        finished = go(system(source))
    assert finished.output == (b"closed\n" if CLOSED else b"open\n")
    assert finished.isolation.network is CLOSED
    assert ("network was closed" in finished.isolation.sentence) is CLOSED


def test_missing_isolation_is_not_passed_over(system, monkeypatch):
    monkeypatch.setattr(separate_process, "can_isolate", lambda: False)
    finished = go(system("print('ran')"))
    assert finished.output == b"ran\n"
    assert finished.isolation.label == "not isolated"
    assert "The network was open" in finished.isolation.sentence
    assert not finished.isolation.memory  # whoever made the group may leave it


@pytest.mark.skipif(not CLOSED, reason="this system allows no namespaces")
def test_only_what_is_named_is_there_and_only_its_own_folder_can_be_written(system, tmp_path):
    named, beside = tmp_path / "named", tmp_path / "beside.txt"
    named.mkdir()
    (named / "words.txt").write_text("words")
    beside.write_text("beside")
    source = f"""{TRIED}
print(sorted(os.listdir({str(tmp_path)!r})))
print(tried(lambda: pathlib.Path({str(named / "words.txt")!r}).read_text()))
print(tried(lambda: pathlib.Path({str(named / "left")!r}).write_text("x")))
print(tried(lambda: pathlib.Path("/left").write_text("x")))
print(tried(lambda: pathlib.Path("own").write_text("x")))
print(os.system("umount /usr/bin 2>/dev/null") != 0)"""
    finished = go(system(source), named=(named,))
    assert finished.output.decode().splitlines() == [
        "['named', 'system.py']", "words", "OSError", "OSError", "1", "True",
    ]  # fmt: skip
    assert finished.isolation.label == "isolated"
    assert not (named / "left").exists()


def test_without_help_of_the_kernel_what_is_left_is_found_by_its_mark(system, monkeypatch):
    # As on systems other than Linux.
    monkeypatch.setattr(separate_process, "can_isolate", lambda: False)
    monkeypatch.setattr(separate_process, "make_group", lambda *_: None)
    monkeypatch.setattr(separate_process.launch, "adopt_orphans", lambda **_: None)
    word = new_word()
    source = leaving(word, 'os.wait()\nprint("done", flush=True)', environment="os.environ")
    assert go(system(source)).output == b"done\n"
    assert_ended(word)


@pytest.mark.parametrize(
    ("source", "limits", "says"),
    [
        ("import time; time.sleep(600)", SandboxLimits(seconds=1), "ran longer than 1 seconds"),
        ("while True: print('x' * 1000)", SandboxLimits(output_megabytes=1),
         "wrote more than 1 MB of output"),
        ("import time; kept = [b'x' * 200_000_000]; time.sleep(600)",
         SandboxLimits(megabytes=100, seconds=120), "used more than 100 MB of memory"),
        ("import os, time\nfor _ in range(30):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)",
         SandboxLimits(processes=10, seconds=120), "ran more than 10 processes at once"),
        ("raise SystemExit(3)", SOON, "failed with exit code 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", SOON, "SIGSEGV"),
    ],
)  # fmt: skip
def test_bad_systems_get_one_sentence(system, source, limits, says):
    with pytest.raises(JudgingError, match=says):
        go(system(source), limits=limits)


def test_what_it_said_is_told_in_lines_that_nothing_else_can_be_taken_for(system):
    source = "import sys; print('one\\n\\ttwo\\x1b[2J\\rKept in\\u202e x', file=sys.stderr); sys.exit(1)"
    with pytest.raises(JudgingError) as caught:
        go(system(source))
    told = "Run it by itself first. It said:\n  one\n          two\\x1b[2J\n  Kept in\\u202e x"
    assert caught.value.hint == told
    assert pickle.loads(pickle.dumps(caught.value)).hint == told


def test_large_files_are_refused(system):
    source = """with open("big", "wb") as file:
    for _ in range(30):
        file.write(bytes(1_000_000))"""
    with pytest.raises(JudgingError, match=r"failed|signal"):
        go(system(source), limits=SandboxLimits(files_megabytes=5))


def test_it_can_be_stopped(system):
    runtime = Runtime()
    threading.Timer(0.5, runtime.stop.set).start()
    with pytest.raises(Cancelled):
        run_in_sandbox(
            system("import time; time.sleep(600)"), b"", separate_process.separate_process(), SOON, runtime
        )


def test_files_beside_the_caller_are_found(tmp_path, monkeypatch):
    (tmp_path / "here.py").write_text("print('found')")
    monkeypatch.chdir(tmp_path)
    assert go((sys.executable, "here.py")).output == b"found\n"


def test_the_containers_command_closes_everything(tmp_path):
    limits = SandboxLimits(megabytes=700, processes=9)
    command, engine = ["python3", "x.py"], "/usr/bin/docker"
    line = ContainerRun(command, tmp_path, limits, "abc", engine=engine, image="some/image").line
    for option in ("--network=none", "--read-only", "--cap-drop=ALL", "--pull=never", "--memory=700000000"):
        assert option in line
    assert "--pids-limit=9" in line
    assert line[-3:] == ["some/image", "python3", "x.py"]
    assert not any(word.startswith(("--volume", "-v", "--mount", "--gpus", "--device")) for word in line)
    for name, card in (("docker", "--gpus=all"), ("podman", "--device=nvidia.com/gpu=all")):
        lent = ContainerRun(command, tmp_path, limits, "abc", engine=f"/bin/{name}", image="i", gpu=True)
        assert [word for word in lent.line if word not in line and "headline" not in word] == [
            f"/bin/{name}",
            card,
            "i",
        ]
    with pytest.raises(InputError, match="container alone"):
        JudgingOrder(name="a", command=("b",), gpu=True)


def engine(folder, script, monkeypatch):
    """Puts a program called docker on the path."""
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_a_missing_engine_or_image_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JudgingError, match="Neither docker nor podman"):
        find_container("image")
    engine(tmp_path, "exit 1", monkeypatch)
    with pytest.raises(JudgingError, match="does not run"):
        find_container("image")
    engine(tmp_path, '[ "$1" = info ]', monkeypatch)
    with pytest.raises(JudgingError, match="has no image 'image'"):
        find_container("image")
    engine(tmp_path, "exit 0", monkeypatch)
    assert find_container("image").keywords["engine"] == str(tmp_path / "docker")


GOLD = "text,headline\na,Mayor Opens Bridge Of Gold\n"


@pytest.fixture
def hidden(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "gold.csv").write_text(GOLD)
    (folder / "README.md").write_text("common words")
    return folder


@pytest.fixture
def team(tmp_path):
    folder = tmp_path / "team"
    (folder / "deep").mkdir(parents=True)
    (folder / "system.py").write_text("print()")
    (folder / "README.md").write_text("common words")
    return folder


def listening(team, _):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(team / "docker.sock"))


CHANGES = {
    "link": (lambda team, gold: os.link(gold, team / "deep/weights.bin"), "is the same file as"),
    "copy": (lambda team, gold: shutil.copy(gold, team / "deep/weights.bin"), "is the same file as"),
    "soft link": (lambda team, gold: (team / "deep/weights.bin").symlink_to(gold), "is the same file as"),
    "repository": (lambda team, _: (team / "deep/.git").mkdir(), "a repository holds"),
    "worktree": (lambda team, _: (team / ".git").write_text("gitdir: elsewhere"), "a repository holds"),
    "socket": (listening, "neither a file nor a folder"),
}


@pytest.mark.parametrize(("change", "says"), CHANGES.values(), ids=list(CHANGES))
def test_a_folder_that_shows_references_is_refused(team, hidden, change, says):
    assert named_paths([team], [hidden]) == (team,)
    change(team, hidden / "gold.csv")
    with pytest.raises(InputError, match=says):
        named_paths([team], [hidden])


def test_what_is_hidden_holds_it_or_lies_in_it_is_refused(team, hidden, tmp_path):
    for path in (hidden, tmp_path, hidden / "gold.csv", hidden / "README.md"):
        with pytest.raises(InputError, match="holds references"):
            named_paths([path], [hidden])
    other = tmp_path / "other"
    other.symlink_to(hidden)
    with pytest.raises(InputError, match="holds references"):
        named_paths([other], [hidden])
    with pytest.raises(InputError, match="There is no"):
        named_paths([tmp_path / "nothing"], [hidden])


def test_a_folder_that_looks_like_an_installation_is_looked_at(team, hidden):
    (team / "bin").mkdir()
    (team / "pyvenv.cfg").touch()
    program = team / "bin" / "run"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (team / "lib").symlink_to(hidden)
    paths = program_paths([str(program)])
    assert team / "lib" in paths
    with pytest.raises(InputError, match="holds references"):
        named_paths(paths, [hidden])


def test_scripts_bring_their_interpreter_and_the_checkout_stays_out(team):
    script = team / "tool"
    script.write_text(f"#!{sys.executable} -S\n")
    script.chmod(0o755)
    assert program_paths([str(script)]) == (script,)
    assert files_of([str(script), "no-file", str(team), "--option"]) == (script,)
    shown = [path.resolve() for path in system_paths()]
    for name in ("samples", "core", "research", ".git"):
        assert not any(path in (ROOT / name).parents or path == ROOT / name for path in shown)


def test_the_guide_names_all_that_is_shown_of_etc_and_of_an_installation():
    page = (ROOT / "docs/judging.md").read_text(encoding="utf-8")
    places = [*shown_paths.SYSTEM, *(target for target, _ in separate_process._TEXTS)]
    etc = [place.removeprefix("/etc/") for place in places if place.startswith("/etc/")]
    assert "localtime" in etc
    for name in (*etc, *shown_paths._PREFIX):
        assert f"`{name}`" in page, name
