"""Archive: what did months of news report, all of it on one map?"""

from components.archive.view import archive_view
from components.page import page

with page(__file__, "Archive", "What did months of news report?"):
    archive_view()
