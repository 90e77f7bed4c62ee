from tests.simulation.schedule import World


class StreamWorld(World):
    pass
