"""Files of Label Studio, Prodigy, doccano, Potato and brat, as these export them and as others break them."""

import csv
import io
import json
import shlex
import tarfile
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml

from core.data.exchange import reader
from core.data.exchange.projects import beside
from core.data.exchange.reader import read_answers
from core.data.exchange.table import PERSON, TIME
from core.data.exchange.writer import TOOLS, write_answers
from core.data.pair_sets.simulated import with_simulated
from core.data.timelines.samples import load_sample
from core.errors import CoreError, InputError
from core.people.group_columns import PREFIX, group_answers, with_answers
from core.people.rating_files import rating_answers, rating_tasks, read_ratings
from core.people.ratings import empty_ratings
from core.people.vote_files import read_votes, vote_answers
from core.people.votes import joined_votes
from tests.unit.people.by_hand import FORM, task_of
from tests.unit.people.projects import PAIRED, TABLES, VOTES, as_dict, written

FILES = Path(__file__).parents[2] / "data" / "tools"
STORM = "Storm closes two airports | Two airports shut by storm"
RATES = "Bank raises rates | Rates go up again"


def votes_in(name, **given):
    return read_votes((FILES / name).read_bytes(), name, **given)


@pytest.mark.parametrize(
    ("name", "question", "people", "same", "different"),
    [
        ("label_studio.json", "same", ("anna@example.org", "5"), "Same event", "Different events"),
        ("label_studio_min.json", "same", ("3", "5"), "Same event", "Different events"),
        ("prodigy.jsonl", "", ("pairs-anna", "pairs-bo"), "same", "different"),
        ("potato.jsonl", "same", ("anna", "bo"), "Same event", "Different events"),
        ("potato_2.jsonl", "", ("anna", "bo"), "Same event", "Different events"),
    ],
)
def test_votes_of_each_tool_are_read_as_they_are(name, question, people, same, different):
    storm, rates = ("p1", "p2") if name == "potato_2.jsonl" else (STORM, RATES)
    anna, bo = people
    wanted = {(storm, anna): same, (storm, bo): different, (rates, bo): same}
    assert as_dict(votes_in(name, answer=question)) == wanted


ONE_QUESTION = {
    "label_studio_completions.json": ("same", "different"),
    "label_studio_sorted.csv": ("same", "different"),
    "label_studio_spans.csv": ("same", "different"),
    "prodigy_spans.jsonl": ("same", "different"),
    "potato.csv": ("Same event", "Different events"),
    "potato_colons.csv": ("Same event", "Different events"),
    "toloka.tsv": ("same", "different"),
    "mturk.csv": ("same", "different"),
    "mturk_packed.csv": ("same", "different"),
    "doccano_annotations.jsonl": ("1", "2"),
}
"""Samples in which two people differ on the first item and one answers the second, with the two answers."""


@pytest.mark.parametrize("name", ONE_QUESTION)
def test_exports_are_read_without_naming_a_column(name):
    votes, (same, different) = votes_in(name), ONE_QUESTION[name]
    (storm, rates), (anna, bo) = votes.items, votes.people
    assert as_dict(votes) == {(storm, anna): same, (storm, bo): different, (rates, bo): same}
    assert storm.startswith(("Storm", "p1"))


def test_every_shape_has_a_sample():
    samples = [path for path in FILES.iterdir() if path.suffix != ".md"]
    read = {reader.tool_of(path.read_bytes(), path.name)[0] for path in samples}
    assert read == {*reader.TOOLS}


@pytest.mark.parametrize("name", ["user_state.json", "bo.csv"])
def test_a_file_of_one_person_is_one_of_several(name):
    (storm, rates), (person,) = votes_in(name).items, votes_in(name).people
    assert person == "bo"
    assert [as_dict(votes_in(name))[item, person][:4].lower() for item in (storm, rates)] == ["diff", "same"]


@pytest.mark.parametrize(
    "name", ["label_studio_sorted.csv", "label_studio_spans.csv", "mturk.csv", "toloka.tsv"]
)
def test_columns_may_stand_in_any_order(name):
    separator = "\t" if name.endswith("tsv") else ","
    rows = list(csv.reader((FILES / name).read_text().splitlines(), delimiter=separator))
    wanted = as_dict(votes_in(name))
    for seed in range(12):
        order = np.random.default_rng(seed).permutation(len(rows[0]))
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerows([row[at] for at in order] for row in rows)
        given = read_votes(text.getvalue().encode(), name)
        assert sorted(as_dict(given).values()) == sorted(wanted.values())


