"""Runs a judged command to its end and watches its limits."""

import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from core.errors import Cancelled
from core.runtime import Runtime
from research.judging import launch, separate_process
from research.judging.sandbox import STDERR_CHARACTERS, Finished, JudgingError, Run, Sandbox, SandboxLimits

STEP: Final = "Running the system"
_LOOK_EVERY: Final = 0.05
_ENDING_SECONDS: Final = 10.0
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
_SET: Final = dict.fromkeys(
    ("PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"), "1"
)
_CHUNK: Final = 1 << 16
_TOLD_CHARACTERS: Final = 500  # of its stderr with an error


def run_in_sandbox(
    command: Sequence[str], given: bytes, sandbox: Sandbox, limits: SandboxLimits, runtime: Runtime
) -> Finished:
    """Gives a command its input and takes its output; all its processes are gone when this returns."""
    token = uuid.uuid4().hex
    name = f"headline-lab-judge-{os.getpid()}-"
    with tempfile.TemporaryDirectory(prefix=name, ignore_cleanup_errors=True) as folder:
        program, *words = command
        if os.sep in program and Path(program).exists():
            program = str(Path(program).absolute())
        for place, word in enumerate(words):
            with suppress(OSError, ValueError):  # too long a word, or one that no file can have for a name
                words[place] = str(Path(word).absolute()) if Path(word).is_file() else word
        prepared = sandbox([program, *words], Path(folder).resolve(), limits, token)
        try:
            started = time.monotonic()
            process = _start(prepared, Path(folder), token)
            watch = _Watch(process, prepared, limits, runtime, started, given)
            try:
                watch.to_the_end()
            finally:
                deadline = time.monotonic() + _ENDING_SECONDS
                while process.poll() is None and time.monotonic() < deadline:
                    others = separate_process.members(process.pid)[1:]
                    if not others:
                        break
                    for pid in others:
                        with suppress(ProcessLookupError, PermissionError):
                            os.kill(pid, signal.SIGKILL)
                    time.sleep(0.01)
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                with suppress(OSError):
                    process.kill()
                process.wait()
            seconds = time.monotonic() - started
            isolation = prepared.isolation()
        finally:
            prepared.end()
        watch.join()
    _refuse(command, watch, process.returncode)
    peak = watch.peak / 1e6 if watch.peak else None
    return Finished(bytes(watch.output), watch.said, seconds, peak, isolation)


def _start(prepared: Run, folder: Path, token: str) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | _SET
    environment |= {separate_process.MARK: token, "HOME": prepared.home, "TMPDIR": prepared.home}
    try:
        # Running what the user names is the purpose.
        return subprocess.Popen(  # noqa: S603
            prepared.line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        said = f"{prepared.line[0]} cannot be started ({error})."
        raise JudgingError(said, hint="Check the command after `--`.") from None


@dataclass(slots=True, eq=False)
class _Watch:
    process: subprocess.Popen[bytes]
    prepared: Run
    limits: SandboxLimits
    runtime: Runtime
    started: float
    given: bytes
    output: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    peak: int = 0
    broken: str = ""
    _threads: list[threading.Thread] = field(default_factory=list)

    def to_the_end(self) -> None:
        for work in (self._feed, self._read, self._hear):
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            self._threads.append(thread)
        while self.process.poll() is None and not self.broken:
            passed = time.monotonic() - self.started
            self.runtime.report(STEP, int(passed), int(self.limits.seconds) + 1)
            if self.runtime.stop.is_set():
                raise Cancelled(STEP)
            if passed > self.limits.seconds:
                self.broken = f"ran longer than {self.limits.seconds:g} seconds"
            self._look()
            time.sleep(_LOOK_EVERY)
        if self.prepared.overfull():
            self._too_much()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(timeout=10)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    @property
    def said(self) -> str:
        return bytes(self.tail).decode("utf-8", errors="replace")[-STDERR_CHARACTERS:].strip()

    def _look(self) -> None:
        used = self.prepared.used(self.process.pid)
        self.peak = max(self.peak, used)
        if used > self.limits.megabytes * 1_000_000 or self.prepared.overfull():
            self._too_much()
        elif len(separate_process.members(self.process.pid)) > self.limits.processes:
            self.broken = f"ran more than {self.limits.processes:,} processes at once"

    def _too_much(self) -> None:
        self.broken = f"used more than {self.limits.megabytes:,} MB of memory"

    def _feed(self) -> None:
        pipe: IO[Any] | None = self.process.stdin
        # A command may end without having read everything: that is its own affair.
        with suppress(OSError, ValueError):
            if pipe is not None:
                pipe.write(self.given)
                pipe.close()

    def _read(self) -> None:
        most = self.limits.output_megabytes * 1_000_000
        for chunk in _chunks(self.process.stdout):
            if len(self.output) + len(chunk) > most:
                self.broken = f"wrote more than {self.limits.output_megabytes:,} MB of output"
                return
            self.output += chunk

    def _hear(self) -> None:
        for chunk in _chunks(self.process.stderr):
            self.tail += chunk
            del self.tail[: -4 * STDERR_CHARACTERS]


def _chunks(pipe: IO[bytes] | None) -> Any:
    while pipe is not None:
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except (OSError, ValueError):
            return
        if not chunk:
            return
        yield chunk


def _refuse(command: Sequence[str], watch: _Watch, code: int) -> None:
    name, said = shlex.join(command)[:200], watch.said[-_TOLD_CHARACTERS:]
    number = -code if code < 0 else code - 128
    if watch.broken:
        message = f"The system {watch.broken} and was stopped."
        hint = "Make it do with less, or give it more."
    elif code == launch.NOT_FOUND:
        message, hint = f"The command {name} cannot be run.", "Check its name and its path."
    elif code == launch.REFUSED:
        message, hint = "The sandbox could not be closed.", "Nothing was run."
    elif code < 0 or code > 128:
        cause = signal.Signals(number).name if number in set(signal.Signals) else str(number)
        message = f"The system was ended by the signal {cause}."
        hint = "It may have used more processor time, memory or space than allowed."
    elif code:
        message, hint = f"The system failed with exit code {code}.", "Run it by itself first."
    else:
        return
    raise JudgingError(message, hint=hint, said=said)
