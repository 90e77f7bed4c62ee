"""Remote: a teacher's buttons on a phone."""

from components.page import bare_page
from components.people.room.remote import remote

with bare_page("Remote"):
    remote()
