"""Blocks that repeat as pages of news, readers, archives, tickers and press reviews show them."""

import pytest

from core.data.timelines.load import load

TITLES = {
    "en": [
        "Glacier lake bursts above Karsa valley",
        "Mayor of Tolvik quits over harbour deal",
        "Nurses accept pay offer in Brandt",
        "Two climbers rescued after night on ridge",
        "Court stops demolition of old cement works",
        "Reservoirs at lowest level since 1976",
    ],
    "pl": [
        "Sejm przyjął ustawę o związkach partnerskich",
        "Pożar hali magazynowej pod Łodzią",
        "Inflacja spadła do trzech procent",
        "Kolej wstrzymuje pociągi na południu kraju",
        "Sąd uniewinnił byłego ministra zdrowia",
        "Most w Toruniu zamknięty na rok",
    ],
    "ko": [
        "국회, 내년도 예산안 본회의 통과",
        "서울 지하철 노조 파업 철회",
        "강원 동해안에 폭설 경보 발령",
        "한은 기준금리 석 달째 동결",
        "부산항 물동량 사상 최대 기록",
        "경주서 신라 금관 추가 발견",
    ],
    "zh": [
        "央行宣布下调存款准备金率",
        "台风登陆广东沿海多地停课",
        "地铁二十八号线开通试运营",
        "故宫博物院推出夜游项目",
        "全国铁路迎来客流高峰",
        "今年粮食产量再创新高",
    ],
}
OUTLETS = {
    "en": ["Tolvik Mail", "Northern Star", "The Oakhaven Echo"],
    "pl": ["Onet", "AD", "RMF24"],
    "ko": ["한겨레", "연합뉴스", "조선일보"],
    "zh": ["新华网", "人民日报", "澎湃新闻"],
}
AGO = {"en": "{} hours ago", "pl": "{} godz. temu", "ko": "{}시간 전", "zh": "{}小时前"}
SNIPPETS = {
    "en": "Officials said on Sunday that the work would go on through the winter {} …",
    "pl": "Służby poinformowały w niedzielę, że prace potrwają całą zimę i dłużej {}...",
    "ko": "당국은 일요일 작업이 겨울 내내 이어질 것이라고 밝혔다고 전했다 {} ...",
    "zh": "有关部门周日表示，相关工作将持续整个冬季，并将继续公布进展情况 {}……",
}
BLOCKS = {
    "outlet, title, time": ("{o}\n{t}\n{ago}", "\n\n"),
    "title, outlet, time without blank lines": ("{t}\n{o}\n{ago}", "\n"),
    "title, time, outlet": ("{t}\n{ago}\n{o}", "\n"),
    "every line apart": ("{o}\n\n{t}\n\n{ago}", "\n\n"),
    "the outlet apart": ("{o}\n\n{t}\n{ago}", "\n\n"),
    "a button and who wrote it": ("{o}\nMore\n{t}\n{ago}\nBy Ann Roe", "\n"),
    "a snippet": ("{o}\n{t}\n{s}\n{ago}", "\n\n"),
    "a snippet above outlet and time": ("{t}\n{s}\n{o} - {ago}", "\n\n"),
    "a snippet below outlet and time": ("{t}\n{o}|{ago}\n{s}", "\n"),
    "who wrote it beside the outlet": ("{t}\n{o} by Ann Roe / {ago}\n{s}", "\n\n"),
    "a day": ("{t}\n{o}\n1{n} November 2025", "\n\n"),
    "a page beside the day": ("{o}\n1{n} November 2025 - p. {n}\n{t}\n{s}", "\n\n"),
    "outlet, day and page": ("{t}\n{o} vom 1{n}.11.2025, S. {n} / Politik\n{s}", "\n\n"),
    "the day first": ("■{t}\n2025/11/1{n}　{o}　朝刊　{n}ページ　50{n}文字", "\n\n"),
}


def loaded(text, name="a.txt"):
    return load(text.encode(), name)


def days(timeline):
    return [f"{when:%Y-%m-%d}" for when in timeline.table["published"]]


def blocks_of(form, language):
    titles, outlets = TITLES[language], OUTLETS[language]
    filled = zip(titles, 2 * outlets, range(1, 7), strict=True)
    snippet, ago = SNIPPETS[language], AGO[language]
    return [form.format(t=t, o=o, n=n, s=snippet.format(n), ago=ago.format(n + 1)) for t, o, n in filled]


@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_that_repeat_are_a_headline_each(name, language):
    form, between = BLOCKS[name]
    blocks = blocks_of(form, language)
    timeline = loaded(between.join(blocks))
    assert timeline.texts == TITLES[language]
    assert timeline.publishers == 2 * OUTLETS[language]
    assert timeline.undated == (0 if "1{n}" in form else 6)
    if "1{n}" in form:
        assert days(timeline) == [f"2025-11-1{n}" for n in range(1, 7)]
    if "{s}" in form:
        assert all(timeline.table["body"])
    counted = timeline.report.ledger
    assert counted["lines"] == sum(counted[key] for key in counted if key != "lines")


