"""Headlines read off addresses, against real titles with their addresses."""

from __future__ import annotations

import csv
import gzip
import re
import sys

import Levenshtein
import numpy as np
import pytest

from core.data.addresses.documents import cyrillic, pseudo_headline, slug_words
from core.files import ROOT

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
def test_an_address_with_a_headline_gives_it(url: str, headline: str) -> None:
    assert pseudo_headline(url) == headline


@pytest.mark.parametrize(
    "url",
    [
        "https://tass.ru/obschestvo/8598889",
        "https://grozny.tv/news.php?id=37947",
        "https://lenta.ru/news/2020/05/29/melnik/",
        "https://tvzvezda.ru/news/vstrane_i_mire/content/20205292027-kdUio.html",
        "",
        "not an address",
        "http://[bad",
    ],
)
def test_an_address_without_a_headline_gives_none(url: str) -> None:
    assert pseudo_headline(url) == ""


def test_words_of_other_signs_stay() -> None:
    assert cyrillic("covid19") == "covid19"
    assert cyrillic("рубль") == "рубль"
    assert slug_words("https://a.ru/v-strane-19-novyh-sluchaev-123456") == [
        "v",
        "strane",
        "19",
        "novyh",
        "sluchaev",
    ]


def test_most_are_nearly_the_real_title() -> None:
    csv.field_size_limit(sys.maxsize)
    titles = {}
    for pool in sorted(POOLS.glob("ru_*.tsv.gz")):
        with gzip.open(pool, "rt", encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                for side in ("first", "second"):
                    titles[row[f"INPUT:{side}_url"]] = row[f"INPUT:{side}_title"]

    def plain(text: str) -> str:
        return " ".join(re.findall(r"\w+", text.casefold().replace("ё", "е")))

    ratios = [
        Levenshtein.ratio(plain(rebuilt), plain(title))
        for url, title in titles.items()
        if (rebuilt := pseudo_headline(url))
    ]
    assert len(ratios) > 0.5 * len(titles)
    assert np.median(ratios) > 0.97
    assert np.quantile(ratios, 0.25) > 0.9
