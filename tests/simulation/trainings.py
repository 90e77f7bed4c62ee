from tests.simulation.schedule import World


class TrainingWorld(World):
    pass
