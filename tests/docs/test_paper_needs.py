"""What docs/papers.md says is needed: once it is there its command runs, here on small files of that form."""

import csv
import json
import os
import shlex
import shutil
from pathlib import Path

import huggingface_hub.constants
import pytest

from core.data.articles.telegram import TelegramRussian
from core.data.pair_sets.dialogue_pairs import Dialogue2021
from core.files import ROOT
from research.papers import CODE, COMMAND, NEEDS, PAPERS, registered
from research.runs.run_folder import RunFolder
from tests import training_data
from tests.cli.test_hlgd_release import release
from tests.tiny_models import save_classifier, save_encoder, save_writer

RELEASE = f"{COMMAND}papers hlgd --run FOLDER --out tables"  # tests/cli/test_hlgd_release.py has it at length
GROUP = f"{COMMAND}group hlgd.csv --timeline NAME"
PEOPLE = "annotators.v1"
CHECKPOINT = "pair_classifier.v1|model:FOLDER"
ARCHIVES = f"{COMMAND}benchmark pairs --set 'dialogue2021|archive:FOLDER'"
RUBERT_WRITER = "IlyaGusev/rubert_telegram_headlines"
BOTTLENECK = (
    f"{COMMAND}train headlines telegram_ru "
    f"--trainer 'hub_seq2seq|system:ttgen_bottleneck|base:{RUBERT_WRITER}' --out run"
)
MBERT = (
    f"{COMMAND}train pair dialogue2021 --base google-bert/bert-base-multilingual-cased "
    "--trainer 'cross_encoder.v1|average:0.3' --out run"
)
RUBERT = f"{COMMAND}train pair dialogue2021 --base DeepPavlov/rubert-base-cased --out run"
ITALIAN = f"{COMMAND}train headlines articles.csv --trainer pointer --out run"
CARD = f"{COMMAND}judge --name NAME --articles numhg --container IMAGE --gpu -- COMMAND"
RIA = f"{COMMAND}benchmark headlines --set articles.jsonl"
WRITERS = {
    "bart.v1": "bart",
    "t5.v1": "t5",
    "pegasus.v1": "pegasus",
    "rubert_seq2seq.v1": "encoder-decoder",
    "ttgen_bottleneck.v1": "encoder-decoder",
}
"""Architecture of each writer of the hub."""
TESTED = {
    RELEASE,
    GROUP,
    PEOPLE,
    CHECKPOINT,
    ARCHIVES,
    BOTTLENECK,
    MBERT,
    RUBERT,
    ITALIAN,
    CARD,
    RIA,
    *WRITERS,
}

TOWNS = training_data.RUSSIAN_TOWNS
WORDS = ["шторм", "закрыл", "дорог", "дороги", "в", "городе", *TOWNS]


def test_each_need_has_a_test_here():
    items = [item for paper in PAPERS.values() for item in paper.items if item.state()[0] == NEEDS]
    needed = {code for item in items for code in CODE.findall(item.how)}
    needed |= {code for item in items for code in CODE.findall(item.also) if COMMAND in code}
    assert needed == TESTED


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HEADLINE_LAB_RUNS", str(tmp_path / "listed"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


@pytest.fixture
def ok(command, here):
    def run(code, *more, **instead):
        words = [str(instead.get(word, word)) for word in shlex.split(code)[1:]]
        done, out, err = command(*words, *more)
        assert done == 0, err
        return out

    return run


def rows_of(path):
    return list(csv.DictReader(Path(path).open(encoding="utf-8-sig")))


def in_the_hub(folder, model, save):
    """What the hub's client leaves of a model in its cache."""
    place = folder / f"models--{model.replace('/', '--')}"
    for part in ("refs", "snapshots"):
        (place / part).mkdir(parents=True)
    (place / "refs" / "main").write_text("0" * 40)
    snapshot = place / "snapshots" / ("0" * 40)
    snapshot.mkdir()
    save(snapshot)


