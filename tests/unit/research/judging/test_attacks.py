import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from research.judging import separate_process
from research.judging.sandbox import JudgingError, SandboxLimits
from research.judging.separate_process import can_isolate
from research.judging.shown_paths import system_paths

from .conftest import TRIED, alive, assert_ended, go, leaving, new_word

isolated = pytest.mark.skipif(not can_isolate(), reason="this system allows no namespaces")


@pytest.fixture
def no_group(monkeypatch):
    monkeypatch.setattr(separate_process, "make_group", lambda *_: None)


@pytest.fixture(params=[True, False], ids=["group", "no group"])
def either(request):
    """With a control group, and without one."""
    if not request.param:
        request.getfixturevalue("no_group")


@isolated
def test_the_home_folder_cannot_be_read(system):
    home = Path.home()
    source = f"""{TRIED}
print(tried(lambda: sorted(os.listdir({str(home)!r}))))
print(os.path.expanduser("~") != {str(home)!r})"""
    told = go(system(source)).output.decode().splitlines()
    # An interpreter may lie in there; the folders that lead to it are empty but for it.
    ways = {path.relative_to(home).parts[0] for path in system_paths() if home in path.parents}
    assert told == [str(sorted(ways)) if ways else "FileNotFoundError", "True"]


@isolated
def test_command_lines_of_the_host_cannot_be_read(system):
    source = """import pathlib
for one in pathlib.Path("/proc").glob("[0-9]*"):
    print(one.name, (one / "cmdline").read_bytes())"""
    with subprocess.Popen(
        [sys.executable, "-c", "input()", "a-word-of-the-host"], stdin=subprocess.PIPE
    ) as host:
        finished = go(system(source))
        host.kill()
    assert b"a-word-of-the-host" not in finished.output
    assert 1 <= len(finished.output.splitlines()) <= 2


MEMFD = """import os, time
for n in range(12):
    held = os.memfd_create(f"m{n}")
    for _ in range(100):
        os.write(held, bytes(1_000_000))
time.sleep(60)"""
SHM = """import time
kept = []
for n in range(12):
    with open(f"/dev/shm/judged-{n}", "xb") as file:
        for _ in range(100):
            file.write(bytes(1_000_000))
time.sleep(60)"""


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize("source", [MEMFD, pytest.param(SHM, marks=isolated)], ids=["memfd", "shm"])
def test_files_in_memory_count_as_memory(system, source):
    with pytest.raises(JudgingError, match="used more than 200 MB of memory"):
        go(system(source), limits=SandboxLimits(seconds=20, megabytes=200, files_megabytes=2_000))


@pytest.mark.parametrize("shut_in", [pytest.param(True, marks=isolated), False])
def test_a_child_that_leaves_everything_is_ended(system, monkeypatch, *, shut_in):
    monkeypatch.setattr(separate_process, "can_isolate", lambda: shut_in)
    word = new_word()
    source = leaving(word, 'os.wait()\nprint("done", flush=True)\ntime.sleep(0.5)')
    assert go(system(source)).output == b"done\n"
    assert_ended(word)


@pytest.mark.usefixtures("either")
def test_a_child_of_a_command_that_ends_its_guardian_is_ended(system, monkeypatch):
    monkeypatch.setattr(separate_process, "can_isolate", lambda: False)
    word = new_word()
    with pytest.raises(JudgingError, match="SIGKILL"):
        go(system(leaving(word, "os.wait()\ntime.sleep(0.3)\nos.kill(guardian, 9)")))
    assert_ended(word)


@isolated
def test_sockets_that_no_namespace_holds_in_are_closed(system):
    # Number 40 reaches the host of a virtual machine, and other programs in it, past every namespace.
    source = f"""{TRIED}
import ctypes, socket
print(tried(lambda: socket.socket(40, socket.SOCK_STREAM)))
libc = ctypes.CDLL(None, use_errno=True)
print([libc.syscall(425, 0, 0), ctypes.get_errno()])  # io_uring_setup: it could open one as well
print(tried(lambda: socket.socket().close()))"""
    assert go(system(source)).output.decode().splitlines()[1:] == ["[-1, 1]", "None"]
    assert go(system(source)).output.startswith((b"PermissionError", b"OSError"))


@isolated
def test_its_first_process_the_kernel_and_sockets_by_name_are_out_of_reach(system):
    source = f"""{TRIED}
import ctypes, socket
libc = ctypes.CDLL(None, use_errno=True)
print(tried(lambda: os.listdir("/proc/1/root")))
print(tried(lambda: open("/proc/1/environ")))
print(libc.ptrace(16, 1, 0, 0))
print(libc.unshare(0x10000000), libc.unshare(0x20000))
print(libc.mount(None, b"/proc", None, ctypes.c_ulong(32), None))
print(tried(lambda: open("/proc/sys/kernel/core_pattern", "w")))
print(tried(lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0))))
print(len(os.listdir("/proc/self/fd")), len(os.listdir("/dev")))
print(tried(lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + "headline-lab-test")))"""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0headline-lab-test")
        server.listen()
        told = go(system(source)).output.decode().splitlines()
    assert told == [
        "PermissionError", "PermissionError", "-1", "-1 -1", "-1", "OSError", "PermissionError", "4 10",
        "ConnectionRefusedError",
    ]  # fmt: skip


