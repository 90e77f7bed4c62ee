"""What leaves a room: sheets to print with a key, and every answer as a table."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import numpy as np

from core.data.pair_sets.assembly import merge_annotators
from core.data.timelines.periods import written_day
from core.people.room.state import Room, RoomRound, counted
from core.people.room.task import RoomItem, RoomKind, RoomTask, group_numbers, item_order, shown_order
from core.results.page import html_page
from core.results.render import delimited

VERSIONS: Final = "ABCD"
"""Of a sheet, each with its own order of items and headlines, so that neighbours cannot copy."""
LETTERS: Final = "AB"


def sheets_html(task: RoomTask, *, versions: int = 2) -> bytes:
    """Up to four different sheets to fill in on paper, and after them the key, as one HTML file."""
    names = VERSIONS[:versions]
    sheets = [
        {"name": name, "items": [_printed(task, item, name) for item in _ordered(task, name)]}
        for name in names
    ]
    columns = [option.wording for option in task.options]
    grouped = task.kind is RoomKind.GROUPS
    return html_page(
        _BODY, title=task.title, style=_STYLE, task=task, sheets=sheets, columns=columns, grouped=grouped
    )


def answers_csv(room: Room) -> bytes:
    """What everybody who was not removed answered to an item, a line, for `headline-lab agreement votes`.

    The two votes are columns, so that nobody takes them for answers to one question.
    """
    names = {person.who: person.nickname for person in room.here}
    head = ["item", "person", "first_vote", "second_vote", "round", "first_headline", "second_headline"]
    rows: list[list[Any]] = [[*head, "in_the_data"]]
    for round_ in (*room.earlier, room.round):
        rows += [
            _line(round_, item, who, names[who])
            for who, key in {**round_.first, **round_.second}
            if who in names and (item := round_.task.item(key)) is not None
        ]
    return delimited(rows).encode("utf-8")


def groups_csv(room: Room) -> bytes:
    """The groups of the last vote as HLGD was released, for `headline-lab agreement groups`."""
    task, answers = room.round.task, counted(room, room.round.answers)
    people = [person.who for person in room.here if any(who == person.who for who, _ in answers)]
    numbers = group_numbers(task, answers, people)
    merged = merge_annotators(numbers) if people else np.arange(len(task.items))
    head = ["headline", "date", *(f"annot_{at}_group" for at in range(1, len(people) + 1)), "global_group"]
    rows: list[list[Any]] = [head]
    named: dict[int, int] = {}
    for item, given, group in zip(task.items, numbers.tolist(), merged.tolist(), strict=True):
        cells = [group + 1 if group >= 0 else "" for group in given]
        shown = named.setdefault(group, len(named) + 1) if any(cells) else ""
        rows.append([item.texts[0], item.day, *cells, shown])
    return delimited(rows).encode("utf-8")


def _line(round_: RoomRound, item: RoomItem, who: str, name: str) -> list[Any]:
    second = item.texts[1] if len(item.texts) > 1 else ""
    given = (round_.first.get((who, item.key), ""), round_.second.get((who, item.key), ""), item.right)
    first_vote, second_vote, right = (round_.task.wording(item, answer) for answer in given)
    # One item of two rounds is asked twice: its name says when.
    place = f"{round_.number} {item.key}"
    return [place, name, first_vote, second_vote, round_.number, item.texts[0], second, right]


def _ordered(task: RoomTask, name: str) -> list[RoomItem]:
    items = {item.key: item for item in task.items}
    return [items[key] for key in item_order(task, name)]


def _printed(task: RoomTask, item: RoomItem, name: str) -> dict[str, Any]:
    order = shown_order(task, item, name)
    sources = [item.sources[place] for place in order] if item.sources else []
    known = [f"{LETTERS[at]}: {source}" for at, source in enumerate(sources) if source]
    right = task.wording(item, item.right) if item.right else ""
    if task.kind is RoomKind.GROUPS:
        # On paper a group is a number: that of the line of its first headline.
        right = str([other.key for other in task.items].index(item.right) + 1)
    return {
        "number": [other.key for other in task.items].index(item.key) + 1,
        "texts": [item.texts[place] for place in order],
        "article": item.article,
        "day": written_day(date.fromisoformat(item.day)) if item.day else "",
        "right": right,
        "sources": "; ".join(known),
    }


_STYLE: Final = """
.sheet{break-after:page;margin-bottom:64px}
.sheet header{display:flex;justify-content:space-between;gap:24px;align-items:end}
.who{white-space:nowrap}
ol{padding-left:2.2em}
ol>li{break-inside:avoid;margin:0 0 18px}
.two{margin:0 0 6px}
.boxes{display:flex;flex-wrap:wrap;gap:6px 28px}
.boxes span::before{content:"";display:inline-block;width:14px;height:14px;border:1.5px solid;
margin-right:8px;vertical-align:-2px}
.box{display:inline-block;width:40px;height:24px;border:1.5px solid;margin-right:10px;vertical-align:-7px}
.day{opacity:.7;font-size:14px;white-space:nowrap}
.article{white-space:pre-line;font-size:14px}
"""

_BODY: Final = """
{% macro headlines(texts) %}{% for text in texts %}<span class="headline">
{%- if texts|length > 1 %}<strong>{{ "AB"[loop.index0] }}</strong> {% endif %}{{ text }}</span>
{%- if not loop.last %}<br>{% endif %}{% endfor %}{% endmacro %}
{% for sheet in sheets %}
<section class="sheet">
<header><div><p class="kicker">Sheet {{ sheet.name }}</p><h1>{{ task.title }}</h1></div>
<p class="who">Name ______________________</p></header>
<p><strong>{{ task.question }}</strong> {{ task.help }}</p>
{% if grouped %}<p>Write beside each headline the number of the first headline of its event, its own number
where the event is new.</p>{% endif %}
<ol>{% for item in sheet["items"] %}
<li><p class="two">{% if grouped %}<span class="box"></span>{% endif %}{{ headlines(item.texts) }}
{% if item.day %} <span class="day">{{ item.day }}</span>{% endif %}</p>
{% if item.article %}<p class="article">{{ item.article }}</p>{% endif %}
<div class="boxes">{% for one in columns %}<span>{{ one }}</span>{% endfor %}</div></li>{% endfor %}
</ol></section>
{% endfor %}
<section>
<p class="kicker">Key, for the teacher</p><h1>{{ task.title }}</h1>
{% if task.key_from %}<p>The right answers are as {{ task.key_from }}.</p>
{% else %}<p>No answer is right or wrong here.</p>{% endif %}
{% for sheet in sheets %}<h2>Sheet {{ sheet.name }}</h2>
<table><thead><tr><th class="number">Line</th><th class="number">Item</th><th>Headlines</th>
<th>Right</th><th>Source</th></tr></thead><tbody>
{% for item in sheet["items"] %}<tr><td class="number">{{ loop.index }}</td>
<td class="number">{{ item.number }}</td><td>{{ headlines(item.texts) }}</td>
<td>{{ item.right or "–" }}</td><td>{{ item.sources }}</td></tr>
{% endfor %}</tbody></table>{% endfor %}
</section>
"""
