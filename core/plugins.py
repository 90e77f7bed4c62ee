"""Plugins as modules: `core.plugins.NAME` is the file NAME.py of their folder, in every process alike."""

from core.plugin_files import folder

# No code stands here: a plugin becomes an attribute of this module and may have any name.
__path__ = [str(folder())]
