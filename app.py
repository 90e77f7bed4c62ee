"""Headline Lab as `streamlit run app.py` starts it: got ready before the browser opens, and protected."""

from functools import partial

from starlette.middleware import Middleware
from streamlit.starlette import App

from components.ahead import import_first, read_ahead
from components.frame import cookie
from components.server.front import SCRIPTS, Front
from components.server.security import Security, settle_mode
from components.server.start import serving
from components.sources.archive.routes import ROUTES

settle_mode()
app = App(
    "menu.py",
    lifespan=partial(serving, import_first=import_first, read_ahead=read_ahead),
    routes=[*ROUTES, *cookie.ROUTES, *SCRIPTS],
    middleware=[Middleware(Security), Middleware(Front)],
)