def judged_pairs(data):
    """Judged addresses of three days, and a folder of the contest's archive with their documents."""
    folder, archive = data / Dialogue2021.place.folder, data / "archive"
    folder.mkdir(parents=True)
    for file in Dialogue2021.place.files:
        day = file.split("_05")[1][:2]
        (archive / f"202005{day}").mkdir(parents=True)
        told = [
            {
                f"https://a.ru/{number}/v-{town}-shtorm-zakryl-{day}-dorog": f"Шторм: {day} дорог, {town}",
                f"https://b.ru/{number}/shtorm-zakryl-{day}-dorog-{town}": f"{town}: закрыто {day} дорог",
            }
            for number, town in enumerate(TOWNS)
        ]
        lines = ["first_url\tsecond_url\tquality"]
        for number, event in enumerate(told):
            (first, second), (_, other) = event, told[number - 1]
            lines += [f"{first}\t{second}\tOK", f"{first}\t{other}\tBAD"]
            for url, title in event.items():
                page = f'<html><head><meta property="og:url" content="{url}"/>'
                page += f'<meta property="og:title" content="{title}"/></head></html>'
                (archive / f"202005{day}" / f"{url[8]}{number}.html").write_text(page, encoding="utf-8")
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return archive


def italian_titles(path):
    """Articles of two newspapers with the titles that they printed."""
    said = ("Incendio a {}: chiusa la scuola", "A {} la scuola chiude per un incendio")
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "headline", "newspaper"])
        for town in training_data.TOWNS:
            for day in range(1, 5):
                text = f"Un incendio ha chiuso la scuola di {town} per {day} giorni. Nessuno è ferito."
                rows.writerow([text, said[day % 2].format(town), ("il Foglio", "la Voce")[day % 2]])


def test_one_of_hlgds_timelines_is_grouped(ok, here):
    names = [f"annot_{person}_group" for person in range(1, 6)]
    lines = [",".join(("url", "headline", "date", *names, "global_group", "timeline"))]
    for file in sorted((release(here / "hlgd") / "timelines").glob("*.csv")):
        for row in rows_of(file):
            groups = [row[name] for name in (*names, names[0])]
            lines.append(",".join(("https://a.org/1", row["headline"], row["date"], *groups, file.stem)))
    (here / "hlgd.csv").write_text("\n".join(lines), encoding="utf-8")
    ok(GROUP, "--out", "groups.csv", NAME="Velden")
    found = rows_of("groups.csv")
    assert len(found) == 9
    assert all(row["timeline"] == "Velden" and row["group"] for row in found)


def test_annotators_are_a_row_of_the_table(ok, here):
    timelines = release(here / "hlgd") / "timelines"
    said = ok(f"headline-lab benchmark pairs --scorer {PEOPLE}", "--set", timelines, "--json")
    figures = {cell["system"]: cell["figures"]["f1"]["value"] for cell in json.loads(said)["cells"]}
    assert figures["annotators.v1|annotator:0"] == 1.0


def test_a_released_checkpoint_scores_pairs(ok, here):
    folder = save_classifier(here / "released", ["storm", "hits", "coast"])
    (here / "pairs.csv").write_text("headline_a,headline_b\nStorm hits,Coast storm\n")
    scorer = CHECKPOINT.replace("FOLDER", str(folder))
    ok(f"headline-lab score pairs.csv --out scored.csv --scorer '{scorer}'")
    assert 0 < float(rows_of("scored.csv")[0]["score"]) < 1


def test_texts_come_from_the_archives(ok, here):
    code = ARCHIVES.replace("FOLDER", str(judged_pairs(here / "data")))
    found = {}
    for named in (code, code.partition("|")[0] + "'"):
        table = json.loads(ok(named, "--scorer", "levenshtein", "--json"))
        (cell,) = [cell for cell in table["cells"] if cell["system"] == "levenshtein"]
        found[named] = cell["figures"]["average_precision"]["value"]
        assert table["sets"][0]["count"] == 2 * len(TOWNS)
    assert len(set(found.values())) == 2, "titles are read, not addresses"


