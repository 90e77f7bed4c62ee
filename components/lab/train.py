"""The runs of Train: choosing one, watching, stopping, using its model."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.frame.charts.show_chart import show_chart
from components.frame.charts.training_curve import measure_title, training_chart
from components.frame.downloads import download
from components.frame.markdown import HELPS, WORDS, plain
from components.frame.page_state import PLACES
from components.frame.tables import text_table
from components.frame.widgets import button, button_to, metrics, pick, segments
from components.lab import benchmark, pair_measuring
from components.lab.own_pairs import bring_pairs, choose_added
from components.opened.recipes import recipe_form
from components.opened.views.consistency import CONSISTENCY
from core import files
from core.data.pair_sets.kept import own_sets
from core.data.pair_sets.load import available_sets
from core.models.cards import card
from core.parts import Part
from core.registry import summary_of
from core.results.number_forms import NOTHING, decimals, duration, footnotes, spanned, written
from core.runtime import workshop
from core.statistics.bootstrap import Figure
from research.benchmark.pairs.rows import row
from research.catalogue import training, training_runs
from research.catalogue.training_kinds import KINDS, validated_pairs
from research.runs.run_folder import RunState
from research.runs.trainer import trainers

CHOSEN: Final = "train-run"
NEW: Final = "train-new"  # the run that was just started
_MEASURES: Final = ("f1", "precision", "recall", "average_precision")
_KEY = "train-form"
SMALL: Final = "cross_encoder.v1|epochs:2|batch_size:16|validations:2", ("uci|most_positives:200",)
"""Trainer and pairs of a training of about a minute on two cores."""


def choose_run() -> training_runs.TrainingRun | None:
    runs = {run.name: run for run in training_runs.runs()}
    if not runs:
        return None
    # Set anew each time: the browser keeps the words of a choice, and those of its state change.
    chosen = st.session_state.pop(NEW, st.session_state.get(CHOSEN))
    st.session_state[CHOSEN] = chosen if chosen in runs else next(iter(runs))
    words = {name: "in training" if run.busy else WORDS["states"][run.state][1] for name, run in runs.items()}
    states = {name: f"{word} · {name.replace('_', ' ')}" for name, word in words.items()}
    return runs[st.selectbox("Run", list(runs), key=CHOSEN, format_func=states.__getitem__)]


def watch(run: training_runs.TrainingRun) -> None:
    st.fragment(_state, run_every=2.0 if run.busy else None)(run.name, busy=run.busy)
    _buttons(run)
    if run.state is RunState.FINISHED:
        _result(run)


def _state(name: str, *, busy: bool) -> None:
    run = next((run for run in training_runs.runs() if run.name == name), None)
    if run is None or run.busy != busy:
        st.rerun()
    folder, state = run.folder, run.state
    about, lines = folder.about(), folder.progress()
    icon, word = WORDS["states"][state]
    last = next((line for line in reversed(lines) if "loss" in line), {})
    decides = about.get("best_by", "f1")
    values = [line["validation"].get(decides) for line in lines if "validation" in line]
    known = [value for value in values if value is not None]
    best = (min if about.get("lower_is_better") else max)(known, default=None)
    help = HELPS["train-best-f1" if decides == "f1" else "train-best"]
    figures = [
        ("State", word.capitalize()),
        ("Step", f"{last['step']:,} of {last['steps']:,}" if last else NOTHING),
        ("Loss", f"{last['loss']:.3f}" if last else NOTHING),
        (f"Best {measure_title(decides)}", written(best, decimals(3)), help),
    ]
    if state is RunState.RUNNING and "seconds_left" in last:
        figures.append(("Time left", duration(last["seconds_left"])))
    metrics(figures, key="train-figures")
    if state is RunState.FAILED and about.get("message"):
        st.error(plain(about["message"]), icon=icon)
    if state is RunState.WAITING:
        st.caption("Starting: the model and the data are being read.")
    if state is RunState.STOPPED:
        has_checkpoint = folder.checkpoint.is_dir() and any(folder.checkpoint.iterdir())
        then = "continues from its last checkpoint" if has_checkpoint else "starts again"
        st.caption(f"Training ended before it had finished. *Resume* {then}.")
    curves(lines, key=folder.path.name)


def curves(lines: Sequence[Mapping[str, Any]], *, key: str) -> None:
    if not any("loss" in line for line in lines):
        return
    show_chart(training_chart(lines), name="train", title=f"Training of {key}")
    measured = [line for line in lines if "validation" in line]
    if measured:
        table = {"Step": [f"{line['step']:,}" for line in measured]}
        table["Epoch"] = [f"{line['epoch']:g}" for line in measured]
        for name in measured[0]["validation"]:
            values = [line["validation"].get(name) for line in measured]
            table[measure_title(name)] = [written(value, decimals(3)) for value in values]
        with st.expander("Curves as a table", icon=":material/table:"):
            text_table(table)


def _buttons(run: training_runs.TrainingRun) -> None:
    with st.container(horizontal=True):
        if run.busy:
            stopping = run.folder.stop_requested
            label = "Stopping …" if stopping else "Stop"
            if button(label, "train-stop", icon="stop_circle", disabled=stopping):
                run.folder.ask_to_stop()
                st.rerun()
            return
        if run.state is not RunState.FINISHED and button("Resume", "train-resume", icon="play_arrow"):
            training_runs.resume(run.folder)
            st.rerun()
        with st.popover("Delete", icon=":material/delete:"):
            said, label = "The run, its checkpoint and its model are deleted for good.", "Delete this run"
            if run.note is not None:
                label, folder = "Remove from list", plain(str(run.folder.path))
                said = f"The run is removed from this list; its folder stays: `{folder}`"
            st.markdown(said)
            if button(label, "train-delete", type="primary"):
                training_runs.remove(run)
                st.rerun()


def _result(run: training_runs.TrainingRun) -> None:
    signature, kind = training.model_signature(run.folder), training.order_of(run.folder).kind.name
    if signature is not None:
        st.header("Use this model", anchor=False)
        st.caption(WORDS["uses"][kind])
        st.code(signature, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        if signature is not None and kind == "pair":
            look = {"icon": "balance", "type": "tertiary"}
            button_to("benchmark", "Measure it on pairs", "to-pairs", _to_pairs, run, signature, **look)
            examine = partial(CONSISTENCY.put, scorer=signature)
            look = {"icon": "change_history", "type": "tertiary"}
            button_to("consistency", "Look for contradictions", "train-contradict", examine, **look)
        file = f"{run.name}.zip"
        download(("Download the model", lambda: training_runs.zipped(run.folder), file), key="train-download")
    card = run.folder.model / "README.md"
    validated = validated_pairs(run.folder.about()) if kind == "pair" else None
    if validated is not None:
        title, measured = validated
        pairs = f"{title} ({measured['threshold']:.3f}), {measured['pairs']:,} validation pairs"
        st.caption(f"{pairs}; intervals over {measured['resampled']}.")
        for line in footnotes([measured["warning"]]):
            st.caption(line)
        cells = {}
        for name in _MEASURES:
            (value, low, high), title = measured[name], measure_title(name)
            figure = Figure(value, low=low, high=high, warning=measured["warning"])
            cells[title[0].upper() + title[1:]] = [spanned(figure, decimals(3))]
        text_table(cells)
    if card.is_file():
        with st.expander("Model card", icon=":material/description:"):
            # As it is written: names of data sets in it come from people.
            st.code(card.read_text(encoding="utf-8", errors="replace"), language=None, wrap_lines=True)


def _to_pairs(run: training_runs.TrainingRun, signature: str) -> None:
    PLACES.put(benchmark="pairs")
    learned = [Path(name.partition("|")[0]).stem for name in training.order_of(run.folder).shown_data]
    there = (name for name in available_sets() if name.partition(".")[0] in learned)
    st.session_state[f"{benchmark.SET}-added"] = next(there, None)
    st.session_state[pair_measuring.WANTED] = row(signature).key


@st.cache_data(show_spinner="Looking for data sets on this computer …", ttl=600)
def _sets(kind: str, own: tuple[str, ...]) -> list[str]:
    return KINDS[kind].trainable()


@st.cache_data(show_spinner="Counting what is learned from …", ttl=600, max_entries=16)
def _planned(kind: str, data: tuple[str, ...]) -> str:
    counts = [KINDS[kind].describe(name) for name in data]
    learned, chosen = (sum(each[part] for each in counts) for part in (Part.TRAIN, Part.VALIDATION))
    unit = KINDS[kind].unit
    return f"It learns from {learned:,} training {unit}; {chosen:,} validation {unit} say when it is best."


def order_form() -> None:
    titles = {name: kind.title for name, kind in KINDS.items()}
    kind = segments("What is trained", KINDS, titles, f"{_KEY}-kind", label_visibility="visible")
    chosen_kind = KINDS[kind]
    st.caption(f"{plain(chosen_kind.about)} It learns from the training part of each set alone.")
    known = _sets(kind, tuple(own_sets()))
    key = f"{_KEY}-{kind}-data"
    choose_added(key)
    chosen = st.session_state.get(key)
    possible = [name for name in (chosen_kind.sets if chosen is None else chosen) if name in known]
    # Given only where it differs: an open list that is given anew moves under the pointer.
    if possible != chosen:
        st.session_state[key] = possible
    data = st.multiselect(f"{chosen_kind.unit.capitalize()} to train on", known, key=key)
    if kind == "pair":
        bring_pairs(key, key="train-own")
    names = chosen_kind.names()
    words = {name: name.partition(".")[0].replace("_", " ").capitalize() for name in names}
    name = pick("Trainer", names, words, f"{_KEY}-{kind}-trainer", first=chosen_kind.trainer)
    recipe: Any = trainers.parse(name)
    st.caption(summary_of(recipe))
    with st.expander("Hyper-parameters", icon=":material/tune:"):
        recipe = recipe_form(recipe, key=f"{_KEY}-{kind}-{name}", free_text=False)
        seed = st.number_input("Seed", min_value=0, max_value=2**32 - 1, value=0, key=f"{_KEY}-seed")
    if data:
        st.caption(_planned(kind, tuple(data)))
    if button("Start training", f"{_KEY}-start", icon="model_training", type="primary", disabled=not data):
        _start(training.TrainingOrder(trainer=trainers.signature(recipe), data=tuple(data), seed=int(seed)))
    st.caption("A run continues when this page is closed; here it can be watched, stopped and resumed.")


def start_small() -> None:
    look = {"icon": "model_training", "type": "primary"}
    if button("Train a small model now: about a minute", "train-small", **look):
        _start(training.TrainingOrder(trainer=SMALL[0], data=SMALL[1]))


def _start(order: training.TrainingOrder) -> None:
    st.session_state[NEW] = training_runs.start(order).path.name
    st.rerun()


def example() -> None:
    """The recorded curve of a model that ships, and where models may be trained a button to train one."""
    shipped = sorted((files.ROOT / "models").glob("*/progress.jsonl"))[0]
    lines = [json.loads(line) for line in shipped.read_text(encoding="utf-8").splitlines()]
    with st.container(horizontal=True, vertical_alignment="center", key="train-example"):
        if not workshop():
            start_small()
        nothing = "Nothing has been trained here yet. " * (not workshop())
        name = card(shipped.parent.name).title
        said = f"{nothing}Below: how the shipped model {name} learned in {lines[-1]['step']:,} steps."
        st.markdown(said, width="content")
    curves(lines, key=name)
