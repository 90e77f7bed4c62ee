"""The documents that are held against the code."""

from core.files import ROOT

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "samples/**/*.md", "models/**/*.md", "benchmarks/**/*.md")
    for page in ROOT.glob(pattern)
)


def name(page):
    return page.relative_to(ROOT).as_posix()
