"""Control pairs of a study, where there are too few."""

from components.frame.widgets import notice
from core.people.study import Purpose, Study
from core.people.voting import VotingTask
from core.results.render import count_words


def say_controls(study: Study, task: VotingTask) -> None:
    if study.trusted and task.controls < study.first_controls:
        pairs = count_words(len(task.pool(Purpose.MAIN)), "pair", "pairs")
        controls = count_words(task.controls, "control pair is", "control pairs are")
        words = {"pairs": pairs, "controls": controls, "first": study.first_controls}
        notice("controls_late" if task.controls else "controls_never", **words)
