"""Pages for phones, the screen and participants in every language: no text lacks one, none is left over."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from components.frame import language
from components.frame.language import ENGLISH, LANGUAGES
from components.frame.markdown import WORDS
from components.people.judge.grouping import _ASKED
from components.people.judge.voting import _STAGES
from components.people.room.screen import _IN_WORDS
from core.files import ROOT
from core.people import questions, studies
from core.people.room.attempts import ANSWERS
from core.people.room.replay import RoomRefusal
from core.people.room.task import NEW_EVENT
from core.people.room.task import WORDS as TASKS
from core.people.study import Study

OTHERS = sorted(set(LANGUAGES) - {ENGLISH})
PLACES = re.compile(r"\{\w+\}")
# Errors of the core that these pages show, by file; of a function, or of all of it.
ERRORS = {
    "core/text/nicknames.py": "",
    "core/people/room/attempts.py": "",
    "core/people/room/rooms.py": "find room",
    "core/people/studies.py": "study_of require_open join",
    "components/people/judge/asking.py": "_entered",
    "components/people/study/participation.py": "_join",
    "components/people/study/identity.py": "",
}
BY = (
    *("people grouped them", "the program groups them"),
    "the data say",
    "the lesson says",
)
ALPHA = (
    "No alpha: all answers are the same, so chance alone agrees in full.",
    "No alpha: all pairs have the same answer, so chance alone agrees in full.",
)
# Sentences that are made with values in them, as the core writes them.
MADE = (
    "The model finetuned says",
    "A and B: different; swapped: same event",
    "A and B: same event; swapped: different",
    "A = B and A = C, but B ≠ C",
    "Too few items for an interval (3; it takes at least 10).",
    "Too few items for a reliable interval (12; it takes at least 20).",
    "**Ada has begun already in another browser.**",
    "Each answer is deleted 90 days after it was given.",
    "“Age” is not answered.",
)
CHOOSE = "Answer each, or choose “{}”."  # translated with what is to be chosen
NOTICES = (
    *("no_room", "room_closed", "room_left", "room_locked"),
    *("participant_taken", "study_closed", "study_paused", "study_full", "study_time_over"),
)
TITLES = ("Join", "Screen", "Study")
DONE = (
    "Every pair has your vote, or all the votes it needs.",
    "Your groups are stored. Go back with the arrows to change one.",
    "Your answers are stored.",
)


def strings(tree):
    """Every string of a module, without what explains it; with {} for the values in it."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and isinstance(node.body[0], ast.Expr)
    }
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | inside:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield "".join(parts)


def said():
    calls = (
        node
        for file in (ROOT / "components").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say"
    )
    return {node.args[0].value for node in calls if isinstance(node.args[0], ast.Constant)}


@cache
def errors():
    return frozenset(_errors())


def _errors():
    for file, functions in ERRORS.items():
        tree = ast.parse(Path(ROOT, file).read_text(encoding="utf-8"))
        names = functions.split()
        parts = [node for node in ast.walk(tree) if getattr(node, "name", "") in names] or [tree]
        for part in parts:
            for text in strings(part):
                yield from (text,) if re.fullmatch(r"[A-Z{][^:]* [^:]*\.", text) else ()


def sentences(text):
    head, _, rest = text.partition(". ")
    return [f"{head}.", rest] if rest else [head]


def of_the_core():
    yield from (*(f"As {by}" for by in BY), *ALPHA, *ANSWERS)
    for refusal in RoomRefusal:
        yield from sentences(refusal.value)
    for words in TASKS.values():
        yield from filter(None, (words.question, words.help))
        yield from (option.wording for option in words.options if not option.wording.isdigit())
    yield from (*_STAGES.values(), *sum(_ASKED.values(), ()), *DONE, *_IN_WORDS.values(), studies.NOT_SAID)
    yield from (*("Merge", "Split", "Previous", "Next"), WORDS["texts"]["controls_wrong"])
    yield CHOOSE.format(studies.NOT_SAID)
    yield from (studies.retention(Study(retention=days)) for days in (0, 1))
    for asks in studies.templates():
        question = questions.TASKS.get(asks)
        if question is not None:
            yield from (question.text, *(choice.label for choice in question.choices))
            rules = question.rules.replace("**", "").strip().splitlines()
            yield from (line.removeprefix("- ") for line in rules)
    yield from (line.replace("{does}", "shows") for name in NOTICES for line in WORDS["notices"][name][1:])
    yield from (WORDS["texts"]["nickname"], WORDS["texts"]["went_wrong"], WORDS["kinds"]["break"], NEW_EVENT)
    yield from TITLES


def nameless(text):
    return PLACES.sub("{}", text)


@cache
def of_programs():
    """What pages say, by `say` in their code and in data of the core, without single letters."""
    return {text for text in (said() | set(of_the_core())) if len(text) > 1}


@pytest.mark.parametrize("tag", OTHERS)
def test_no_text_of_these_pages_lacks_a_language(tag):
    texts = LANGUAGES[tag]["texts"]
    assert sorted(of_programs() - set(texts)) == []
    assert sorted(errors() - set(map(nameless, texts)) - {CHOOSE}) == []


@pytest.mark.parametrize("tag", OTHERS)
def test_no_text_is_left_over_in_a_language_and_places_for_values_agree(tag):
    texts, made = LANGUAGES[tag]["texts"], set()
    for sentence in MADE:
        made |= {english for english, pattern in language._patterns(tag) if pattern.fullmatch(sentence)}
    known = of_programs() | made
    assert [text for text in texts if text not in known and nameless(text) not in errors()] == []
    for english, text in texts.items():
        assert text.strip() == text, english
        assert text, english
        assert sorted(PLACES.findall(text)) == sorted(PLACES.findall(english)), english
        assert text.count("**") == english.count("**"), english


@pytest.mark.parametrize("tag", OTHERS)
def test_sentences_with_values_are_told_from_each_other(tag, monkeypatch):
    monkeypatch.setattr(language, "language", lambda: tag)
    for sentence in (*MADE, "Headline B has 300 characters; at most 200 fit.", "Headline B is empty."):
        said = language.translated(sentence)
        assert said != sentence
        assert [number for number in re.findall(r"\d+", sentence) if number not in said] == []
    assert language.say("The {odd} question of a teacher") == "The {odd} question of a teacher"


def test_every_language_has_its_name_and_direction():
    assert sorted(LANGUAGES) == ["ar", "de", "en", "es", "fr", "it", "pt", "ru"]
    assert [tag for tag, about in LANGUAGES.items() if about["direction"] == "rtl"] == ["ar"]
    assert len({about["name"] for about in LANGUAGES.values()}) == len(LANGUAGES)
