"""Forms that ship, and forms of one's own from TOML files (docs/evaluation.md#a-form-of-ones-own)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Final

from core import files
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.people.ratings import BEST, Asks, EvaluationForm, FormQuestion, Level
from core.registry import Registry
from core.runtime import user_folder
from core.text.normalise import clean_line

SHIPPED: Final = Path(__file__).with_name("form_files")


class FormRegistry(Registry[EvaluationForm]):
    """The forms that ship, each a file with the name of its form."""

    def names(self) -> list[str]:
        return sorted(path.stem for path in SHIPPED.glob("*.toml"))

    def parse(self, signature: str) -> EvaluationForm:
        names = [name for name in self.names() if signature in (name, name.rpartition(".v")[0])]
        if not names:
            raise UnknownNameError(
                f"There is no {self.kind} called {signature[:60]!r}.",
                hint=f"Choose one of: {', '.join(self.names())}.",
            )
        path = SHIPPED / f"{names[-1]}.toml"
        return replace(read_form(path.read_bytes(), path.name), name=names[-1])

    def signature(self, recipe: EvaluationForm) -> str:
        return recipe.name


evaluation_forms: Final = FormRegistry("evaluation form")

MOST_QUESTIONS: Final = 20
MOST_ANSWERS: Final = 10
LONGEST: Final = 300  # characters of a text
LARGEST_FILE: Final = 100_000  # bytes of a file
OWN: Final = "own-"
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TAKEN: Final = frozenset({"judge", "item", "article", "system", "headline", "text"})
_FORM_FIELDS: Final = tuple(each.name for each in fields(EvaluationForm) if each.name != "name")
_QUESTION_FIELDS: Final = (
    *(each.name for each in fields(FormQuestion) if each.name != "levels"),
    *("answers", "lowest"),
)


def _own_name(form: EvaluationForm) -> str:
    """What stored answers are filed under: another file with other questions is another form."""
    word = re.sub(r"[^a-z0-9]+", "-", form.title.casefold()).strip("-")[:30]
    asks = {key: value for key, value in asdict(form).items() if key not in ("name", "summary")}
    return f"{OWN}{word}-{digest(repr(asks), digits=8)}".replace("--", "-")


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


def read_form(data: bytes, name: str) -> EvaluationForm:
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
    published = _text(table, "published", name, otherwise=" ")
    if published:
        from core.headlines.comparison.table import SOURCES

        if published not in {source.key for source in SOURCES}:
            raise InputError(f"{name} names a table {published!r} of no paper.", hint="Leave published out.")
    form = EvaluationForm(
        title=_text(table, "title", name),
        summary=_text(table, "summary", name, otherwise=", ".join(each.label for each in questions)),
        questions=questions,
        by_question=by_question,
        hidden=hidden,
        words=_number(table, "words", 0, name, low=0, high=100_000),
        cases=_number(table, "cases", 20, name, low=1, high=10_000),
        judges=_number(table, "judges", 0, name, low=0, high=1_000),
        published=published,
    )
    return replace(form, name=_own_name(form))


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
        best=_text(table, "best", where, otherwise=BEST),
        published_alpha=_alpha(table, where),
    )


def _alpha(table: Mapping[str, Any], where: str) -> float | None:
    value = table.get("published_alpha")
    if value is not None and not (type(value) is float and -1 <= value <= 1):
        raise InputError(f"The published alpha of {where} is {str(value)[:40]!r}.", hint="Give 0.35, say.")
    return value


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
    words = [clean_line(answer)[:LONGEST] if isinstance(answer, str) else "" for answer in answers]
    if not words[0] or not words[-1]:
        raise InputError(f"{where} has an end without a text.", hint='Write words: ["no", "yes"].')
    said = [word for word in words if word]
    if len(set(said)) < len(said):
        raise InputError(f"{where} has the same answer twice.", hint="Give each its own words.")
    lowest = _number(table, "lowest", 0, where, low=0, high=1)
    return tuple(Level(value=value, wording=word) for value, word in enumerate(words, lowest))


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
    own = [form for form in _own() if isinstance(form, EvaluationForm)]
    return {form.name: form for form in (*map(evaluation_forms.parse, evaluation_forms), *own)}


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
        from core.data.timelines.load import read_bytes

        return read_form(read_bytes(given), Path(given).name)
    own = known_forms().get(given)
    return own if own is not None else evaluation_forms.parse(given)
