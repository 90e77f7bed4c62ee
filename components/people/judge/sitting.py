"""What is judged at the moment, and by whom."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from components.frame.controlled import controlled
from components.frame.errors import errors_shown
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button, button_to, notice
from components.headlines.compare.opened import Scene, set_choice
from components.opened.resources import cached
from components.opened.views.people import EVALUATE, LARGEST_SEED, USUAL_COUNT, change_judging
from core.journal.journal import Journal, the_journal
from core.people import evaluation_task
from core.people.forms import (
    DEFAULT_FORM,
    OWN,
    EvaluationForm,
    FormQuestion,
    add_form,
    faulty_forms,
    known_forms,
    subjects,
)
from core.people.next_question import sheet_for, sheet_rows, shown_order, shown_text
from core.people.store import RatingStore
from core.people.study import USUAL, Study
from core.results.render import count_words
from core.runtime import workshop


class Sitting(NamedTuple):
    scene: Scene
    form: EvaluationForm
    whole: evaluation_task.Judgeable
    all_sheets: evaluation_task.EvaluationTask
    sheets: list[list[int]]
    sheet: int
    seed: int
    judge: str
    study: Study = USUAL
    journal: Journal | None = None  # where answers go that nobody keeps

    @property
    def task(self) -> evaluation_task.EvaluationTask:
        return self.all_sheets.at(self.sheets[self.sheet])

    @property
    def subjects(self) -> tuple[str, ...]:
        return subjects(self.form, self.task.systems)

    @property
    def store(self) -> RatingStore:
        kept = store_of(self.form, self.task, self.study)
        return kept if self.journal is None else replace(kept, journal=self.journal)

    @property
    def everything(self) -> RatingStore:
        return store_of(self.form, self.whole.task, self.study)

    def order(self, row: int) -> list[int]:
        return self.order_of(self.judge, self.task.articles[row])

    def order_of(self, judge: str, article: str) -> list[int]:
        return shown_order(self.whole.task, article, judge, seed=self.seed)

    def text(self, row: int) -> str:
        articles = self.scene.articles
        return shown_text(self.form, articles.texts[articles.ids.index(self.task.articles[row])])


def store_of(form: EvaluationForm, task: evaluation_task.EvaluationTask, study: Study = USUAL) -> RatingStore:
    return RatingStore(form=form, task=task, journal=the_journal(), study=study)


@cached(max_entries=8)
def judgeable_of(scene: Scene) -> evaluation_task.Judgeable:
    return evaluation_task.judgeable(scene.opened.title, scene.articles, scene.outputs)


def sit_down(scene: Scene) -> Sitting | None:
    """Draws what is judged and who judges; None where there is nothing to judge."""
    whole = judgeable_of(scene)
    forms = known_forms()
    form = forms.get(EVALUATE.now().form, forms[DEFAULT_FORM])
    task = evaluation_task.drawn(whole.task, EVALUATE.now().count, seed=EVALUATE.now().seed)
    sheets = sheet_rows(form, task)
    with st.expander("What is judged", icon=":material/checklist:", expanded=not whole.rows):
        with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-forms"):
            words = {name: f"{known.title}: {known.summary}" for name, known in forms.items()}
            take = controlled("evaluate-form", form.name, lambda chosen: change_judging(form=chosen, sheet=0))
            st.selectbox("Form", list(words), format_func=words.__getitem__, **take)
            if not workshop():
                with st.popover("Add a form", icon=":material/note_add:"):
                    st.markdown("A plain TOML file with your questions.")
                    given = st.file_uploader("Form (TOML)", key="evaluate-form-file")
                    add = button("Add this form", "evaluate-form-add", icon="check", disabled=given is None)
                    if add and given is not None:
                        with errors_shown("Evaluate"):
                            change_judging(form=add_form(given.getvalue(), given.name).name, sheet=0)
                            st.rerun()
        if not workshop():
            for fault in faulty_forms():
                st.caption(f":material/warning: {plain(fault)}")
        for question in form.questions:
            if question.nothing:
                lowest = str(question.levels[0].wording or question.levels[0].value)
                nothing, lowest = (answer_words(form, question, word) for word in (question.nothing, lowest))
                st.caption(plain(f"{question.text} “{nothing}” counts as “{lowest}”."))
        _what(scene, whole, len(sheets) if form.judges else 0)
    if not whole.rows:
        notice("nothing_to_judge")
        return None
    now = EVALUATE.now()
    if form.judges and now.judge and not now.sheet and not now.own_sheet:
        EVALUATE.put(own_sheet=sheet_for(form, store_of(form, task).ratings(), now.judge) + 1)
        now = EVALUATE.now()
    sheet = min((now.sheet or now.own_sheet or 1) - 1, len(sheets) - 1)
    return Sitting(scene, form, whole, task, sheets, sheet, now.seed, now.judge)


def answer_words(form: EvaluationForm, question: FormQuestion, word: str) -> str:
    """An answer as it is said in full, whatever files call it; one's own words stand as they were typed."""
    if form.name.startswith(OWN):
        return word
    return WORDS["answers"].get(question.key, {}).get(word, word[:1].upper() + word[1:])


def _what(scene: Scene, whole: evaluation_task.Judgeable, sheets: int) -> None:
    articles, count, seed = st.columns([4, 2, 2], vertical_alignment="bottom")
    with articles:
        set_choice("evaluate-articles", lambda: change_judging(count=USUAL_COUNT))
    most = max(1, len(whole.rows))

    def kept(name: str, here: int) -> dict[str, Any]:
        return controlled(f"evaluate-{name}", here, lambda chosen: change_judging(**{name: chosen}))

    now, label = EVALUATE.now(), f"Articles, of {len(whole.rows):,}"
    count.number_input(label, 1, most, **kept("count", min(now.count, most)))
    seed.number_input("Seed", 0, LARGEST_SEED, **kept("seed", now.seed))
    if sheets > 1:
        words = ["The next that needs judges", *(f"Sheet {at + 1} of {sheets}" for at in range(sheets))]
        sheet = kept("sheet", min(now.sheet, sheets))
        st.selectbox("Sheet", range(sheets + 1), format_func=words.__getitem__, **sheet)
    systems = count_words(len(scene.outputs), "system", "systems")
    note = f"{systems}, chosen on the Compare page and not named while you judge."
    lacking = whole.left_out - whole.unknown
    if lacking:
        note += f" {lacking:,} articles lack a text or a headline and are left out."
    if whole.unknown:
        note += f" {whole.unknown:,} with an unknown word in a headline are left out."
    st.caption(note)
    button_to("compare", "Load files or choose systems", "evaluate-compare", icon="compare")
