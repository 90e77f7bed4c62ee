"""Closes the doors of a process and then becomes the command that is judged.

Run as a script, by the standard library alone: `launch.py SETTINGS COMMAND …`. SETTINGS is JSON:
`limits` (resource limits by name), `mounts` (whether this is a mount namespace of its own), `work` (the
working directory), `work_megabytes`, and `hidden` (files and folders that are covered).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from typing import Any

REFUSED = 126
"""Exit status where the doors could not be closed; nothing was run."""
NOT_FOUND = 127
"""Exit status where the command cannot be run."""

# From linux/mount.h and linux/prctl.h.
_MS_RDONLY, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 4096, 16384, 1 << 18
_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY = -100, 0x8000, 1
_SYS_MOUNT_SETATTR = 442
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_CAPABILITIES = 64


class _Attributes(ctypes.Structure):
    """`struct mount_attr`."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def main(settings: str, command: list[str]) -> None:
    """Closes the doors, then runs the command in this process's place."""
    given: dict[str, Any] = json.loads(settings)
    try:
        if given["mounts"]:
            _close_files(given["work"], given["work_megabytes"], given["hidden"])
        os.chdir(given["work"])
        for name, value in given["limits"].items():
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            bounded = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (bounded, bounded))
        _drop_privileges()
    except OSError as error:
        sys.stderr.write(f"The sandbox could not be closed: {error}\n")
        sys.exit(REFUSED)
    if given["mounts"]:
        _stay_as_init()
    try:
        os.execvp(command[0], command)  # noqa: S606 - this is what it is for
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(NOT_FOUND)


def _stay_as_init() -> None:
    """Goes on in a child; the parent stays the namespace's first process, on which signals have no effect.

    It waits for everything that is orphaned, and ends as the child ends; the kernel then ends the rest.
    """
    child = os.fork()
    while child:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _close_files(work: str, megabytes: int, hidden: list[str]) -> None:
    """Makes all files read-only, covers some, and gives a working directory in memory."""
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    readonly = _Attributes(set=_MOUNT_ATTR_RDONLY)
    _checked(
        _libc().syscall(
            _SYS_MOUNT_SETATTR,
            _AT_FDCWD,
            b"/",
            _AT_RECURSIVE,
            ctypes.byref(readonly),
            ctypes.sizeof(readonly),
        ),
        "/",
    )
    for path in hidden:
        if os.path.isdir(path):
            _mount("tmpfs", path, "tmpfs", _MS_RDONLY, "size=4k")
        elif os.path.exists(path):
            _mount("/dev/null", path, None, _MS_BIND)
    _mount("tmpfs", work, "tmpfs", 0, f"size={megabytes}m,mode=0700")


def _drop_privileges() -> None:
    """Takes away what could open the doors again; failures mean that there was nothing to take."""
    if sys.platform != "linux":
        return
    libc = _libc()
    for capability in range(_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    _checked(
        _libc().mount(*words, ctypes.c_ulong(flags), None if data is None else data.encode()),
        target,
    )


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
