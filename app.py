"""Headline Lab as `streamlit run app.py` starts it: got ready before the browser opens, and protected."""

from functools import partial

from starlette.middleware import Middleware
from streamlit.starlette import App

from components.ahead import import_first, read_ahead
from components.frame import cookie
from components.people.room import room_mark
from components.server import health, logs, study_routes
from components.server.front import SCRIPTS, Front
from components.server.security import Security, settle_mode
from components.server.server_keys import server_secret
from components.server.signed_in import settle_sign_in
from components.server.start import serving
from components.sources import alarm_routes
from components.sources.archive.routes import ROUTES
from core.variables import read_settings

read_settings()
settle_mode()
settle_sign_in()
server_secret()  # a key that is too short is said now
logs.set_up()
app = App(
    "menu.py",
    lifespan=partial(serving, import_first=import_first, read_ahead=read_ahead),
    routes=[
        *(*health.ROUTES, *ROUTES, *alarm_routes.ROUTES, *study_routes.ROUTES, *room_mark.ROUTES),
        *(*cookie.ROUTES, *SCRIPTS),
    ],
    middleware=[Middleware(logs.Watched), Middleware(Security), Middleware(Front)],
)
