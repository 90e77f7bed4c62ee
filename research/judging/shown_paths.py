"""The files that a judged command is shown in its new root, none of which holds a reference."""

import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from core import limits
from core.errors import InputError
from research.judging.launch import MEMORY

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
ASKED_SECONDS: Final = 20
_COMMON: Final = ("license", "licence", "readme", "notice")  # files that are alike in many folders


def system_paths() -> tuple[Path, ...]:
    """The system's programs and libraries, and this interpreter with its packages."""
    paths = [Path(path) for path in (*SYSTEM, *TOP) if os.path.lexists(path)]
    return tuple(dict.fromkeys([*paths, *_installation(Path(sys.executable))]))


def interpreter_for(word: str) -> str:
    """The interpreter that a command's first word stands for; the word itself where it is no stand-in."""
    # What pyenv and asdf call `python3` is a script that needs their folders, so it is asked outside of any
    # root: by name alone, as a path may be a team's own script.
    path = None if os.path.dirname(word) else shutil.which(word)
    if path is None or not re.fullmatch(r"python[\d.]*", Path(path).name) or not _named_in(Path(path)):
        return word
    asked = [path, "-I", "-c", "import sys; print(sys.executable)"]
    try:
        # The caller's own interpreter, before anything that is judged.
        done = subprocess.run(asked, capture_output=True, timeout=ASKED_SECONDS, check=True)  # noqa: S603
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
    message = f"{path} cannot be shown to the system: {why}."
    hint = "Copy what the system needs into a folder of its own, and name that with --with."
    return InputError(message, hint=hint)


def _by_size(hidden: Sequence[Path]) -> dict[int, list[Path]]:
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
