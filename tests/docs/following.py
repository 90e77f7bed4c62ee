"""Following a page of docs/ to the letter in a copy of the project: its files, its commands."""

import re
import shlex

from core.files import ROOT

SAVE = re.compile(
    r"^Save (?:this|these)[^\n]*? as `([^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
LINE = re.compile(r"^(?:.* under \*(.+?)\*)?.*\n\n```markdown\n([|-] .*)\n```$", re.MULTILINE)
"""A line for a list, with the heading of the table that it goes into."""
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOW = (
    "import core\n"
    "from pathlib import Path\n"
    "assert Path(core.__file__).is_relative_to(Path.cwd()), core.__file__\n"
    "from tests.pages.opening import opened\n"
    "for page in sys.argv[1:]:\n"
    "    app = opened(page)\n"
    "    assert not app.exception and not app.error, (app.exception, app.error)\n"
    "    for more in [one for one in app.toggle if one.label.startswith(('Show all', 'For researchers'))]:\n"
    "        more.set_value(True).run()\n"
    "    print(page + ':', *[text.value.replace(chr(92), '') for text in app.markdown])\n"
    "    print(*[drawn.proto.body for drawn in app.get('html')])\n"
    "    print([table.value.to_string() for table in app.table])\n"
    "    print([choice.options for choice in [*app.selectbox, *app.multiselect]])\n"
)
"""Prints all text of pages of the app, with the choices that they offer."""


def page(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def followed(text, tree, *, listed_in="docs/methods.md"):
    """Saves every file of a page where it says, and adds its line to a list; the files."""
    files = [tree / path for path, _ in SAVE.findall(text)]
    for file, (_, content) in zip(files, SAVE.findall(text), strict=True):
        assert not file.exists(), file
        file.write_text(content, encoding="utf-8")
    for heading, line in LINE.findall(text):
        table = (tree / listed_in).read_text(encoding="utf-8").rstrip("\n")
        start = table.index(f"## {heading}\n") if heading else len(table)
        end = table.find("\n\n## ", start)
        at = len(table) if end < 0 else end
        (tree / listed_in).write_text(f"{table[:at]}\n{line}{table[at:]}\n", encoding="utf-8")
    return files


def commands(text):
    return [
        shlex.split(line) for kind, block in FENCED.findall(text) if not kind for line in block.splitlines()
    ]
