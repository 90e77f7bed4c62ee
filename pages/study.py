"""Study: the page that participants of a study open, and nothing else."""

from components.page import bare_page
from components.people.study.participation import taking_part

with bare_page("Study", speaks=True):
    taking_part()
