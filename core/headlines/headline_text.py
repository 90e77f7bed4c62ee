"""Sentences of an article as headlines, and written lines made into headlines."""

import re
from typing import Final

from core.data.articles.article_files import READ_CHARACTERS
from core.text import desk_marks, normalise
from core.text.sentences import split_sentences
from core.text.tokens import tokenize, word_list

_LABEL: Final = re.compile(r"(?:news\s+)?(?:headline|title|заголовок|titolo)\s*[:：]\s*", re.IGNORECASE)
_UNKNOWN: Final = re.compile(r"[<⟨]unk[>⟩]|\[UNK\]|⁇|\ufffd", re.IGNORECASE)
_MARKUP: Final = "*_#` "
SMALL_WORDS: Final = frozenset(
    word_list(
        "a an the and but or nor as at by for from in into of off on onto out over per so to up via with"
    )
)
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s$")
_QUOTES: Final = ('""', "''", "“”", "‘’", "«»", "„“")


def first_sentence(text: str, language: str | None = None) -> str:
    """The first sentence of three words or more, without a dateline; else the first one, "" of "".

    Source: the "First Sentence" baseline of Malykh and Kalaidin 2019, "Headline Generation Shared Task".
    """
    return next(iter(leading(text, language)), "")


def leading(text: str, language: str | None = None) -> list[str]:
    """The sentences of three words or more, in order, without a dateline; all where none has three."""
    lines = split_sentences(desk_marks.without_dateline(text[:READ_CHARACTERS]), language=language)
    worded = [line for line in lines if any(map(str.isalnum, line))]
    return list(dict.fromkeys([line for line in worded if len(tokenize(line)) > 2] or worded))


def shortened(sentence: str, most_words: int) -> str:
    """The first `most_words` words of a sentence; the whole sentence for 0 or where it is shorter."""
    words = sentence.split()
    if not 0 < most_words < len(words):
        return " ".join(words)
    return " ".join(words[:most_words]).rstrip(" ,;:–—-")


def has_unknown_word(headline: str) -> bool:
    """Whether a headline holds a sign that stands for a word its writer did not know, such as <UNK>."""
    return bool(_UNKNOWN.search(headline))


def clean_headline(text: str, *, most_words: int = 0) -> str:
    """The first line that says something, without label, markup, quotation marks, full stop and the like."""
    lines = (normalise.clean_line(_UNKNOWN.sub("", line)) for line in text.splitlines())
    for line in lines:
        bare = _LABEL.sub("", line.strip(_MARKUP), count=1) if _LABEL.match(line.strip(_MARKUP)) else line
        bare = shortened(_unquoted(bare.strip(_MARKUP)), most_words)
        bare = _unquoted(bare)
        last = bare.rpartition(" ")[2]
        if last.endswith(".") and last.count(".") == 1:
            bare = bare[:-1].rstrip()
        if any(map(str.isalnum, bare)):
            return bare
    return ""


def in_sentence_case(headline: str, article: str) -> str:
    """A headline in title case with capitals only where its article has them; any other as it is."""
    words = [word for word in _LETTERS.findall(headline) if word not in SMALL_WORDS]
    if 2 * sum(word[0].isupper() for word in words) <= len(words):
        return headline
    said = {_POSSESSIVE.sub("", word) for word in _LETTERS.findall(article)}

    def lowered(match: re.Match[str]) -> str:
        word = match[0]
        low, bare = word[:1].lower() + word[1:], _POSSESSIVE.sub("", word)
        before = headline[: match.start()].rstrip().rpartition(" ")[2]
        part = before[:1].isupper() and f"{before} {word}" in article  # "Civic Union" beside a customs union
        name = part or (bare in said and _POSSESSIVE.sub("", low) not in said)
        fixed = name or len(word) == 1 or word[1:] != word[1:].lower()
        return word if fixed or not any(map(str.isalnum, headline[: match.start()])) else low

    return _LETTERS.sub(lowered, headline)


def in_title_case(headline: str) -> str:
    """A headline with a capital at every word but articles, conjunctions and short prepositions inside it."""
    last = max((match.start() for match in _LETTERS.finditer(headline)), default=0)

    def raised(match: re.Match[str]) -> str:
        inside = 0 < match.start() < last and match[0] in SMALL_WORDS
        attached = headline[match.start() - 1 : match.start()].isdigit()
        return match[0] if inside or attached else match[0][:1].upper() + match[0][1:]

    return _LETTERS.sub(raised, headline)


def _unquoted(line: str) -> str:
    for left, right in _QUOTES:
        inside, around = line[1:-1], (line[:1], line[-1:]) == (left, right) and len(line) > 2
        if around and left not in inside and right not in inside:
            return inside.strip()
        if left != "'" and line.count(left) + (line.count(right) if left != right else 0) == 1:
            line = line.removeprefix(left).removesuffix(right).strip()
    return line
