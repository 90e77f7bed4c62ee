"""The card of a trained model, as a model hub shows it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from research.catalogue.training_kinds import TrainingKind
from research.catalogue.training_measures import one_line, table_lines

LICENCE: Final = "The texts that it learned from have the licences in the table above."


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


def _code(text: str) -> list[str]:
    return ["```", text.replace("```", "'''"), "```"]
