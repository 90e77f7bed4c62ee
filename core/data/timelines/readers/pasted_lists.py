"""Numbers and bullets in front of pasted lines, and blocks of several lines that are one report."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from core.data.timelines import moments
from core.data.timelines.addresses import behind_redirect
from core.files import read_tables

_TABLES: Final = read_tables(__file__)
_BULLET: Final = re.compile(r"\s*(?:[-*•–—‣▪▫◦●○■□◆►▸∙➤→✓✔☐☑·>]\s+(?:\[[ xX]\]\s+)?|[・●◆■※]|o\t\s*)+")
_FRAMED: Final = re.compile(
    r"\s*\+{2,}\s*(?:\d{1,2}[:.]\d{2}(?: Uhr)?\s*[:–—|-]\s+)?(?P<line>\S.*?)\s*\+{2,}\s*"
)
"""A line of a ticker: "+++ 21:47 Uhr: Zwei Tote in Tirol +++"."""
_NUMBER: Final = re.compile(
    r"\s*(?:[(\[]?(?P<number>\d{1,5})(?:[.)\]:]{1,2}(?:\s+|(?=[^\W\d_]))|\t+|[、．）])|#(?P<hash>\d{1,4})[.):]?\s+"
    r"|(?P<letter>[a-z])\)\s+|(?P<sign>[①-⑳一二三四五六七八九十])(?:(?<=[①-⑳])|、))"
)
_FURNITURE: Final = re.compile("|".join(_TABLES["furniture"]), re.IGNORECASE)
_MAIL: Final = re.compile(rf"[*>\s]*(?:{_TABLES['mail']})[*\s]*:[*\s]*(?P<said>.*)", re.IGNORECASE)
_LONGEST_FURNITURE: Final = 100
_NAMES_ITSELF: Final = re.compile(_TABLES["numbered_names"], re.IGNORECASE)
ADDRESS: Final = re.compile(r"<?(?P<url>https?://[^\s<>]+)>?", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"<https?://[^\s<>]+>", re.IGNORECASE)  # as mail programs print links
_SHORTEST_RUN: Final = 3  # numbers in order from which on lines are a list, whatever stands behind them
_OUTLET_AND_DAY: Final = re.compile(r"(?P<outlet>.{2,60}?)\s*[-–—|·•⋅,]\s+(?P<day>.{6,40})")
_LONGEST_OUTLET: Final = 6  # words
_SHORTEST_TITLE: Final = 4  # words
_FEW: Final = 3
_ENDS_IN_OUTLET: Final = re.compile(r"[(（][^()（）]{2,40}[)）]$")
_BEFORE: Final = [
    re.compile(rf"(?P<outlet>[^:]{{1,40}}?){sign}\s+(?P<title>\S+\s+\S.*)") for sign in (":", r"\s[-–—]")
]
_COMMON: Final = 0.7  # of the lines begin so
_PRESS: Final = frozenset(_TABLES["press"].split())
SENTENCE: Final = re.compile(r"\.\.\.|…|[.!?]['\"”»]?$")
_BRACKETS: Final = re.compile(
    r"(?P<title>.*\S)\s*[(\[](?P<outlet>[^()\[\],;]{2,40})[,;]\s*(?P<day>[^()\[\]]{6,40})[)\]]"
)
EMPHASIS: Final = re.compile(r"\A([*_~]{1,3})([^*_~]+)\1\Z")  # of Markdown and chats
Lines = list[tuple[int, str]]


class PastedBlock(NamedTuple):
    line: int
    cells: dict[str, str]  # by the name of what they hold
    lines: Lines

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)


def is_furniture(line: str) -> bool:
    """Whether a line is what alerts and pages write around their headlines."""
    line = " ".join(_BRACKETED.sub("", line).split()) or line
    if len(line) > _LONGEST_FURNITURE:
        return False
    return any(all(map(_FURNITURE.fullmatch, parts)) for parts in ([line], line.split(" | ")))


def is_menu(line: str) -> bool:
    """Whether a line names several things to choose: "new | past | comments"."""
    parts = re.split(r"\s[|·•]\s", line)
    short = all(len(part.split()) <= _FEW for part in parts)
    return len(parts) > _FEW and short and not any(map(str.isdigit, line))


def section_names(lines: Lines) -> set[int]:
    """Numbers of lines, long ones where others are sure, between headlines with a bullet or an outlet."""
    plain = {
        number
        for number, line in lines
        if not (_BULLET.match(line) or _FRAMED.fullmatch(line) or _ENDS_IN_OUTLET.search(line))
    }
    listed = [place for place, (_, line) in enumerate(lines) if _BULLET.match(line)]
    one_list = len(listed) > _SHORTEST_TITLE and listed == list(range(listed[0], listed[-1] + 1))
    both = sum(bool(_BULLET.match(line) and _ENDS_IN_OUTLET.search(line)) for _, line in lines)
    sure = both >= max(_SHORTEST_TITLE, _COMMON * (len(lines) - len(plain)))
    if not 0 < len(plain) <= len(lines) * (_COMMON if sure else 0.5):
        return set()
    short = {
        number
        for number, line in lines
        if (sure or one_list or (len(line.split()) <= _LONGEST_OUTLET and not SENTENCE.search(line)))
        and not (moments.is_date(line) or ADDRESS.fullmatch(line.strip()))
    }
    return plain & short


def mail_header(lines: Lines) -> dict[int, str]:
    """Lines of the heads of mails by number, with what they say behind the colon."""
    found = {number: match["said"] for number, line in lines if (match := _MAIL.fullmatch(line.strip()))}
    return {number: said for number, said in found.items() if {number - 1, number + 1} & found.keys()}


def without_bullet(line: str) -> str:
    if framed := _FRAMED.fullmatch(line):
        return framed["line"]
    mark = _BULLET.match(line)
    return line[mark.end() :] if mark and mark.end() < len(line) else line


def without_numbers(lines: Lines) -> tuple[Lines, int]:
    """The lines without the numbers of a list that counts through them, and how many had one."""
    marks = {place: mark for place, (_, line) in enumerate(lines) if (mark := _NUMBER.match(line))}
    numbers = {place: _counted(mark) for place, mark in marks.items()}
    texts = {place: lines[place][1][mark.end() :] for place, mark in marks.items()}
    listed, heads = set[int](), len(_heads(lines))
    for run in _runs(numbers):
        named = sum(bool(_NAMES_ITSELF.match(texts[place])) for place in run)
        whole = len(run) == heads and numbers[run[0]] == 1 and not named
        if (len(run) >= _SHORTEST_RUN and 2 * named < len(run)) or (len(run) > 1 and whole):
            listed.update(run)
    if 2 * len(listed) < heads:
        return lines, 0
    return [(n, texts[i] if i in listed else line) for i, (n, line) in enumerate(lines)], len(listed)


def _counted(mark: re.Match[str]) -> int:
    if mark["sign"]:
        return int(unicodedata.numeric(mark["sign"]))
    return ord(mark["letter"]) - ord("a") + 1 if mark["letter"] else int(mark["number"] or mark["hash"])


def _runs(numbers: dict[int, int]) -> list[list[int]]:
    """Places whose numbers go up, or down, one by one."""
    runs: list[list[int]] = []
    step = 0
    for place, number in numbers.items():
        last = numbers[runs[-1][-1]] if runs else None
        way = number - last if last is not None else 0
        if way in (1, -1) and (len(runs[-1]) == 1 or way == step):
            runs[-1].append(place)
            step = way
        else:
            runs.append([place])
    return runs


def _heads(lines: Lines) -> list[int]:
    """Places where a block begins; without blocks, those of all lines but addresses."""
    first = [i for i, (number, _) in enumerate(lines) if not i or number > lines[i - 1][0] + 1]
    if 1 < len(first) <= len(lines) / 2:
        return first
    return [i for i, (_, line) in enumerate(lines) if not ADDRESS.fullmatch(line.strip())]


def split_colons(titles: Sequence[str]) -> list[dict[str, str]]:
    """Outlet and title, where most lines have an outlet before a colon or a dash; {} for a line without."""
    return next(filter(None, (_split_before(sign, titles) for sign in _BEFORE)), [])


def _split_before(sign: re.Pattern[str], titles: Sequence[str]) -> list[dict[str, str]]:
    found = [sign.fullmatch(title) for title in titles]
    outlets = [match["outlet"] for match in found if match and len(match["outlet"].split()) < _LONGEST_OUTLET]
    press = sum(not _PRESS.isdisjoint(re.findall(r"[\w-]+", outlet.casefold())) for outlet in outlets)
    if len(outlets) < max(_SHORTEST_TITLE, _COMMON * len(titles)) or _FEW * press < len(outlets):
        return []
    return [{"headline": match["title"], "publisher": match["outlet"]} if match else {} for match in found]


def read_blocks(lines: Lines) -> list[PastedBlock]:
    """Blocks of title, outlet, text and address; [] where lines do not stand in such blocks."""
    parts = _between_gaps(lines)
    if alerts := _alerts(parts):
        return alerts
    if len(parts) < 2 or len(parts) > len(lines) / 2:
        parts = _between_addresses(lines)
    tall = [part for part in parts if len(part) > 2]
    if len(tall) < 2 or len(tall) < 0.6 * len(parts):
        return []
    addressed = [sum(bool(ADDRESS.fullmatch(line)) for _, line in part) == 1 for part in tall]
    if sum(addressed) < 0.8 * len(tall) and not all(map(_is_alert, tall)):
        return []
    return [_block(part) for part in parts]


def _alerts(parts: Sequence[Lines]) -> list[PastedBlock]:
    """Paragraphs in which a title leads through a search engine to its page; [] where few are such."""
    ends = [
        next((at for at, (_, line) in enumerate(part) if at and _leads_through(line)), None) for part in parts
    ]
    led, tall = sum(end is not None for end in ends), sum(len(part) > 2 for part in parts)
    if led < max(2, _COMMON * tall):
        return []
    return [
        PastedBlock(part[0][0], {"headline": ""} if end is None else _block(part[: end + 1]).cells, part)
        for part, end in zip(parts, ends, strict=True)
    ]


def _leads_through(line: str) -> bool:
    address = ADDRESS.fullmatch(line)
    return address is not None and behind_redirect(address["url"]) != address["url"]


def _between_gaps(lines: Lines) -> list[Lines]:
    parts: list[Lines] = []
    for place, (number, line) in enumerate(lines):
        if not place or number > lines[place - 1][0] + 1:
            parts.append([])
        parts[-1].append((number, line.strip()))
    return parts


def _between_addresses(lines: Lines) -> list[Lines]:
    parts: list[Lines] = [[]]
    for number, line in lines:
        parts[-1].append((number, line.strip()))
        if ADDRESS.fullmatch(line.strip()):
            parts.append([])
    parts = [part for part in parts if part]
    return parts if len({len(part) for part in parts}) <= 2 else []


def _is_alert(part: Lines) -> bool:
    title, outlet, *rest = (line for _, line in part)
    title_words = len(title.split())
    return title_words >= _SHORTEST_TITLE and is_outlet(outlet) and any(map(SENTENCE.search, rest))


def is_outlet(line: str) -> bool:
    return len(line.split()) <= _LONGEST_OUTLET and not SENTENCE.search(line) and not moments.is_date(line)


def _block(part: Lines) -> PastedBlock:
    cells: dict[str, str] = {}
    texts: list[str] = []
    for _, line in part:
        if (address := ADDRESS.fullmatch(line)) and "url" not in cells:
            cells["url"] = behind_redirect(address["url"])
        elif "date" not in cells and moments.is_date(line):
            cells["date"] = line
        elif not address:
            texts.append(without_bullet(line))
    if len(texts) > 1 and len(texts[0].split()) < _SHORTEST_TITLE < len(texts[1].split()):
        texts[:2] = texts[1::-1]  # the outlet stands first
    title, *rest = texts or [""]
    if not cells and not rest and len(title.split()) < _SHORTEST_TITLE:
        title = ""  # what was asked for, or the name of a section
    if rest and (words := _OUTLET_AND_DAY.fullmatch(rest[0])) and moments.is_date(words["day"]):
        rest[0] = words["outlet"]
        cells.setdefault("date", words["day"])
    if rest and is_outlet(rest[0]):
        cells["publisher"] = rest.pop(0)
    if rest:
        cells["body"] = "\n".join(rest)
    return PastedBlock(part[0][0], {"headline": title, **cells}, part)


def split_brackets(titles: Sequence[str]) -> list[dict[str, str]]:
    """Title, outlet and day, where nearly all titles end like "(Harbour Post, 15 January 2024)"; else []."""
    found = [_BRACKETS.fullmatch(title) for title in titles]
    dated = [match.groupdict() if match and moments.is_date(match["day"]) else None for match in found]
    if len(titles) < 2 or sum(map(bool, dated)) < 0.8 * len(titles):
        return []
    return [
        {"headline": title}
        if cells is None
        else {"headline": cells["title"], "publisher": cells["outlet"].strip(), "date": cells["day"]}
        for title, cells in zip(titles, dated, strict=True)
    ]
