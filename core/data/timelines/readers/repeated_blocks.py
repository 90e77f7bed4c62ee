"""Titles with outlet, time and snippet in blocks that repeat, as pages, readers and archives show them."""

import operator
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from statistics import mean, mode
from typing import Final

from core.data.timelines import moments
from core.data.timelines.mixed_dates import date_inside
from core.data.timelines.readers import pasted_lists
from core.data.timelines.readers.pasted_lists import ADDRESS, EMPHASIS, Lines, PastedBlock
from core.files import read_tables
from core.text.stems import is_unspaced

_PIECES, _CLOCK, _AGO, _PAGE, _RESULTS, _SECTIONS, _AROUND, _LINK = (
    re.compile(form, re.IGNORECASE) for form in read_tables(__file__).values()
)
_LONGEST_BYLINE: Final = 160  # characters
_LONGEST: Final = 50  # characters of a date
_FEWEST: Final = 3  # blocks
_MOST_LINES: Final = 8  # of a block, as a rule
_COMMON: Final = 0.6  # of the blocks are built alike
_MOST: Final = 0.8  # of the titles differ, and of the outlets look like one
_FEW: Final = 0.25  # of the blocks at most have a further line like a title
_SHORT: Final = 4  # words: an outlet has fewer, a title no fewer on average
_SIGNS: Final = 2.5  # of a script without spaces stand for a word
_LONGER: Final = 1.4  # times is a title than its outlet, and a snippet than its title
_NOWHERE: Final = (-1, -1)
_Place = tuple[int, int]  # in a block: whether below what tells the time, and how far from there or the top


@lru_cache(maxsize=65_536)
def byline(line: str) -> dict[str, str]:
    """Outlet and time of "The Times, 06:42, 12 March 2026, 300 words" or "BBC · 2h"; {} for another line."""
    pieces = [piece for piece in _PIECES.split(line) if piece] if len(line) <= _LONGEST_BYLINE else []
    pairs = map(", ".join, pairwise(pieces))
    dates = (text for text in dict.fromkeys([line, *pieces, *pairs]) if len(text) < _LONGEST)
    date = next(filter(moments.is_date, dates), "")
    times = [piece for piece in pieces if piece in date or _AGO.fullmatch(piece)]
    times = times or [
        piece for piece in pieces if len(piece) < _LONGEST / 2 and moments.is_date(f"{piece} 2024")
    ]
    names = [piece for piece in pieces if piece not in times and not _PAGE.fullmatch(piece)]
    outlet = next((name for name in names if name in pieces[:2]), "")
    named = pasted_lists.is_outlet(outlet) and any(map(str.isalpha, outlet))
    paged = named and len(names) + len(times) < len(pieces)
    if not (times or paged) or (names and not named) or any(map(_RESULTS.fullmatch, pieces)):
        return {}
    clock = next((piece for piece in times if date and _CLOCK.fullmatch(piece) and piece not in date), "")
    when = f"{date} {clock}".strip() or ", ".join(times)
    return ({"publisher": EMPHASIS.sub(r"\2", outlet)} if outlet else {}) | ({"date": when} if when else {})


