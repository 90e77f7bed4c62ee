"""Room: what does the class say?"""

from components.page import page
from components.people.room.teacher import teacher

with page(__file__, "Room", "What does the class say?"):
    teacher()
