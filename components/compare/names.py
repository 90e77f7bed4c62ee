"""How systems are called on the page, and in which order they stand: open, or blind."""

from __future__ import annotations

from components.compare import state
from components.compare.opened import Scene
from core.headlines.side_by_side.blind import letter, shuffled


def hidden(scene: Scene, article: str) -> bool:
    """Whether an article does not tell who wrote what."""
    return scene.blind and state.now().revealed != article


def placed(scene: Scene, article: str) -> list[tuple[int, str]]:
    """The systems in the order in which an article shows them, each with what it is called there.

    Open: in their order under their names. Blind: shuffled anew for each article, as A, B, C …; once
    revealed, the letter and the name.
    """
    if not scene.blind:
        return list(enumerate(scene.systems))
    order = shuffled(scene.systems, article)
    return [
        (place, letter(at) if hidden(scene, article) else f"{letter(at)}: {scene.systems[place]}")
        for at, place in enumerate(order)
    ]
