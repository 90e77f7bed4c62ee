"""What axe-core finds wrong with the page that is open, with all of its rules."""

from importlib.resources import files

_SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
_RUN = "axe.run(document, { resultTypes: ['violations'], elementRef: false })"


def violations(page):
    """A line for each element that breaks a rule; recommendations ("best-practice") count, too."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_SCRIPT)
    found = page.evaluate(_RUN)["violations"]
    return [
        f"{one['id']} ({one['help']}): {node['html'][:300]} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
