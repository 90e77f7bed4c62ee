"""Agreement: how far do people agree, and on what do they differ?"""

from components.agreement import state
from components.agreement.groups import groups
from components.page import page

with page(__file__, "Agreement", "How far do people agree, and on what do they differ?"):
    state.write_address()
    groups()
