"""Screen: what the projector shows of a room."""

from components.page import bare_page
from components.people.room.screen import screen

with bare_page("Screen", speaks=True):
    screen()
