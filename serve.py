"""Headline Lab as `make run` starts it: the app, and its libraries loading while the browser opens."""

from streamlit.starlette import App

from components.ahead import serving

app = App("app.py", lifespan=serving)
