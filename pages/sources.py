"""Sources: which headlines are there to read, from a file, a feed or an archive?"""

from components.archive.view import archive_view
from components.importer import open_view
from components.live import follow_form, stream_view
from components.open_list import open_list
from components.page import page

with page(__file__, "Sources", "Which headlines do you want to read?") as shown:
    if shown == "live":
        stream_view()
        follow_form()
    elif shown == "archive":
        archive_view()
    elif not open_view():
        open_list()
