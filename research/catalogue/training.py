"""A training run from its order to the model."""

import dataclasses
import json
import shlex
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core import __version__, files
from core.errors import Cancelled, CoreError, DataSourceError, InputError
from core.runtime import Runtime
from research.catalogue.training_kinds import KINDS, Joined, TrainingKind, one_line, table_lines
from research.runs.run_folder import RunFolder, RunState
from research.runs.trainer import trainers

LICENCE: Final = "The texts that it learned from have the licences in the table above."
SETTINGS: Final = (
    *("training_pairs", "training_articles", "training_rows", "trained_weights", "steps", "warmup"),
    *("steps_done", "best_step", "seconds", "device", "threads", "half"),
)
"""What of run.json the card shows; trainer and seed are in its command."""


def model_card(
    kind: TrainingKind,
    about: Mapping[str, Any],
    *,
    title: str,
    base: str,
    command: str,
    settings: Mapping[str, Any],
    use: str,
) -> str:
    """The card as a model hub shows it: YAML, then text; `base` is a transformers model, "" for none."""
    head: list[str] = []
    if base:
        # A JSON string is a YAML string, whatever is in it.
        named = json.dumps(one_line(base), ensure_ascii=False)
        head = ["library_name: transformers", f"pipeline_tag: {kind.task}", f"base_model: {named}"]
        head += _model_index(kind, about, title)
    facts = ("name", "fingerprint", "train", "validation", "licence")
    heads = ("set", "fingerprint", f"training {kind.unit}", f"validation {kind.unit}", "licence")
    sections = {
        "Use": _code(kind.use.format(use)),
        "Data": [
            *table_lines(heads, [[one.get(key, "") for key in facts] for one in about["data"]]),
            "",
            kind.untouched,
        ],
        "Training": [*_code(command), "", *table_lines(("setting", "value"), list(settings.items()))],
        "Measured": kind.measured(about),
        "Licence": [f"The licence of the base model. {LICENCE}" if base else LICENCE],
    }
    lines = ["---", *head, f"tags: [{', '.join(kind.tags)}]", "---", ""]
    lines += [f"# {one_line(title)}", "", f"{kind.about} Trained with Headline Lab.", ""]
    for name, section in sections.items():
        lines += [f"## {name}", "", *section, ""]
    return "\n".join(lines)


def _model_index(kind: TrainingKind, about: Mapping[str, Any], title: str) -> Iterator[str]:
    """The figures as a hub reads them of a card."""
    metrics = [
        {"type": name, "value": round(value[0], 4), "name": f"{name.replace('_', ' ')}, validation part"}
        for name, value in (about.get("validation") or {}).items()
        if isinstance(value, (list, tuple)) and isinstance(value[0], float)
    ]
    if metrics:
        names = ", ".join(str(one["name"]) for one in about["data"])
        dataset = {"name": one_line(names), "type": one_line(names), "split": "validation"}
        results = [{"task": {"type": kind.task}, "dataset": dataset, "metrics": metrics}]
        index = [{"name": one_line(title), "results": results}]
        yield f"model-index: {json.dumps(index, ensure_ascii=False)}"  # JSON is YAML


