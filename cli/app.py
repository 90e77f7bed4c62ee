"""`headline-lab app`: the app in a browser."""

import os
import runpy
import sys

import click

from core.files import ROOT


@click.command
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@click.option("--address", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the app to a room.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
def app(port: int, address: str, *, browser: bool) -> None:
    """Start the app and open it in the browser; Ctrl+C ends it."""
    os.chdir(ROOT)  # where Streamlit looks for the app's settings
    settings = {"port": port, "address": address, "headless": not browser}
    given = [f"--server.{name}={value}" for name, value in settings.items()]
    sys.argv = ["streamlit", "run", "app.py", *given]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