def test_of_blocks_with_a_missing_line_no_headline_is_lost_unsaid():
    blocks = blocks_of("{o}\n{t}\n{ago}", "en")
    blocks[2] = "\n".join(blocks[2].split("\n")[1:])  # no outlet
    blocks[4] = "\n".join(blocks[4].split("\n")[:2])  # no time
    timeline = loaded("\n\n".join(["Top stories", *blocks, "Sign in"]))
    assert timeline.texts == [*TITLES["en"][:4], TITLES["en"][5]]
    assert timeline.publishers[2:] == [None, "Tolvik Mail", "The Oakhaven Echo"]
    assert TITLES["en"][4] in [row.value for row in timeline.report.rejected]


def test_the_day_above_all_dates_blocks_with_pages_and_hours():
    titles = TITLES["en"]
    paged = "\n\n".join(f"TOLVIK MAIL, pag. {n}\n{title}" for n, title in enumerate(titles, 1))
    review = loaded(f"Rassegna stampa del 14/11/2025\n\n{paged}\n")
    assert (review.texts, set(review.publishers)) == (titles, {"TOLVIK MAIL"})
    assert set(days(review)) == {"2025-11-14"}
    hours = [f"1{n}:05\n{title}" for n, title in enumerate(titles)]
    ticker = loaded("\n".join(["4 November 2025", *hours[:3], "3 November 2025", *hours[3:]]))
    assert ticker.texts == titles
    assert f"{ticker.table['published'].iloc[4]:%Y-%m-%d %H:%M}" == "2025-11-03 14:05"


@pytest.mark.parametrize(
    "form",
    [
        "{n}. **{t}**\n{s} [Read more](https://a.example/{n})",
        "**{t}**\n\n{s}\n\n[Weiterlesen](https://a.example/{n})",
        "{t}\n\n{s}\n\nLire la suite : https://a.example/{n}",
    ],
)
def test_stories_of_a_newsletter_end_in_their_links(form):
    stories = "\n\n".join(blocks_of(form, "en"))
    foot = "You get this as you signed up.\nUnsubscribe: https://a.example/u"
    timeline = loaded(
        f"The Tide — Tuesday, November 4, 2025\n\nGood morning!\n\n{stories}\n\n{foot}\n", "a.md"
    )
    assert timeline.texts == TITLES["en"]
    assert list(timeline.table["url"]) == [f"https://a.example/{n}" for n in range(1, 7)]
    assert set(days(timeline)) == {"2025-11-04"}


def test_sections_and_numbers_of_views_are_no_outlets():
    for above, below in (("Politics", "Sport"), ("Wirtschaft", "Kultur")):
        parts = "\n\n".join(
            f"{s}\n{t}\n3 hours ago" for t, s in zip(TITLES["en"], 3 * [above, below], strict=True)
        )
        assert (loaded(parts).texts, loaded(parts).publishers) == (TITLES["en"], [None] * 6)
    viewed = loaded("\n".join(f"{title}\n12K views · 3 hours ago" for title in TITLES["en"]))
    assert (viewed.texts, viewed.publishers) == (TITLES["en"], [None] * 6)


def test_what_stands_below_the_lines_of_a_ticker_is_no_headline():
    lines = blocks_of("1{n}:05 {t}\n{s}", "en")
    timeline = loaded("\n".join(["4 November 2025", *lines]))
    assert (timeline.texts, len(timeline.report.rejected)) == (TITLES["en"], 6)


def test_lines_that_do_not_repeat_alike_stay_headlines():
    titles = TITLES["en"]
    for after in ((1, 4), (2, 4), (3, 5)):
        parts = [titles[: after[0]], titles[after[0] : after[1]], titles[after[1] :]]
        text = "\n".join(line for n, part in enumerate(parts, 1) for line in (f"{n} November 2025", *part))
        assert loaded(text).texts == titles
    assert loaded("\n".join(titles)).texts == titles


@pytest.mark.parametrize("cell", ["[{t}]({u})", "**[{t}]({u})**", "[**{t}**]({u})"])
@pytest.mark.parametrize("row", ["| 1{n}.11.2025 | {c} | {o} |", "{o} | {c} | 1{n}.11.2025"])
def test_titles_with_links_in_a_table_of_markdown_have_addresses(cell, row):
    names = {"o": "Medio", "c": "Titular", "n": "", "1": ""}
    head = row.replace("1{n}.11.2025", "Fecha").format(**names)
    filled = zip(TITLES["pl"], 2 * OUTLETS["pl"], range(1, 7), strict=True)
    urls = [f"https://a.example/a_b_{n}" for n in range(1, 7)]
    rows = [row.format(c=cell.format(t=t, u=urls[n - 1]), o=o, n=n) for t, o, n in filled]
    for name in ("a.md", "a.txt"):
        timeline = loaded("\n".join([head, "|:--|---|--:|", *rows]), name)
        assert (timeline.texts, timeline.publishers) == (TITLES["pl"], 2 * OUTLETS["pl"])
        assert list(timeline.table["url"]) == urls
        assert days(timeline)[0] == "2025-11-11"
        assert not timeline.report.rejected
    listed = "\n".join(f"{n}. {cell.format(t=t, u=urls[n - 1])}" for n, t in enumerate(TITLES["pl"], 1))
    assert list(loaded(listed, "a.md").table["url"]) == urls
    assert loaded(listed, "a.md").texts == TITLES["pl"]


