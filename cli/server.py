"""`headline-lab doctor`, `du` and `gc`: what an administrator asks about a place where the program runs."""

import platform
import shutil
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from cli.options import command
from cli.progress import show
from core import __version__, files, limits
from core.errors import CoreError
from core.results.render import count_words
from core.runtime import cache_folder, detect_device, mode, user_folder
from core.variables import KEYS, OURS, log_form, long_key, unknown

LEAST_BYTES: Final = 1_000_000_000  # free, for caches and backups
LEAST_FILES: Final = 1_024
LEFT_SECONDS: Final = 86_400


@command()
def doctor(url: str) -> None:
    """Check this installation: versions, folders, space, database, variables, models, open files.

    With --url also what a proxy passes on. Exit code 1: something keeps the program from its work.
    """
    found = list(_checks())
    if url:
        found += [("proxy", *_proxy(url))]
    rows = [{"check": check, "ok": ok, "says": says} for check, ok, says in found]
    show(rows, lambda: "\n".join(f"{'ok ' if ok else 'BAD'} {check}: {says}" for check, ok, says in found))
    sys.exit(not all(ok for _, ok, _ in found))


def _checks() -> Iterator[tuple[str, bool, str]]:
    from core.journal.journal import the_journal
    from core.journal.schema import REVISION
    from core.journal.verify import not_writable, unread

    python = f"Python {platform.python_version()}, {platform.system()}"
    yield "version", True, f"Headline Lab {__version__}, {python}"
    for name, of in (("user folder", user_folder), ("cache folder", cache_folder)):
        try:
            folder = of()
            files.make_folder(folder)
            files.write(folder / "doctor", b"", durable=False)
            files.remove(folder / "doctor")
        except CoreError as error:
            yield name, False, str(error)
            continue
        free = shutil.disk_usage(folder).free
        yield name, free >= LEAST_BYTES, f"{folder}, {free / 1e9:,.1f} GB free"
    fault = not_writable(the_journal())
    whole = [] if fault else [f"layout {REVISION} may be written.", *unread(the_journal())]
    yield "database", not fault, fault or " ".join(whole)
    wrong = [f"{name} is unknown{f': {meant}?' if meant else '.'}" for name, meant in unknown().items()]
    asked: list[Callable[[], object]] = [mode, detect_device, log_form]
    asked += [partial(long_key, key) for key in KEYS]
    asked += [partial(getattr, limit, "value") for limit in limits.ALL]
    for ask in asked:
        try:
            ask()
        except CoreError as error:
            wrong.append(str(error))
    yield "variables", not wrong, " ".join(wrong) or f"all that begin with {OURS} are known"
    models = [path for path in (files.ROOT / "models").glob("*") if path.is_dir()]
    yield "models", bool(models), f"{len(models)} in {files.ROOT / 'models'}"
    yield from _language_models()
    with suppress(ImportError):  # Windows has no such limit
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        enough = most == resource.RLIM_INFINITY or most >= LEAST_FILES
        yield "open files", enough, f"{'any number' if most == resource.RLIM_INFINITY else most} at once"


def _language_models() -> Iterator[tuple[str, bool, str]]:
    """Whether each that is set answers; no text is sent, and its key to its address alone."""
    from core.models.endpoints.addresses import COMPLETIONS, PLAIN, endpoints, place_of
    from core.models.endpoints.asking import interface_of, models_at

    try:
        known = endpoints()
    except CoreError as error:
        yield "language model", False, str(error)
        return
    for each in known:
        try:
            listed, interface = models_at(each), interface_of(each)
        except CoreError as error:
            yield "language model", False, str(error)
            continue
        there = f": {', '.join(listed[:20])}" * bool(listed)
        lacks = f"; WARNING: {each.model!r} is not among them{there}" * (each.model not in listed)
        place = f"{each.address} ({place_of(each.address)})"
        many = count_words(len(listed), "model", "models")
        yield "language model", True, f"{place} answers and lists {many}{lacks}"
        if each.interface not in ("", interface):
            said = f"its interface is {interface!r}, not {each.interface!r} as stored: set the model again"
            yield "language model", False, f"{each.address}: {said} (Models, Your own)."
        if interface == COMPLETIONS:
            yield "language model", True, PLAIN


def _proxy(url: str) -> tuple[bool, str]:
    """What the app says of how it was asked, when it is asked as visitors ask."""
    if urlsplit(url).scheme not in ("http", "https"):
        return False, f"{url} is no address of the web."
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 - checked above
            text = answer.read().decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return False, f"{url}: {error}"
    host = urlsplit(url).netloc.rpartition("@")[2]
    if f'const asked = "{host}"' in text:
        return True, f"{url} passes on the name {host}."
    return False, f"{url} does not pass on the name {host} as Host (`headline-lab serve-config`)."


@command()
def du() -> None:
    """Say how much space each part of the user's folder and the cache takes."""
    rows = list(_sizes())
    table = (f"{row['bytes'] / 1e6:>12,.1f} MB {row['files']:>9,} files  {row['place']}" for row in rows)
    show(rows, lambda: "\n".join(table))


def _sizes() -> Iterator[dict[str, Any]]:
    for folder in (user_folder(), cache_folder()):
        for part in sorted(folder.iterdir()) if folder.is_dir() else ():
            inside = [part] if part.is_file() else [path for path in part.rglob("*") if path.is_file()]
            sizes = []
            for path in inside:
                with suppress(OSError):  # gone at this moment
                    sizes.append(path.lstat().st_size)
            yield {"place": str(part), "bytes": sum(sizes), "files": len(sizes)}


@command()
def gc(*, caches: bool) -> None:
    """Remove what killed programs left; with --caches also all that can be computed again.

    What language models answered stays: it costs money, and they may answer otherwise another day.
    Unfinished files of the user's and the cache folder, and temporary folders, a day old at least.
    """
    from core import disk_cache
    from core.models.endpoints.asking import ANSWERS

    gone, before = files.sweep_temporary(), time.time() - LEFT_SECONDS
    for folder in (user_folder(), cache_folder()):
        for path in folder.rglob(f".*{files.PARTIAL}"):
            with suppress(OSError):
                if path.is_file() and path.lstat().st_mtime < before:
                    path.unlink()
                    gone += 1
    emptied = disk_cache.emptied(cache_folder(), but=cache_folder() / ANSWERS) if caches else 0
    show({"removed": gone, "caches": emptied}, lambda: f"{gone:,} left over, {emptied:,} of caches removed.")
