"""Texts cut into sentences."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from core.text.language import language_of
from core.text.normalise import without_surrogates
from core.text.reading import reads

SPLIT_AT_ONCE: Final = 3_000  # characters that sentencex is given at once: its time grows with their square
_LONGEST_TITLE: Final = 8
_SPACE: Final = re.compile(r"\s+")
_ELLIPSIS: Final = re.compile(r"(?<=…)\s+(?=[^\W\d_a-zа-яё])")
_BRACKET: Final = re.compile(r"(?<=[.!?]\))\s+(?=[^\W\d_a-zа-яё])")
_FIGURE: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]{4,})\.\s+(?=\d)")
_BEFORE_FIGURES: Final = frozenset({"sept", "insg", "inkl", "exkl", "abschn", "anm", "aufl"})
"""Abbreviations behind which a figure begins no German sentence."""
_WORDS: Final = {
    language: re.compile(rf"\b(?:{words})\.\s+(?=[¿¡«“\"]?[^\W\d_a-z])")
    for language, words in (("es", "bien|contra|no"), ("it", "mai|no|ore|via"))
}
"""Words that sentencex takes for abbreviations."""
_TITLES: Final = {
    "en": re.compile(r"\b(?:Reps?|Sens?|Gov|Lt|Sgt|Col|Capt|Gen|Adm|Dr|Mr|Mrs|Ms|St|vs)\.$"),
    "it": re.compile(r"\b(?:dott|sigg?|on|prof|ing|avv|sen|artt?|pag|nr|Dott|Sig|On|Prof|Avv|Art)\.$"),
}
_HOUR: Final = re.compile(r"\b[ap]\.m\.$")
_DAY: Final = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:[ECMP][SD]?T|GMT|UTC|BST)\b|local|on|in|and|to)"
)


@reads("sentences", lambda text: [text])
def split_sentences(text: str, *, language: str | None = None) -> list[str]:
    """The sentences of a text, each on one line: Russian by razdel, others by sentencex, titles joined."""
    text = without_surrogates(text)
    chosen = language_of(text) if language is None else language
    lines = (_SPACE.sub(" ", paragraph).strip() for paragraph in re.split(r"\n\s*\n", text))
    if chosen == "ru":
        import razdel

        return [piece.text for line in lines if line for piece in razdel.sentenize(line) if piece.text]
    return [sentence for line in lines if line for sentence in _other(line, chosen)]


def _other(line: str, language: str) -> list[str]:
    import sentencex

    pieces: list[str] = []
    start = 0
    while start < len(line):
        end = start + SPLIT_AT_ONCE
        end = len(line) if end >= len(line) else line.rfind(" ", start, end) + 1 or end
        sentences = sentencex.segment(language, line[start:end])
        # What the window cuts in two is read again from its beginning, unless nothing stands before it.
        whole = sentences[:-1] if end < len(line) and len(sentences) > 1 else sentences
        pieces += (piece.strip() for piece in whole)
        start += sum(map(len, whole))
    parts = (part for joined in _joined(pieces, language) for part in _ELLIPSIS.split(joined))
    sentences = (sentence for part in parts for sentence in _BRACKET.split(part) if sentence)
    return [each for whole in sentences for each in _parted(whole, language)]


def _parted(sentence: str, language: str) -> Iterator[str]:
    """The sentences of one that goes on behind a full stop: "… getötet. 28 wurden …", "… en contra. El …"."""
    ends = [match.end() for match in _WORDS[language].finditer(sentence)] if language in _WORDS else []
    if language == "de":
        found = _FIGURE.finditer(sentence)
        ends = [match.end() for match in found if match[1].lower() not in _BEFORE_FIGURES]
    start = 0
    for end in ends:
        yield sentence[start:end].rstrip()
        start = end
    yield sentence[start:]


def _joined(pieces: Sequence[str], language: str) -> Iterator[str]:
    title = _TITLES.get(language, _TITLES["en"])
    held = ""
    for piece in pieces:
        if held and piece[0] in "ªº":  # "88.ª"
            held += piece
            continue
        ending = held[-_LONGEST_TITLE:]
        if held and not (title.search(ending) or (_HOUR.search(ending) and _DAY.match(piece))):
            yield held
            held = ""
        held = f"{held} {piece}".strip()
    if held:
        yield held