SPANNED = '[{{""start"": 0, ""end"": 5, ""text"": ""{}"", ""labels"": [""{}""]}}]'


@pytest.mark.parametrize("header", ["headline,worker,label", "headline,coder,answer"])
def test_what_is_marked_is_no_answer_in_any_table(header):
    given = [("Storm", "A", "hard"), ("Storm", "B", "soft"), ("Rates", "A", "soft"), ("Rates", "B", "soft")]
    rows = [f'{text},{who},"{SPANNED.format(text, label)}"' for text, who, label in given]
    votes = read_votes("\n".join([header, *rows]).encode(), "v.csv")
    assert as_dict(votes) == {(text, who): label for text, who, label in given}
    assert votes.left_out
    unlabelled = "\n".join([header, *(row.replace("labels", "colour") for row in rows)])
    with pytest.raises(InputError, match="holds no answers"):
        read_votes(unlabelled.encode(), "v.csv")


def test_doccano_names_nobody_and_the_file_does():
    assert as_dict(votes_in("anna.jsonl")) == {(STORM, "anna"): "same"}
    bo = (FILES / "anna.jsonl").read_bytes().replace(b'"label":[]', b'"label":["different"]')
    both = joined_votes([votes_in("anna.jsonl"), read_votes(bo, "bo.jsonl"), votes_in("anna.jsonl")])
    assert as_dict(both) == {(STORM, "anna"): "same", (STORM, "bo"): "same", (RATES, "bo"): "different"}
    assert both.repeated == 1


def test_ratings_choices_of_two_and_texts_are_answers_and_spans_are_not():
    studio = read_answers((FILES / "label_studio.json").read_bytes(), "s.json")
    assert set(studio.questions) == {"same", "sure", "better"}
    assert studio.cells["sure"].tolist() == ["4", "2", "", ""]
    assert studio.cells["better"].tolist() == ["left", "", "", ""]
    assert studio.cells[TIME].tolist()[0] == "2024-05-03T09:12:44.513742+00:00"
    assert len(studio.cells) == 4  # a cancelled answer is a row without one
    potato = read_answers((FILES / "potato.jsonl").read_bytes(), "p.jsonl").cells
    assert potato["sure"].tolist() == ["4", "2", "", ""]
    assert potato["why"].tolist() == ["both airports", "", "", ""]


TOOL = pytest.mark.parametrize("tool", TOOLS)


def assert_given(timeline, written, name, grouped):
    """A file brings back the groups of all annotators."""
    back, said = with_answers(timeline, written, name)
    assert said.startswith("47 of 47 ")
    assert back.annotators == grouped.annotators
    for one in grouped.annotators:
        pairs = {*zip(back.table[one], grouped.table[one], strict=True)}
        assert len(pairs) == back.table[one].nunique() == grouped.table[one].nunique()


@TOOL
def test_groups_come_back_to_their_timeline(tool):
    timeline = load_sample("iss")
    grouped = with_simulated(timeline, 3)
    written = write_answers(group_answers(grouped), tool)
    assert_given(timeline, written, f"f.{TOOLS[tool][1]}", grouped)


@TOOL
def test_tasks_name_no_system(tool):
    ratings = empty_ratings(FORM, task_of(2, ("Alpha", "Beta")), ["Ada", "Bo"])
    tasks = write_answers(rating_tasks(ratings, ["First text", "Second text"]), tool).decode()
    assert tasks.count("Second text") == 2
    assert not any(f'"{system}"' in tasks for system in ("Alpha", "Beta"))


def test_words_of_a_level_are_ratings():
    ratings = empty_ratings(FORM, task_of(1), ["Ada"])
    ratings.values[0, 0, 0] = [2, 1]
    written = write_answers(rating_answers(ratings), "label_studio").decode()
    worded = written.replace('["2"]', '["All"]').replace('["1"]', '["some"]')
    back = read_ratings(worded.encode(), "f.json", FORM, ratings.task)
    np.testing.assert_array_equal(back.values, ratings.values)


