"""What a judged command is shown: the system's programs, its interpreter, and what its caller names."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
TOP: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Folders of the root that are links into /usr on most systems."""
_PREFIX: Final = ("bin", "lib", "lib32", "lib64", "libexec", "share", "pyvenv.cfg")
"""What programs of one installation of Python need of it."""
_OWN: Final = (Path("/proc"), Path("/dev"), Path("/sys"), Path("/run"))
_MEMORY: Final = Path(MEMORY)
"""Folders that a new root has of its own or has not."""
_ASKED_SECONDS: Final = 20
_COMMON: Final = ("license", "licence", "readme", "notice")
"""Files that are the same in many folders and hold no references."""


def system_paths() -> tuple[Path, ...]:
    """The system's programs and libraries, and this interpreter with its packages."""
    paths = [Path(one) for one in (*SYSTEM, *TOP) if os.path.lexists(one)]
    return tuple(dict.fromkeys([*paths, *_installation(Path(sys.executable))]))


def interpreter_for(word: str) -> str:
    """The interpreter that a command's first word stands for; the word itself where it is no stand-in.

    What pyenv, asdf and their like put on the path as `python3` is a script that needs their folders. It is
    asked outside of any root, so only names are followed and never a path: that may be a team's own script.
    """
    found = None if os.path.dirname(word) else shutil.which(word)
    if found is None or not re.fullmatch(r"python[\d.]*", Path(found).name) or not _named_in(Path(found)):
        return word
    asked = [found, "-I", "-c", "import sys; print(sys.executable)"]
    try:
        # The caller's own interpreter, before anything that is judged.
        done = subprocess.run(asked, capture_output=True, timeout=_ASKED_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return word
    return os.fsdecode(done.stdout).strip() or word


def program_paths(command: Sequence[str]) -> tuple[Path, ...]:
    """The program of a command and the interpreter it runs with, where they are not the system's."""
    found = shutil.which(command[0])
    programs = [Path(found), *_named_in(Path(found))] if found is not None else []
    system = system_paths()
    paths = [path for program in programs for path in _installation(program)]
    return tuple(one for one in dict.fromkeys(paths) if not any(one == b or b in one.parents for b in system))


def files_of(command: Sequence[str]) -> tuple[Path, ...]:
    """The files that a command names; their paths are absolute."""
    paths = [Path(word) for word in command if os.path.isabs(word) and os.path.isfile(word)]
    return tuple(path for path in paths if not any(one in path.parents for one in _OWN))


def named_paths(named: Sequence[Path], hidden: Sequence[Path]) -> tuple[Path, ...]:
    """What a command is shown besides the system, where none of it shows a reference."""
    found = tuple(dict.fromkeys(path.absolute() for path in named))
    secrets = _Secrets(hidden)
    for path in found:
        if not path.exists():
            raise InputError(f"There is no {path} to show to the system.", hint="Check --with.")
        if path in (_MEMORY, *_MEMORY.parents) or any(one == path or one in path.parents for one in _OWN):
            raise _refused(path, "the new root has its own")
        for place in hidden:
            real, wall = path.resolve(), place.resolve()
            if real == wall or wall in real.parents or real in wall.parents:
                raise _refused(path, f"{place} holds references")
        if ".git" in path.resolve().parts:
            raise _refused(path, "a repository holds what was ever committed to it")
        for number, one in enumerate(_walk(path)):
            if number >= limits.JUDGED_FILES.value:
                raise InputError(
                    f"{path} holds more than {limits.JUDGED_FILES.value:,} files.",
                    hint="Name a smaller folder with --with.",
                )
            _check(path, one, secrets)
    return found


def _check(path: Path, one: Path, secrets: _Secrets) -> None:
    try:
        told = one.stat()
    except OSError:
        return  # a link to nothing
    if one.name == ".git":
        raise _refused(path, "a repository holds what was ever committed to it")
    if stat.S_ISDIR(told.st_mode):
        return
    if not stat.S_ISREG(told.st_mode):
        raise _refused(path, f"{one} is neither a file nor a folder")
    same = secrets.same(one, told)
    if same is not None:
        raise _refused(path, f"{one} is the same file as {same}")


def _refused(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} cannot be shown to the system: {why}.",
        hint="Copy what the system needs into a folder of its own, and name that with --with.",
    )


class _Secrets:
    def __init__(self, hidden: Sequence[Path]) -> None:
        self.sizes: dict[int, list[Path]] = {}
        self.hashes: dict[Path, bytes] = {}
        for place in hidden:
            for one in _walk(place):
                try:
                    told = one.stat()
                except OSError:
                    continue
                if (
                    stat.S_ISREG(told.st_mode)
                    and told.st_size
                    and not one.name.casefold().startswith(_COMMON)
                ):
                    self.sizes.setdefault(told.st_size, []).append(one)

    def same(self, one: Path, told: os.stat_result) -> Path | None:
        alike = self.sizes.get(told.st_size, ())
        return next((other for other in alike if self._hash(other) == self._hash(one)), None)

    def _hash(self, path: Path) -> bytes:
        if path not in self.hashes:
            try:
                with path.open("rb") as file:
                    self.hashes[path] = hashlib.file_digest(file, "sha256").digest()
            except OSError:
                self.hashes[path] = os.fsencode(path)  # like nothing else
        return self.hashes[path]


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
    found: list[Path] = []
    for _ in range(40):  # as many links as the system follows
        prefix = program.parent.parent
        if program.parent.name in ("bin", "Scripts") and _holds_python(prefix):
            found += [prefix / name for name in _PREFIX if (prefix / name).exists()]
        else:
            found.append(program)
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    return found


def _holds_python(prefix: Path) -> bool:
    return (prefix / "pyvenv.cfg").is_file() or any(prefix.glob("lib/python3*/os.py"))
