from tests.simulation.schedule import World


class ArchiveWorld(World):
    pass
