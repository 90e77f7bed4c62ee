"""The one place that writes files: whole or not at all, and appended lines whole or not at all."""

import errno
import os
import secrets
import shutil
import stat
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

from core import ABOVE
from core.errors import DataSourceError

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of the program: `samples`, `models` and `benchmarks` lie in it."""
SCRIPTS: Final = ROOT / "app" if ABOVE else ROOT
"""The folder of `app.py`, `menu.py` and `pages`."""
IMPORTED_FROM: Final = ROOT.parent if ABOVE else ROOT
PARTIAL: Final = ".partial"
"""Ending of a file or folder that is not finished yet; its name also begins with a dot."""
HINT: Final = "Check that there is space and that the folder may be written, or choose another place."
_BINARY: Final = getattr(os, "O_BINARY", 0)
PRIVATE: Final[set[Path]] = set()
"""The folders of an account (`core.runtime`): nobody else may read what is made in them."""
_OWN_FILE: Final = 0o600
_OWN_FOLDER: Final = 0o700
_TEMPORARY: Final = "headline-lab-"
_LEFT_SECONDS: Final = 86_400
_BLOCK: Final = 1 << 20  # bytes of a long file that are held at once
_WITHOUT_LOCKS: Final = threading.RLock()
_SYNCED: Final[set[Path]] = set()  # folders of which this program knows that their names are on the disk
_NAMED: Final[dict[Path, int]] = {}
"""The same of files that grow, with their inodes: a name may have gone to another file."""


def _lock(file: int, *, wait: bool = True) -> bool:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except ImportError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            return False
        raise
    return True


def _try_lock(file: int) -> bool:
    try:
        _lock(file, wait=False)
    except BlockingIOError:
        return False
    return True  # also where there are no locks


def _unlock(file: int) -> None:
    import fcntl

    fcntl.flock(file, fcntl.LOCK_UN)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """The calls to the operating system that writing takes, as in `os`; tests let each of them fail."""

    open: Callable[[Path, int, int], int] = os.open
    read: Callable[[int, int], bytes] = os.read
    write: Callable[[int, memoryview], int] = os.write
    fsync: Callable[[int], None] = os.fsync
    truncate: Callable[[int, int], None] = os.ftruncate
    close: Callable[[int], None] = os.close
    replace: Callable[[Path, Path], None] = os.replace
    unlink: Callable[[Path], None] = os.unlink
    lock: Callable[[int], bool] = _lock
    try_lock: Callable[[int], bool] = _try_lock
    unlock: Callable[[int], None] = _unlock
    stamp: Callable[[Path], None] = os.utime


SYSTEM = System()


def write(path: Path, content: bytes | memoryview, *, durable: bool = True, hint: str = HINT) -> None:
    """Writes a file whole or not at all; until it is whole, or where that fails, the one before stays.

    What is `durable` outlives a power cut; what can be computed again need not. DataSourceError, with the
    hint, where it cannot be written.
    """
    write_blocks(path, [content], durable=durable, hint=hint)


def write_blocks(path: Path, blocks: Iterable[bytes | memoryview], *, durable: bool, hint: str) -> None:
    """The same, for what is too long to be held at once."""
    with beside(path, durable=durable, hint=hint) as partial:
        file = SYSTEM.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, _rights(path))
        with _closed(file):
            for block in blocks:
                _write_all(file, block)


@contextmanager
def beside(path: Path, *, durable: bool = True, hint: str = HINT) -> Iterator[Path]:
    """Gives a name to write a file under; when that is done, the file gets its own name.

    `write` does the same for bytes; this is for libraries that write files themselves.
    """
    # Short, so that a file with the longest name that the disk allows can be written.
    partial = path.with_name(f".{os.getpid():x}-{threading.get_ident():x}-{secrets.token_hex(8)}{PARTIAL}")
    with _write_errors(path, hint):
        if path.exists() and not (path.is_file() or path.is_dir()):  # it would be replaced
            raise OSError(errno.EINVAL, "it is a device")
        try:
            yield partial
            if _rights(path) == _OWN_FILE:
                make_private(partial)  # made by a library
            if durable:
                _sync(partial, os.O_RDWR | _BINARY)
            SYSTEM.replace(partial, path)
        except BaseException:
            with suppress(OSError):
                SYSTEM.unlink(partial)
            raise
        if durable:
            _sync_names(path.parent)


def jot(path: Path, line: bytes) -> None:
    """Adds a short line to a file without waiting for the disk; OSError as it comes."""
    file = SYSTEM.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, _rights(path))
    with _closed(file):
        _write_all(file, line)


def append(path: Path, content: bytes, *, durable: bool = True, hint: str = HINT) -> None:
    """Adds whole lines to the end of a file, all of them or none (see `write`); made where there is none.

    Threads and processes that append to one file wait for each other. A line that a kill cut off is
    ended first, so that it spoils no other.
    """
    with _write_errors(path, hint), _locked(path, os.O_RDWR | os.O_APPEND) as file:
        size = os.lseek(file, 0, os.SEEK_END)
        try:
            if size and not _ends_a_line(file):
                content = b"\n" + content
            _write_all(file, content)
            if durable:
                SYSTEM.fsync(file)
                inode = os.fstat(file).st_ino
                if not size or _NAMED.get(path) != inode:  # whoever made it may have been killed before
                    _sync_names(path.parent)
                    _NAMED[path] = inode
        except BaseException:
            with suppress(OSError):
                SYSTEM.truncate(file, size)
            raise


@contextmanager
def locked(path: Path, *, hint: str = HINT) -> Iterator[None]:
    """Lets one thread of one process at a time into what it guards.

    Inside, neither `locked` nor `append` may be called with the same path: they would wait for ever.
    """
    with ExitStack() as held:
        with _write_errors(path, hint):
            held.enter_context(_locked(path, os.O_RDWR))
        yield


@contextmanager
def only_one(path: Path, *, hint: str = HINT) -> Iterator[bool]:
    """Lets one thread of one process in at a time, and says to others at once that they are not."""
    with ExitStack() as held:
        with _write_errors(path, hint):
            file = SYSTEM.open(path, os.O_RDWR | os.O_CREAT | _BINARY, _rights(path))
            held.callback(_let_go, SYSTEM.close, file)
            alone = SYSTEM.try_lock(file)
            if alone:
                held.callback(_let_go, SYSTEM.unlock, file)
        yield alone


def secret(path: Path) -> bytes:
    """256 random bits in a file that its owner alone may read, made where there is none."""
    with _write_errors(path, HINT):
        make_folder(path.parent)
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                write(path, secrets.token_bytes(32))
                make_private(path)
            return path.read_bytes()


def blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    """The rest of an open file."""
    while block := file.read(_BLOCK):
        yield block


def remove(path: Path, *, hint: str = HINT) -> None:
    with _write_errors(path, hint), suppress(FileNotFoundError):
        SYSTEM.unlink(path)


def stamp(path: Path) -> None:
    """Sets the time of a file to now, where it is there: others see that somebody is at work."""
    with suppress(OSError):
        SYSTEM.stamp(path)


def read_tables(module: str, name: str = "") -> dict[str, Any]:
    """The TOML file next to a module, of its own name or of another."""
    path = Path(module).with_name(f"{name}.toml") if name else Path(module).with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def make_folder(path: Path, *, hint: str = "Choose another folder.") -> None:
    """Makes a folder and those above it, where they are not there yet; they outlive a power cut."""
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        _SYNCED.difference_update(missing)
        for folder in reversed(missing):
            folder.mkdir(_OWN_FOLDER if _rights(folder) == _OWN_FILE else 0o777, exist_ok=True)
        path.mkdir(exist_ok=True)  # where there is a file of that name
        # One that is there may be of a program that was killed before it was on the disk.
        new = list[Path]()
        for folder in (path, *path.parents):
            if folder in _SYNCED or not os.access(folder.parent, os.W_OK):
                break
            new.append(folder)
        for folder in reversed(new):  # from above: what is known to be on the disk has all above it there
            _sync_names(folder.parent)
            _SYNCED.add(folder)
    except OSError as error:
        raise DataSourceError(f"The folder {path} cannot be made: {error.strerror}.", hint=hint) from error


def make_private(path: Path) -> None:
    """Takes the rights of other accounts to a file or folder, where it is this account's own."""
    with suppress(OSError):
        about = path.lstat()
        open_to_others = stat.S_IMODE(about.st_mode) & 0o077 and not stat.S_ISLNK(about.st_mode)
        if about.st_uid == _account() and open_to_others:
            path.chmod(_OWN_FOLDER if stat.S_ISDIR(about.st_mode) else _OWN_FILE)


