"""What each extra of the package brings, and what is said where it is not installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from core import ABOVE
from core.errors import ModelUnavailableError

RESEARCH: Final = "research"
NEEDED: Final = ("catboost", "pymorphy3", "sumy")
"""Without these there is no research; of the others of its extra single methods are made."""
BRINGS: Final[Mapping[str, tuple[str, ...]]] = {
    RESEARCH: (RESEARCH, *NEEDED, "crowdkit", "floret", "ot"),
    "cluster": ("ray",),
    "mcp": ("mcp",),
    "notebook": ("anywidget",),
}
NEWEST: Final = {"floret": "3.12"}  # the last Python that there is a build for


@contextmanager
def extras() -> Iterator[None]:
    """Around imports: what fails because of an extra says so, and the command that adds it."""
    try:
        yield
    except ImportError as error:
        module = (error.name or "").removeprefix(ABOVE).partition(".")[0]
        extra = next((name for name, modules in BRINGS.items() if module in modules), None)
        if extra is None:
            raise
        what = "Training, benchmarks and judging are" if module == RESEARCH else f"The library {module} is"
        hint = f"Run `pip install 'headline-lab[{extra}]'`"
        if module in NEWEST:
            hint += f" with Python {NEWEST[module]} or older: newer ones have no build"
        raise ModelUnavailableError(f"{what} not installed.", hint=f"{hint}.") from error
