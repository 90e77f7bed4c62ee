"""`python -m tests.simulation [rooms|streams|archives|trainings] --seeds 0 1000000`: until five break."""

import sys
import time

from tests.simulation.archives import ArchiveWorld
from tests.simulation.rooms import RoomWorld
from tests.simulation.schedule import Violation, World, run
from tests.simulation.streams import StreamWorld
from tests.simulation.trainings import TrainingWorld

WORLDS = {"journal": World, "rooms": RoomWorld, "streams": StreamWorld, "archives": ArchiveWorld}
WORLDS["trainings"] = TrainingWorld

if __name__ == "__main__":
    kind = WORLDS[sys.argv.pop(1)] if sys.argv[1:2] and sys.argv[1] in WORLDS else World
    first, last = map(int, sys.argv[2:4]) if sys.argv[1:2] == ["--seeds"] else (0, 1_000)
    begun, broken = time.monotonic(), []
    for seed in range(first, last):
        try:
            run(seed, kind)
        except Violation as error:
            broken.append(seed)
            print(error, flush=True)
        if len(broken) >= 5:
            break
    print(f"{seed + 1 - first:,} schedules, {len(broken)} broke a promise, {time.monotonic() - begun:.0f} s")
    sys.exit(bool(broken))
