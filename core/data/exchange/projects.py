"""What stands next to a file for another tool, so that it opens as a project there."""

import html
import io
import json
import shlex
import zipfile
from functools import partial
from pathlib import PurePath
from typing import Final

from core.data.exchange.table import PERSON, WHO, AnswerTable
from core.data.exchange.writer import shown_fields, write_answers
from core.files import read_tables

PROJECTS: Final[dict[str, dict[str, str]]] = read_tables(__file__)
"""Templates by their file's name, "{}" for the stem of the other, by tool."""
_FILTERS: Final = {"html": html.escape, "json": partial(json.dumps, ensure_ascii=False), "shell": shlex.quote}


def beside(table: AnswerTable, tool: str, filename: str) -> dict[str, bytes]:
    """Names and contents of the files that belong to one that `write_answers` made; {} for doccano."""
    import jinja2

    stem, answered = PurePath(filename).stem, bool((table.cells[PERSON] != "").any())
    asked = [*table.questions.items()]
    if answered and tool == "label_studio":
        asked.append((WHO, ()))
    # Answers are none of Potato's tasks.
    tasks = f"{stem}-tasks.jsonl" if answered else filename
    about = {"stem": stem, "file": filename, "tasks": tasks, "answered": answered}
    about |= {"fields": shown_fields(table), "questions": [(name, list(options)) for name, options in asked]}
    environment = jinja2.Environment(keep_trailing_newline=True)  # noqa: S701 - filters escape
    environment.filters |= _FILTERS
    made = {
        name.format(stem): environment.from_string(template).render(about).lstrip().encode(errors="replace")
        for name, template in PROJECTS.get(tool, {}).items()
    }
    return made | ({tasks: write_answers(table.tasks(), tool)} if answered and tool == "potato" else {})


def packed(table: AnswerTable, tool: str, filename: str) -> bytes:
    """The file with those beside it, as ZIP."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {filename: write_answers(table, tool), **beside(table, tool, filename)}.items():
            archive.writestr(name, content)
    return whole.getvalue()
