"""Library: which models and methods are there, and where do their weights come from?"""

from components.library import files_left_out, library, server_memory
from components.page import page

with page(__file__, "Library", "Which models and methods are there, and where do the weights come from?"):
    files_left_out()
    library()
    server_memory()
