"""What is judged at the moment, by whom, and where the answers are kept."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.compare.opened import Scene, set_choice
from components.evaluate import state
from components.page_state import controlled
from components.resources import cached
from core.people.evaluation.task import Judgeable, judgeable, shown_order
from core.people.form import DEFAULT_FORM, EvaluationForm, evaluation_forms
from core.people.store import RatingStore, default_folder
from core.people.task import EvaluationTask, drawn


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """One person before some headlines.

    Attributes:
        scene: The articles and systems that are open.
        form: The questions.
        whole: All that could be judged.
        task: The articles that were drawn of it.
        seed: Of the draw, and of the order of the headlines.
        judge: Name of the judge; "" as long as none was given.
    """

    scene: Scene
    form: EvaluationForm
    whole: Judgeable
    task: EvaluationTask
    seed: int
    judge: str

    @property
    def store(self) -> RatingStore:
        """The answers about the articles that were drawn."""
        return RatingStore(form=self.form, task=self.task, root=default_folder())

    @property
    def everything(self) -> RatingStore:
        """The answers about all articles."""
        return RatingStore(form=self.form, task=self.whole.task, root=default_folder())

    def order(self, row: int) -> list[int]:
        """Places of the systems in the order in which the judge sees an article's headlines."""
        return shown_order(self.task, self.task.articles[row], self.judge, seed=self.seed)

    def text(self, row: int) -> str:
        """An article that was drawn."""
        articles = self.scene.articles
        return articles.texts[articles.ids.index(self.task.articles[row])]


@cached(max_entries=8)
def _judgeable(scene: Scene) -> Judgeable:
    return judgeable(scene.opened.title, scene.articles, scene.outputs)


def sit_down(scene: Scene) -> Sitting | None:
    """Draws what is judged and who judges; None where there is nothing to judge."""
    whole = _judgeable(scene)
    with st.expander("What is judged", icon=":material/checklist:", expanded=not whole.rows):
        _what(scene, whole)
    if not whole.rows:
        st.info(
            "**There is nothing to judge yet.**  \nLoad the headlines of a system on the Compare page, or "
            "let one write them there. An article needs a text and a headline by every system.",
            icon=":material/add_circle:",
        )
        return None
    form = evaluation_forms.parse(DEFAULT_FORM)
    task = drawn(whole.task, state.now().count, seed=state.now().seed)
    return Sitting(scene, form, whole, task, state.now().seed, state.now().judge)


def _what(scene: Scene, whole: Judgeable) -> None:
    articles, count, seed = st.columns([4, 2, 2], vertical_alignment="bottom")
    with articles:
        set_choice("evaluate-articles", lambda: state.change(count=state.USUAL_COUNT))
    most = max(1, len(whole.rows))
    count.number_input(
        f"Articles, of {len(whole.rows):,}",
        1,
        most,
        **controlled(
            "evaluate-count", min(state.now().count, most), lambda chosen: state.change(count=chosen)
        ),
        help="Drawn with the seed; fewer are the first of more, so no answer is lost.",
    )
    seed.number_input(
        "Seed",
        0,
        state.LARGEST_SEED,
        **controlled("evaluate-seed", state.now().seed, lambda chosen: state.change(seed=chosen)),
        help="All judges of one evaluation take the same one.",
    )
    systems = len(scene.outputs)
    told = (
        f"{systems} system{'s' * (systems != 1)}, chosen on the Compare page and not named while you judge."
    )
    if whole.left_out:
        told += f" {whole.left_out:,} articles lack a text or a headline and are left out."
    st.caption(told)
    if st.button("Load files or choose systems", key="evaluate-compare", icon=":material/compare:"):
        st.switch_page("pages/compare.py")
