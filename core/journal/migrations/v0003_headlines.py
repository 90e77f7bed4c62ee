"""Entries about rows of one file become entries about headlines."""

import json
import logging

from alembic import op

from core.journal import first_layout, linked_rows
from core.journal.backup import this_moment

revision = "v0003"
down_revision = "v0002"


def upgrade() -> None:
    bind = op.get_bind()
    stored = linked_rows.contents(bind)
    if any(stored.faults()):
        return  # new digests would hide what is damaged; a backup that is restored is brought up to date
    rows, moved = first_layout.brought_up(stored.entries)
    if moved:
        linked_rows.replace(bind, rows, 0)
        receipt = {"what": "layout", "entries": moved, "time": this_moment()}
        linked_rows.add_receipts(bind, [{"time": receipt["time"], "body": json.dumps(receipt)}])
        said = "%s entries of a version from before 24 November 2026 were brought up to date."
        logging.getLogger("headline_lab").warning(said, f"{moved:,}")
