import csv
import gzip
import json
import re
import sys

import Levenshtein
import numpy as np
import pytest

from core.data.dialogue2021 import address_key, pseudo_headline, read_documents
from core.files import ROOT

PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"/>
<meta property="og:url" content="https://www.a.ru/one/"/>
<meta property="article:published_time" content="2020-05-25T12:00:00+00:00"/>
<meta property="og:title" content="Первый &laquo;заголовок&raquo;"/></head><body><p>Текст</p></body></html>"""
DAY = 18_407.5


def test_an_archive_of_html_documents(tmp_path):
    (tmp_path / "20200525" / "00").mkdir(parents=True)
    (tmp_path / "20200525" / "00" / "1.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "20200525" / "00" / "empty.html").write_text("<html></html>", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no document")
    found = read_documents(tmp_path)
    assert set(found) == {address_key("http://a.ru/one")}
    document = found["a.ru/one"]
    assert document.headline == "Первый «заголовок»"
    assert document.day == DAY


def test_json_lines_and_tables_say_the_same(tmp_path):
    rows = [
        {"url": "https://a.ru/one", "title": " Один \n заголовок ", "timestamp": "1590408000", "text": "x"},
        {"url": "https://b.ru/two?id=2", "title": "Второй", "timestamp": "", "text": ""},
        {"url": "https://a.ru/one/", "title": "Тот же адрес", "timestamp": "", "text": ""},
    ]
    lines = tmp_path / "d.jsonl"
    lines.write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n", encoding="utf-8"
    )
    table = tmp_path / "d.tsv"
    cells = ["\t".join(str(row[name]).replace("\n", " ") for name in rows[0]) for row in rows]
    table.write_text("\n".join(["\t".join(rows[0]), *cells]), encoding="utf-8")
    one, other = read_documents(lines), read_documents(table)
    assert {key: document.headline for key, document in one.items()} == {
        "a.ru/one": "Один заголовок",
        "b.ru/two?id=2": "Второй",
    }
    assert one["a.ru/one"] == other["a.ru/one"]
    assert one["a.ru/one"].day == DAY
    assert np.isnan(one["b.ru/two?id=2"].day)


POOLS = ROOT / "samples" / "tgcontest"


@pytest.mark.parametrize(
    ("url", "headline"),
    [
        (
            "https://www.pnp.ru/politics/glava-tuvy-zarazilsya-koronavirusom.html",
            "Глава тувы заразился коронавирусом",
        ),
        (
            "https://racurs.ua/n138831-eks-duhovnika-otdali-pod-cerkovnyy-sud",
            "Екс духовника отдали под церковный суд",
        ),
        ("https://iz.ru/2020-05-27/kreml-otvetil-na-zaiavlenie-ssha?utm=1", "Кремл ответил на заявление сша"),
        (
            "https://zn.ua/UKRAINE/vyruchka-ot-600-tysyach-v-den-geraschenko-355939_.html",
            "Выручка от 600 тысяч в ден геращенко",
        ),
    ],
)
def test_an_address_with_a_headline_gives_it(url, headline):
    assert pseudo_headline(url) == headline


@pytest.mark.parametrize(
    "url",
    [
        "https://tass.ru/obschestvo/8598889", "https://grozny.tv/news.php?id=37947",
        "https://lenta.ru/news/2020/05/29/melnik/",
        "https://tvzvezda.ru/news/vstrane_i_mire/content/20205292027-kdUio.html", "", "not an address",
        "http://[bad",
    ],
)  # fmt: skip
def test_an_address_without_a_headline_gives_none(url):
    assert pseudo_headline(url) == ""


def test_most_are_nearly_the_real_title():
    csv.field_size_limit(sys.maxsize)
    titles = {}
    for pool in sorted(POOLS.glob("ru_*.tsv.gz")):
        with gzip.open(pool, "rt", encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                for side in ("first", "second"):
                    titles[row[f"INPUT:{side}_url"]] = row[f"INPUT:{side}_title"]

    def plain(text):
        return " ".join(re.findall(r"\w+", text.casefold().replace("ё", "е")))

    ratios = [
        Levenshtein.ratio(plain(rebuilt), plain(title))
        for url, title in titles.items()
        if (rebuilt := pseudo_headline(url))
    ]
    assert len(ratios) > 0.5 * len(titles)
    assert np.median(ratios) > 0.97
    assert np.quantile(ratios, 0.25) > 0.9