def _code(text: str) -> list[str]:
    return ["```", text.replace("```", "'''"), "```"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingOrder:
    trainer: str
    data: tuple[str, ...]
    seed: int = 0
    half: bool = True

    def completed(self) -> "TrainingOrder":
        """The same with the whole signature and absolute paths."""
        if not self.data:
            self.kind.prepare(())
        if not 0 <= self.seed < 2**32:
            raise InputError(f"The seed cannot be {self.seed}.", hint=f"Give a number from 0 to {2**32 - 1}.")
        return replace(
            self,
            trainer=trainers.signature(self.recipe),
            data=tuple(str(Path(name).resolve()) if self._is_path(name) else name for name in self.data),
        )

    @property
    def recipe(self) -> Any:
        return trainers.parse(self.trainer)

    @property
    def kind(self) -> TrainingKind:
        return KINDS[self.recipe.kind]

    @property
    def shown_data(self) -> tuple[str, ...]:
        """The data by names without folders: cards go to other people."""
        return tuple(Path(name).name if self._is_path(name) else name for name in self.data)

    def _is_path(self, name: str) -> bool:
        return not self.kind.is_registered(name) and Path(name).exists()

    def command(self, folder: Path) -> str:
        words = ["headline-lab", "train", self.kind.name, *self.data, "--out", str(folder)]
        words += ["--trainer", self.trainer, "--seed", str(self.seed)]
        return shlex.join([*words, *([] if self.half else ["--no-half"])])


def created(order: TrainingOrder, folder: Path) -> RunFolder:
    order = order.completed()
    run = RunFolder(folder)
    run.create({"order": dataclasses.asdict(order), "command": order.command(folder), "program": __version__})
    return run


def order_of(run: RunFolder) -> TrainingOrder:
    given = run.about().get("order")
    try:
        values = dict(given or {})
        order = TrainingOrder(**{**values, "data": tuple(map(str, values["data"]))})
        return order.completed()
    except (TypeError, ValueError, KeyError) as error:
        hint = "Start a new run in another folder."
        raise DataSourceError(f"The run {run.path} does not say what it trains.", hint=hint) from error


def check_same(run: RunFolder, order: TrainingOrder) -> None:
    known, order = order_of(run), order.completed()
    for field in dataclasses.fields(TrainingOrder):
        old, new = getattr(known, field.name), getattr(order, field.name)
        if old != new:
            before, now = (" ".join(side) if isinstance(side, tuple) else str(side) for side in (old, new))
            hint = "Resume it as it was (--resume --out RUN alone), or name another folder."
            said = f"The run {run.path} was started with {field.name} {before}, not {now}."
            raise InputError(said, hint=hint)


def ready_for(order: TrainingOrder) -> Joined:
    data, notes = order.kind.prepare(order.data)
    order.recipe.check(data)
    return data, notes


def carry_out(run: RunFolder, runtime: Runtime) -> None:
    """Trains, from the run's checkpoint where there is one; run.json says how it ended."""
    import torch

    order = order_of(run)
    if run.state() is RunState.FINISHED:
        return
    run.start()
    try:
        data, notes = ready_for(order)
        if run.about().get("fingerprint", data.fingerprint) != data.fingerprint:
            said = f"The data of the run {run.path} has changed since it was started."
            raise InputError(said, hint="Start a new run in another folder.")
        named = zip(order.data, order.shown_data, strict=True)
        given = [{"name": shown, **order.kind.describe(name)} for name, shown in named]
        run.record(data=given, notes=list(notes), fingerprint=data.fingerprint, device=runtime.device)
        run.record(threads=torch.get_num_threads(), torch=torch.__version__)
        shutil.rmtree(run.model, ignore_errors=True)
        own = replace(runtime, seed=order.seed, half=order.half, stop=_Stop(run, runtime.stop))
        order.recipe.train(data, run, own)
        _write_card(run, order)
    except Cancelled:
        run.end(RunState.STOPPED)
        raise
    except CoreError as error:
        run.end(RunState.FAILED, str(error))
        raise
    except BaseException as error:
        run.end(RunState.FAILED, f"An error in the program ended training ({type(error).__name__}).")
        raise
    run.end(RunState.FINISHED)
    # What it went on from is of no more use, and often larger than the model.
    shutil.rmtree(run.checkpoint, ignore_errors=True)


class _Stop(threading.Event):
    def __init__(self, run: RunFolder, asked: threading.Event) -> None:
        super().__init__()
        self._run, self._asked = run, asked

    def is_set(self) -> bool:
        return self._asked.is_set() or self._run.stop_requested


def _write_card(run: RunFolder, order: TrainingOrder) -> None:
    about, recipe, kind = run.about(), order.recipe, order.kind
    settings: Mapping[str, Any] = {
        "program": f"Headline Lab {__version__}",
        **({"threshold chosen on": about["threshold"]["chosen_on"]} if "threshold" in about else {}),
        **{name.replace("_", " "): about[name] for name in SETTINGS if name in about},
        **dict(weight.split(":") for weight in kind.weights(run, recipe)),
    }
    name = trainers.name_of(recipe).partition(".")[0].replace("_", " ").capitalize()
    told: dict[str, Any] = {"title": f"{name} trained on {', '.join(order.shown_data)}", "settings": settings}
    told |= {"base": str(getattr(recipe, "base", "")), "use": f"{recipe.result}|model:RUN/model"}
    command = replace(order, data=order.shown_data).command(Path("RUN"))
    files.write(run.model / "README.md", model_card(kind, about, command=command, **told).encode())


def model_signature(run: RunFolder) -> str | None:
    order = order_of(run)
    return order.kind.model_signature(run, order.recipe)
