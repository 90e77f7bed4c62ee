"""What calls the command in this process, as a person or a script calls it."""

from collections.abc import Callable

Call = Callable[..., tuple[int, str, str]]
"""Takes the words after `headline-lab`, or after the verb of the test; gives exit code, stdout and stderr."""
Printed = Callable[..., str]
"""The same of a call that succeeds, for its stdout, or of one that is refused, for its stderr."""
