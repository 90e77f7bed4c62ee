"""Lines of text in a picture: how wide they are, where they break, in which direction they run."""

import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import Final

_WIDE: Final = 1.0
_CAPITAL: Final = 0.68
_USUAL: Final = 0.55
_NARROW: Final = 0.31
_THIN: Final = frozenset("iljtfrI.,:;!|'()[] ")
_BOLD: Final = {  # of Source Sans at the weight 600, rounded up
    letter: wide
    for wide, letters in {
        0.2: " ",
        0.28: "ijl|,.:;·'I’‘",
        0.37: "!f()-[]{}/\\rt",
        0.47: "sczx*?",
        0.54: "0123456789aegkvyFJLYEVXZ#$+<=>^_~–“”",
        0.56: "bdhnopquAST`",
        0.61: "BCDGKPR&",
        0.67: "HNOQU",
        0.75: "Mw",
        0.84: "Wm%—",
        0.96: "…@",
    }.items()
    for letter in letters
}


def broken(text: str, width: float, *, most: int) -> tuple[str, ...]:
    """The lines of a text, none wider than asked for; the last ends with "…" where text is left out."""
    # A control that orders what follows it would also order the lines below.
    shown = "".join(sign for sign in " ".join(text.split()) if unicodedata.category(sign) not in {"Cc", "Cs"})
    lines: list[str] = []
    line = ""
    for word in shown.split():
        pieces, rest, start = [], 0.0, 0
        for place, wide in enumerate(map(_letter_width, word)):
            if rest + wide > width and place > start:
                pieces.append(word[start:place])
                start, rest = place, 0.0
            rest += wide
        for piece in [*pieces, word[start:]]:
            joined = f"{line} {piece}" if line else piece
            if line and text_width(joined) > width:
                lines.append(line)
                line = piece
            else:
                line = joined
    lines += [line] if line else []
    if len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    while last and text_width(f"{last}…") > width:
        last = last[:-1]
    return (*lines[: most - 1], f"{last.rstrip()}…")


def is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction is written from right to left."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in {"R", "AL"}:
            return True
        if direction == "L":
            return False
    return False


def isolated(text: str) -> str:
    """The text in a direction of its own, where it holds letters that are written from right to left."""
    rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\u2068{text}\u2069" if rtl else text


def text_width(text: str) -> float:
    return sum(map(_letter_width, text))


def cut(text: str, width: float) -> str:
    """The text in bold letters, or as much of it as fits beside "…"."""
    widths = [_BOLD.get(letter) or _letter_width(letter) for letter in text]
    if sum(widths) <= width:
        return text
    fits = sum(wide <= width - _BOLD["…"] for wide in accumulate(widths))
    return f"{text[:fits].rstrip()}…"


@lru_cache(maxsize=4_096)
def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    if letter in _THIN:
        return _NARROW
    return _CAPITAL if letter.isupper() or letter in "mw%@—…" else _USUAL
