"""What a writer gets wrong in a headline's wording: words written twice, and clauses without a verb."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise
from typing import Final

from core.text.tokens import tokenize, word_list

LONG_ENOUGH: Final = 8
"""Words from which an English headline has a verb; shorter ones are often labels ("3 Dead in Bus Crash")."""
SHORT: Final = 3
"""Words of so many letters at most may come twice ("the", "and", "for")."""

_DANGLING: Final = frozenset(
    word_list(
        "a an the of to in on at by for from with and or but than as that which who whose is are was "
        "were be been has have had will would could should may might its his her their our my your after "
        "before while because"
    )
)
"""Words that no English headline ends with."""
_VERBS: Final = frozenset(
    word_list(
        "is are was were be been has have had do does did can could will would may might must should "
        "won't can't don't isn't aren't wasn't say said get got go went gone make made take took taken "
        "give gave given win won lose lost find found buy bought sell sold pay paid cut hit hurt put set "
        "shut let quit split spend spent build built rise rose fall fell fallen grow grew drop beat face "
        "seek sue kill die dead see saw seen want need use plan ask back ban call call end eye fight "
        "flee fled help hold held hope keep kept know knew lead led leave left like live look mark mean "
        "meet met miss move near open plead pull push raise reach reject return run ran save send sent "
        "shoot shot show start stay steal stole stop swim tell told think thought threaten throw threw "
        "top try turn urge vote wait warn work write wrote become became begin began break broke bring "
        "brought catch caught choose chose come came cost deal draw drew drink drive drove eat ate feel "
        "felt fly flew forget forgot freeze hear heard hide hid lay lie pass pick play read ride rode "
        "seize sink sank sit sleep speak spoke stand stood strike struck teach wear wore"
    )
)
"""English words that are verbs, or stand for one in headlines, and do not end in s, ed, ing or en."""
_ENDING: Final = re.compile(r"(s|ed|ing|en|'s|'re|'d|'ll|n't)$")


class WordingFault(StrEnum):
    """What is wrong with a headline's wording."""

    REPEATED = "a word is repeated"
    CUT_OFF = "it ends in the middle"
    NO_VERB = "it has no verb"


def wording_faults(headline: str, *, language: str = "en") -> tuple[WordingFault, ...]:
    """What is wrong with the wording of a headline; () where nothing is seen.

    Told from the words alone, and meant for putting headlines in order: a word of more than `SHORT` letters
    that comes twice, or any that comes twice in a row; in English also a last word that needs another, and
    `LONG_ENOUGH` words none of which could be a verb.
    """
    tokens = tokenize(headline)
    words = [token.text.casefold() for token in tokens]
    longer = [word for word in words if word.isalpha() and len(word) > SHORT]
    found = []
    if len(set(longer)) < len(longer) or any(map(str.__eq__, words, words[1:])):
        found.append(WordingFault.REPEATED)
    if language == "en" and words:
        if words[-1] in _DANGLING and len(words) > 1:
            found.append(WordingFault.CUT_OFF)
        future = any(word == "to" and not after[:1].isdigit() for word, after in pairwise(words))
        if len(words) >= LONG_ENOUGH and not future and not any(map(_may_be_verb, words)):
            found.append(WordingFault.NO_VERB)
    return tuple(found)


def _may_be_verb(word: str) -> bool:
    return word in _VERBS or bool(_ENDING.search(word))
