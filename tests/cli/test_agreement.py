"""`headline-lab agreement` as a person or a script calls it."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.timelines.load import load_path
from core.journal.journal import NewEntry
from core.people.grouping import ALONE, BLIND, DECIDED, OPEN, PLACED, adjudication, grouping_task, place
from tests.cli.calling import Call, Printed

VERB = ("agreement",)
VOTES = "worker,pair,label\n" + "".join(
    f"{worker},{pair},{'no' if pair % 3 else 'yes'}\n" for worker in ("ada", "bo", "cy") for pair in range(20)
)


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_simulated_annotators_from_import_to_table_1(ok: Printed, tmp_path: Path) -> None:
    figures, merged, latex = (tmp_path / name for name in ("t.csv", "merged.csv", "t.tex"))
    out = ok(
        *("groups", "sample:iss", "--simulate", 5, "--annotators"),
        *("--csv", figures, "--out", merged, "--latex", latex),
    )
    assert "simulated annotators" in out
    assert out.count("annotator_") == 5
    (row,) = rows_of(figures)
    assert (row["headlines"], row["annotators"]) == ("47", "5")
    assert 0.5 < float(row["ami"]) < 1
    assert len(rows_of(merged)) == 47
    assert r"\toprule" in latex.read_text()


def test_people_of_the_annotate_page_are_added_and_released_with_the_others(
    ok: Printed, call: Call, tmp_path: Path
) -> None:
    """One annotator of the file, who joins all, and one of the page, who keeps the third headline apart."""
    file, again, figures, merged = (tmp_path / name for name in ("t.csv", "r.csv", "figures.csv", "m.csv"))
    file.write_text(
        "headline,date,annot_1_group\n" + "".join(f"Storm {at},2024-05-0{at},1\n" for at in (1, 2, 3))
    )
    task = grouping_task(load_path(file))
    kept = [place(0, shown={}), place(1, group="first", shown={}), place(2, shown={})]
    ids = ("first", "second", "third")
    new = [NewEntry(kind=PLACED, who="Ada", body=body, id=id) for id, body in zip(ids, kept, strict=True)]
    task.answers.append(new)
    ok("groups", file, "--stored", "--released", again, "--csv", figures)
    released = rows_of(again)
    assert [row["annot_2_group"] for row in released] == ["1", "1", "2"]
    assert [row["global_group"] for row in released] == ["1", "1", "2"]
    assert rows_of(figures)[0]["annotators"] == "2"
    decided = [{"row": 0, "with": ALONE, "shown": OPEN}, {"row": 2, "with": 1, "shown": BLIND}]
    adjudication(load_path(file)).append([NewEntry(kind=DECIDED, who="Cy", body=body) for body in decided])
    code, _, err = call("groups", file, "--stored", "--released", again, "--out", merged)
    assert code == 0
    assert "2 decisions of adjudicators, 1 of them blind" in err
    assert "decision" not in call("groups", again)[2]
    released = rows_of(again)
    assert [row["global_group"] for row in released] == ["1", "2", "2"]
    assert [row["adjudicated"] for row in released] == ["open", "", "blind"]
    gold = {row["headline"]: row["group"] for row in rows_of(merged)}
    assert [gold[f"Storm {at}"] for at in (1, 2, 3)] == ["1", "2", "2"]
    ok("groups", again, "--quorum", 0.5, "--csv", figures)
    assert rows_of(figures)[0]["groups"] == "1"


STORY = [
    "Storm hits the coast",
    "Bank raises rates",
    "Rates are raised",
    "Port shut by storm",
    "Rain in Rome",
]


@pytest.mark.parametrize(
    ("changed", "counts", "groups"),
    [
        (lambda lines: lines[::-1], (5, 0, 0), [3, 1, 2, 2, 1]),
        (lambda lines: [*lines[:2], *lines[3:]], (4, 0, 1), [1, 2, 1, 3]),
        (lambda lines: ["Snow in Oslo,2024-05-09,B,y", *lines], (5, 0, 0), [0, 1, 2, 2, 1, 3]),
        (lambda lines: [lines[0].replace("hits the", "hist the"), *lines[1:]], (5, 1, 0), [1, 2, 2, 1, 3]),
    ],
    ids=["reversed", "lost", "grown", "typo"],
)
def test_answers_of_the_page_belong_to_headlines_and_not_to_a_file(
    call: Call,
    tmp_path: Path,
    changed: Callable[[list[str]], list[str]],
    counts: tuple[int, int, int],
    groups: list[int],
) -> None:
    lines = [f"{text},2024-05-0{day},A,https://a.example/{day}" for day, text in enumerate(STORY, 1)]
    before, after, released = (tmp_path / name for name in ("before.csv", "after.csv", "released.csv"))
    for file, rows in ((before, lines), (after, changed(lines))):
        file.write_text("\n".join(["headline,date,outlet,url", *rows, ""]))
    answers = grouping_task(load_path(before)).answers
    for who in ("Ada", "Bo"):
        for row, group in enumerate((0, 1, 1, 0, 4)):
            body = place(row, group="" if group == row else f"{who}{group}", shown={})
            answers.append([NewEntry(kind=PLACED, who=who, body=body, id=f"{who}{row}")])
    code, _, err = call("groups", after, "--stored", "--released", released)
    assert code == 0
    assert tuple(map(int, re.findall(r"\d+", err.partition(": ")[2]))) == counts
    released_as = {row["headline"]: row["annot_1_group"] for row in rows_of(released)}
    names = [released_as[text] for text in load_path(after).texts]
    assert [one == other != "" for one in names for other in names] == [
        one == other != 0 for one in groups for other in groups
    ]


def test_one_annotator_is_a_row_of_the_pair_benchmark(ok: Printed, command: Call, tmp_path: Path) -> None:
    released, figures = tmp_path / "annotated.csv", tmp_path / "figures.csv"
    ok("groups", "sample:iss", "--simulate", 5, "--released", released)
    second = "annotators.v1|annotator:2"
    wanted = ("--set", released, "--scorer", "human", "--scorer", second, "--csv", figures, "--quiet")
    code, out, _ = command("benchmark", "pairs", *wanted)
    assert code == 0
    lines = {line.split("  ")[0]: line.split()[-1] for line in out.splitlines() if line.strip()}
    assert 0.5 < float(lines["Human performance"]) < 1
    assert 0.5 < float(lines[second]) < 1


@pytest.mark.slow
def test_the_programs_own_groups_stand_below_the_people(ok: Printed) -> None:
    out = ok("groups", "sample:iss", "--simulate", 5, "--model", "--quiet")
    assert "groups by event_similarity.v1" in out


def test_votes_are_decided(ok: Printed, tmp_path: Path) -> None:
    table, out = tmp_path / "votes.csv", tmp_path / "decided.csv"
    table.write_text(VOTES + "dan,0,no\ndan,0,yes\n")
    said = ok("votes", table, "--decide", "majority", "--quorum", 0.8, "--out", out)
    assert "Alpha (nominal)" in said
    assert "1 further answers" not in said
    assert "1 further answer of a person to an item was left out." in said
    assert "19 of 20 items decided." in said
    decided = rows_of(out)
    assert [row["answer"] for row in decided[:4]] == ["", "no", "no", "yes"]