@pytest.mark.slow
@pytest.mark.parametrize("code", [MBERT, RUBERT], ids=["mBERT", "RuBERT"])
def test_a_hub_encoder_learns_dialogues_pairs(code, ok, here):
    judged_pairs(here / "data")
    words = shlex.split(code)
    base = words[words.index("--base") + 1]
    in_the_hub(here / "hub", base, lambda at: save_encoder(at, "bert", WORDS))
    ok(code, "--max-pairs", 16, "--epochs", 1, "--quiet")
    about = RunFolder(here / "run").about()
    assert about["state"] == "finished"
    assert base in about["order"]["trainer"]


@pytest.mark.slow
def test_the_bottleneck_learns_telegram(ok, here):
    in_the_hub(here / "hub", RUBERT_WRITER, lambda at: save_writer(at, "encoder-decoder"))
    place = here / "data" / TelegramRussian.place.folder
    place.mkdir(parents=True)
    for file in (ROOT / "samples" / "tgcontest").glob("ru_*.tsv.gz"):
        shutil.copy(file, place / f"toloka__clustering_pairs__{file.name}")
    small = f"{RUBERT_WRITER}|article_tokens:60|headline_tokens:8|watched:2"
    ok(BOTTLENECK.replace(RUBERT_WRITER, small), "--epochs", 1, "--quiet")
    assert RunFolder(here / "run").about()["state"] == "finished"
    assert (here / "run" / "model" / "encoder").is_dir()


@pytest.mark.slow
def test_a_pointer_learns_italian_titles(ok, here):
    italian_titles(here / "articles.csv")
    small = "'pointer|words_read:20|vocabulary:120|embeddings:random|watched:4|batch_size:8'"
    ok(ITALIAN.replace("pointer", small), "--epochs", 1, "--quiet")
    ok(f"headline-lab write articles.csv --out w.csv --system 'pointer.v1|model:{here}/run/model'")
    assert {row["newspaper"] for row in rows_of("w.csv")} == {"il Foglio", "la Voce"}


@pytest.mark.parametrize("code", WRITERS)
def test_a_writer_writes_when_the_hubs_cache_has_it(code, ok, here):
    in_the_hub(here / "hub", registered(code)[1].model, lambda at: save_writer(at, WRITERS[code]))
    lines = training_data.articles_file(here).read_text().splitlines()[:2]
    (here / "articles.jsonl").write_text("\n".join(lines))
    ok(f"headline-lab write articles.jsonl --out w.csv --system '{code}|headline_tokens:8'")
    assert len(rows_of("w.csv")) == 2


def test_ria_and_romip_are_a_row_a_line(ok, here):
    said = "<p>МОСКВА, 1 мар - РИА Новости.</p> <p>Шторм закрыл {} дорог в городе {}, сообщили власти.</p>"
    lines = [
        {"text": said.format(number, town), "title": f"шторм закрыл {number} дорог в городе {town}"}
        for number, town in enumerate(TOWNS, 3)
    ]
    (here / "articles.jsonl").write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines))
    table = json.loads(ok(RIA, "--system", "first_sentence", "--metrics", "rouge", "--out", "out", "--json"))
    (facts,), (cell,) = table["sets"], table["cells"]
    assert (facts["name"], facts["language"], facts["count"]) == ("articles", "ru", len(lines))
    assert next(iter(cell["figures"].values()))["value"] > 0.5
    written = (here / "out" / "headlines" / "articles" / "first_sentence.txt").read_text(encoding="utf-8")
    assert "<p>" not in written
    assert len(written.splitlines()) == len(lines)


DOCKER = """#!/bin/sh
echo "$@" >> {log}
[ "$1" = run ] || exit 0
while [ "$1" != some/image ]; do shift; done
shift
exec "$@"
"""


def test_a_judged_system_gets_the_card(ok, here, monkeypatch):
    articles = training_data.articles_file(here)
    (here / "docker").write_text(DOCKER.format(log=here / "log"))
    (here / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{here}{os.pathsep}{os.environ['PATH']}")
    code = CARD.replace(" -- ", f" --board '{here / 'board'}' -- ")
    said = ok(code, IMAGE="some/image", numhg=articles, COMMAND=shutil.which("cat"))
    assert "32 headlines" in said
    begun = [line for line in (here / "log").read_text().splitlines() if line.startswith("run ")]
    assert all("--gpus=all" in line and "--network=none" in line for line in begun)
    assert begun