HOURS = [
    "1{n}:05 {t}",
    "1{n}.05 Uhr: {t}",
    "• 1{n}h05 · {t}",
    "**1{n}:05** – {t}",
    "1{n}:05 | {t}",
    "0{n}:05 PM {t}",
]


@pytest.mark.parametrize("form", HOURS)
def test_a_line_of_a_ticker_has_its_hour_of_the_day_above(form):
    titles = TITLES["pl"]
    lines = [form.format(n=n, t=t) for n, t in enumerate(titles, 1)]
    timeline = loaded(
        "\n".join(["Relacja na żywo", "## 4 November 2025", *lines[:3], "", "3.11.2025", *lines[3:]])
    )
    assert timeline.texts == titles
    told = [f"{when:%d %H:%M}" for when in timeline.table["published"]]
    hours = [f"{n + (12 if 'PM' in form else 10)}:05" for n in range(1, 7)]
    assert told == [*(f"04 {hour}" for hour in hours[:3]), *(f"03 {hour}" for hour in hours[3:])]
    undated = loaded("\n".join(lines))
    assert (undated.texts, undated.undated) == (titles, 6)
    assert any("05" in note for note in undated.report.notes)


def test_hours_of_entries_with_their_source_as_a_link_and_days_without_year_are_taken_off():
    titles, outlets = TITLES["en"], 2 * OUTLETS["en"]
    listed = [
        f"* **09:0{n}** {t} ([{o}](https://a.example/{n}))"
        for n, (t, o) in enumerate(zip(titles, outlets, strict=True))
    ]
    timeline = loaded("\n".join(["## 4 November 2025", *listed]), "a.md")
    assert (timeline.texts, timeline.publishers) == (titles, outlets)
    assert timeline.table["url"].iloc[1] == "https://a.example/1"
    assert f"{timeline.table['published'].iloc[1]:%Y-%m-%d %H:%M}" == "2025-11-04 09:01"
    days_only = loaded("\n".join(f"04/11 – {t} ({o}, p. 3)" for t, o in zip(titles, outlets, strict=True)))
    assert (days_only.texts, days_only.publishers, days_only.undated) == (titles, outlets, 6)


@pytest.mark.parametrize(
    "start", ["10.5 percent more for", "12 dead as ferry hits", "1:0 gegen", "24.12. als", "3.50 euros for"]
)
def test_numbers_that_are_no_hours_stay_in_headlines(start):
    lines = [f"{start} {title}" for title in TITLES["en"]]
    assert loaded("\n".join(lines)).texts == lines


REVIEWS = {
    "outlet, title, page": "{o}: „{t}” (s. {n})",
    "title, outlet, day, page": "« {t} » - {o}, 1{n}.11.2025, p. {n}",
    "numbers of parts": "2.{n} {t}, {o}, S. {n}",
    "slashes": "{n}. {t} // {o}, 1{n}.11.2025",
    "day, outlet, title": "1{n}.11.2025 - {o} - {t}",
    "outlet, title": "{o} - {t}",
    "dots": "{t} ......... {n}",
    "semicolons": "{t}; {o}; 1{n}.11.2025",
    "brackets": "{t}【{o}】2025-11-1{n}",
}


@pytest.mark.parametrize("name", REVIEWS)
def test_lines_of_a_press_review_are_taken_apart(name):
    titles, outlets = TITLES["en"], 2 * OUTLETS["en"]
    filled = zip(titles, outlets, range(1, 7), strict=True)
    lines = [REVIEWS[name].format(t=t, o=o, n=n) for t, o, n in filled]
    headed = name not in {"semicolons", "day, outlet, title", "brackets"}
    timeline = loaded("\n".join(["Review of 4 November 2025", "", *lines] if headed else lines))
    assert timeline.texts == titles
    assert timeline.publishers == (outlets if name != "dots" else [None] * 6)
    own = [f"2025-11-1{n}" for n in range(1, 7)] if "1{n}" in REVIEWS[name] else ["2025-11-04"] * 6
    assert days(timeline) == own


def test_the_day_above_a_list_may_begin_its_line():
    listed = "".join(f"{sign}、{title}\n" for sign, title in zip("一二三四五六", TITLES["zh"], strict=True))
    timeline = loaded(f"2025年11月4日 星期二 早报\n\n{listed}")
    assert (timeline.texts, set(days(timeline))) == (TITLES["zh"], {"2025-11-04"})


@pytest.mark.parametrize(
    "form", ["Minister {n}: “{t}”", "{t}; what we know; part {n}", "{t}, says minister, 1{n}", "{t} – live"]
)
def test_signs_between_words_of_headlines_part_no_outlets(form):
    lines = [form.format(t=title, n=n) for n, title in enumerate(TITLES["en"], 1)]
    timeline = loaded("\n".join(lines))
    assert timeline.texts == lines
    assert timeline.publishers == [None] * 6
