"""One colour a group in every picture, page and report, safe for colour-blind eyes."""

from typing import Final

NEUTRAL_LIGHT = "#90908b"
NEUTRAL_DARK = "#6f737a"
"""Grey for headlines that stand alone and for what has no meaning (3.2:1 on the light page, 3.7:1 on the dark
one): colour-blind eyes tell it from every colour below."""

# Hues from Paul Tol's and Okabe and Ito's colour-blind-safe sets, ordered so that neighbours in
# the list differ in lightness as well as in hue; each is shifted in lightness for its background,
# to a contrast of at least 3:1 against white or #14161a (WCAG 2.2, 1.4.11).
LIGHT = (
    *("#0b5fa5", "#d1651f", "#12836b", "#8c2d6b", "#a87f0a", "#1f8fb8"),
    *("#c2334d", "#5a4fb0", "#5f8a1a", "#7a4a21", "#d0589b", "#2f4858"),
)
DARK = (
    *("#5fa8f0", "#f39a57", "#3fc4a4", "#d983bd", "#e3c04a", "#7fd4f2"),
    *("#f57a8c", "#a99df5", "#a5cc5c", "#c99468", "#f5a6d0", "#a9c0d0"),
)

# Places in the palette of what a colour means where it is no group's, the same on every page. None of it
# is told by colour alone: a sign, a dash or a word stands beside.
AGREES: Final = 0  # the same event, linked, copied from the article
APART: Final = 1  # different events: the other answer, and no fault
ADDED: Final = 2  # new, or worked out
CLEARED: Final = ADDED  # supported by the article; the green of a tick, never drawn next to `ADDED`
PEOPLE: Final = 3  # what people did, beside systems
UNSURE: Final = 4  # nothing speaks for it
AGAINST: Final = 6  # denied, contradicted, wrong


def group_colour(group: int, *, dark: bool) -> str:
    """The colour of a group as `#rrggbb`; the same group has the same hue in both themes."""
    if group < 0:
        return NEUTRAL_DARK if dark else NEUTRAL_LIGHT
    colours = DARK if dark else LIGHT
    return colours[group % len(colours)]
