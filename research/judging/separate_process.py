"""A judged command in a new root, with what it is shown there, where the system allows one."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from core import limits
from core.errors import InputError
from core.files import ROOT
from research.judging import launch
from research.judging.launch import MEMORY, WORK
from research.judging.sandbox import Isolation, Run, Sandbox, SandboxLimits, make_group, members, memory

SYSTEM: Final = (
    *(f"/usr{local}/{name}" for local in ("", "/local") for name in
      ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "include")),
    "/nix/store",
    *(f"/etc/{name}" for name in ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime")),
)  # fmt: skip
TOP: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")  # of the root; links on most systems
_PREFIX: Final = ("bin", "lib", "lib32", "lib64", "libexec", "share", "pyvenv.cfg")
"""What programs of one installation of Python need of it."""
_OWN: Final = frozenset(map(Path, ("/proc", "/dev", "/sys", "/run")))
_MEMORY: Final = Path(MEMORY)  # folders that a new root has of its own or has not
_ASKED_SECONDS: Final = 20
_COMMON: Final = ("license", "licence", "readme", "notice")  # files that are alike in many folders


def system_paths() -> tuple[Path, ...]:
    """The system's programs and libraries, and this interpreter with its packages."""
    paths = [Path(path) for path in (*SYSTEM, *TOP) if os.path.lexists(path)]
    return tuple(dict.fromkeys([*paths, *_installation(Path(sys.executable))]))


def interpreter_for(word: str) -> str:
    """The interpreter that a command's first word stands for; the word itself where it is no stand-in.

    What pyenv and asdf call `python3` is a script that needs their folders, so it is asked outside of any
    root: by name alone, as a path may be a team's own script.
    """
    path = None if os.path.dirname(word) else shutil.which(word)
    if path is None or not re.fullmatch(r"python[\d.]*", Path(path).name) or not _named_in(Path(path)):
        return word
    asked = [path, "-I", "-c", "import sys; print(sys.executable)"]
    try:
        # The caller's own interpreter, before anything that is judged.
        done = subprocess.run(asked, capture_output=True, timeout=_ASKED_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return word
    return os.fsdecode(done.stdout).strip() or word


def program_paths(command: Sequence[str]) -> tuple[Path, ...]:
    """The program of a command and the interpreter it runs with, where they are not the system's."""
    binary = shutil.which(command[0])
    programs = [Path(binary), *_named_in(Path(binary))] if binary is not None else []
    system = set(system_paths())
    paths = dict.fromkeys(path for program in programs for path in _installation(program))
    return tuple(path for path in paths if system.isdisjoint((path, *path.parents)))


def files_of(command: Sequence[str]) -> tuple[Path, ...]:
    paths = [Path(word) for word in command if os.path.isabs(word) and os.path.isfile(word)]
    return tuple(path for path in paths if _OWN.isdisjoint(path.parents))


def named_paths(named: Sequence[Path], hidden: Sequence[Path]) -> tuple[Path, ...]:
    """What a command is shown besides the system, where none of it shows a reference."""
    shown = tuple(dict.fromkeys(path.absolute() for path in named))
    secrets, hash_of = _by_size(hidden), lru_cache(maxsize=None)(_hash)
    for path in shown:
        if not path.exists():
            raise InputError(f"There is no {path} to show to the system.", hint="Check --with.")
        if path in (_MEMORY, *_MEMORY.parents) or not _OWN.isdisjoint((path, *path.parents)):
            raise _refused(path, "the new root has its own")
        for place in hidden:
            real, wall = path.resolve(), place.resolve()
            if real == wall or wall in real.parents or real in wall.parents:
                raise _refused(path, f"{place} holds references")
        if ".git" in path.resolve().parts:
            raise _refused(path, "a repository holds what was ever committed to it")
        for number, file in enumerate(_walk(path)):
            if number >= limits.JUDGED_FILES.value:
                said = f"{path} holds more than {limits.JUDGED_FILES.value:,} files."
                raise InputError(said, hint="Name a smaller folder with --with.")
            _check(path, file, secrets, hash_of)
    return shown


def _check(path: Path, file: Path, secrets: dict[int, list[Path]], hash_of: Callable[[Path], bytes]) -> None:
    try:
        status = file.stat()
    except OSError:
        return  # a link to nothing
    if file.name == ".git":
        raise _refused(path, "a repository holds what was ever committed to it")
    if stat.S_ISDIR(status.st_mode):
        return
    if not stat.S_ISREG(status.st_mode):
        raise _refused(path, f"{file} is neither a file nor a folder")
    alike = secrets.get(status.st_size, [])
    same = next((other for other in alike if hash_of(other) == hash_of(file)), None)
    if same is not None:
        raise _refused(path, f"{file} is the same file as {same}")


def _refused(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} cannot be shown to the system: {why}.",
        hint="Copy what the system needs into a folder of its own, and name that with --with.",
    )


