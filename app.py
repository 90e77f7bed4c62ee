"""Headline Lab as `streamlit run app.py` starts it: got ready before the browser opens, and protected."""

from starlette.middleware import Middleware
from streamlit.starlette import App

from components import cookie
from components.archive.lists import ROUTES
from components.security import Security, settle_mode
from components.sessions import SCRIPTS, Front, serving

settle_mode()
app = App(
    "menu.py",
    lifespan=serving,
    routes=[*ROUTES, *cookie.ROUTES, *SCRIPTS],
    middleware=[Middleware(Security), Middleware(Front)],
)
