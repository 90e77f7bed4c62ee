"""The steps by which the tables came about, for Alembic; a new version adds a file and changes none."""
