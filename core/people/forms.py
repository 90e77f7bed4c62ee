"""Forms of questions about headlines: those that ship, and one's own from TOML files (docs/evaluation.md)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta

from core import files
from core.data.exchange.table import NONE, TOGETHER
from core.data.toml_file import converted, read_toml, refuse_strange
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.registry import Registry
from core.runtime import user_folder
from core.text.normalise import clean_line

BETWEEN: Final = " ⇄ "  # stands between two systems in the name of their pair
YES: Final = 1  # of the headline that is chosen, and of a pair whose first headline is preferred
_KEY: Final = r"^(?!(judge|item|article|system|headline|text)\Z)[a-z][a-z0-9_]{0,39}\Z"
_KEYS: Final = "Use lower case, digits and underscores, and none of the columns that all tables have."
Key = Annotated[str, Meta(pattern=_KEY, description=_KEYS)]
Line = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(max_length=300)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Questions = Annotated["tuple[FormQuestion, ...]", Meta(min_length=1, max_length=20)]
DEFAULT_FORM: Final = "numhg.v1"
SHIPPED: Final = Path(__file__).with_name("form_files")
MOST_ANSWERS: Final = 10
MOST_NUMBERS, MOST_WORDS = 1_000, 1_000  # from lowest to highest; of an article whose words are marked
LARGEST_FILE: Final = 100_000  # bytes
OWN: Final = "own-"
_LATER: Final = ("gives", "keys", "when", "when_answers", "nothing")
"""Without them forms of before have other names."""


class Asks(StrEnum):
    EACH = "each"  # headline
    PAIRS = "pairs"  # each pair of headlines: a yes or no, say
    BETTER = "better"  # which of each pair is better
    ONE = "one"  # which one of all
    ORDER = "order"  # of all
    BEST_WORST = "best_worst"  # the best and the worst of a set


class Gives(StrEnum):
    """What an answer about one headline is."""

    GRADE = "grade"  # one of the answers, which go from low to high
    ONE_OF = "one_of"  # one of the answers, in no order
    SEVERAL = "several"  # of the answers, or none
    NUMBER = "number"
    TEXT = "text"
    WORDS = "words"  # of the headline
    ARTICLE_WORDS = "article_words"


LISTED: Final = (Gives.GRADE, Gives.ONE_OF)  # one answer of a list
OPEN: Final = (Gives.TEXT, Gives.WORDS, Gives.ARTICLE_WORDS)
"""Texts, of words their places; such an answer has the value that `text_value` gives it."""


@dataclass(frozen=True, slots=True)
class Level:
    """One answer that a question allows; without a wording where the ends of the scale say enough."""

    value: int
    wording: Text


_ALWAYS: Final = {
    Asks.BETTER: (Level(-YES, "the second"), Level(0, "equal"), Level(YES, "the first")),
    Asks.ONE: (Level(0, ""), Level(YES, "chosen")),
    Asks.BEST_WORST: (Level(-YES, "worst"), Level(0, ""), Level(YES, "best")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormQuestion:
    """One question of a form. In an order the best of k headlines gets k, the last 1."""

    key: Key  # its name in files
    label: Line  # and in tables
    text: Line
    help: Text = ""
    asks: Asks = Asks.EACH
    gives: Gives = Gives.GRADE
    keys: Annotated[tuple[Annotated[str, Meta(max_length=10)], ...], Meta(max_length=10)] = ()
    when: Text = ""  # key of an earlier question: this one is asked where that got one of the answers below
    when_answers: tuple[Line, ...] = ()
    nothing: Text = ""  # a button of its own for the lowest answer, where there is nothing to judge
    levels: tuple[Level, ...] = ()  # for one headline or pair, the lowest first; () where `asks` says them
    best: Line = "Which headline is the best?"  # asked where the first place of an order is given
    published_alpha: Annotated[float, Meta(ge=-1, le=1)] | None = None

    @property
    def scored(self) -> bool:
        return self.gives is Gives.GRADE and not self.about_pairs

    def written(self, value: float, texts: Mapping[int, str]) -> str:
        """A value as files have it."""
        if self.gives in OPEN:
            return texts.get(int(value), "")
        if self.gives in (Gives.GRADE, Gives.NUMBER):
            return f"{value:g}"
        return next(level.wording for level in self.allowed(0) if level.value == value)

    @property
    def ranks(self) -> bool:
        return self.asks is Asks.ORDER

    @property
    def about_pairs(self) -> bool:
        return self.asks in (Asks.PAIRS, Asks.BETTER)

    def allowed(self, systems: int) -> tuple[Level, ...]:
        """The answers that one headline or pair may get, the lowest first."""
        if self.gives is Gives.SEVERAL:
            return _sets(self.levels)
        if not self.ranks:
            return _ALWAYS.get(self.asks, self.levels)
        return tuple(Level(systems - at + 1, _place(at, systems)) for at in range(systems, 0, -1))

    def single(self, systems: int) -> tuple[int, ...]:
        """The answers that one headline of all gets, in the order in which they are asked for."""
        chosen = {Asks.ONE: (YES,), Asks.BEST_WORST: (YES, -YES), Asks.ORDER: tuple(range(systems, 0, -1))}
        return chosen.get(self.asks, ())

    def most(self, systems: int) -> int:
        """The most that a headline can get; percentages are shares of it."""
        return max((level.value for level in self.allowed(systems)), default=0)

    @property
    def least(self) -> int:
        """The least that its points can be: 0, or −1 where the worst is asked for."""
        return -YES if self.asks is Asks.BEST_WORST else 0

    def places(self, systems: int) -> range:
        """Which places of `subjects` the question asks about."""
        return range(systems, systems + systems * (systems - 1) // 2) if self.about_pairs else range(systems)


@cache
def _sets(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Every choice of several answers: each that is chosen adds a bit of its own."""
    chosen = ([each.wording for each in levels if value & each.value] for value in range(1 << len(levels)))
    return tuple(Level(value, TOGETHER.join(words) or NONE) for value, words in enumerate(chosen))


