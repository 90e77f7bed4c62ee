"""Which encoding text is in that states none: the likeliest in which it makes sense."""

import re
import unicodedata
from collections.abc import Callable, Iterator

KNOWN = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874"),
    *("cp932", "euc-jp", "gb18030", "big5", "cp949", "koi8-r", "koi8-u", "cp866"),
    *("iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-9", "iso-8859-15"),
    *("mac-cyrillic", "mac-roman", "shift_jis", "euc-kr", "big5hkscs", "euc_jis_2004"),
)
"""What is guessed, the best known first: what newsrooms, archives and spreadsheets wrote before UTF-8."""
_LOOKED_AT = 100_000  # bytes around letters past ASCII; more of them change no guess
_AROUND = 2_000  # bytes of a line that are looked at before and after a letter past ASCII
_PAST = re.compile(rb"[\x80-\xff]")
_BREAK = re.compile(rb"[\x00-\x2f]")  # bytes that are no part of a longer character in any of these
_SOUND = 0.85  # least share of letters and marks of print past ASCII, and of words in one script
_LEAST_SURE = 0.03  # of chardet's certainty, low for single headlines; what makes no sense is below
_AS_GOOD = 0.9  # western text is far commoner than what it is mistaken for
_ACCENTS = 8  # fewer letters past ASCII in a text of Latin letters are no words of another script
_PRINT = frozenset("‘’‚‛“”„‟«»‹›–—―…·•°§©®™€£¥¢№¡¿±×÷½¼¾²³¹ªº´`\u00a0\u00ad\u200b\u200e\u200f")
_WORD = re.compile(r"[^\W\d_]+(?:[€£¥¢§©®™°±×÷]?[^\W\d_]+)+")
"""Letters, and signs that stand between two of them only where they are misread."""
_LONE = re.compile(r"(?<=\d)[À-ɏ](?!\w)|(?<!\w)[À-ɏ](?=\d)")
"""A letter alone beside a number, as a misread pound or half is."""
_CJK = re.compile(r"[\u2010-\u2027\u25a0-\u26ff\u3000-\u303f\uff00-\uffef]")
"""Marks, signs and forms of full width, as East Asian headlines are full of them."""


def guess(sample: bytes) -> str | None:
    """Python's name of the encoding that text is most likely in; None where it makes sense in none."""
    import chardet

    results = chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=KNOWN, max_bytes=len(sample)
    )
    accents = len(re.findall(rb"[\x80-\xff]", sample)) < min(_ACCENTS, len(sample) / 10)
    sure: dict[str, float] = {}
    for result in results:
        name, text = result["encoding"], sample.decode(result["encoding"] or "latin-1", errors="replace")
        enough = result["confidence"] >= _LEAST_SURE or not any(_is_letter(c) for c in text)
        if name and enough and makes_sense(text) and not (accents and not _is_latin(text)):
            sure[name] = result["confidence"]
    if not sure:
        return None
    best = next(iter(sure))
    if sure.get("cp1252", 0.0) >= _AS_GOOD * sure[best]:
        return "cp1252"
    text = sample.decode(best, errors="replace")
    return next((name for name in KNOWN if _read(sample, name) == text), best)


def _read(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def telling(read: Callable[[], Iterator[bytes]]) -> bytes:
    """What shows the encoding: letters past ASCII with what stands around them."""
    around: list[bytes] = []
    size = 0
    for data in read():
        end = 0
        while size <= _LOOKED_AT and (non_ascii := _PAST.search(data, end)):
            at = non_ascii.start()
            low, high = max(end, at - _AROUND), min(at + _AROUND, len(data))
            start = max(data.rfind(b"\n", low, at) + 1, low)
            line_end = data.find(b"\n", at, high)
            if line_end < 0 and high < len(data):  # not within a character of several bytes
                end = max((match.end() for match in _BREAK.finditer(data, at, high)), default=high)
            else:
                end = line_end + 1 if line_end >= 0 else high
            around.append(data[start:end])
            size += end - start
    return b"".join(around)


def makes_sense(text: str) -> bool:
    """Whether characters past ASCII are letters and marks of print, in words of one script each."""
    past = [c for c in text if not c.isascii()]
    known = sum(
        c in _PRINT or c.isalpha() or _CJK.match(c) is not None or unicodedata.category(c).startswith("M")
        for c in past
    )
    sound = known - len(_LONE.findall(text))
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    mixed = sum(not _of_one_script(word) for word in words)
    return sound >= _SOUND * len(past) and mixed <= (1 - _SOUND) * len(words)


def _of_one_script(word: str) -> bool:
    latin = sum(c.isascii() or _is_latin(c) for c in word)
    return word.isalpha() and (latin in (0, len(word)) or any(c > "\u2e80" for c in word))


def _is_latin(text: str) -> bool:
    return all("LATIN" in unicodedata.name(c, "") for c in text if _is_letter(c))


def _is_letter(character: str) -> bool:
    return not character.isascii() and character.isalpha()
