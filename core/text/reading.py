"""Guards each reading of a text: what fails is logged, costs that text this reading alone, and is named."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from core.errors import CoreError

LOG: Final = "headline_lab.reading"  # name of the log
MOST: Final = 100_000  # texts that are remembered; of more the first are forgotten
_LOGGED: Final = 20  # tracebacks in the log; a fault that is in every text would fill the disk
_NAMED: Final = 5  # places in a sentence; more are counted
_SHOWN: Final = 60  # characters of a headline that stands for its line
P = ParamSpec("P")
R = TypeVar("R")
_lost: Final[dict[int, frozenset[str]]] = {}
_change: Final = threading.Lock()


class _Thread(threading.local):
    lost: frozenset[str] = frozenset()  # since the innermost reading began


_now: Final = _Thread()


def reads(
    what: str, empty: Callable[[str], Any]
) -> Callable[[Callable[Concatenate[str, P], R]], Callable[Concatenate[str, P], R]]:
    """Guards a function that reads `what` of a text: where it fails it gives `empty`; outside of caches."""

    def guarded(read: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[str, P], R]:
        @wraps(read)
        def guard(text: str, /, *args: P.args, **kwargs: P.kwargs) -> R:
            before, _now.lost = _now.lost, frozenset()
            try:
                return read(text, *args, **kwargs)
            except (CoreError, MemoryError):
                raise
            except Exception:
                _now.lost |= {what}
                if len(_lost) < _LOGGED and what not in lost(text):
                    logging.getLogger(LOG).exception("The %s of a text could not be read.", what)
                nothing: R = empty(text)
                return nothing
            finally:
                if _now.lost:
                    _remember(text, _now.lost)
                _now.lost |= before

        return guard

    return guarded


def _remember(text: str, what: frozenset[str]) -> None:
    with _change:
        _lost[hash(text)] = lost(text) | what
        if len(_lost) > MOST:
            del _lost[next(iter(_lost))]


def lost(text: str) -> frozenset[str]:
    """Which readings of a text have failed so far."""
    return _lost.get(hash(text), frozenset())


def any_lost() -> bool:
    return bool(_lost)


class Unread(NamedTuple):
    row: int  # of the headline
    what: str  # "numbers", "names", …


def unread(texts: Sequence[str]) -> list[Unread]:
    """Which readings of some texts have failed so far, in the order of the texts."""
    if not _lost:
        return []
    return [Unread(row, what) for row, text in enumerate(texts) for what in sorted(lost(text))]


def unread_notes(texts: Sequence[str], lines: Sequence[int] | None = None) -> list[str]:
    """A sentence for each reading that failed, with the lines of its headlines, or these themselves."""
    places: dict[str, list[str]] = {}
    for row, what in unread(texts):
        place = f"“{texts[row][:_SHOWN]}”" if lines is None else f"line {lines[row]:,}"
        places.setdefault(what, []).append(place)
    return unread_sentences(places)


def unread_sentences(places: Mapping[str, Sequence[str]]) -> list[str]:
    sentences = []
    for what, own in places.items():
        more = f" and {len(own) - _NAMED:,} more" if len(own) > _NAMED else ""
        whose = f"1 headline's {what}" if len(own) == 1 else f"{len(own):,} headlines' {what}"
        sentences.append(f"{whose} could not be read: {', '.join(own[:_NAMED])}{more}.")
    return sentences
