"""Tables of answers and tasks for other tools, with texts that their files could trip over."""

import numpy as np

from core.data.exchange.writer import write_answers
from core.data.pair_sets.simulated import with_simulated
from core.data.timelines.samples import load_sample
from core.people.forms import form_of
from core.people.group_columns import group_answers
from core.people.rating_files import rating_answers, rating_tasks
from core.people.ratings import empty_ratings
from core.people.vote_files import vote_answers
from core.people.votes import vote_table
from tests.unit.people.by_hand import FORM, task_of

STORM = "Storm <b>closes</b> & \"airports\": 張 | Two airports 'shut' by {{storm}} $x"
VOTES = vote_table(
    [
        (STORM, "p-0a1b2c", "same"), (STORM, "p-77ffab", "different"),
        ("Bank raises rates | Rates = up, again", "p-0a1b2c", "same"),
    ],
    "votes",
)  # fmt: skip
RATINGS = empty_ratings(FORM, task_of(2), ["Ada", "Bo"])
RATINGS.values[0, 0], RATINGS.values[1, 0] = 1, 2
PAIRED = empty_ratings(form_of("preference.v1"), task_of(2), ["Ada"])
PAIRED.values[0, 0, :, list(PAIRED.form.questions[0].places(2))] = 1
GROUPS = with_simulated(load_sample("iss"), 3)
TABLES = {
    "votes": lambda: vote_answers(VOTES),
    "votes tasks": lambda: vote_answers(VOTES).tasks(),
    "ratings": lambda: rating_answers(RATINGS),
    "ratings tasks": lambda: rating_tasks(empty_ratings(FORM, RATINGS.task), ["First text", "Second text"]),
    "paired": lambda: rating_answers(PAIRED),
    "paired tasks": lambda: rating_tasks(empty_ratings(PAIRED.form, PAIRED.task), ["One text", "Another"]),
    "groups": lambda: group_answers(GROUPS),
    "groups tasks": lambda: group_answers(GROUPS).tasks(),
}
"""By name, what makes each."""


def written(name, tool):
    """The table of that name, and its file for a tool."""
    table = TABLES[name]()
    return table, write_answers(table, tool)


def as_dict(votes):
    """What each person answered about each item."""
    given = np.argwhere(votes.codes >= 0).tolist()
    return {(votes.items[at], votes.people[who]): votes.answers[votes.codes[at, who]] for at, who in given}
