"""What stands next to a file for another tool, so that it opens as a project there."""

from __future__ import annotations

import io
import json
import shlex
import zipfile
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final
from xml.sax.saxutils import quoteattr

from core.data.exchange import (
    PERSON,
    TEXT,
    WHO,
    AnswerTable,
    shown_fields,
    write_answers,
)


def beside(table: AnswerTable, tool: str, filename: str) -> dict[str, bytes]:
    """Names and contents of the files that belong to one that `write_answers` made; {} for doccano."""
    made = PROJECTS[tool](table, PurePath(filename)) if tool in PROJECTS else {}
    return {name: text.encode(errors="replace") for name, text in made.items()}


def packed(table: AnswerTable, tool: str, filename: str) -> bytes:
    """The file with those beside it, as ZIP."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {filename: write_answers(table, tool), **beside(table, tool, filename)}.items():
            archive.writestr(name, content)
    return whole.getvalue()


def _answered(table: AnswerTable) -> bool:
    return bool((table.cells[PERSON] != "").any())


def _label_studio(table: AnswerTable, file: PurePath) -> dict[str, str]:
    fields = shown_fields(table)
    lines = [f'  <Text name="{name}" value="${name}"/>' for name in fields]
    for name, options in (*table.questions.items(), *([(WHO, ())] if _answered(table) else [])):
        about = f"name={quoteattr(name)} toName={quoteattr(fields[0])}"
        lines.append(f"  <Header value={quoteattr(name)}/>")
        choices = [f"    <Choice value={quoteattr(option)}/>" for option in options]
        choice = [f'  <Choices {about} choice="single">', *choices, "  </Choices>"]
        lines += choice if options else [f'  <TextArea {about} maxSubmissions="1"/>']
    return {f"{file.stem}-label-config.xml": "\n".join(["<View>", *lines, "</View>", ""])}


def _potato(table: AnswerTable, file: PurePath) -> dict[str, str]:
    """Its settings; answers are none of its tasks, which stand in a file of their own then."""
    fields, tasks = shown_fields(table), f"{file.stem}-tasks.jsonl" if _answered(table) else file.name
    lines = [
        f"annotation_task_name: {json.dumps(file.stem)}",
        'task_dir: "."',
        "output_annotation_dir: annotation_output",
    ]
    lines.append(f"data_files: [{json.dumps(tasks)}]")
    lines += [
        "item_properties:",
        "  id_key: id",
        f"  text_key: {fields[0]}",
        "instance_display:",
        "  fields:",
    ]
    for name in fields:
        lines += [f"    - key: {name}", "      type: text", f"      label: {name.replace('_', ' ')}"]
    lines.append("annotation_schemes:")
    for name, options in table.questions.items():
        said = json.dumps(name, ensure_ascii=False)
        lines += [
            f"  - name: {said}",
            f"    description: {said}",
            f"    annotation_type: {'radio' if options else 'text'}",
        ]
        lines += (
            ["    labels:", *(f"      - {json.dumps(option, ensure_ascii=False)}" for option in options)]
            if options
            else []
        )
    lines += ["user_config:", "  allow_all_users: true", "  users: []", ""]
    files = {f"{file.stem}-config.yaml": "\n".join(lines)}
    return files | ({tasks: write_answers(table.tasks(), "potato").decode()} if _answered(table) else {})


def _prodigy(table: AnswerTable, file: PurePath) -> dict[str, str]:
    """The line that begins: with answers to store, or tasks to show, of which pairs need a template."""
    dataset, path = shlex.quote(file.stem), shlex.quote(file.name)
    view = "choice" if any(table.questions.values()) else "text_input"
    if _answered(table):
        line = f"prodigy db-in {dataset} {path}"
    elif (fields := shown_fields(table)) == [TEXT]:
        line = f"prodigy mark {dataset} {path} --view-id {view}"
    else:
        html = "".join(f"<p>{{{{{name}}}}}</p>" for name in fields)
        blocks = [{"view_id": "html", "html_template": html}, {"view_id": view, "text": None}]
        settings = shlex.quote(json.dumps({"blocks": blocks}))
        line = f"PRODIGY_CONFIG_OVERRIDES={settings} prodigy mark {dataset} {path} --view-id blocks"
    return {f"{file.stem}-recipe.sh": f"{line}\n"}


PROJECTS: Final[Mapping[str, Callable[[AnswerTable, PurePath], dict[str, str]]]] = {
    "label_studio": _label_studio,
    "prodigy": _prodigy,
    "potato": _potato,
}