def _by_size(hidden: Sequence[Path]) -> dict[int, list[Path]]:
    """The hidden files by their sizes, empty and common ones left out."""
    sizes: dict[int, list[Path]] = {}
    for path in (path for place in hidden for path in _walk(place)):
        with suppress(OSError):
            status, common = path.stat(), path.name.casefold().startswith(_COMMON)
            if stat.S_ISREG(status.st_mode) and status.st_size and not common:
                sizes.setdefault(status.st_size, []).append(path)
    return sizes


def _hash(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return os.fsencode(path)  # like nothing else


def _walk(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir():
        for folder, folders, names in os.walk(path):
            yield from (Path(folder, name) for name in (*folders, *names))


def _named_in(program: Path) -> list[Path]:
    try:
        with program.open("rb") as file:
            head = file.readline(4096)
    except OSError:
        return []
    words = os.fsdecode(head[2:]).split() if head.startswith(b"#!") else []
    if words and os.path.basename(words[0]) == "env":
        names = [word for word in words[1:] if not word.startswith("-")]
        words = [shutil.which(names[0]) or ""] if names else []
    return [Path(words[0])] if words and Path(words[0]).is_file() else []


def _installation(program: Path) -> list[Path]:
    paths: list[Path] = []
    for _ in range(40):  # as many links as the system follows
        prefix = program.parent.parent
        python = (prefix / "pyvenv.cfg").is_file() or any(prefix.glob("lib/python3*/os.py"))
        if python and program.parent.name in ("bin", "Scripts"):
            paths += [prefix / name for name in _PREFIX if (prefix / name).exists()]
        else:
            paths.append(program)
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    return paths


MARK: Final = "HEADLINE_LAB_JUDGED"  # environment variable by which the processes of a run are found
_START: Final = "import sys; sys.path.insert(0, sys.argv[1]); from research.judging import launch; "
_VIRTUAL: Final = 4
"""Address space a process may reserve, in multiples of the memory limit: frameworks reserve much."""
_ENDING_SECONDS: Final = 10.0
_TEXTS: Final = (("/etc/passwd", f"judged:x:1000:1000::{WORK}:/bin/sh\n"), ("/etc/group", "judged:x:1000:\n"))
_LINKS: Final = tuple(
    (f"/dev/{name}", f"/proc/self/fd{place}")
    for name, place in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2"))
)


def separate_process(*, hidden: tuple[Path, ...] = (), named: tuple[Path, ...] = ()) -> Sandbox:
    return partial(_SeparateRun, hidden=hidden, named=named)


class _SeparateRun(Run):
    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        limits: SandboxLimits,
        token: str,
        *,
        hidden: tuple[Path, ...],
        named: tuple[Path, ...],
    ) -> None:
        command = [interpreter_for(command[0]), *command[1:]]
        shown = named_paths([*program_paths(command), *files_of(command), *named], hidden)
        (folder / "root").mkdir()
        root = None
        if can_isolate():
            root = _root(folder / "root", [*system_paths(), *shown], hidden, limits)
        self.root, self.token, self.group = root, token, make_group(token, limits)
        groups = [str(path) for path in self.group.folders] if self.group else []
        self.home = WORK if root is not None else str(folder / "root")
        self.line, self.report = _launched(folder, command, root, _resource_limits(limits), groups)
        self.others: frozenset[int] = frozenset()
        if root is None:
            # The command may end its own guardian, and then what it started becomes a child of this process.
            launch.adopt_orphans()
            self.others = frozenset(members(os.getpid()))

    def used(self, pid: int) -> int:
        counted = self.group.used() if self.group else 0
        if self.group and self.root is not None:
            return counted
        return max(counted, memory(members(pid)))

    def overfull(self) -> bool:
        return self.group is not None and self.group.overfull()

    def isolation(self) -> Isolation:
        if self.root is None:
            # Whoever made the group may leave it, and so may the command, which runs as the same user.
            return Isolation(kind="process")
        held = self.group is not None and self.group.holds()
        report: dict[str, Any] = {}  # where it ended before the doors were closed
        with suppress(OSError, ValueError):
            report = json.loads(self.report.read_bytes())
        verified = {name: report.get(name) is True for name in ("files", "network", "processes")}
        return Isolation(kind="new root", memory=held, **verified)

    def end(self) -> None:
        if self.group:
            self.group.end()
        if self.root is None:
            _end_adopted(self.others)
            import psutil

            for process in psutil.process_iter():
                with suppress(psutil.Error, OSError):
                    if process.environ().get(MARK) == self.token:
                        process.kill()


def _end_adopted(others: frozenset[int]) -> None:
    deadline = time.monotonic() + _ENDING_SECONDS
    while (left := launch.end_children(spared=others, session=os.getsid(0))) and time.monotonic() < deadline:
        for pid in left:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    launch.adopt_orphans(adopt=False)


@lru_cache(maxsize=1)
def can_isolate() -> bool:
    """Whether this system lets a user make a new root that holds; tried out with nothing in it."""
    if sys.platform != "linux":
        return False
    with tempfile.TemporaryDirectory(prefix="headline-lab-probe-") as name:
        folder = Path(name).resolve()
        (folder / "root").mkdir()
        root = _root(folder / "root", system_paths(), (folder,), SandboxLimits())
        line, report = _launched(folder, ["true"], root, {}, [])
        try:
            done = subprocess.run(line, capture_output=True, timeout=_ASKED_SECONDS, check=False)  # noqa: S603 - ours
            return done.returncode == 0 and all(json.loads(report.read_bytes()).values())
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return False


def _launched(
    folder: Path,
    command: Sequence[str],
    root: dict[str, Any] | None,
    limits: dict[str, int],
    groups: Sequence[str],
) -> tuple[list[str], Path]:
    """The command line that runs a command by `launch`, and the file in which that says what it verified."""
    settings, report = folder / "settings.json", folder / "report.json"
    order = {"command": command, "limits": limits, "groups": groups, "report": str(report), "root": root}
    order["work"] = WORK if root is not None else str(folder / "root")
    settings.write_text(json.dumps(order), encoding="utf-8")
    line = [sys.executable, "-I", "-S", "-c", f"{_START}launch.main(sys.argv[2])", str(ROOT), str(settings)]
    return line, report


def _root(
    place: Path, paths: Sequence[Path], hidden: Sequence[Path], limits: SandboxLimits
) -> dict[str, Any]:
    tops = {path: path.resolve() for path in paths if str(path) in TOP and path.is_symlink()}
    binds: list[Path] = []
    for path in sorted(set(paths) - set(tops), key=lambda entry: (len(entry.parts), str(entry))):
        if not any(top == path or top in path.parents for top in binds):
            binds.append(path)
    covers = [
        bind / wall.relative_to(real)
        for wall in (path.resolve() for path in hidden)
        for bind, real in ((path, path.resolve()) for path in binds)
        if real in wall.parents
    ]
    return {
        "place": str(place),
        "binds": [(str(path), str(path)) for path in binds],
        "links": [*((str(path), os.path.relpath(to, "/")) for path, to in tops.items()), *_LINKS],
        "texts": _TEXTS,
        "covers": [str(cover) for cover in covers],
        "megabytes": limits.files_megabytes,
        "secret": [str(path) for file in hidden for path in {file, file.resolve()}],
    }


def _resource_limits(limits: SandboxLimits) -> dict[str, int]:
    cores = os.cpu_count() or 1
    return {
        "RLIMIT_AS": _VIRTUAL * limits.megabytes * 1_000_000,
        "RLIMIT_CPU": int(limits.seconds * cores) + 1,
        "RLIMIT_FSIZE": limits.files_megabytes * 1_000_000,
        "RLIMIT_NOFILE": 1_024,
        # Not 0: a system that hands core dumps to a program asks for more than 1 byte, but hands over at 0.
        "RLIMIT_CORE": 1,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NPROC": _threads_of_user() + 16 * limits.processes,
    }


def _threads_of_user() -> int:
    import psutil

    if not hasattr(psutil.Process(), "uids"):
        return 0
    mine = psutil.Process().uids().real
    known = [process.info for process in psutil.process_iter(["uids", "num_threads"])]
    return sum(
        one["num_threads"] or 1 for one in known if one["uids"] is not None and one["uids"].real == mine
    )