def text_value(text: str) -> int:
    """The value of an answer that is a text: texts have the same value where they are the same."""
    return int(digest(text, digits=12), 16)


def _place(place: int, of: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place % 100 in (11, 12, 13) else place % 10, "th")
    return {of: "last", 1: "best"}.get(place, f"{place}{ending}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationForm:
    """A template of questions, read from a file (`core.people.forms`)."""

    title: Line  # what people call it, a few words
    questions: Questions  # in the order in which they are asked
    by_question: bool = True  # a question is asked about all headlines before the next
    hidden: Count = 0  # questions that are answered before the article can be seen
    words: Count = 0  # words of the article that are shown; 0 for all
    cases: Annotated[int, Meta(ge=1, le=100_000)] = 20  # articles of one judge's form
    judges: Count = 0  # judges who get the same articles; 0 where all judge all
    published: Text = ""  # key of the paper's table, whose figures stand in the order of the questions
    summary: Text = ""  # its questions in a line
    name: str = ""  # what stored answers are filed under


def pairs_of(systems: Sequence[str]) -> list[tuple[int, int]]:
    """Places of the two systems of each pair; the name that sorts first comes first."""
    return [
        (left, right) if systems[left] <= systems[right] else (right, left)
        for left, right in combinations(range(len(systems)), 2)
    ]


def subjects(form: EvaluationForm, systems: Sequence[str]) -> tuple[str, ...]:
    """What can be answered about: the systems and, where a question is about pairs, their pairs."""
    pairs = pairs_of(systems) if any(question.about_pairs for question in form.questions) else []
    return (*systems, *(f"{systems[left]}{BETWEEN}{systems[right]}" for left, right in pairs))


_FORM_FIELDS: Final = [field.name for field in fields(EvaluationForm) if field.name != "name"]
_QUESTION_FIELDS: Final = [
    *(field.name for field in fields(FormQuestion) if field.name != "levels"),
    *("answers", "lowest", "highest"),
]


class FormRegistry(Registry[EvaluationForm]):
    def names(self) -> list[str]:
        return sorted(path.stem for path in SHIPPED.glob("*.toml"))

    def parse(self, signature: str) -> EvaluationForm:
        names = [name for name in self.names() if signature in (name, name.rpartition(".v")[0])]
        if not names:
            hint = f"Choose one of: {', '.join(self.names())}."
            raise UnknownNameError(f"There is no {self.kind} called {signature[:60]!r}.", hint=hint)
        path = SHIPPED / f"{names[-1]}.toml"
        return replace(read_form(path.read_bytes(), path.name), name=names[-1])

    def signature(self, recipe: EvaluationForm) -> str:
        return recipe.name


evaluation_forms: Final = FormRegistry("evaluation form")


def _own_name(form: EvaluationForm) -> str:
    """What stored answers are filed under: another file with other questions is another form.

    Whatever fields a form gets later, those of before are to give the same name.
    """
    word = re.sub(r"[^a-z0-9]+", "-", form.title.casefold()).strip("-")[:30]
    asks = {key: value for key, value in asdict(form).items() if key not in ("name", "summary")}
    usual = {field.name: field.default for field in fields(FormQuestion) if field.name in _LATER}
    for question in asks["questions"]:
        for name in (name for name, value in usual.items() if question[name] == value):
            del question[name]
    return f"{OWN}{word}-{digest(repr(asks), digits=8)}".replace("--", "-")


def read_form(data: bytes, name: str) -> EvaluationForm:
    name = name[:80]
    table = read_toml(data, name, "form", most=LARGEST_FILE, known=_FORM_FIELDS)
    listed = table.get("questions")
    if isinstance(listed, list) and all(isinstance(entry, dict) for entry in listed):
        where = (f"question {at} of {name}" for at in range(1, len(listed) + 1))
        table["questions"] = list(map(_question, listed, where))
    form = converted(table, EvaluationForm, name)
    for what in ("key", "label"):
        names = [getattr(question, what) for question in form.questions]
        for twice in (name for name in names if names.count(name) > 1):
            raise InputError(f"Two questions of {name} have the {what} {twice!r}.", hint="Give each its own.")
    for at in range(len(form.questions)):
        _refuse_kind(form, at, f"Question {at + 1} of {name}")
    if form.hidden > len(form.questions):
        said = f"Hidden of {name} is '{form.hidden}', more than it has questions."
        raise InputError(said, hint="Give a smaller number.")
    if form.hidden and not form.by_question:
        said = f"{name} hides the article for {form.hidden} questions but goes headline by headline."
        raise InputError(said, hint="Leave out `by_question = false`, or hidden.")
    if form.published:
        from core.headlines.comparison.published import SOURCES

        if form.published not in {source.key for source in SOURCES}:
            raise InputError(f"{name} names a table {form.published!r} of no paper.", hint="Leave it out.")
    summary = form.summary or ", ".join(question.label for question in form.questions)
    return replace(form, summary=summary, name=_own_name(form))


def _question(entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    refuse_strange(entry, _QUESTION_FIELDS, where, "form")
    key = entry.get("key")
    named = {"label": key.replace("_", " ").capitalize()} if isinstance(key, str) else {}
    given = {name: cell for name, cell in entry.items() if name not in ("answers", "lowest", "highest")}
    if isinstance(text := given.get("text"), str):
        given["text"] = clean_line(text)
    return {**named, **given, "levels": _levels(entry, where)}


def _levels(entry: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    answers, lowest, gives = entry.get("answers"), entry.get("lowest", 0), entry.get("gives", Gives.GRADE)
    if gives == Gives.NUMBER:
        return _numbers(lowest, entry.get("highest", 100), where)
    if gives in OPEN:
        return []
    if (asks := entry.get("asks", Asks.EACH)) not in (Asks.EACH, Asks.PAIRS):
        if asks in list(Asks) and entry.keys() & {"answers", "lowest"}:
            said = f'The {where} lists answers, but "{asks}" has its own.'
            raise InputError(said, hint="Leave answers and lowest out.")
        return []
    if not isinstance(answers, list) or not 2 <= len(answers) <= MOST_ANSWERS:
        said = f"The {where} needs 2 to {MOST_ANSWERS} answers."
        how = "from low to high" if gives == Gives.GRADE else "in any order"
        raise InputError(said, hint=f'Write them {how}: ["no", "yes"].')
    if not all(isinstance(answer, str) for answer in answers) or not answers[0] or not answers[-1]:
        raise InputError(f"The {where} has an end without a text.", hint='Write words: ["no", "yes"].')
    worded = list(filter(None, answers))
    if len(set(worded)) < len(worded):
        raise InputError(f"The {where} has the same answer twice.", hint="Give each its own words.")
    if lowest not in (0, 1):
        raise InputError(f"Lowest of {where} is {str(lowest)[:40]!r}.", hint="Give 0 or 1.")
    if gives == Gives.SEVERAL:
        return [{"value": 1 << at, "wording": answer} for at, answer in enumerate(answers)]
    return [{"value": value, "wording": answer} for value, answer in enumerate(answers, int(lowest))]


def _numbers(lowest: Any, highest: Any, where: str) -> list[dict[str, Any]]:
    whole = isinstance(lowest, int) and isinstance(highest, int)
    if not whole or not 0 < highest - lowest <= MOST_NUMBERS:
        said = f"The {where} asks for a number without bounds."
        raise InputError(said, hint=f"Give lowest and highest, at most {MOST_NUMBERS:,} apart.")
    return [{"value": value, "wording": ""} for value in range(lowest, highest + 1)]


def _refuse_kind(form: EvaluationForm, at: int, where: str) -> None:
    """Refuses a question whose kind of answer, keys or condition does not fit."""
    question, earlier = form.questions[at], {each.key: each for each in form.questions[:at]}
    if question.asks is not Asks.EACH and (question.gives is not Gives.GRADE or question.when):
        said = f'{where} gives "{question.gives}" or has a condition, but is not about each headline.'
        raise InputError(said, hint='Leave gives and when out, or write asks = "each".')
    if question.nothing and (question.asks is not Asks.EACH or question.gives is not Gives.GRADE):
        said = f"{where} has the answer {question.nothing[:60]!r} of nothing, but no lowest grade."
        raise InputError(said, hint='Leave nothing out, or write asks = "each" and gives = "grade".')
    if question.gives in (Gives.ONE_OF, Gives.SEVERAL) and not all(each.wording for each in question.levels):
        raise InputError(f"{where} has an answer without a text.", hint="Give each answer its words.")
    for said in (each.wording for each in question.levels if question.gives is Gives.SEVERAL):
        if said.casefold() == NONE or TOGETHER in f" {said} ":
            hint = "Several answers are written with “ + ” between them, and no answer as “none”."
            raise InputError(f"{where} has the answer {said[:60]!r}, which files could not tell.", hint=hint)
    if question.gives is Gives.ARTICLE_WORDS and not 0 < form.words <= MOST_WORDS:
        hint = f"Write words = 300, say, above the questions; at most {MOST_WORDS:,}."
        raise InputError(f"{where} has words of the article marked, and all of it is shown.", hint=hint)
    keys = set(question.keys)
    ill = len(keys) != len(question.levels) or not all(re.fullmatch("[a-mo-tv-z0-9]", key) for key in keys)
    if keys and (ill or question.gives not in LISTED):
        hint = "Give each answer a digit or small letter of its own, but not u or n, which the page has."
        raise InputError(f"{where} has other keys than answers.", hint=hint)
    if question.when:
        asked = earlier.get(question.when)
        known = [each.wording for each in asked.levels] if asked and asked.asks is Asks.EACH else []
        if not question.when_answers or not set(question.when_answers) <= set(filter(None, known)):
            said = f"{where} is asked after answers that no earlier question of each headline has."
            raise InputError(said, hint="Name its key, and some of its answers that it follows.")


def form_folder() -> Path:
    return user_folder() / "forms"


def known_forms() -> dict[str, EvaluationForm]:
    """All forms by name: those of the program, and the files of the folder that have no mistake."""
    forms = (*map(evaluation_forms.parse, evaluation_forms), *_own())
    return {form.name: form for form in forms if isinstance(form, EvaluationForm)}


def faulty_forms() -> list[str]:
    return [f"{fault.message} {fault.hint}" for fault in _own() if isinstance(fault, InputError)]


def _own() -> list[EvaluationForm | InputError]:
    forms: list[EvaluationForm | InputError] = []
    for path in sorted(form_folder().glob("*.toml")):
        try:
            forms.append(read_form(path.read_bytes(), path.name))
        except InputError as error:
            forms.append(error)
        except OSError:
            forms.append(InputError(f"{path.name} cannot be read.", hint="Check its permissions."))
    return forms


def add_form(data: bytes, name: str) -> EvaluationForm:
    own = read_form(data, name)
    files.make_folder(form_folder())
    files.write(form_folder() / f"{own.name.removeprefix(OWN)}.toml", data)
    return own


def form_of(given: str) -> EvaluationForm:
    """A form by its name, or from the TOML file of that path."""
    if given.casefold().endswith(".toml"):
        from core.data.timelines.tables import read_bytes

        return read_form(read_bytes(given), Path(given).name)
    own = known_forms().get(given)
    return own if own is not None else evaluation_forms.parse(given)
