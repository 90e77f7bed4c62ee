"""Forms that ship, and forms of one's own from TOML files (docs/evaluation.md#a-form-of-ones-own)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core import files
from core.digests import digest
from core.errors import InputError
from core.people.ratings import Asks, EvaluationForm, FormQuestion, Level, evaluation_forms
from core.runtime import user_folder
from core.text.normalise import clean_line


def _worded(*words: str, lowest: int = 0) -> tuple[Level, ...]:
    return tuple(Level(value=value, wording=word) for value, word in enumerate(words, lowest))


_NO_YES = _worded("no", "yes")


@evaluation_forms.register("italian.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ItalianForm(EvaluationForm):
    """Correct, same article, most inviting; then, with the article, suitable, and the order of suitability.

    Source: Cafagna et al. 2019, Suitable Doesn't Mean Attractive, section 4.1, figure 1 and table 2. The
    paper draws one order of headlines a case for all judges; here each judge has an order of their own.
    """

    title = "Suitable and attractive (five questions)"
    summary = "correct, same article, most inviting; then with the article: suitable, order"
    hidden = 3
    words = 500
    cases = 20
    judges = 3
    questions = (
        FormQuestion(
            key="correctness",
            label="Correct",
            text="Is this headline written correctly?",
            help="Its language alone: the article comes later.",
            levels=_NO_YES,
            published_alpha=0.387,
        ),
        FormQuestion(
            key="same_article",
            label="Same article",
            text="Do these two headlines belong to the same article?",
            help="What you think without seeing it.",
            asks=Asks.PAIRS,
            levels=_NO_YES,
        ),
        FormQuestion(
            key="attractiveness",
            label="Most inviting",
            text="Which headline makes you want most to read the whole article?",
            help="The article is shown once you have chosen, and the first three questions are closed.",
            asks=Asks.ONE,
            published_alpha=0.120,
        ),
        FormQuestion(
            key="suitability",
            label="Suitable",
            text="Is this headline suitable for the article?",
            help="Read the article first.",
            levels=_NO_YES,
            published_alpha=0.348,
        ),
        FormQuestion(
            key="suitability_rank",
            label="Order of suitability",
            text="How suitable is it for the article, among the others?",
            best="Which headline is the most suitable?",
            help="Put the headlines in an order: the most suitable first. Two cannot share a place.",
            asks=Asks.ORDER,
            published_alpha=0.389,
        ),
    )


@evaluation_forms.register("numhg.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumHGForm(EvaluationForm):
    """Accuracy (0–2), an order, readability (1–5); Huang et al. 2023, NumHG, section 4.3."""

    title = "NumHG (numerals)"
    summary = "numeral accuracy 0–2, reasonableness as an order, readability 1–5"
    published = "numhg_people"
    by_question = False
    questions = (
        FormQuestion(
            key="numeral_accuracy",
            label="Num Acc.",
            text="Are its numbers correct?",
            help="Hold each number of the headline against the article, and what it counts, too. A headline "
            "that states no number has none right.",
            levels=_worded("none", "some", "all"),
        ),
        FormQuestion(
            key="reasonableness",
            label="Reasonableness",
            text="How good is it for this article, among the others?",
            help="Put the headlines of the article in an order: the best first, the least favoured last. Two "
            "headlines cannot share a place.",
            asks=Asks.ORDER,
        ),
        FormQuestion(
            key="readability",
            label="Readability",
            text="How easily is it read and understood?",
            help="1: very hard to read. 5: easily read and understood.",
            levels=_worded("very hard", "", "", "", "easy", lowest=1),
        ),
    )


@evaluation_forms.register("preference.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PreferenceForm(EvaluationForm):
    """One choice for each pair of headlines; ranked by `core.people.strengths`."""

    title = "Pairwise preference"
    summary = "the better of each two headlines, or equal"
    questions = (
        FormQuestion(
            key="preference",
            label="Better headline",
            text="Which headline is better for this article?",
            help="Equal, where you cannot tell.",
            asks=Asks.BETTER,
        ),
    )


MOST_QUESTIONS: Final = 20
MOST_ANSWERS: Final = 10
LONGEST: Final = 300  # characters of a text
LARGEST_FILE: Final = 100_000  # bytes of a file
OWN: Final = "own-"
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TAKEN: Final = frozenset({"judge", "item", "article", "system", "headline", "text"})
_FORM_FIELDS: Final = ("title", "questions", "by_question", "hidden", "words", "cases", "judges")
_QUESTION_FIELDS: Final = ("key", "label", "text", "help", "asks", "answers", "lowest")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnForm(EvaluationForm):
    """A form that was read from a file."""

    title: str
    questions: tuple[FormQuestion, ...]
    by_question: bool = True
    hidden: int = 0
    words: int = 0
    cases: int = 20
    judges: int = 0
    published: str = ""

    @property
    def summary(self) -> str:  # type: ignore[override]
        return ", ".join(question.label for question in self.questions)

    @property
    def name(self) -> str:
        """What stored answers are filed under: another file with other questions is another form."""
        word = re.sub(r"[^a-z0-9]+", "-", self.title.casefold()).strip("-")[:30]
        return f"{OWN}{word}-{digest(repr(asdict(self)), digits=8)}".replace("--", "-")


def read_toml(data: bytes, name: str, what: str, most: int) -> dict[str, Any]:
    if len(data) > most:
        raise InputError(f"{name} is too large for a {what}.", hint=f"A {what} is a short TOML file.")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text in UTF-8.", hint="Save it as a plain text file.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            f"{name} is no TOML: {str(error)[:120]}.", hint='Put texts in quotes, as in title = "My form".'
        ) from None


def read_form(data: bytes, name: str) -> OwnForm:
    name = name[:80]
    table = read_toml(data, name, "form", LARGEST_FILE)
    _only(table, _FORM_FIELDS, name)
    listed = table.get("questions")
    if (
        not isinstance(listed, list)
        or not listed
        or not all(isinstance(question, dict) for question in listed)
    ):
        raise InputError(f"{name} has no questions.", hint="Write each below a line [[questions]].")
    if len(listed) > MOST_QUESTIONS:
        raise InputError(
            f"{name} has {len(listed)} questions; at most {MOST_QUESTIONS} make a form.", hint="Ask fewer."
        )
    questions = tuple(_question(entry, f"Question {at} of {name}") for at, entry in enumerate(listed, 1))
    for what in ("key", "label"):
        names = [getattr(question, what) for question in questions]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"Two questions of {name} have the {what} {twice!r}.", hint="Give each its own.")
    hidden = _number(table, "hidden", 0, name, low=0, high=len(questions))
    by_question = table.get("by_question", True)
    if not isinstance(by_question, bool):
        raise InputError(f"`by_question` of {name} is neither true nor false.", hint="Write true or false.")
    if hidden and not by_question:
        raise InputError(
            f"{name} hides the article for {hidden} questions but goes headline by headline.",
            hint="Leave out `by_question = false`, or hidden.",
        )
    return OwnForm(
        title=_text(table, "title", name),
        questions=questions,
        by_question=by_question,
        hidden=hidden,
        words=_number(table, "words", 0, name, low=0, high=100_000),
        cases=_number(table, "cases", 20, name, low=1, high=10_000),
        judges=_number(table, "judges", 0, name, low=0, high=1_000),
    )


def _question(table: Mapping[str, Any], where: str) -> FormQuestion:
    _only(table, _QUESTION_FIELDS, where)
    key, text = _text(table, "key", where), _text(table, "text", where)
    if not _KEY.fullmatch(key) or key in _TAKEN:
        raise InputError(
            f"{where} has the key {key!r}.",
            hint="Use lower case, digits and underscores, and none of " + ", ".join(sorted(_TAKEN)) + ".",
        )
    word = table.get("asks", Asks.EACH.value)
    if word not in {asks.value for asks in Asks}:
        raise InputError(
            f"{where} asks about {str(word)[:40]!r}.",
            hint="Write one of: " + ", ".join(f'"{choice.value}"' for choice in Asks) + ".",
        )
    asks = Asks(word)
    return FormQuestion(
        key=key,
        label=_text(table, "label", where, otherwise=key.replace("_", " ").capitalize()),
        text=text,
        help=_text(table, "help", where, otherwise=" "),
        asks=asks,
        levels=_levels(table, asks, where),
    )


def _levels(table: Mapping[str, Any], asks: Asks, where: str) -> tuple[Level, ...]:
    answers = table.get("answers")
    if asks not in (Asks.EACH, Asks.PAIRS):
        if answers is not None or "lowest" in table:
            raise InputError(
                f'{where} lists answers, but "{asks.value}" has its own.',
                hint="Leave answers and lowest out.",
            )
        return ()
    if not isinstance(answers, list) or not 2 <= len(answers) <= MOST_ANSWERS:
        raise InputError(
            f"{where} needs 2 to {MOST_ANSWERS} answers.", hint='Write them from low to high: ["no", "yes"].'
        )
    if not all(isinstance(answer, str) and clean_line(answer) for answer in answers):
        raise InputError(f"{where} has an answer without a text.", hint='Write words: ["no", "yes"].')
    words = [clean_line(answer)[:LONGEST] for answer in answers]
    if len(set(words)) < len(words):
        raise InputError(f"{where} has the same answer twice.", hint="Give each its own words.")
    return _worded(*words, lowest=_number(table, "lowest", 0, where, low=0, high=1))


def _only(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    strange = next((key for key in table if key not in known), None)
    if strange is not None:
        raise InputError(
            f"{where} has an entry {str(strange)[:40]!r} that no form knows.",
            hint=f"The entries are: {', '.join(known)}.",
        )


def _text(table: Mapping[str, Any], key: str, where: str, *, otherwise: str = "") -> str:
    given = table.get(key, otherwise)
    if not isinstance(given, str):
        raise InputError(f"{key} of {where} is no text.", hint=f'Write {key} = "…".')
    line = clean_line(given)
    if not line and not otherwise:
        raise InputError(f"{where} has no {key}.", hint=f'Write {key} = "…".')
    if len(line) > LONGEST:
        raise InputError(
            f"{key} of {where} has {len(line):,} characters; at most {LONGEST} are shown.", hint="Shorten it."
        )
    return line


def _number(table: Mapping[str, Any], key: str, usual: int, where: str, *, low: int, high: int) -> int:
    given = table.get(key, usual)
    if type(given) is not int or not low <= given <= high:
        raise InputError(
            f"{key} of {where} is {str(given)[:40]!r}.", hint=f"Give a whole number from {low} to {high:,}."
        )
    return given


def form_folder() -> Path:
    return user_folder() / "forms"


def known_forms() -> dict[str, EvaluationForm]:
    """All forms by name: those of the program, and the files of the folder that have no mistake."""
    forms: dict[str, EvaluationForm] = {name: evaluation_forms.parse(name) for name in evaluation_forms}
    return {**forms, **{own.name: own for own in _own() if isinstance(own, OwnForm)}}


def faulty_forms() -> list[str]:
    return [f"{fault.message} {fault.hint}" for fault in _own() if isinstance(fault, InputError)]


def _own() -> list[OwnForm | InputError]:
    forms: list[OwnForm | InputError] = []
    for path in sorted(form_folder().glob("*.toml")):
        try:
            forms.append(read_form(path.read_bytes(), path.name))
        except InputError as error:
            forms.append(error)
        except OSError:
            forms.append(InputError(f"{path.name} cannot be read.", hint="Check its permissions."))
    return forms


def add_form(data: bytes, name: str) -> OwnForm:
    own = read_form(data, name)
    files.make_folder(form_folder())
    files.write(form_folder() / f"{own.name.removeprefix(OWN)}.toml", data)
    return own


def form_of(given: str) -> EvaluationForm:
    """A form by its name, or from the TOML file of that path."""
    if given.casefold().endswith(".toml"):
        from core.data.timelines.load import read_bytes

        return read_form(read_bytes(given), Path(given).name)
    own = known_forms().get(given)
    return own if own is not None else evaluation_forms.parse(given)
