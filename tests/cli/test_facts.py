import csv
import json

import pytest

from headline_lab import facts_grid

VERB = ("facts",)


@pytest.mark.slow
def test_an_event_is_printed_and_written(ok, tmp_path):
    words = ("sample:iss", "--headline", "Whitson blast")
    printed = ok(*words)
    assert "Peggy Whitson: Blast off to the ISS" in ok(*words, "--json")
    assert "Said most often" in printed
    told = json.loads(ok("sample:iss", "--group", 3, "--json", "--out", tmp_path / "facts.csv"))
    assert printed.startswith(told["headline"])
    assert told["summary"] in printed
    assert told["outlets"][0]["states"]["names"] == "NASA; Mars"
    with (tmp_path / "facts.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["outlet"] for line in lines] == [line["outlet"] for line in told["outlets"]]
    for name, begins in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.html", b"<!DOCTYPE html>")):
        ok(*words, "--out", tmp_path / name, "--width", "phone")
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert b'width="640"' in (tmp_path / "a.svg").read_bytes()
    table = facts_grid("sample:iss", 3)
    assert list(table.columns) == [
        *("outlet", "reported", "origin", "headlines", "names", "where", "persons")
    ]
    assert table["outlet"].tolist() == [line["outlet"] for line in told["outlets"]]


DAM = """publisher,published,headline,url
Alpha,2026-11-01T08:00Z,Dam bursts in Harlow valley killing 12,https://alpha.example/dam
Alpha,2026-11-01T12:00Z,Dam bursts in Harlow valley killing 19,http://www.alpha.example/dam/?utm_source=rss#top
Beta,2026-11-01T13:00Z,Harlow valley dam burst: 19 dead,https://beta.example/harlow
Beta,2026-11-01T13:10Z,Parliament votes on the budget for schools,https://beta.example/budget
"""


def test_an_edited_headline_is_one_origin_and_its_first_number_is_no_other_value(ok, tmp_path):
    (tmp_path / "dam.csv").write_text(DAM, encoding="utf-8")
    words = tmp_path / "dam.csv", "--headline", "Harlow", "--out", tmp_path / "facts.csv"
    told = json.loads(ok(*words, "--json"))
    assert told["summary"].startswith("3 reports, 2 origins.")
    alpha, beta = told["outlets"]
    assert (alpha["edited"], beta["edited"]) == ("edited 12:00", "")
    assert alpha["states"]["dead"] == "killing 12 → killing 19, 12:00"
    assert "19" in told["most_say"]["dead"]
    assert "Alpha: edited 12:00" in told["alt"]
    printed = ok(*words)
    assert "edited 12:00" in printed
    assert "different values" not in printed
    with (tmp_path / "facts.csv").open(encoding="utf-8") as file:
        assert [line["edited"] for line in csv.DictReader(file)] == ["edited 12:00", ""]


def test_the_toll_of_an_earthquake_is_led_by_its_last_figure(ok, tmp_path):
    tolls = [3, 20, 103, 144, 690, 1_000, 1_644, 3_056]
    lines = [
        f"Outlet {at},2025-03-{28 + at // 4}T{at:02}:00Z,Myanmar quake: {toll} dead"
        for at, toll in enumerate(tolls)
    ]
    (tmp_path / "toll.csv").write_text("\n".join(["publisher,published,headline", *lines]), encoding="utf-8")
    told = json.loads(ok(tmp_path / "toll.csv", "--granularity", "1", "--json"))
    assert told["most_say"]["dead"] == "3056 dead"
    assert "dead: different values" not in told["alt"]
    states = [outlet["states"]["dead"] for outlet in told["outlets"]]
    assert [state.endswith("(earlier)") for state in states] == [*[True] * (len(states) - 1), False]


SAYING = [
    "Astronauts leave the station after an alarm, NASA says", "Crew of the station is safe, NASA says",
    "Astronauten verlassen nach einem Alarm die Raumstation, sagt die NASA",
    "Besatzung der Raumstation sicher, meldet NASA",
    "Les astronautes quittent la station après une alerte, annonce la NASA",
    "Équipage en sécurité, affirme la NASA",
    "Gli astronauti lasciano la stazione dopo un allarme, afferma la NASA",
    "Equipaggio al sicuro, dice la NASA",
    "Los astronautas dejan la estación tras una alarma, dice la NASA", "Tripulación a salvo, afirma la NASA",
    "Космонавты покинули станцию после тревоги, сообщили в НАСА", "Экипаж в безопасности, заявили в НАСА",
]  # fmt: skip


@pytest.mark.parametrize("at", range(0, len(SAYING), 2))
def test_saying_is_nothing_that_happened_and_a_crew_is_nobody_beside_a_name(ok, tmp_path, at):
    lines = [
        f'{name},2026-05-01T10:00Z,"{text}"' for name, text in zip("AB", SAYING[at : at + 2], strict=True)
    ]
    (tmp_path / "a.csv").write_text("\n".join(["publisher,published,headline", *lines]), encoding="utf-8")
    told = json.loads(ok(tmp_path / "a.csv", "--granularity", "1", "--json"))
    assert len(told["outlets"]) == 2
    states = [outlet["states"] for outlet in told["outlets"]]
    assert not any("what happened" in each for each in states)
    assert {each["names"] for each in states} <= {"NASA", "НАСА"}


def test_the_first_card_names_neither_what_was_said_nor_common_nouns(ok):
    told = json.loads(ok("sample:iss", "--group", 1, "--json"))
    cells = " ".join(
        f"{head} {said}" for outlet in told["outlets"] for head, said in outlet["states"].items()
    )
    assert "evacuate" in cells
    assert not {"says", "crew", "astronauts"} & set(cells.casefold().replace(";", " ").split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sample:iss", "--group", 999), "There is no group 999."),
        (("sample:iss", "--headline", "zebra"), "No headline has all the words of 'zebra'."),
        (("sample:iss", "--group", 1, "--headline", "a"), "--group and --headline both name the event."),
        (("sample:iss", "--out", "facts.gif"), "'facts.gif' does not end in a known format."),
    ],
)
def test_bad_calls_get_a_sentence_and_a_hint(refused, words, said):
    first, hint = refused(*words).splitlines()[-2:]
    assert (first, bool(hint)) == (said, True)
