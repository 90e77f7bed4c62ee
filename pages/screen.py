"""Screen: what the projector shows of a room."""

from components.page import bare_page
from components.room.screen import screen

with bare_page("Screen"):
    screen()