def begin_private(path: Path) -> None:
    """Makes an empty private file, with its folder, for a library that writes into it and says what fails."""
    with suppress(OSError, DataSourceError):
        make_folder(path.parent)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, _OWN_FILE))


def tighten(folder: Path) -> None:
    """Makes all below a folder private; nobody else gets below one that is private itself."""
    with suppress(OSError):
        if folder.stat().st_mode & 0o077:
            for path in folder.rglob("*"):
                make_private(path)


@cache
def temporary(what: str) -> tempfile.TemporaryDirectory[str]:
    """A temporary folder of this process for one purpose, gone when it ends."""
    name = f"{_TEMPORARY}{what}-{os.getpid()}-"
    return tempfile.TemporaryDirectory(prefix=name, ignore_cleanup_errors=True)


def sweep_temporary() -> int:
    """Removes temporary folders of this account that killed processes left; gives how many."""
    from psutil import pid_exists

    gone = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY}*-*-*"):
        process = folder.name.split("-")[-2]
        with suppress(OSError):
            about = folder.lstat()
            own = stat.S_ISDIR(about.st_mode) and about.st_uid == _account()
            # Containers may share the folder and know each other's processes not: nothing new is removed.
            if (
                own
                and about.st_mtime < time.time() - _LEFT_SECONDS
                and process.isdigit()
                and not pid_exists(int(process))
            ):
                shutil.rmtree(folder)
                gone += 1
    return gone


