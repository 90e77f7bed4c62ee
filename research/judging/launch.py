"""Puts a process into a root of its own and then becomes the command that is judged.

Run in a fresh interpreter, by the standard library alone. Its settings are a JSON file: `command`,
`limits` (resource limits by name), `groups` (control groups to join), `work` (the working directory),
`report` (the file in which it says what it verified) and `root`: null to run as the caller does, or
`place` (an empty folder), `binds`, `links`, `texts`, `covers`, `megabytes` and `secret`.
"""

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Collection
from contextlib import suppress
from typing import Any

# From linux/mount.h, linux/sched.h and linux/prctl.h; syscall numbers are the same on all architectures.
READ_ONLY, BIND, PRIVATE = 1, 4096, (1 << 18) | 16384
NO_DEVICES = 2 | 4  # nosuid, nodev
_RECURSIVE = 16384
_ATTRIBUTE_READ_ONLY, _ATTRIBUTE_NO_SUID, _ATTRIBUTE_NO_DEVICES = 1, 2, 4
_AT_FDCWD, _AT_RECURSIVE, _SYS_MOUNT_SETATTR = -100, 0x8000, 442
_MNT_DETACH = 2
_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
_PR_SET_SECCOMP, _SECCOMP_FILTER = 22, 2
_CAPABILITIES = 64
# From linux/seccomp.h and linux/audit.h: by machine, its number, that of the call socket, and those of
# shmget, msgget, add_key, request_key, keyctl, and io_uring_setup, which could open sockets past a filter.
_MACHINES = {
    "x86_64": (0xC000003E, 41, (29, 68, 248, 249, 250, 425)),
    "aarch64": (0xC00000B7, 198, (194, 186, 217, 218, 219, 425)),
}
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1
_OTHER_TABLE = 0x40000000
_FAMILIES = (1, 2, 10, 16)  # sockets that a network namespace holds in: files, IPv4, IPv6, to the kernel
USER = 1000  # number of the only user inside
REFUSED = 126  # exit status where the doors could not be closed; nothing was run
NOT_FOUND = 127  # exit status where the command cannot be run
MEMORY = "/tmp"  # noqa: S108 - of the new root
WORK = f"{MEMORY}/judged"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SPACES = ("mnt", "pid", "net", "ipc", "uts", "cgroup", "user")


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        given: dict[str, Any] = json.load(file)
    try:
        end_with_parent()
        for group in given["groups"]:
            with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write("0")
        if given["root"] is None:
            adopt_orphans()
            child = os.fork()
            if child:
                _wait(child)
            end_with_parent()
            os.setsid()
        else:
            _enter(given)
        os.chdir(given["work"])
        _bound(given["limits"])
        drop_privileges()
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
    unshare_all()
    child = os.fork()
    if child:
        _wait(child)
    end_with_parent()
    _build(given["root"])
    child = os.fork()
    if child:
        os.close(report)
        _wait(child)
    os.setsid()
    drop_privileges()
    filter_calls()
    os.write(report, json.dumps(_verified(given["root"]["secret"], outside)).encode())
    os.close(report)


def _build(root: dict[str, Any]) -> None:
    place = root["place"]
    mount(None, "/", None, PRIVATE)
    mount("tmpfs", place, "tmpfs", NO_DEVICES, "size=1m,mode=0755")
    for target, to in root["links"]:
        os.makedirs(os.path.dirname(place + target), exist_ok=True)
        os.symlink(to, place + target)
    for target, text in root["texts"]:
        os.makedirs(os.path.dirname(place + target), exist_ok=True)
        with open(place + target, "w", encoding="utf-8") as file:
            file.write(text)
    os.makedirs(place + MEMORY)
    memory = f"size={root['megabytes']}m,nr_inodes=100k,mode=0700"
    mount("tmpfs", place + MEMORY, "tmpfs", NO_DEVICES, memory)
    os.mkdir(place + WORK)
    # One memory for both, so that one limit holds.
    show(place + MEMORY, place + "/dev/shm", writable=True)  # noqa: S108
    for source, target in root["binds"]:
        show(source, place + target)
    for target in root["covers"]:
        if os.path.isdir(place + target):
            mount("tmpfs", place + target, "tmpfs", READ_ONLY, "size=4k")
        elif os.path.exists(place + target):
            mount("/dev/null", place + target, None, BIND)
    for name in _DEVICES:
        show(f"/dev/{name}", f"{place}/dev/{name}", devices=True)
    os.makedirs(place + "/proc")
    # A system that covers parts of its /proc allows no other: then there is none.
    with suppress(OSError):
        mount("proc", place + "/proc", "proc", READ_ONLY | NO_DEVICES)
    # Within new user namespaces a process would be its own administrator and reach more of the kernel.
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")
    socket.sethostname("judged")
    enter(place)


