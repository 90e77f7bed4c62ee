"""Why a text is no headline, and why another is no date."""

import re

from core import limits
from core.data.timelines.moments import looks_whole
from core.text.normalise import is_missing

_ERROR = re.compile(r"#(?:REF!|N/A|VALUE!|DIV/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA)", re.IGNORECASE)
"""What a spreadsheet writes where a formula failed."""
_NUMBER = re.compile(r"[\W_]*+(?:\d[\d.,\s]*+(?:e[-+]?\d+)?|inf(?:inity)?)[\W_]*+", re.IGNORECASE)
_BULLET = re.compile(r"[\W_]*+[a-zа-я][.)]", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_OBJECT = re.compile(r"""[\[\s]*+\{\s*+(?:["'][^"']{1,80}["']\s*+:|\})""")
_LIST = re.compile(r"""\[\s*+(?:(["']).*\1|(?:-?\d[\d.]*+|null|true|false)(?:\s*+,.*)?)?\s*+\]""", re.DOTALL)
_MARKUP = re.compile(
    r"\s*+<(?P<tag>[a-z_][\w:.-]*+)(?:\s[^<>]*+)?(?:/>|>.*</(?P=tag)\s*+>)", re.IGNORECASE | re.DOTALL
)


def is_spreadsheet_error(text: str) -> bool:
    return text.startswith("#") and _ERROR.fullmatch(text) is not None


def _says(letter: str) -> bool:
    return letter.isalpha() or letter.isdecimal()


def _notation(text: str) -> str:
    """What notation of programs a text is in: an object, a list or marked text; "" for none."""
    if _OBJECT.match(text):
        return "an object of JSON"
    if _LIST.fullmatch(text):
        return "a list of JSON"
    return "marked text" if _MARKUP.match(text) else ""


def why_no_headline(text: str, *, marked: bool = False) -> str:
    """Why a text is no headline, "" where it is one; marked text is one where `marked` says so."""
    most = limits.HEADLINE_CHARACTERS.value
    if not text:
        return "The headline is empty."
    if is_spreadsheet_error(text):
        return f"A formula failed here: {text} stands in place of the headline."
    if is_missing(text):
        return f"“{text}” stands in place of the headline."
    if text[0] in ("[{" if marked else "[{<") and (what := _notation(text)):
        return f"There is {what} where the headline should be; choose the column that has the words alone."
    if "\ufffd" in text and not any(map(str.isalnum, text)):
        return "No character of the headline could be read."
    if _NUMBER.fullmatch(text):
        return "There is only a number where the headline should be."
    if not any(map(_says, text)) or _BULLET.fullmatch(text):
        return f"There is no word in “{text[:20]}”, which stands where the headline should be."
    if not any(map(_says, _ADDRESS.sub("", text))):
        return "There is only an address where the headline should be."
    too_long = f"The headline has {len(text):,} characters; at most {most:,} are read."
    return too_long if len(text) > most else ""


def why_no_date(text: str) -> str:
    """Why what stands in the place of a date is none; "" for words alone, which say nothing of the day."""
    if not (is_spreadsheet_error(text) or any(map(str.isdigit, text))):
        return ""
    if is_spreadsheet_error(text):
        return f"A formula failed here: {text} stands in place of the date."
    why = "is no such day or time" if looks_whole(text) else "cannot be read as a date"
    return f"“{text[:40]}” {why}; write it as 2015-01-14 or 2015-01-14T09:30:00Z."