def _account() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else -1


def _rights(path: Path) -> int:
    return _OWN_FILE if any(path.is_relative_to(folder) for folder in PRIVATE) else 0o666


@contextmanager
def _write_errors(path: Path, hint: str) -> Iterator[None]:
    try:
        yield
    except DataSourceError:
        raise
    except OSError as error:
        raise DataSourceError(f"{path} cannot be written ({error.strerror or error}).", hint=hint) from error


def _write_all(file: int, content: bytes | memoryview) -> None:
    rest = memoryview(content)
    while rest:
        written = SYSTEM.write(file, rest)
        if written <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[written:]


def _ends_a_line(file: int) -> bool:
    os.lseek(file, -1, os.SEEK_END)
    return SYSTEM.read(file, 1) == b"\n"


def _sync(path: Path, flags: int) -> None:
    file = SYSTEM.open(path, flags, 0)
    with _closed(file):
        SYSTEM.fsync(file)


def _sync_names(folder: Path) -> None:
    if hasattr(os, "O_DIRECTORY"):
        try:
            _sync(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise


@contextmanager
def _closed(file: int) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            SYSTEM.close(file)
        raise
    SYSTEM.close(file)


@contextmanager
def _locked(path: Path, flags: int) -> Iterator[int]:
    with ExitStack() as held:
        while True:
            file = SYSTEM.open(path, flags | os.O_CREAT | _BINARY, _rights(path))
            held.callback(_let_go, SYSTEM.close, file)
            if SYSTEM.lock(file):
                held.callback(_let_go, SYSTEM.unlock, file)
            else:
                held.enter_context(_WITHOUT_LOCKS)
            if _has_name(file, path):
                break
            # While this waited, another file took the name.
            held.close()
        yield file


def _let_go(release: Callable[[int], None], file: int) -> None:
    with suppress(OSError):
        release(file)


def _has_name(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
