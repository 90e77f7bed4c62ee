"""Pasted chats, lists, newsletters and pages of news, as blocks of one headline each."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from core.data.timelines import moments
from core.data.timelines.mixed_dates import date_inside
from core.data.timelines.readers.pasted_lists import (
    ADDRESS,
    EMPHASIS,
    Lines,
    PastedBlock,
    without_bullet,
    without_numbers,
)
from core.data.timelines.readers.repeated_blocks import byline
from core.files import read_tables

_PATTERNS: Final = read_tables(__file__)
_LISTS: Final = {name: re.compile(pattern) for name, pattern in _PATTERNS.pop("lists").items()}
_CHAT, _SILENT, _NAMED_FIRST, _NAMED_ALONE, _DATED, _HOUR, _HEADING, LINK, _LINKED_END, _BETWEEN = (
    re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS.values()
)
_SHORTEST_LIST: Final = 4
_NEARLY_ALL: Final = 0.9
_COMMON: Final = 0.6
_OPENINGS: Final = "«“„*"
_BLANKS: Final = re.compile(r"(?:(?<![_…])[_…]{2,}+|(?<!\.)\.{5,}+)\s*$")  # to be filled in
_OF_ANY_TEXT: Final = frozenset({"dated", "named"})  # patterns that lines of other texts have, too
_REFERENCE: Final = re.compile(r"\[(\d{1,3})\]:\s*(https?://\S+).*")
_REFERRED: Final = re.compile(r"\]\[(\d{1,3})\]")
_CLOCK: Final = re.compile(r"\d{1,2}[:.]\d{2}")
_TAG: Final = re.compile(r"(?<!\S)#[\w/-]+")  # of notes
_TAKE: Final = re.compile(r"\W*ZCZC\S*")
_AGENCY: Final = re.compile(r"\((?P<name>[^\W\d][\w/.& -]{1,20})\)\s*[-–—]")
_SPOKEN: Final = re.compile(r"\b(?=\w*[aeiouyäöüàèéìòùáíóúâêîôûаеиоуыэюя])[^\W\d_]{3,}", re.IGNORECASE)
_SPOKEN_WORDS: Final = 3  # in a headline, which codes do not have
_FEWEST: Final = 2
LOOKED_AT: Final = 200  # lines that show of which kind a text is


def marked_blocks(lines: Lines) -> list[PastedBlock]:
    """The blocks of a chat, a list in Markdown or a newsletter; [] for another text."""
    for read in (_takes, _chat, _dated, _ticker, _markdown, _list, _ranked):
        if read(lines[:LOOKED_AT]) and (blocks := read(lines)):
            return blocks
    return []


def day_blocks(lines: Lines) -> list[PastedBlock]:
    """The lines beneath days that stand alone in a line, each with its day; [] where the first is no day."""
    if not lines or not moments.is_date(lines[0][1]):
        return []
    days = [moments.is_date(line) for _, line in lines]
    if days[-1] or any(map(ADDRESS.fullmatch, (line for _, line in lines))):
        return []
    blocks, day = [], ""
    for (number, line), is_day in zip(lines, days, strict=True):
        day = line if is_day else day
        blocks += [] if is_day else [_dated_block([(number, line)], [line], day)]
    return blocks


def _dated_block(lines: Lines, texts: list[str], date: str) -> PastedBlock:
    link = _LINKED_END.fullmatch(texts[0]) or LINK.fullmatch(texts[0])
    if link and not link["before"]:
        cells = {"headline": link["title"], "url": link["url"], "date": date} | _behind(link["behind"], "")
        return PastedBlock(lines[0][0], cells, lines)
    address = next(filter(None, map(ADDRESS.search, texts)), None)
    bare = (EMPHASIS.sub(r"\2", ADDRESS.sub("", text).strip(" \u200e-–—:|")) for text in texts)
    cells = {"headline": next(filter(None, bare), ""), "date": date}
    return PastedBlock(lines[0][0], cells | ({"url": address["url"]} if address else {}), lines)


def _takes(lines: Lines) -> list[PastedBlock]:
    """Takes of a news agency between ZCZC and NNNN: codes, headline, text, and the time at the foot."""
    begun = [place for place, (_, line) in enumerate(lines) if _TAKE.match(line)]
    blocks = []
    for place, end in zip(begun, [*begun[1:], len(lines)], strict=False):
        texts = [_TAKE.sub("", line).removesuffix("NNNN").strip() for _, line in lines[place:end]]
        said = [at for at, text in enumerate(texts) if len(_SPOKEN.findall(text)) >= _SPOKEN_WORDS]
        body = texts[said[0] + 1 :] if said else []
        agency = next(filter(None, map(_AGENCY.search, body)), None)
        cells = {"headline": texts[said[0]] if said else "", "body": "\n".join(filter(None, body))}
        cells |= {"publisher": agency["name"]} if agency else {}
        date = next(filter(moments.is_date, reversed(texts)), "")
        cells |= {"date": date} if date else {}
        blocks.append(PastedBlock(lines[place][0], cells, lines[place:end]))
    return blocks


def _chat(lines: Lines) -> list[PastedBlock]:
    found = [_CHAT.fullmatch(line) or _NAMED_FIRST.fullmatch(line) for _, line in lines]
    if not any(match and match["who"] for match in found):
        found = [_NAMED_ALONE.fullmatch(line) for _, line in lines]
    begun = [place for place, match in enumerate(found) if match]
    if len(begun) < _FEWEST or begun[0] > 1 or 4 * len(begun) < len(lines):
        return []
    blocks = []
    for place, end in zip(begun, [*begun[1:], len(lines)], strict=True):
        message = found[place]
        if message and message["who"] and not _SILENT.fullmatch(message["said"]):
            texts = [message["said"], *(line for _, line in lines[place + 1 : end])]
            blocks.append(_dated_block(lines[place:end], texts, message["date"]))
    linked = [block for block in blocks if "url" in block.cells]
    return linked if len(linked) > _FEWEST else blocks  # where links are passed on, the rest is talk


def _dated(lines: Lines) -> list[PastedBlock]:
    found = [_DATED.fullmatch(without_bullet(line)) for _, line in lines]
    dated = [match if match and moments.is_date(match["date"]) else None for match in found]
    if len(lines) < _FEWEST or not all(dated) or "\t" in lines[0][1] or "|" in lines[0][1]:
        return []
    return [
        _dated_block([line], [match["said"]], match["date"])
        for line, match in zip(lines, dated, strict=True)
        if match
    ]


def _ticker(lines: Lines) -> list[PastedBlock]:
    """Lines that begin with an hour of the day above them, or with a day of a year that is not said."""
    found = [_HOUR.fullmatch(without_bullet(line)) for _, line in lines]
    inside = (date_inside(line.strip(" #*_:")) for _, line in lines)
    days = ["" if match else day for match, day in zip(found, inside, strict=True)]
    timed = sum(match is not None and not moments.is_date(match["said"].split()[0]) for match in found)
    if timed < max(_SHORTEST_LIST, days.count("") / 2):
        return []
    blocks, day = [], ""
    for line, match, told in zip(lines, found, days, strict=True):
        day = told or day
        if match:
            hour = "{hour}:{minute} {half}".format(**match.groupdict("")) if match["hour"] else match["day"]
            blocks.append(_dated_block([line], [match["said"]], f"{day} {hour}".strip()))
        elif not told:
            blocks.append(PastedBlock(line[0], {"headline": ""}, [line]))
    return blocks


def _markdown(lines: Lines) -> list[PastedBlock]:
    links = {place: LINK.fullmatch(without_bullet(line)) for place, (_, line) in enumerate(lines)}
    headed = any(line.startswith("#") for _, line in lines)
    told = [link for link in links.values() if link and (link["behind"].strip() or headed)]
    if len(told) < _FEWEST or 2 * sum(map(bool, links.values())) < len(lines) - 4:
        return []
    blocks, day = [], ""
    for place, (number, line) in enumerate(lines):
        heading, link = _HEADING.fullmatch(line), links[place]
        if link is not None:
            cells = {"headline": link["title"], "url": link["url"]} | _behind(link["behind"], day)
            blocks.append(PastedBlock(number, cells, [lines[place]]))
        elif heading is not None:
            day = heading["said"] if moments.is_date(heading["said"]) else day
    return blocks


def _behind(text: str, day: str) -> dict[str, str]:
    """The outlet and the day, or the hour of a day above, that stand behind a link."""
    cells = {"date": day} if day else {}
    for piece in (piece.strip(" *_.") for piece in _BETWEEN.split(_TAG.sub("", text))):
        if moments.is_date(piece):
            cells["date"] = piece
        elif _CLOCK.fullmatch(piece) and day:
            cells["date"] = f"{day} {piece}"
        elif piece and "publisher" not in cells and not _CLOCK.fullmatch(piece):
            cells["publisher"] = piece
    return cells


def _list(lines: Lines) -> list[PastedBlock]:
    """The lines of a list that are written alike; those around them, without their mark, are no headlines."""
    counted, _ = without_numbers([(number, without_bullet(line)) for number, line in lines])
    bare = [_BLANKS.sub("", text.strip()).strip() for _, text in counted]
    marks = [_mark(line.strip(), text.strip()) for (_, line), (_, text) in zip(lines, counted, strict=True)]
    days = [moments.is_date(text.strip(" #*_:")) for text in bare]
    for name, pattern in _LISTS.items():
        found = [None if day else pattern.fullmatch(text) for text, day in zip(bare, days, strict=True)]
        alike = Counter(mark for mark, match in zip(marks, found, strict=True) if match)
        mark = max(alike, key=alike.__getitem__, default="")
        least = _NEARLY_ALL if name in _OF_ANY_TEXT else _COMMON
        marked = bool(mark) and alike[mark] >= max(_SHORTEST_LIST, least * marks.count(mark))
        most = marked or alike.total() >= (least if name in _OF_ANY_TEXT else 0.5) * len(lines)
        dates = [match["date"] for match in found if match and "date" in match.groupdict()]
        if alike.total() >= _SHORTEST_LIST and most and all(moments.is_date(date) for date in dates if date):
            own = [bool(mark) and other == mark for other in marks]
            own = own if name != "story" else [bool(match) for match in found]
            found = [match if ours or not marked else None for match, ours in zip(found, own, strict=True)]
            return _list_blocks(lines, bare, found, own)
    numbered = [mark == "1" for mark in marks]
    if len(lines) > sum(numbered) >= max(_SHORTEST_LIST, _COMMON * len(lines)):
        return _list_blocks(lines, bare, [None] * len(lines), numbered)
    return []


def _mark(line: str, bare: str) -> str:
    """What a line of a list begins with: its bullet, "1" for any number, a quotation mark or stars."""
    if line != bare:
        return "1" if line[0].isnumeric() else line[0]
    return line[0] if line[0] in _OPENINGS else ""


def _list_blocks(
    lines: Lines, bare: Sequence[str], found: Sequence[re.Match[str] | None], listed: Sequence[bool]
) -> list[PastedBlock]:
    addresses = {match[1]: match[2] for _, line in lines if (match := _REFERENCE.fullmatch(line.strip()))}
    blocks: list[PastedBlock] = []
    day, begun = "", False
    for line, text, match, own in zip(lines, bare, found, listed, strict=True):
        heading = line[1].strip(" #*_:")
        begun = begun or bool(match) or own
        dated = len(heading.split()) <= _SHORTEST_LIST and date_inside(heading)
        if not match and not own and (not begun or dated or moments.is_date(heading)):
            day = date_inside(heading) or day
        cells = {name: said.strip() for name, said in match.groupdict().items() if said} if match else {}
        referred = _REFERRED.search(text)
        cells |= {"url": addresses[referred[1]]} if referred and referred[1] in addresses else {}
        cells |= {"date": day} if day and "date" not in cells else {}
        cells.setdefault("headline", text if own else "")
        if (address := ADDRESS.fullmatch(line[1].strip())) and blocks and blocks[-1].cells["headline"]:
            blocks[-1] = PastedBlock(
                blocks[-1].line, {"url": address["url"], **blocks[-1].cells}, [*blocks[-1].lines, line]
            )
        else:
            blocks.append(PastedBlock(line[0], cells, [line]))
    return blocks


def _ranked(lines: Lines) -> list[PastedBlock]:
    """The lines below their ranks, which stand alone in lines and count from one."""
    ranks = [place for place, (_, line) in enumerate(lines[:-1]) if line.strip(" .)").isdecimal()]
    numbers = [int(lines[place][1].strip(" .)")) for place in ranks]
    if len(ranks) < _SHORTEST_LIST or numbers != list(range(1, len(ranks) + 1)):
        return []
    blocks = []
    for at, end in zip(ranks, [*ranks[1:], len(lines)], strict=True):
        told = byline(lines[at + 2][1]) if at + 2 < end else {}
        cells = {"headline": lines[at + 1][1].strip(), **told}
        blocks.append(PastedBlock(lines[at + 1][0], cells, lines[at + 1 : at + 2 + bool(told)]))
    return blocks
