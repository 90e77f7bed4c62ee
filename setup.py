"""The wheel: whatever the app needs lies inside the package `headline_lab`, and nothing beside it."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

INSIDE = (
    *("app.py", "menu.py", ".streamlit", "pages", "components", "cli", "research", "core"),
    *("models", "samples", "benchmarks/results"),
)


class WithApp(build_py):
    """Puts what a checkout has at its top into `headline_lab/app`."""

    def run(self):
        if self.editable_mode:
            super().run()
            return
        self.packages = ["headline_lab"]
        super().run()
        app = Path(self.build_lib, "headline_lab/app")
        shutil.rmtree(app, ignore_errors=True)
        for name in INSIDE:
            (app / name).parent.mkdir(parents=True, exist_ok=True)
            if Path(name).is_dir():
                shutil.copytree(name, app / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(name, app / name)


setup(cmdclass={"build_py": WithApp})