@isolated
@pytest.mark.usefixtures("no_group")
def test_memory_that_no_process_has_open_counts(system):
    source = """import mmap, os, time
kept = []
for n in range(8):
    held = os.memfd_create("m")
    os.ftruncate(held, 50_000_000)
    kept.append(mmap.mmap(held, 50_000_000))
    os.close(held)
    kept[-1].write(b"x" * 50_000_000)
time.sleep(30)"""
    with pytest.raises(JudgingError, match="used more than 200 MB of memory"):
        go(system(source), limits=SandboxLimits(seconds=20, megabytes=200))


@isolated
@pytest.mark.usefixtures("no_group")
def test_shared_memory_without_files_is_closed(system):
    source = """import ctypes, time
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
for n in range(8):  # none of these stays mapped
    place = libc.shmat(libc.shmget(0, ctypes.c_size_t(50_000_000), 0o1600), None, 0)
    if place in (None, 2**64 - 1):
        print("none")
        break
    ctypes.memset(place, 1, 50_000_000)
    libc.shmdt(ctypes.c_void_p(place))
else:
    time.sleep(2)
    print("400 MB")"""
    assert go(system(source), limits=SandboxLimits(seconds=20, megabytes=200)).output == b"none\n"


@isolated
def test_references_in_an_installation_are_covered(system):
    library = Path(os.__file__).parent
    folder, file = library / "pydoc_data", library / "this.py"
    source = f"""{TRIED}
print(os.listdir({str(folder)!r}), repr(tried(pathlib.Path({str(file)!r}).read_text)))
print(os.path.exists({str(library / "os.py")!r}))"""
    finished = go(system(source), hidden=(folder, file))
    assert finished.output.decode().splitlines() == ["[] ''", "True"]
    assert finished.isolation.label == "isolated"


@isolated
def test_references_that_can_be_seen_are_not_called_hidden(system, monkeypatch):
    make_root = separate_process._root
    monkeypatch.setattr(separate_process, "_root", lambda *told: {**make_root(*told), "covers": []})
    finished = go(system("print()"), hidden=(Path(os.__file__).parent / "pydoc_data",))
    assert not finished.isolation.files
    assert finished.isolation.label == "not isolated"
    assert "references too" in finished.isolation.sentence


@pytest.mark.usefixtures("no_group")
@pytest.mark.parametrize("shut_in", [pytest.param(True, marks=isolated), False])
def test_a_child_that_leaves_everything_ends_with_the_time(system, monkeypatch, *, shut_in):
    monkeypatch.setattr(separate_process, "can_isolate", lambda: shut_in)
    word = new_word()
    with pytest.raises(JudgingError, match="ran longer than 2 seconds"):
        go(system(leaving(word, "time.sleep(600)")), limits=SandboxLimits(seconds=2))
    assert_ended(word)


@isolated
def test_a_run_ends_with_the_program_that_judges(system, tmp_path):
    word = new_word()
    program = f"""import sys
from core.runtime import Runtime
from research.judging.running import run_in_sandbox
from research.judging.sandbox import SandboxLimits
from research.judging import separate_process
from research.judging.separate_process import separate_process as in_a_root
separate_process.make_group = lambda *_: None  # nobody would take it away
command = {(*system("import os, time; os.fork() or os.setsid(); time.sleep(600)"), word)!r}
run_in_sandbox(command, b"", in_a_root(), SandboxLimits(), Runtime())"""
    judging = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 60
    while len(alive(word)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(alive(word)) == 2
    judging.kill()
    judging.wait()
    while alive(word) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(word) == []


LEAVING = """import os, time
for line in open("/proc/self/cgroup"):
    _, controllers, path = line.strip().split(":", 2)
    for name in controllers.split(","):
        try:
            with open(f"/sys/fs/cgroup/{name}{os.path.dirname(path)}/cgroup.procs", "w") as file:
                file.write(str(os.getpid()))
        except OSError:
            pass
for _ in range(3):
    if os.fork() == 0:
        held = b"x" * 120_000_000
        time.sleep(SECONDS)
        os._exit(0)
for _ in range(3):
    os.wait()
"""
"""It leaves its control group, as whoever made the group may, and its children hold memory."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="control groups are Linux's")
def test_leaving_the_control_group_escapes_no_memory_limit(system, monkeypatch):
    monkeypatch.setattr(separate_process, "can_isolate", lambda: False)
    with pytest.raises(JudgingError, match="more than 200 MB"):
        go(system(LEAVING.replace("SECONDS", "15")), limits=SandboxLimits(seconds=20, megabytes=200))
