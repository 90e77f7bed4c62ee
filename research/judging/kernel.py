"""The few calls of the Linux kernel that a new root takes; the standard library alone, for `launch.py`."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Collection
from contextlib import suppress

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
_FAMILIES = (1, 2, 10, 16)
"""Sockets that a network namespace holds in: files, IPv4, IPv6, and questions to the kernel."""
USER = 1000
"""Number of the only user inside."""


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def unshare_all() -> None:
    """Gives this process namespaces of its own: users, files, processes, network, and the rest."""
    user, group = os.geteuid(), os.getegid()
    _checked(_libc().unshare(_NAMESPACES), "namespaces")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{USER} {user} 1"),
        ("gid_map", f"{USER} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def forbid_more_namespaces() -> None:
    """Within new user namespaces a process would be its own administrator and reach more of the kernel."""
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """`mount(2)`."""
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    told = None if data is None else data.encode()
    _checked(_libc().mount(*words, ctypes.c_ulong(flags), told), target)


def show(source: str, target: str, *, devices: bool = False, writable: bool = False) -> None:
    """Mounts a file or folder with all that is mounted in it, read-only."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "x", encoding="ascii"):
            pass
    mount(source, target, None, BIND | _RECURSIVE)
    wanted = _ATTRIBUTE_NO_SUID
    wanted |= 0 if devices else _ATTRIBUTE_NO_DEVICES
    wanted |= 0 if writable else _ATTRIBUTE_READ_ONLY
    _set(target, wanted)


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
    attributes = _Attributes(set=wanted)
    found = _libc().syscall(
        _SYS_MOUNT_SETATTR,
        _AT_FDCWD,
        os.fsencode(target),
        _AT_RECURSIVE if recursive else 0,
        ctypes.byref(attributes),
        ctypes.sizeof(attributes),
    )
    _checked(found, target)


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

    Also shared memory and messages of System V, which belong to no process and so are counted nowhere.
    Where it cannot be done, `launch` finds such a socket open.
    """
    known = _MACHINES.get(os.uname().machine)
    if known is None:
        return
    machine, opening, others = known
    # Pairs of jumps are filled in from the end: the last two instructions refuse and allow.
    steps = [
        (_LOAD, 4, ""),
        (_EQUAL, machine, "else refuse"),
        (_LOAD, 0, ""),
        (_AT_LEAST, _OTHER_TABLE, "refuse"),
    ]
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
    told = struct.pack("@HP", len(steps), ctypes.addressof(held))
    _libc().prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.c_char_p(told), 0, 0)


def end_with_parent() -> None:
    """Has the kernel end this process with its parent."""
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
    found = list(parents.get(os.getpid(), []))
    for one in found:
        found += parents.get(one, [])
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    return found


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