def studio(*results, cancelled=False, ids=(1, 2)):
    about = {"completed_by": 1, "was_cancelled": cancelled}
    answers = [{**about, "result": [{"from_name": "q", "value": value}]} for value in results]
    tasks = [{"id": id, "data": {"text": f"t{at}"}, "annotations": answers} for at, id in enumerate(ids)]
    return json.dumps(tasks).encode()


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (studio({"choices": ["a"]}, ids=(1, 1)), "f.json", "two texts with the id '1'"),
        (studio({"choices": ["a"]}, cancelled=True), "f.json", "holds no choice"),
        (studio({"start": 1, "end": 2, "text": "t"}), "f.json", "holds no choice"),
        (b'[{"id": 1, "data": {}, "annotations": 5}]', "f.json", "holds no choice"),
        (b'[{"id": null, "data": {}, "annotations": [{"result": [{"value": {"choices": ["a"]}}]}]}]',
         "f.json", "without text and id"),
        (b'{"_task_hash": 1, "answer": "ignore", "text": "a"}\n', "f.jsonl", "holds no choice"),
        (b'{"id": 1, "text": "a", "label": [{"start": 0, "end": 1}]}\n', "f.jsonl", "holds no choice"),
        (b'{"user_id": "a", "instance_id": 1, "labels": "x"}\n', "f.jsonl", "holds no choice"),
        (b'[{"id": 1, "data": {"text": "a"}, "annotations": ' + b"[" * 5000, "f.json", r"nested|JSON"),
        (b'[{"id": 1, "data": {"text": "a"}, "annotations": [' + b'{"result":[{"value":{"choices":'
         + b"[" * 300 + b"1" + b"]" * 300 + b"}}]}]}]", "f.json", None),
        ("[{\"id\": 1".encode("utf-16"), "f.json", "ends too early"),
    ],
)  # fmt: skip
def test_a_broken_file_is_one_sentence(data, name, said):
    if said is None:
        assert read_votes(data, name).answers == ("1",)
        return
    with pytest.raises(CoreError, match=said) as caught:
        read_votes(data, name)
    assert caught.value.hint


def test_the_first_of_two_answers_counts_and_huge_numbers_are_no_level():
    twice = studio({"choices": ["a"]}, {"choices": ["b"]})
    votes = read_votes(twice, "f.json")
    assert (votes.answers, votes.repeated) == (("a",), 2)
    ratings = empty_ratings(FORM, task_of(1), ["Ada"])
    ratings.values[0, 0, 0] = [2, 1]
    written = write_answers(rating_answers(ratings), "potato")
    for wrong in (b"1e400", b"7", b"maybe"):
        with pytest.raises(InputError, match=r"Row 1|is 7"):
            read_ratings(written.replace(b'{"2"', b'{"' + wrong + b'"'), "f.jsonl", FORM, ratings.task)
    twice = read_ratings(written + written, "f.jsonl", FORM, ratings.task)
    np.testing.assert_array_equal(twice.values, ratings.values)
    with pytest.raises(InputError, match="Ada has two different answers"):
        read_ratings(written + written.replace(b'{"2"', b'{"0"'), "f.jsonl", FORM, ratings.task)


def test_groups_given_twice_or_of_other_headlines_are_refused():
    timeline = load_sample("iss")
    written = write_answers(group_answers(with_simulated(timeline, 2)), "doccano")
    with pytest.raises(InputError, match="two groups"):
        with_answers(timeline, written + written, "f.jsonl")
    undated = written.replace(b'"date": "2015-01-14"', b'"date": "14 January"')
    assert with_answers(timeline, undated, "f.jsonl")[1].startswith("47 of 47 ")
    with pytest.raises(InputError, match="other headlines"):
        with_answers(timeline, (FILES / "prodigy.jsonl").read_bytes(), "f.jsonl")
    with pytest.raises(InputError, match="no question that is known"):
        with_answers(timeline, b"a,b\n1,2\n", "f.csv")


def test_a_plain_table_is_what_it_was():
    read = read_answers(b"text,label,annotator\nA,yes,Ada\n", "f.csv")
    assert not read.questions
    assert list(read.cells) == ["text", "label", PERSON]


