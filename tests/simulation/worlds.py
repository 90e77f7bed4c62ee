"""Whose schedules are played."""

from tests.simulation.archives import ArchiveWorld
from tests.simulation.rooms import RoomWorld
from tests.simulation.schedule import World
from tests.simulation.streams import StreamWorld
from tests.simulation.trainings import TrainingWorld

WORLDS: dict[str, type[World]] = {
    "journal": World,
    "rooms": RoomWorld,
    "streams": StreamWorld,
    "archives": ArchiveWorld,
    "trainings": TrainingWorld,
}
