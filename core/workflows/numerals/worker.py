"""The other end of `processes`: reads portions from its input, writes results to its output."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from contextlib import suppress
from typing import IO, Any

from core.errors import CoreError
from core.runtime import Runtime, stay_offline
from core.workflows.numerals.processes import DONE, FAILED, REFUSED


def main() -> None:
    """Works until its input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    stay_offline()
    with suppress(EOFError, BrokenPipeError):  # whoever asked has gone
        serve(sys.stdin.buffer, answers)


def serve(given: IO[bytes], answers: IO[bytes]) -> None:
    """Loads the work, then answers one portion after another.

    Raises:
        EOFError: There is no further portion.
    """
    load, settings = pickle.load(given)  # noqa: S301  from the process that started this one
    work = None
    while True:
        portion = pickle.load(given)  # noqa: S301
        answer: tuple[Any, ...]
        try:
            work = work or load(Runtime(**settings))
            answer = (DONE, work(portion))
        except CoreError as error:
            kind = type(error)
            answer = (REFUSED, kind.__module__, kind.__name__, error.message, error.hint)
        except Exception:  # a bug is told whole to whoever waits for the answer
            answer = (FAILED, traceback.format_exc())
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