def test_what_prodigy_rejected_is_no_answer():
    lines = [
        {"text": "a", "accept": ["same"], "answer": answer, "_task_hash": 1, "_annotator_id": who}
        for who, answer in (("Ann", "accept"), ("Bob", "reject"))
    ]
    votes = read_votes("\n".join(map(json.dumps, lines)).encode(), "v.jsonl")
    assert votes.count == 1
    assert votes.people[int((votes.codes >= 0).nonzero()[1][0])] == "Ann"


def packed(documents, ending):
    """A folder of brat's, as a person packs it (zip) or as brat exports it (tar.gz)."""
    buffer = io.BytesIO()
    if ending == "zip":
        with zipfile.ZipFile(buffer, "w") as folder:
            for name, text in documents.items():
                folder.writestr(name, text)
    else:
        with tarfile.open(fileobj=buffer, mode="w:gz") as folder:
            for name, text in documents.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text.encode())
                folder.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def standoff(name, headlines, relations):
    """A document of brat's: a headline a line, each marked, and relations between them."""
    begins = np.cumsum([0, *(len(headline) + 1 for headline in headlines)]).tolist()
    marks = [
        f"T{at}\tHeadline {begin} {begin + len(headline)}\t{headline}\n"
        for at, (headline, begin) in enumerate(zip(headlines, begins, strict=False), start=1)
    ]
    ends = [f"R{at}\t{kind} Arg1:T{a} Arg2:T{b}\t\n" for at, (kind, a, b) in enumerate(relations, start=1)]
    return {f"{name}.txt": "\n".join(headlines) + "\n", f"{name}.ann": "".join(marks + ends)}


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_pairs_and_groups_come_back_from_brat(ending):
    storm = "Storm | Rain"
    said = {(storm, "Ann"): "same-event", (storm, "Bo"): "other-event", ("Ü | 張", "Bo"): "x"}
    documents = {"bo/.hidden.ann": "no text of brat's"} | standoff("bo/3", ["Asked", "Skipped"], [])
    for at, ((item, who), kind) in enumerate(said.items()):
        documents |= standoff(f"{who}/{at}", item.split(" | "), [(kind, 2, 1)])
    assert as_dict(read_votes(packed(documents, ending), f"v.{ending}")) == said
    timeline = load_sample("iss")
    grouped = with_simulated(timeline, 2)
    documents = {}
    for name in grouped.annotators:
        groups = grouped.table[name].tolist()
        last = {group: at for at, group in enumerate(groups, start=1)}
        links = [("same-event", at, last[one]) for at, one in enumerate(groups, start=1) if last[one] != at]
        documents |= standoff(f"{name.removeprefix(PREFIX)}/iss", timeline.texts, [*links, ("causes", 1, 2)])
    assert_given(timeline, packed(documents, ending), f"g.{ending}", grouped)


def test_a_broken_folder_of_brat_is_one_sentence():
    whole = packed(standoff("ann/1", ["a", "b"], [("same-event", 1, 2)]), "zip")
    with pytest.raises(InputError, match=r"f\.zip cannot be unpacked"):
        read_votes(whole[:-30], "f.zip")
    with pytest.raises(InputError, match="holds no choice"):
        read_votes(packed(standoff("ann/1", ["a", "b"], []), "zip"), "f.zip")
    with pytest.raises(InputError, match="zip archive"):
        read_votes(packed({"a.txt": "text"}, "zip"), "f.zip")


