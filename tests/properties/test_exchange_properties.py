"""Answers come back from the files of every tool; whatever else a file holds is one sentence."""

import json
from contextlib import suppress

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from core.data.exchange.reader import read_answers
from core.data.exchange.table import make_answers
from core.data.exchange.writer import TOOLS, write_answers
from core.errors import CoreError
from core.people.forms import form_of
from core.people.rating_files import rating_answers, read_ratings
from core.people.ratings import empty_ratings
from core.people.vote_files import read_votes, vote_answers
from core.people.votes import vote_table
from core.text.normalise import is_missing
from tests.properties.test_article_and_pair_files import quick
from tests.properties.test_article_and_pair_files import sentences as any_sentences
from tests.unit.people.by_hand import FORM, task_of

tools = st.sampled_from(list(TOOLS))
# Tables write numbers in one way, and some words say that a cell is empty.
sentences = any_sentences.filter(lambda text: not is_missing(text) and not text[0].isdecimal())
answers = st.one_of(sentences, st.sampled_from(["a=b", "scale_3", "[1]", '{"a": 1}', "true", "0", "12"]))
people = st.sampled_from(["Ann", "Bo", "ann@example.org", "張", "7"])


@quick
@given(st.dictionaries(st.tuples(sentences, people), answers, min_size=1, max_size=12), tools)
def test_votes_come_back(given_votes, tool):
    votes = vote_table([(*key, text) for key, text in given_votes.items()], "votes")
    back = read_votes(write_answers(vote_answers(votes), tool), f"v.{TOOLS[tool][1]}")
    assert (set(back.items), set(back.people)) == (set(votes.items), set(votes.people))
    for item, who in np.ndindex(votes.codes.shape):
        code = back.codes[back.items.index(votes.items[item]), back.people.index(votes.people[who])]
        assert (code < 0) == (votes.codes[item, who] < 0)
        if code >= 0:
            assert back.answers[code] == votes.answers[votes.codes[item, who]]


facts = st.dictionaries(st.sampled_from(["date", "url", "name", "annotator"]), sentences, max_size=2)
rows = st.lists(st.tuples(sentences, people, facts, answers | st.just("")), min_size=1, max_size=8)


@quick
@given(rows, tools)
@example([("a", "Ann", {}, "x"), ("b", "Ann", {}, "")], "prodigy")
@example([("a", "Ann", {}, "a=b")], "doccano")
def test_no_row_is_lost_not_even_one_that_was_skipped(rows, tool):
    made = [
        {"item": f"i{at}", "text": text, "annotator": who, "group": answer}
        for at, (text, who, _, answer) in enumerate(rows)
    ]
    read = None
    with suppress(CoreError):
        written = write_answers(make_answers(made, {"group": ()}), tool)
        read = read_answers(written, f"f.{TOOLS[tool][1]}")
    assert (read is None) == (not any(row["group"] for row in made))
    if read is not None:
        (question,) = read.questions
        columns = read.cells[["item", "text", "annotator", question]].to_numpy().tolist()
        assert columns == [list(row.values()) for row in made]


@quick
@given(st.sampled_from([FORM, form_of("italian.v1"), form_of("preference.v1")]), tools, st.data())
def test_ratings_come_back(form, tool, data):
    ratings = empty_ratings(form, task_of(2), ["Ada", "Bo"])
    for at, question in enumerate(form.questions):
        places = list(question.places(2))
        levels = [level.value for level in question.allowed(2)]
        for judge, row in np.ndindex(2, 2):
            drawn = data.draw(st.permutations(levels))
            if data.draw(st.booleans()):
                ratings.values[judge, at, row, places] = drawn[: len(places)]
    if np.isnan(ratings.values).all():
        return
    judges = [
        name for name, own in zip(ratings.judges, ratings.values, strict=True) if not np.isnan(own).all()
    ]
    written = write_answers(rating_answers(ratings), tool)
    back = read_ratings(written, f"f.{TOOLS[tool][1]}", form, ratings.task)
    assert list(back.judges) == judges
    wanted = ratings.values[[ratings.judges.index(name) for name in judges]]
    np.testing.assert_array_equal(back.values, wanted)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["result", "value", "choices", "from_name", "id", "text"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)
STUDIO = ("id", "data", "annotations", "annotation_id", "lead_time", "annotator", "item", "name")
OTHERS = ("text", "label", "accept", "meta", "answer", "_task_hash", "user_id", "instance_id", "labels")
names = st.sampled_from(STUDIO + OTHERS)


@quick
@given(st.lists(st.dictionaries(names, values, max_size=8), min_size=1, max_size=3))
@example([{"id": 1, "data": {}, "annotations": [{"result": [{"value": {"choices": [[["a"]]]}}]}]}])
@example([{"user_id": [], "instance_id": {}, "labels": {"a": {"b": {"c": 1}}}}])
@example([{"text": "a", "label": [None], "id": 1}, {"text": "b", "label": ["x"], "id": 1}])
def test_any_json_is_read_or_one_sentence(records):
    with suppress(CoreError):
        read_votes(json.dumps(records).encode(), "f.json")
