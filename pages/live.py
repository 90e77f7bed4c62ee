"""Live: what is new, what grows, and what changed since the last visit?"""

from components.live.stream import follow_form, stream_view
from components.page import page

with page(__file__, "Live", "What is new, and what changed since your last visit?"):
    stream_view()
    follow_form()