def _verified(secret: list[str], outside: dict[str, str]) -> dict[str, bool]:
    told = os.path.isdir("/proc/self/ns")
    seen = {name: os.readlink(f"/proc/self/ns/{name}") if told else "" for name in _SPACES}
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


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def unshare_all() -> None:
    user, group = os.geteuid(), os.getegid()
    _checked(_libc().unshare(_NAMESPACES), "namespaces")
    maps = {"setgroups": "deny", "uid_map": f"{USER} {user} 1", "gid_map": f"{USER} {group} 1"}
    for name, text in maps.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    options = None if data is None else data.encode()
    _checked(_libc().mount(*words, ctypes.c_ulong(flags), options), target)


def show(source: str, target: str, *, devices: bool = False, writable: bool = False) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "x", encoding="ascii"):
            pass
    mount(source, target, None, BIND | _RECURSIVE)
    denied = (0 if devices else _ATTRIBUTE_NO_DEVICES) | (0 if writable else _ATTRIBUTE_READ_ONLY)
    _set(target, _ATTRIBUTE_NO_SUID | denied)


def enter(place: str) -> None:
    """Makes a folder the root, lets go of the old one, and closes the new one to writing."""
    os.chdir(place)
    # Both names the same: the old root then lies on top of the new one, and is taken away.
    libc = _libc()
    _checked(libc.pivot_root(b".", b"."), "the new root")
    _checked(libc.umount2(b".", _MNT_DETACH), "the old root")
    os.chdir("/")
    _set("/", _ATTRIBUTE_READ_ONLY, recursive=False)


def _set(target: str, wanted: int, *, recursive: bool = True) -> None:
    attributes, flags = _Attributes(set=wanted), _AT_RECURSIVE if recursive else 0
    place = _SYS_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), flags
    _checked(_libc().syscall(*place, ctypes.byref(attributes), ctypes.sizeof(attributes)), target)


def drop_privileges() -> None:
    """Takes away what could open the doors again; failures mean that there was nothing to take."""
    if sys.platform != "linux":
        return
    libc = _libc()
    for capability in range(_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def filter_calls() -> None:
    """Forbids what no namespace holds in: sockets to a virtual machine's host, say, and the keys of its user.

    Also shared memory and messages of System V, which are counted nowhere. Else `launch` finds a socket open.
    """
    known = _MACHINES.get(os.uname().machine)
    if known is None:
        return
    machine, opening, others = known
    # Pairs of jumps are filled in from the end: the last two instructions refuse and allow.
    steps = [(_LOAD, 4, ""), (_EQUAL, machine, "else refuse")]
    steps += [(_LOAD, 0, ""), (_AT_LEAST, _OTHER_TABLE, "refuse")]
    steps += [(_EQUAL, number, "refuse") for number in others]
    steps += [(_EQUAL, opening, "else allow"), (_LOAD, 16, "")]
    steps += [(_EQUAL, family, "allow") for family in _FAMILIES]
    steps += [(_RETURN, _REFUSE, ""), (_RETURN, _ALLOW, "")]
    program = b""
    for place, (code, value, where) in enumerate(steps):
        jump = len(steps) - place - (3 if where.endswith("refuse") else 2) if where else 0
        yes, no = (0, jump) if where.startswith("else") else (jump, 0)
        program += struct.pack("=HBBI", code, yes, no, value)
    held = ctypes.create_string_buffer(program, len(program))
    filter_program = struct.pack("@HP", len(steps), ctypes.addressof(held))
    _libc().prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.c_char_p(filter_program), 0, 0)


def end_with_parent() -> None:
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def adopt_orphans(*, adopt: bool = True) -> None:
    """Whatever descends from this process and loses its parent becomes its child from now on, or not."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)


def end_children(*, spared: Collection[int], session: int) -> list[int]:
    """Kills all that descends from this process but for some processes and one session, and gives it."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                # The name in brackets may hold anything, brackets too.
                words = file.read().rpartition(b")")[2].split()
            if int(words[3]) != session and int(name) not in spared:
                parents.setdefault(int(words[1]), []).append(int(name))
    children = list(parents.get(os.getpid(), []))
    for child in children:
        children += parents.get(child, [])
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)
    return children


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
