"""What calls the command in this process, as a person or a script calls it."""

from __future__ import annotations

from collections.abc import Callable

Call = Callable[..., tuple[int, str, str]]
"""Takes the words after `headline-lab`, or after the verb of the test; gives exit code, stdout and stderr."""
