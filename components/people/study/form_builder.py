"""A form of one's own questions: written in fields, seen as participants see it, kept as TOML."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final, cast

import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, show_error, show_kept_error
from components.frame.markdown import HELPS, WORDS
from components.frame.widgets import button
from components.headlines.compare.opened import ArticlesWithOutputs, Scene
from components.opened.views.people import STUDY
from components.people.judge.asking import judging
from components.people.judge.sitting import Sitting
from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.data.toml_file import toml_cell
from core.errors import CoreError, InputError
from core.journal.entries import Entry, NewEntry
from core.journal.journal import Journal
from core.people.evaluation_task import judgeable
from core.people.forms import OWN, SHIPPED, EvaluationForm, Gives, add_form, form_folder, read_form
from core.people.next_question import sheet_rows
from core.people.study import Study

_DRAFT: Final = "form-draft"  # what is written: title and questions as in a file, each with a number
_TRIED: Final = "form-tried"  # answers to the preview, which nobody keeps
_KINDS: Final[Mapping[str, str]] = WORDS["form_kinds"]
_WORDS_SHOWN: Final = 300  # of an article, where words of it are marked
_ANSWERS: Final = {
    Gives.GRADE: ["strongly disagree", "disagree", "neither", "agree", "strongly agree"],
    Gives.ONE_OF: ["yes", "no", "cannot tell"],
    Gives.SEVERAL: ["politics", "economy", "sport"],
}
_BLANK: Final = "–"  # stands for a step of a scale without words
_KEYED: Final = re.compile(r"^\s*([A-Za-z0-9])\s*=\s*(.+)$")


class _Tried:
    """Answers to a preview, in the memory of a session alone."""

    def __init__(self) -> None:
        self.entries = dict[str, tuple[Entry, ...]]()

    def read(self, stream: str) -> tuple[Entry, ...]:
        return self.entries.get(stream, ())

    def append(self, stream: str, new: Iterable[NewEntry]) -> tuple[Entry, ...]:
        before = self.read(stream)
        numbered = enumerate(new, len(before) + 1)
        made = (Entry(**asdict(each), sequence=at, stream=stream) for at, each in numbered)
        self.entries[stream] = (*before, *made)
        return self.entries[stream]


def building() -> bool:
    return _DRAFT in st.session_state


def begin_form(name: str) -> None:
    """Opens the fields, with the questions of a form that is here, or with one to begin with."""
    files = (path for folder in (form_folder(), SHIPPED) for path in folder.glob("*.toml"))
    file = next((path for path in files if path.stem in (name, name.removeprefix(OWN))), None)
    first = {"text": "What is this headline about?", "gives": "one_of"}
    table = {"by_question": False, "questions": [first]}
    _open(table if file is None else tomllib.loads(file.read_text(encoding="utf-8")))


def _open(table: Mapping[str, Any]) -> None:
    bounds = ({"lowest": 0} if "answers" in entry else {} for entry in table["questions"])
    entries = zip(bounds, table["questions"], strict=True)
    questions = [{**usual, **entry, "number": at} for at, (usual, entry) in enumerate(entries)]
    st.session_state[_DRAFT] = {**table, "questions": questions, "next": len(questions)}
    for key in [key for key in st.session_state if str(key).startswith("form-field")]:
        del st.session_state[key]


def build_form() -> None:
    draft = st.session_state[_DRAFT]
    show_kept_error()
    with st.container(horizontal=True, vertical_alignment="bottom", key="form-head"):
        button("Back to the study", "form-back", _leave, icon="arrow_back", type="tertiary")
        look = {"max_chars": 100, "key": "form-field-title", "width": 360}
        draft["title"] = st.text_input("Title of the form", draft.get("title", ""), **look).strip()
        with st.popover("Open a form", icon=":material/upload_file:"):
            given = st.file_uploader("Form (TOML)", key="form-file")
            data = b"" if given is None else given.getvalue()
            button("Open it", "form-open", _open_file, data, icon="check", disabled=not data)
    with st.container(key="study-parts"):
        fields, seen = st.columns(2, gap="large")
    with fields:
        for at in range(len(draft["questions"])):
            _question(draft["questions"], at)
        button("Add a question", "form-add", _add, icon="add")
    data = _written(draft)
    with seen:
        st.header("As participants see it", anchor=False)
        try:
            form: EvaluationForm | None = read_form(data, "The form")
        except CoreError as error:
            show_error(error)
            form = None
        else:
            _preview(form)
    with fields, st.container(horizontal=True, vertical_alignment="center"):
        look = {"icon": "check", "type": "primary", "disabled": form is None}
        button("Use this form", "form-use", _use, data, **look)
        if form is not None:
            downloads(("Form (TOML)", lambda: data, f"{stem(form.title, 'form')}.toml"), key="form-export")


def _question(questions: list[dict[str, Any]], at: int) -> None:
    """Draws the fields of a question, and puts what they hold into it."""
    entry = questions[at]
    key = f"form-field-{{}}-{entry['number']}".format
    with st.container(border=True, key=key("question")):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            entry["text"] = st.text_input(
                f"Question {at + 1}", entry.get("text", ""), max_chars=300, key=key("text")
            )
            for label, icon, to in (("Earlier", "arrow_upward", at - 1), ("Later", "arrow_downward", at + 1)):
                look = {"icon": icon, "type": "tertiary", "disabled": not 0 <= to < len(questions)}
                button(label, key(label), _move, questions, at, to, **look)
            look = {"icon": "delete", "type": "tertiary", "disabled": len(questions) == 1}
            button("Remove", key("remove"), questions.pop, at, **look)
        entry["help"] = st.text_input("Explanation", entry.get("help", ""), max_chars=300, key=key("help"))
        if entry.get("asks", "each") != "each":
            st.caption("This question compares headlines; its answers stay as in the file.")
            return
        kinds, now = list(_KINDS), entry.get("gives", "grade")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            look = {"format_func": _KINDS.__getitem__, "key": key("gives"), "width": 260}
            entry["gives"] = gives = st.selectbox("Answer", kinds, kinds.index(now), **look)
            label = entry.get("label", entry.get("key", ""))
            entry["label"] = st.text_input("Name in tables", label, max_chars=40, key=key("label"), width=200)
        if gives != now:
            for name in ("answers", "lowest", "nothing"):
                entry.pop(name, None)
        _answers(entry, gives, key)
        _condition(questions, at, key)


def _answers(entry: dict[str, Any], gives: str, key: Any) -> None:
    """The answers of a list with their keys, or the bounds of a number."""
    names = "answers", "keys", "lowest", "highest"
    given, keys, lowest, highest = (entry.pop(name, None) for name in names)
    if gives in _ANSWERS:
        given = [answer or _BLANK for answer in given or _ANSWERS[Gives(gives)]]
        lines = [f"{one} = {answer}" for one, answer in zip(keys or (), given, strict=False)] or given
        look = {"key": key(f"answers-{gives}"), "help": HELPS["form-answers"]}
        text = st.text_area("Answers, one a line", "\n".join(lines), **look)
        found = [(_KEYED.match(line), line.strip()) for line in text.splitlines() if line.strip()]
        said = [match[2].strip() if match else line for match, line in found]
        entry["answers"] = ["" if answer == _BLANK else answer for answer in said]
        if any(match for match, _ in found) and gives != Gives.SEVERAL:
            entry["keys"] = [match[1] if match else "" for match, _ in found]
        if gives == Gives.GRADE:
            entry["lowest"] = lowest if lowest in (0, 1) else 1
    elif gives == Gives.NUMBER:
        with st.container(horizontal=True):
            for name, value in (("lowest", lowest or 0), ("highest", highest or 100)):
                entry[name] = st.number_input(name.capitalize(), value=value, step=1, key=key(name))


def _condition(questions: Sequence[dict[str, Any]], at: int, key: Any) -> None:
    entry, known = questions[at], {}
    for place, earlier in enumerate(questions[:at], 1):
        for answer in earlier.get("answers", ()) if earlier.get("asks", "each") == "each" else ():
            known[earlier["number"], answer] = f"{place}: {answer}"
    numbers = {_key(other): other["number"] for other in questions}
    before = [(numbers.get(entry.pop("when", ""), -1), answer) for answer in entry.pop("when_answers", ())]
    before = [choice for choice in before if choice in known]
    if known:
        look = {"format_func": known.__getitem__, "key": key("when"), "placeholder": "Always"}
        chosen = st.multiselect("Asked only after the answer", list(known), before, **look)
        if chosen:
            asked = next(other for other in questions if other["number"] == chosen[0][0])
            entry["when"], entry["when_answers"] = _key(asked), [answer for _, answer in chosen]


def _key(entry: Mapping[str, Any]) -> str:
    """The column of a question: from its name in tables, or its number."""
    word = re.sub(r"[^a-z0-9]+", "_", str(entry.get("label", "")).casefold()).strip("_")
    return word[:40] if word[:1].isalpha() else f"question_{entry['number'] + 1}"


def _written(draft: Mapping[str, Any]) -> bytes:
    """The draft as the file of a form."""
    marked = any(entry.get("gives") == Gives.ARTICLE_WORDS for entry in draft["questions"])
    head = {name: cell for name, cell in draft.items() if name not in ("questions", "next", "title")}
    head = {"title": draft["title"] or "My questions", **head}
    head |= {"words": _WORDS_SHOWN} if marked and not head.get("words") else {}
    lines = [f"{name} = {toml_cell(cell)}" for name, cell in head.items()]
    for entry in draft["questions"]:
        told = {**entry, "key": entry.get("key") if entry.get("asks") else _key(entry)}
        del told["number"]
        cells = {name: cell for name, cell in told.items() if cell not in ("", None)}
        lines += ["", "[[questions]]", *(f"{name} = {toml_cell(cell)}" for name, cell in cells.items())]
    return ("\n".join(lines) + "\n").encode()


def _preview(form: EvaluationForm) -> None:
    """The questions about two made-up headlines, which can be answered as in a study."""
    example = WORDS["form_example"]
    if st.session_state.get(_TRIED, ("",))[0] != form.name:
        st.session_state[_TRIED] = form.name, _Tried()
    articles = articles_of("Example", [example["text"]])
    outputs = [
        Outputs(system=name, headlines=(line,), source="")
        for name, line in zip("AB", example["headlines"], strict=True)
    ]
    named = {output.fingerprint: output for output in outputs}
    whole = judgeable("Example", articles, outputs)
    opened = ArticlesWithOutputs("Example", articles, named)
    scene = Scene(opened, named, tuple(outputs), tuple(named), False)
    sheets, tried = sheet_rows(form, whole.task), cast(Journal, st.session_state[_TRIED][1])
    judging(Sitting(scene, form, whole, whole.task, sheets, 0, 0, "preview", Study(code="preview"), tried))
    button("Begin the preview again", "form-again", partial(st.session_state.pop, _TRIED), icon="restart_alt")


def _add() -> None:
    draft = st.session_state[_DRAFT]
    draft["questions"].append({"number": draft["next"], "text": "New question", "gives": "grade"})
    draft["next"] += 1


def _move(questions: list[dict[str, Any]], at: int, to: int) -> None:
    questions.insert(to, questions.pop(at))


@errors_kept()
def _open_file(data: bytes) -> None:
    read_form(data, "The file")
    _open(tomllib.loads(data.decode("utf-8-sig")))


@errors_kept()
def _use(data: bytes) -> None:
    try:
        form = add_form(data, "The form")
    except OSError:
        raise InputError("The form cannot be stored.", hint="Check the user's folder.") from None
    _leave()
    STUDY.put(asks=form.name)


def _leave() -> None:
    st.session_state.pop(_DRAFT, None)
