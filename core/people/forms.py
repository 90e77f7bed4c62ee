"""Forms that ship, and forms of one's own from TOML files (docs/evaluation.md#a-form-of-ones-own)."""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Final

from core import files
from core.data.toml_file import converted, read_toml, refuse_strange
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.people.evaluation_form import Asks, EvaluationForm, FormQuestion
from core.registry import Registry
from core.runtime import user_folder
from core.text.normalise import clean_line

SHIPPED: Final = Path(__file__).with_name("form_files")
MOST_ANSWERS: Final = 10
LARGEST_FILE: Final = 100_000  # bytes
OWN: Final = "own-"
_FORM_FIELDS: Final = [field.name for field in fields(EvaluationForm) if field.name != "name"]
_QUESTION_FIELDS: Final = [
    *(field.name for field in fields(FormQuestion) if field.name != "levels"),
    *("answers", "lowest"),
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
    """What stored answers are filed under: another file with other questions is another form."""
    word = re.sub(r"[^a-z0-9]+", "-", form.title.casefold()).strip("-")[:30]
    asks = {key: value for key, value in asdict(form).items() if key not in ("name", "summary")}
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
    """An entry with its answers as levels, and a label."""
    refuse_strange(entry, _QUESTION_FIELDS, where, "form")
    key = entry.get("key")
    named = {"label": key.replace("_", " ").capitalize()} if isinstance(key, str) else {}
    given = {name: cell for name, cell in entry.items() if name not in ("answers", "lowest")}
    if isinstance(text := given.get("text"), str):
        given["text"] = clean_line(text)
    return {**named, **given, "levels": _levels(entry, where)}


def _levels(entry: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    answers, lowest = entry.get("answers"), entry.get("lowest", 0)
    if (asks := entry.get("asks", Asks.EACH)) not in (Asks.EACH, Asks.PAIRS):
        if asks in list(Asks) and entry.keys() & {"answers", "lowest"}:
            said = f'The {where} lists answers, but "{asks}" has its own.'
            raise InputError(said, hint="Leave answers and lowest out.")
        return []
    if not isinstance(answers, list) or not 2 <= len(answers) <= MOST_ANSWERS:
        said = f"The {where} needs 2 to {MOST_ANSWERS} answers."
        raise InputError(said, hint='Write them from low to high: ["no", "yes"].')
    if not all(isinstance(answer, str) for answer in answers) or not answers[0] or not answers[-1]:
        raise InputError(f"The {where} has an end without a text.", hint='Write words: ["no", "yes"].')
    worded = list(filter(None, answers))
    if len(set(worded)) < len(worded):
        raise InputError(f"The {where} has the same answer twice.", hint="Give each its own words.")
    if lowest not in (0, 1):
        raise InputError(f"Lowest of {where} is {str(lowest)[:40]!r}.", hint="Give 0 or 1.")
    return [{"value": value, "wording": answer} for value, answer in enumerate(answers, int(lowest))]


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
