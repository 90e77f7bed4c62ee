"""The map of an archive as a picture, what a query finds in the colours of its groups."""

import numpy as np
import numpy.typing as npt

from core.archive import opened, points
from core.arrays import FloatArray, IntArray
from core.palette import LIGHT, group_colour

_FAINT = 0.12  # how strong headlines are that are not selected
_COVERED = 0.1  # share of the picture that few headlines cover; many are a pixel each
_MOST_RADIUS = 4


def picture(
    archive: opened.OpenArchive, answer: opened.ArchiveAnswer, pixels: int, *, dark: bool, paper: str
) -> npt.NDArray[np.uint8]:
    """The picture, uint8 [pixels, pixels, 3]; what is not selected is faint and grey."""
    chosen = np.zeros(len(archive), dtype=np.bool_)
    chosen[answer.rows] = True
    events = archive.events_of_rows
    several = archive.events["headlines"].to_numpy()[events] > 1
    colours = np.where(chosen & several, events % len(LIGHT), len(LIGHT))
    palette = np.array([_rgb(group_colour(place, dark=dark)) for place in (*range(len(LIGHT)), -1)])
    across, down = _disc(archive, pixels)
    cells = (down * pixels + across).ravel()
    times = len(cells) // len(archive)
    weights, colours = np.tile(np.where(chosen, 1.0, _FAINT), times), np.tile(colours, times)
    many = np.bincount(cells, weights=weights, minlength=pixels * pixels)
    channels = [
        np.bincount(cells, weights=weights * tint[colours], minlength=pixels * pixels) for tint in palette.T
    ]
    mixed = np.stack(channels, axis=1) / np.maximum(many, 1e-9)[:, None]
    cover = np.minimum(many, 1.0)[:, None] ** 0.5
    shown = mixed * cover + _rgb(paper) * (1 - cover)
    return shown.reshape(pixels, pixels, 3).round().astype(np.uint8)


def _disc(archive: opened.OpenArchive, pixels: int) -> tuple[IntArray, IntArray]:
    radius = min(_MOST_RADIUS, int(pixels * (_COVERED / (np.pi * len(archive))) ** 0.5))
    steps = np.arange(-radius, radius + 1)
    x, y = (side.ravel() for side in np.meshgrid(steps, steps))
    x, y = x[x**2 + y**2 <= radius**2], y[x**2 + y**2 <= radius**2]
    across = archive.x.astype(np.int64) * (pixels - 1) // points.SPAN
    down = (points.SPAN - archive.y.astype(np.int64)) * (pixels - 1) // points.SPAN
    return (across + x[:, None]).clip(0, pixels - 1), (down + y[:, None]).clip(0, pixels - 1)


def _rgb(colour: str) -> FloatArray:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)
