"""What mkdocs.yml hooks in: pages from beside docs/, and links that hold there too."""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOP = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages from beside docs/, by what the site calls them."""
WIDE = "architecture.md"
"""The page that is one screen, without the lists at its sides."""
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r"(!\[[^\]]*\]\()docs/")
ROW_CODE = re.compile(r"`[^`\n]+`")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Adds what lies beside docs/."""
    from mkdocs.structure.files import File

    for name, page in TOP.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page with its links rewritten, but for blocks of code."""
    if page.file.src_uri == WIDE:
        page.meta["hide"] = ["navigation", "toc"]
    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else plain(part, page.file.src_uri) for part in parts)


def plain(text: str, page: str) -> str:
    """Text outside blocks of code; in a table's code a bar needs no backslash here."""
    lines = linked(text, page).splitlines(keepends=True)
    rows = (ROW_CODE.sub(lambda code: code[0].replace(r"\|", "|"), line) for line in lines)
    return "".join(row if line.startswith("|") else line for row, line in zip(rows, lines, strict=True))


def linked(text: str, page: str) -> str:
    """Links from where the page lies in the site; a file that the site does not have is a name alone."""
    source = {to: name for name, to in TOP.items()}.get(page, f"docs/{page}")

    def rewritten(link: re.Match[str]) -> str:
        label, path, anchor = link[1], link[2], link[3] or ""
        target = normpath(PurePosixPath(source).parent / path)
        if not (ROOT / target).exists():
            return link[0]
        if (ROOT / target).is_dir():
            target = next((f"{target}/{one.name}" for one in sorted((ROOT / target).glob("*.md"))), target)
        at = TOP.get(target, target.removeprefix("docs/"))
        if target not in TOP and (not target.startswith("docs/") or target.endswith(".py")):
            return label
        return f"[{label}]({relpath(at, PurePosixPath(page).parent)}{anchor})"

    return LINK.sub(rewritten, PICTURE.sub(r"\1", text) if page in TOP.values() else text)
