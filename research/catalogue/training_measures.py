"""What a trainer measured, in the words of cards and of the list of runs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.results.number_forms import footnotes, marked
from core.results.text_tables import markdown

TITLES: Final[Mapping[str, str]] = {
    "validation": "At the threshold chosen on training pairs",
    "validation_own_threshold": "At the threshold with the best F1 on these very pairs",
}
"""What a trainer of pairs may record about the validation part; the first is the harder test."""


def pair_measures(measured: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a trainer of pairs measured, by title; see `vector_pairs.measured`."""
    if not measured:
        return ["There was no validation part with pairs of both kinds."]
    (title, first), *others = measured.items()
    names = ("F1", "precision", "recall", "average_precision")
    shown = (_with_interval(first[name.lower()], first["warning"]) for name in names)
    rows = [(name.replace("_", " "), *both) for name, both in zip(names, shown, strict=True)]
    table = table_lines(("measure", "value", "95 % interval"), rows)
    said = f"{title} ({first['threshold']:.4f}), {first['pairs']:,} validation pairs:"
    lines = [said, "", *table, ""]
    for other, values in others:
        f1, interval = _with_interval(values["f1"], values["warning"])
        lines += [f"{other} ({values['threshold']:.4f}) F1 is {f1} ({interval}).", ""]
    return [
        *lines,
        *[f"{footnote}\n" for footnote in footnotes(values["warning"] for values in measured.values())],
        f"Intervals are bootstrapped over {first['resampled']}. The validation part also chose which weights "
        "or threshold were kept, so figures on a test part will be somewhat lower.",
    ]


def measure_table(measured: Mapping[str, float | None] | None) -> list[str]:
    if not measured:
        return ["There was no validation part."]
    shown = {name: "undefined" if value is None else f"{value:,.4g}" for name, value in measured.items()}
    rows = [(name.replace("_", " "), value) for name, value in shown.items()]
    return [
        *table_lines(("measure", "on the validation part"), rows),
        "",
        "The validation part also chose which weights were kept, so figures on a test part will be somewhat "
        "worse.",
    ]


def _with_interval(value: Sequence[float | None], warning: str) -> tuple[str, str]:
    middle, low, high = value
    shown = "undefined" if middle is None else f"{middle:.3f}"
    ends = "undefined" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    return shown, marked(ends, warning)


def table_lines(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    def cell(value: object) -> str:
        number = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}" if number else one_line(str(value))

    return markdown([head, *([cell(value) for value in row] for row in rows)]).split("\n")


def one_line(text: str) -> str:
    return " ".join(text.split())


def validated_pairs(about: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """What was measured on validation pairs, and at which threshold, in words; None where nothing was."""
    return next(((title, about[key]) for key, title in TITLES.items() if key in about), None)


def pairs_briefly(about: Mapping[str, Any]) -> list[str]:
    if (validated := validated_pairs(about)) is None:
        return []
    title, measured = validated
    shown, low, high = ("undefined" if end is None else f"{end:.3f}" for end in measured["f1"])
    between = f" (95 % interval {low} to {high})" if measured["f1"][1] is not None else ""
    between = marked(between, measured["warning"])
    sentence = f"Validation F1 {shown}{between}, {measured['pairs']:,} pairs. {title}."
    return [sentence, *footnotes([measured["warning"]])]


def briefly(about: Mapping[str, Any]) -> list[str]:
    measured = about.get("validation", {}).items()
    shown = [f"{name.replace('_', ' ')} {value:.4g}" for name, value in measured if value is not None]
    return [f"Validation: {', '.join(shown)}."] if shown else []