def records_of(file):
    text = file.decode()
    return json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def leaves(value):
    """All texts in a record, its lists and its records."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    for leaf in inside:
        yield from leaves(leaf) if isinstance(leaf, dict | list) else [leaf]


@TOOL
def test_a_pair_is_two_fields_and_comes_back_as_it_was(tool):
    for name in ("votes", "votes tasks", "paired", "paired tasks"):
        table, file = written(name, tool)
        wanted = {(row["first"], row["second"]) for row in table.cells.to_dict("records")}
        records = records_of(file)
        fields = [record["data"] if tool == "label_studio" else record for record in records]
        assert {(record["first"], record["second"]) for record in fields} == wanted
        # Systems are called "A ⇄ B" themselves.
        joined = [leaf for leaf in leaves(records) if " | " in str(leaf) or " on a0 ⇄ " in str(leaf)]
        assert not joined
    back = read_votes(written("votes", tool)[1], f"f.{TOOLS[tool][1]}")
    assert (as_dict(back), dict(back.sides)) == (as_dict(VOTES), {
        item: tuple(item.split(" | ")) for item in VOTES.items
    })  # fmt: skip
    known = PAIRED.task if tool == "potato" else None  # its answers name no system
    again = read_ratings(written("paired", tool)[1], f"f.{TOOLS[tool][1]}", PAIRED.form, known)
    np.testing.assert_array_equal(again.values, PAIRED.values)
    assert again.task.headlines == PAIRED.task.headlines


def test_headlines_with_bars_are_pairs_only_where_columns_say_so_or_all_look_so():
    columns = read_votes(b"left,right,worker,label\nA | B,C c,Ann,1\nD,E,Ann,0\n", "v.csv")
    rows = vote_answers(columns).cells[["first", "second"]].to_numpy().tolist()
    assert rows == [["A | B", "C c"], ["D", "E"]]
    numbered = read_votes(b"id,headline,worker,label\n17,Storm hits,Ann,1\n18,Rates up,Ann,0\n", "v.csv")
    assert "first" not in records_of(write_answers(vote_answers(numbered), "doccano"))[0]
    single = read_votes(b"headline,worker,label\nStorm | BBC,Ann,1\nRates up,Ann,0\n", "v.csv")
    assert "first" not in records_of(write_answers(vote_answers(single), "doccano"))[0]
    old = b'[{"id":1,"data":{"text":"A | B"},"annotations":[{"completed_by":{"id":1,"first_name":"Ann",'
    old += b'"last_name":"","email":""},"result":[{"from_name":"answer","value":{"choices":["same"]}}]}]}]'
    assert as_dict(read_votes(old, "f.json")) == {("A | B", "Ann"): "same"}


@pytest.mark.parametrize("name", TABLES)
def test_label_studio_finds_what_its_importer_asks_for(name):
    """Its rules, as learnt by `test_tools_take_files.py`, which runs it."""
    table, file = written(name, "label_studio")
    ((config, content),) = beside(table, "label_studio", "mine.json").items()
    assert config == "mine-label-config.xml"
    view = ElementTree.fromstring(content.decode())
    shown = {tag.get("name"): tag.get("value") for tag in view.iter("Text")}
    asks = {tag.get("name"): tag for tag in view.iter() if tag.get("toName")}
    assert len(shown) + len(asks) == len({*shown, *asks})
    for task in records_of(file):
        assert all(value.removeprefix("$") in task["data"] for value in shown.values())
        assert sum(map(bool, (task["data"][name] for name in shown)))
        for annotation in task.get("annotations", ()):
            # A person without an account ends the whole import.
            assert "completed_by" not in annotation
            assert annotation["result"][0]["from_name"] == "annotated_by"
            for region in annotation["result"]:
                tag = asks[region["from_name"]]
                assert region["to_name"] == tag.get("toName") in shown
                assert region["type"] == tag.tag.lower()
                choices = {choice.get("value") for choice in tag.iter("Choice")}
                assert {*region["value"].get("choices", ())} <= choices


@pytest.mark.parametrize("name", TABLES)
def test_potato_and_prodigy_find_how_to_begin(name):
    table, file = written(name, "potato")
    files = {"mine.jsonl": file, **beside(table, "potato", "mine.jsonl")}
    settings = yaml.safe_load(files["mine-config.yaml"])
    assert {"item_properties", "task_dir", "output_annotation_dir", "annotation_task_name"} <= {*settings}
    (tasks,) = settings["data_files"]
    records = records_of(files[tasks])
    assert len({record["id"] for record in records}) == len(records) == table.cells["item"].nunique()
    shown = [field["key"] for field in settings["instance_display"]["fields"]]
    assert settings["item_properties"]["text_key"] == shown[0]
    assert all(any(record.get(key) for key in shown) for record in records)
    assert [(scheme["name"], scheme.get("labels", [])) for scheme in settings["annotation_schemes"]] == [
        (question, list(options)) for question, options in table.questions.items()
    ]
    ((script, line),) = beside(table, "prodigy", "my votes.jsonl").items()
    assert script == "my votes-recipe.sh"
    words = shlex.split(line.decode())
    assert "my votes.jsonl" in words
    assert ("db-in" in words) == bool(table.cells["annotator"].any())
    assert ("blocks" in words) == ("mark" in words and "first" in table.cells)
    assert beside(table, "doccano", "mine.jsonl") == {}
