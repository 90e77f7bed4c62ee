"""Headline Lab as `make run` starts it: the app, got ready before the browser opens."""

from starlette.middleware import Middleware
from streamlit.starlette import App

from components.ahead import Preload, serving
from components.security import Security, settle_mode

settle_mode()
app = App("app.py", lifespan=serving, middleware=[Middleware(Security), Middleware(Preload)])