def repeated_blocks(lines: Lines) -> list[PastedBlock]:
    """Blocks around lines that tell a time, a page or a link to read on; [] where few are built alike."""
    lines = [(number, pasted_lists.without_bullet(line.strip())) for number, line in lines]
    told = {number: byline(line) for number, line in lines}
    linked = sum(map(bool, told.values())) < _FEWEST
    if linked:
        links = ((n, "" if pasted_lists.is_furniture(line) else line) for n, line in lines)
        told = {n: match.groupdict("") if (match := _LINK.fullmatch(line)) else {} for n, line in links}
    names = sum("publisher" in cells for cells in told.values())
    clocks = sum(bool(_CLOCK.fullmatch(cells.get("date", ""))) for cells in told.values())
    days = {number: line for number, line in lines if moments.is_date(line)}
    days = days if 2 * len(days) < max(clocks, names) else {}
    paragraph = dict(zip(told, accumulate((b > a + 1 for a, b in pairwise(told)), initial=0), strict=True))
    kept = [(n, line) for n, line in lines if n not in days and (told[n] or not _is_around(line))]
    heads = [bool(told[number]) for number, _ in kept]
    runs = [at for at, head in enumerate(heads) if head and not (at and heads[at - 1])]
    if len(runs) < _FEWEST or len(kept) > _MOST_LINES * len(runs):
        return []
    ends = [next((at for at in range(run, len(kept)) if not heads[at]), len(kept)) for run in runs]
    runs[0] = max(runs[0], ends[0] - mode(map(operator.sub, ends, runs)))  # above it is the day of all
    named = linked or names > _COMMON * len(runs)
    before, between = [0, *ends[:-1]], mode(map(operator.sub, runs[1:], ends))
    offset = between if linked else _offset([paragraph[number] for number, _ in kept], runs, ends, named)
    opened = [max(end, run - offset) for end, run in zip(before, runs, strict=True)]
    starts = before if linked else opened
    starts[0] = max(0, runs[0] - offset)
    afters = [*starts[1:], min(len(kept), ends[-1] + between - offset)]
    spans = list(zip(starts, runs, ends, afters, strict=True))
    parts: list[dict[_Place, str]] = [
        {(0, at - start): kept[at][1] for at in range(start, run)}
        | {(1, at - end): kept[at][1] for at in range(end, after)}
        for start, run, end, after in spans
    ]
    title, outlet, stray = _title_and_outlet(parts, named)
    if title == _NOWHERE or offset < 0:
        return []
    above, inside = kept[: starts[0]], kept[starts[0] : afters[-1]]
    around = [*above, *(line for line in inside if line[1] in stray), *kept[afters[-1] :]]
    blocks = [PastedBlock(line[0], {"headline": ""}, [line]) for line in around]
    day = next(filter(None, (date_inside(line) for _, line in above)), "")
    of_all = next(filter(None, (byline(line) for _, line in above)), {}) if linked else {}
    named_first = [part.get(title) or part.get(outlet, "") for part in parts]
    titles, _ = pasted_lists.without_numbers(list(enumerate(named_first)))
    for part, (_, text), (start, run, end, after) in zip(parts, titles, spans, strict=True):
        cells = {name: said for n, _ in reversed(kept[run:end]) for name, said in told[n].items()}
        day = next((days[n] for n in reversed(days) if n < kept[run][0]), day)
        if day and ("date" not in cells or _CLOCK.fullmatch(cells["date"])):
            cells["date"] = f"{day} {cells.get('date', '')}".strip()
        cells |= {"publisher": part[outlet]} if outlet in part and title in part else {}
        rest = [line for place, line in part.items() if place not in (title, outlet) and line not in stray]
        cells |= next((match.groupdict() for match in map(ADDRESS.fullmatch, rest) if match), {})
        cells["body"] = "\n".join(line for line in (*rest, cells.get("body", "")) if _words([line]) > _SHORT)
        cells = {name: said for name, said in {**of_all, **cells}.items() if said}
        own = [line for line in kept[start:after] if line[1] not in stray]
        blocks.append(PastedBlock(kept[start][0], {"headline": EMPHASIS.sub(r"\2", text), **cells}, own))
    return blocks


def _is_around(line: str) -> bool:
    return bool(_AROUND.fullmatch(line)) or pasted_lists.is_furniture(line) or not any(map(str.isalpha, line))


def _offset(paragraphs: Sequence[int], runs: Sequence[int], ends: Sequence[int], named: bool) -> int:
    """How many lines of a block stand above the one with the time; -1 where blocks do not agree."""
    gaps = [*map(operator.sub, runs[1:], ends)]
    between, last = mode(gaps), len(paragraphs) - ends[-1]
    if len({paragraphs[run] for run in runs}) >= _COMMON * max(len(runs), len(set(paragraphs))):
        opened = [max(bisect_left(paragraphs, paragraphs[run]), run - between) for run in runs]
        offsets = [*map(operator.sub, runs, opened)]
        return mode(offsets) if offsets.count(mode(offsets)) >= _COMMON * len(runs) else -1
    fit = {offset for offset in (runs[0], between - last) if 0 <= offset <= between}
    fit = {1} if len(fit) > 1 and 1 in fit and named and between > 1 else fit
    return fit.pop() if len(fit) == 1 and gaps.count(between) >= _COMMON * len(gaps) else -1


def _title_and_outlet(parts: Sequence[dict[_Place, str]], named: bool) -> tuple[_Place, _Place, set[str]]:
    """Where titles and, unless `named`, outlets stand in most blocks, and further lines like titles."""
    places = sorted({place for part in parts for place in part})
    columns = {place: [part[place] for part in parts if place in part] for place in places}
    columns = {place: texts for place, texts in columns.items() if len(texts) >= _COMMON * len(parts)}
    length = {place: mean(map(len, texts)) for place, texts in columns.items()}
    differ = [place for place, texts in columns.items() if len(set(texts)) >= _MOST * len(texts)]
    short = [place for place, texts in columns.items() if place not in differ or _words(texts) < _SHORT]
    outlets = [
        place
        for place in short
        if mean(map(pasted_lists.is_outlet, columns[place])) >= _MOST
        and mean(_SECTIONS.fullmatch(text) is None for text in columns[place]) > _COMMON
        and max(length.values()) >= _LONGER * length[place]
    ]
    outlet = _NOWHERE if named else min(outlets, key=length.__getitem__, default=_NOWHERE)
    told = [place for place in differ if place not in short and not ADDRESS.match(columns[place][0])]
    title = told[0] if told else _NOWHERE

    def is_further(line: str) -> bool:
        snippet = pasted_lists.SENTENCE.search(line) or len(line) >= _LONGER * length.get(title, 0)
        return _words([line]) >= _SHORT and not snippet

    stray = {
        part[place] for part in parts for place in part if place not in columns and is_further(part[place])
    }
    unclear = any(mean(map(is_further, columns[place])) > 1 - _COMMON for place in told[1:])
    return _NOWHERE if unclear or len(stray) > _FEW * len(parts) else title, outlet, stray


def _words(texts: Sequence[str]) -> float:
    return mean(len(text) / _SIGNS if is_unspaced(text) else len(text.split()) for text in texts)
