"""The README.md of a trained model: what it learned from, how, and how well, from plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_NAMES: Final = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "average_precision": "average precision",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCard:
    """What a card says.

    Attributes:
        title: Name of the model.
        licence: Of the weights, with its reason.
        base: Name or hub id of the transformers model that it started from; "" for none.
        data: Name, fingerprint, licence, training and validation pairs of each data set.
        command: What makes the model again.
        settings: Everything else by name: trainer, seed, steps, seconds, versions.
        measured: What was measured on the validation part, by title; see `core.workflows.trainers`.
        use: A signature that scores with it.
    """

    title: str
    licence: str
    base: str
    data: Sequence[Mapping[str, Any]]
    command: str
    settings: Mapping[str, Any]
    measured: Mapping[str, Mapping[str, Any]]
    use: str

    def markdown(self) -> str:
        """The card as a model hub shows it: YAML, then text."""
        return "\n".join(
            [
                "---",
                *(self._head() if self.base else []),
                "tags: [headline-grouping, news, same-event]",
                "---",
                "",
                f"# {_line(self.title)}",
                "",
                "Says whether two headlines tell the same event. Trained with Headline Lab.",
                "",
                "## Use",
                "",
                *_code(f"headline-lab score PAIRS.csv --out OUT.csv --scorer '{self.use}'"),
                "",
                "## Data",
                "",
                *_table(
                    ("set", "fingerprint", "training pairs", "validation pairs", "licence"),
                    [
                        tuple(
                            one.get(key, "")
                            for key in ("name", "fingerprint", "train", "validation", "licence")
                        )
                        for one in self.data
                    ],
                ),
                "",
                "Test parts were neither trained on nor looked at.",
                "",
                "## Training",
                "",
                *_code(self.command),
                "",
                *_table(("setting", "value"), list(self.settings.items())),
                "",
                "## Measured on the validation part",
                "",
                *self._measured(),
                "",
                "## Licence",
                "",
                _line(self.licence),
                "",
            ]
        )

    def _head(self) -> list[str]:
        # A JSON string is a YAML string, whatever is in it.
        base = json.dumps(_line(self.base), ensure_ascii=False)
        return ["library_name: transformers", "pipeline_tag: text-classification", f"base_model: {base}"]

    def _measured(self) -> list[str]:
        if not self.measured:
            return ["There was no validation part with pairs of both kinds."]
        lines: list[str] = []
        for title, values in self.measured.items():
            lines += [
                f"{title} ({values['threshold']:.4f}), {values['pairs']:,} pairs:",
                "",
                *_table(
                    ("measure", "value", "95 % interval"),
                    [(name, *_with_interval(values[key])) for key, name in _NAMES.items()],
                ),
                "",
            ]
        resampled = next(iter(self.measured.values()))["resampled"]
        return [
            *lines,
            f"Intervals are bootstrapped over {resampled}. The validation part also chose which weights or "
            "threshold were kept, so figures on a test part will be somewhat lower.",
        ]


def _with_interval(value: Sequence[float | None]) -> tuple[str, str]:
    middle, low, high = value
    shown = "undefined" if middle is None else f"{middle:.3f}"
    return shown, "undefined" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(f"| {' | '.join(_cell(value) for value in row)} |" for row in rows),
    ]


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _line(str(value)).replace("|", "\\|")


def _code(text: str) -> list[str]:
    return ["```", text.replace("```", "'''"), "```"]


def _line(text: str) -> str:
    return " ".join(text.split())
