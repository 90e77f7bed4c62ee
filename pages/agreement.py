"""Agreement: how far do people agree, and on what do they differ?"""

from components.agreement import state
from components.agreement.groups import groups, votes_here, votes_of_a_file
from components.evaluate import identity
from components.page import page
from components.page_state import show

with page(__file__, "Agreement", "How far do people agree, and on what do they differ?"):
    state.write_address()
    identity.come_in()
    about = show(state.ABOUT, state.now().about, lambda word: state.put(about=word), key="agreement-about")
    {state.GROUPS: groups, state.VOTES: votes_here, state.FILE: votes_of_a_file}[about]()
