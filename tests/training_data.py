"""Small made-up data for every kind of training."""

import csv
import gzip
import json
import re

from core.data.articles import written_claims
from core.data.articles.numhg import NumHG, part_of
from core.data.articles.written_claims import article_key
from core.data.dialogue2021 import FILES, PLACE
from core.data.files import DataPlace
from core.parts import Part
from research.runs.run_folder import RunFolder

TOWNS = ("Arden", "Bellmoor", "Corville", "Dunwich", "Eastham", "Farleigh", "Garston", "Hadley")
RUSSIAN_TOWNS = ("kazan", "omsk", "tver", "perm", "tula", "ufa", "sochi", "orel", "penza", "kursk", "chita")


STORIES = ("storm", "fire", "strike", "flood", "election", "robbery", "concert", "eclipse", "merger", "derby")
SAID = ("{} reaches {}", "{} in {} keeps the town awake", "what the {} did to {}", "mayor of {1} on the {0}")


def started(path):
    """A run that begins to train."""
    run = RunFolder(path)
    run.create({})
    run.start()
    return run


def timeline_file(folder):
    """A timeline of twenty stories of four headlines each, with gold groups and dates."""
    lines = ["headline,date,group"]
    for story in range(2 * len(STORIES)):
        what, town = STORIES[story % len(STORIES)], TOWNS[story % len(TOWNS)]
        lines += [
            f"{said.format(what, town)},2021-03-{1 + story % 9 + (place > 2):02d},{story}"
            for place, said in enumerate(SAID)
        ]
    path = folder / "timeline.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def articles_file(folder):
    lines = [
        {
            "text": f"A storm reached {town} on day {day}. It closed {day + 2} roads and a school.",
            "headline": f"Storm Closes {day + 2} Roads in {town}",
        }
        for town in TOWNS
        for day in range(1, 5)
    ]
    path = folder / "articles.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def selection_files(data):
    """The files of Dialogue 2021 in a data folder: people prefer headlines with a number."""
    folder = data / PLACE.folder
    folder.mkdir(parents=True)
    for day in FILES:
        lines = ["quality\tleft_url\tright_url"]
        for number, town in enumerate(RUSSIAN_TOWNS, 3):
            better = f"https://a.ru/{day}/v-{town}-shtorm-zakryl-{number}-dorog"
            worse = f"https://b.ru/{day}/v-{town}-shtorm-zakryl-dorogi"
            lines += [f"left\t{better}\t{worse}"] if number % 2 else [f"right\t{worse}\t{better}"]
        (folder / f"data__headline_selection__titles_markup_{day}_urls.tsv").write_text("\n".join(lines))


def archive_file(folder):
    """Documents with the addresses of `selection_files` and headlines as outlets write them."""
    rows = [
        {"url": f"http://{host}.ru/{day}/v-{town}-shtorm-zakryl-{what}", "title": title}
        for day in FILES
        for number, town in enumerate(RUSSIAN_TOWNS, 3)
        for host, what, title in (
            ("www.a", f"{number}-dorog", f"Шторм закрыл {number} дорог в городе {town}"),
            ("b", "dorogi", f"Шторм закрыл дороги в городе {town}"),
        )
    ]
    path = folder / "archive.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def numhg_rows(count=120):
    """Rows as NumHG has them, a sixth of them validation: the dead, the hurt, or both are asked for."""
    made: list[dict[str, str]] = []
    left = {Part.TRAIN: count - count // 6, Part.VALIDATION: count // 6, Part.TEST: 0}
    row = 0
    while len(made) < count:
        town, dead, hurt = TOWNS[row % len(TOWNS)], 11 + row % 37, 60 + (row * 7) % 31
        text = f"A fire in {town} street {chr(97 + row % 26)} killed {dead} people. It hurt {hurt} others."
        row += 1
        if not left[part_of(text)]:
            continue
        left[part_of(text)] -= 1
        cloze, answer, annotation = (
            (f"{town} Fire Kills ____ People", dead, f"Copy( {dead} )"),
            (f"Fire in {town} Hurts ____ Others", hurt, f"Copy( {hurt} )"),
            (f"____ Caught in {town} Fire", dead + hurt, f"Add( {dead} , {hurt} )"),
        )[len(made) % 3]
        made.append(
            {
                "text": text, "summary": cloze.replace("____", str(answer)), "cloze": cloze,
                "cloze_gt": str(answer), "cloze_annotation": annotation,
                "need_reasoning": str(int(annotation.startswith("Add"))),
            }
        )  # fmt: skip
    return made


def numhg_file(data, count=120):
    path = data / NumHG.place.folder
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = numhg_rows(count)
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def written_claims_folder(data):
    """Headlines written for the first rows of `numhg_rows` of each part, in a data folder."""
    place = DataPlace("written headlines", "written_claims")
    folder = data / place.folder
    folder.mkdir(parents=True, exist_ok=True)
    for part, file in written_claims.FILES.items():
        lines = ["article\ttruth\tkind\theadline"]
        for row in [row for row in numhg_rows() if part_of(row["text"]) is part][:3]:
            number = re.findall(r"\d+", row["text"])[0]
            lines += [
                f"{article_key(row['text'])}\ttrue\t\tFire Leaves [[{number}]] Dead",
                f"{article_key(row['text'])}\tfalse\tact\tFire Crews Save [[{number}]]",
            ]
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place
