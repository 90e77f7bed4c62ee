"""The README.md of a trained model: what it learned from, how, and how well, from plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.results.render import markdown
from core.results.table import footnotes, marked

_NAMES: Final = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "average_precision": "average precision",
}


def model_card(
    *,
    title: str,
    licence: str,
    base: str,
    task: str,
    tags: Sequence[str],
    purpose: str,
    unit: str,
    data: Sequence[Mapping[str, Any]],
    untouched: str,
    command: str,
    settings: Mapping[str, Any],
    measured: Sequence[str],
    use: str,
) -> str:
    """The card as a model hub shows it: YAML, then text.

    Args:
        title: Name of the model.
        licence: Of the weights, with its reason.
        base: Name or hub id of the transformers model that it started from; "" for none.
        task: What a model hub calls the task.
        tags: Words to find it by.
        purpose: What it does, in one sentence.
        unit: What it learned from, in the plural ("pairs").
        data: Name, fingerprint, licence, training and validation units of each data set.
        untouched: What was not learned from, a sentence.
        command: What makes the model again.
        settings: Everything else by name: trainer, seed, steps, seconds, versions.
        measured: What was measured on the validation part, as lines of Markdown.
        use: The command that uses it.
    """
    head: list[str] = []
    if base:
        # A JSON string is a YAML string, whatever is in it.
        named = json.dumps(_line(base), ensure_ascii=False)
        head = ["library_name: transformers", f"pipeline_tag: {task}", f"base_model: {named}"]
    facts = ("name", "fingerprint", "train", "validation", "licence")
    sections = {
        "Use": _code(use),
        "Data": [
            *_table(
                ("set", "fingerprint", f"training {unit}", f"validation {unit}", "licence"),
                [[one.get(key, "") for key in facts] for one in data],
            ),
            "",
            untouched,
        ],
        "Training": [*_code(command), "", *_table(("setting", "value"), list(settings.items()))],
        "Measured": measured,
        "Licence": [_line(licence)],
    }
    lines = ["---", *head, f"tags: [{', '.join(tags)}]", "---", ""]
    lines += [f"# {_line(title)}", "", f"{purpose} Trained with Headline Lab.", ""]
    for name, section in sections.items():
        lines += [f"## {name}", "", *section, ""]
    return "\n".join(lines)


def pair_measures(measured: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a trainer of pairs measured, by title; see `research.training.pairs.measures`."""
    if not measured:
        return ["There was no validation part with pairs of both kinds."]
    (title, first), *others = measured.items()
    lines = [
        f"{title} ({first['threshold']:.4f}), {first['pairs']:,} validation pairs:",
        "",
        *_table(
            ("measure", "value", "95 % interval"),
            [(name, *_with_interval(first[key], first["warning"])) for key, name in _NAMES.items()],
        ),
        "",
    ]
    for other, values in others:
        f1, interval = _with_interval(values["f1"], values["warning"])
        lines += [f"{other} ({values['threshold']:.4f}) F1 is {f1} ({interval}).", ""]
    resampled = next(iter(measured.values()))["resampled"]
    return [
        *lines,
        *[f"{one}\n" for one in footnotes(values["warning"] for values in measured.values())],
        f"Intervals are bootstrapped over {resampled}. The validation part also chose which weights or "
        "threshold were kept, so figures on a test part will be somewhat lower.",
    ]


def measure_table(measured: Mapping[str, float | None]) -> list[str]:
    """What a trainer measured on the validation part, by name."""
    if not measured:
        return ["There was no validation part."]
    return [
        *_table(
            ("measure", "on the validation part"),
            [
                (name.replace("_", " "), "undefined" if value is None else f"{value:,.4g}")
                for name, value in measured.items()
            ],
        ),
        "",
        "The validation part also chose which weights were kept, so figures on a test part will be somewhat "
        "worse.",
    ]


def _with_interval(value: Sequence[float | None], warning: str) -> tuple[str, str]:
    middle, low, high = value
    shown = "undefined" if middle is None else f"{middle:.3f}"
    ends = "undefined" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    return shown, marked(ends, warning)


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return markdown([head, *([_cell(value) for value in row] for row in rows)]).split("\n")


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _line(str(value))


def _code(text: str) -> list[str]:
    return ["```", text.replace("```", "'''"), "```"]


def _line(text: str) -> str:
    return " ".join(text.split())
