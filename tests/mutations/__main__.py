"""Says of every fault whether its test finds it."""

import sys
import tempfile
from pathlib import Path

from tests.mutations.mutants import MUTANTS
from tests.mutations.running import scratch_copy


def main():
    """Ends with 1 where a fault was not found."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder, scratch_copy(Path(folder)) as copy:
        for one in MUTANTS:
            found, _ = copy.finds(one)
            missed += not found
            sys.stdout.write(f"{'found ' if found else 'MISSED'}  {one.name} ({one.file})\n")
            sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
