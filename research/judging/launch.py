"""Puts a process into a root of its own and then becomes the command that is judged.

Run in a fresh interpreter, by the standard library alone. Its settings are a JSON file: `command`,
`limits` (resource limits by name), `groups` (control groups to join), `work` (the working directory),
`report` (the file in which it says what it verified) and `root`: null to run as the caller does, or
`place` (an empty folder), `binds`, `links`, `texts`, `covers`, `megabytes` and `secret`.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import sys
from contextlib import suppress
from typing import Any

from research.judging import kernel

REFUSED = 126
"""Exit status where the doors could not be closed; nothing was run."""
NOT_FOUND = 127
"""Exit status where the command cannot be run."""
MEMORY = "/tmp"  # noqa: S108 - of the new root
WORK = f"{MEMORY}/judged"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SPACES = ("mnt", "pid", "net", "ipc", "uts", "cgroup", "user")


def main(path: str) -> None:
    """Closes the doors, then runs the command in a child's place and ends as it ends."""
    with open(path, encoding="utf-8") as file:
        given: dict[str, Any] = json.load(file)
    try:
        kernel.end_with_parent()
        for group in given["groups"]:
            with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write("0")
        if given["root"] is None:
            kernel.adopt_orphans()
            child = os.fork()
            if child:
                _wait(child)
            kernel.end_with_parent()
            os.setsid()
        else:
            _enter(given)
        os.chdir(given["work"])
        _bound(given["limits"])
        kernel.drop_privileges()
    except OSError as error:
        sys.stderr.write(f"The sandbox could not be closed: {error}\n")
        sys.stderr.flush()
        os._exit(REFUSED)
    command = given["command"]
    try:
        os.execvp(command[0], command)  # noqa: S606 - this is what it is for
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(NOT_FOUND)


def _enter(given: dict[str, Any]) -> None:
    outside = {name: os.readlink(f"/proc/self/ns/{name}") for name in _SPACES}
    # Opened before the root changes; it closes by itself where the command begins.
    report = os.open(given["report"], os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    kernel.unshare_all()
    child = os.fork()
    if child:
        _wait(child)
    kernel.end_with_parent()
    _build(given["root"])
    child = os.fork()
    if child:
        os.close(report)
        _wait(child)
    os.setsid()
    kernel.drop_privileges()
    kernel.filter_calls()
    told = json.dumps(_verified(given["root"]["secret"], outside))
    os.write(report, told.encode())
    os.close(report)


def _build(root: dict[str, Any]) -> None:
    place = root["place"]
    kernel.mount(None, "/", None, kernel.PRIVATE)
    kernel.mount("tmpfs", place, "tmpfs", kernel.NO_DEVICES, "size=1m,mode=0755")
    for target, to in root["links"]:
        os.makedirs(os.path.dirname(place + target), exist_ok=True)
        os.symlink(to, place + target)
    for target, text in root["texts"]:
        os.makedirs(os.path.dirname(place + target), exist_ok=True)
        with open(place + target, "w", encoding="utf-8") as file:
            file.write(text)
    os.makedirs(place + MEMORY)
    memory = f"size={root['megabytes']}m,nr_inodes=100k,mode=0700"
    kernel.mount("tmpfs", place + MEMORY, "tmpfs", kernel.NO_DEVICES, memory)
    os.mkdir(place + WORK)
    # One memory for both, so that one limit holds.
    kernel.show(place + MEMORY, place + "/dev/shm", writable=True)  # noqa: S108
    for source, target in root["binds"]:
        kernel.show(source, place + target)
    for target in root["covers"]:
        if os.path.isdir(place + target):
            kernel.mount("tmpfs", place + target, "tmpfs", kernel.READ_ONLY, "size=4k")
        elif os.path.exists(place + target):
            kernel.mount("/dev/null", place + target, None, kernel.BIND)
    for name in _DEVICES:
        kernel.show(f"/dev/{name}", f"{place}/dev/{name}", devices=True)
    os.makedirs(place + "/proc")
    # A system that covers parts of its /proc allows no other: then there is none.
    with suppress(OSError):
        kernel.mount("proc", place + "/proc", "proc", kernel.READ_ONLY | kernel.NO_DEVICES)
    kernel.forbid_more_namespaces()
    socket.sethostname("judged")
    kernel.enter(place)


def _verified(secret: list[str], outside: dict[str, str]) -> dict[str, bool]:
    seen = {
        name: os.readlink(f"/proc/self/ns/{name}") if os.path.isdir("/proc/self/ns") else ""
        for name in _SPACES
    }
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    return {
        "files": not any(map(_readable, secret)) and not _writable("/") and seen["mnt"] != outside["mnt"],
        "network": [name for _, name in socket.if_nameindex()] in ([], ["lo"])
        and seen["net"] != outside["net"]
        and not _opens(getattr(socket, "AF_VSOCK", 40)),
        "processes": os.getppid() == 1
        and len(processes) <= 2
        and seen["pid"] != outside["pid"]
        and seen["ipc"] != outside["ipc"],
    }


def _readable(path: str) -> bool:
    try:
        if os.path.isdir(path):
            return bool(os.listdir(path))
        with open(path, "rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def _opens(family: int) -> bool:
    try:
        socket.socket(family, socket.SOCK_STREAM).close()
    except OSError:
        return False
    return True


def _writable(folder: str) -> bool:
    try:
        os.mkdir(os.path.join(folder, "written"))
    except OSError:
        return False
    return True


def _wait(child: int) -> None:
    while True:
        ended, status = os.wait()
        if ended == child:
            break
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _bound(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        bounded = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bounded, bounded))
