"""Stems of English words (Porter 1980) as nltk's `PorterStemmer` gives them, without importing nltk.

Importing any part of nltk takes a second: its package imports scipy and scikit-learn.
"""

from typing import Final

_Rules = list[tuple[str, str]]
_IRREGULAR: Final = {
    **{"skies": "sky", "dying": "die", "lying": "lie", "tying": "tie"},
    **{"innings": "inning", "outings": "outing", "cannings": "canning"},
    **{"sky": "sky", "news": "news", "inning": "inning", "outing": "outing", "canning": "canning"},
    **{"howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed"},
}


def _rules(text: str) -> _Rules:
    split = (rule.partition(":") for rule in text.split())
    return [(suffix, replacement) for suffix, _, replacement in split]


_PLURALS: Final = _rules("sses:ss ies:i ss:ss s:")
_SECOND: Final = _rules(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous "
    "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive "
    "biliti:ble fulli:ful logi:log"
)
_THIRD: Final = _rules("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:")
_FOURTH: Final = _rules("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")


def porter_stem(word: str) -> str:
    word = word.lower()
    if word in _IRREGULAR or len(word) <= 2:
        return _IRREGULAR.get(word, word)
    word = word[:-1] if word.endswith("ies") and len(word) == 4 else _cut(word, _PLURALS)
    word = _without_past(word)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = f"{word[:-1]}i"
    word = _second(word)
    word = _cut(word, _THIRD, least=1)
    word = _cut(word, _FOURTH, least=2)
    if word.endswith("e"):
        stem = word[:-1]
        if (size := _measure(stem)) > 1 or (size == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _without_past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    stem = next((word[: -len(end)] for end in ("ed", "ing") if word.endswith(end)), "")
    if "v" not in _shape(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if stem[-1:] == stem[-2:-1] and _shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return f"{stem}e" if _measure(stem) == 1 and _is_short(stem) else stem


def _second(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]):
        return _second(word[:-2])
    # Of "logi" the l counts as the stem's.
    return _cut(word, _SECOND, least=0 if word.endswith("logi") and _measure(word[:-3]) else 1)


def _cut(word: str, rules: _Rules, least: int = 0) -> str:
    """The word by the first rule whose suffix it has, where what is left is long enough."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            fits = _measure(stem) >= least and (suffix != "ion" or stem.endswith(("s", "t")))
            return stem + replacement if fits else word
    return word


def _shape(word: str) -> str:
    """A "c" for each consonant and a "v" for each vowel, which a y behind a consonant is."""
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape[-1:] == "c") else "c"
    return shape


def _measure(stem: str) -> int:
    return _shape(stem).count("vc")


def _is_short(stem: str) -> bool:
    shape = _shape(stem)
    return (shape.endswith("cvc") and stem[-1] not in "wxy") or shape == "vc"
