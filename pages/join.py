"""Join: the page that phones open to answer in a room."""

from components.page import bare_page
from components.people.room.phone import phone

with bare_page("Join", speaks=True):
    phone()
