"""`headline-lab methods`: everything that is registered."""

from dataclasses import asdict

from cli.options import command
from cli.progress import show


@command()
def methods() -> None:
    """List every registered method with its signature."""
    from core.catalogue import methods as registered

    listed = registered()
    width = 2 + max(len(method.kind) for method in listed)
    lines = [f"{method.kind:{width}}{method.signature}\n{'':{width}}{method.summary}" for method in listed]
    show([asdict(method) for method in listed], lambda: "\n".join(lines))
