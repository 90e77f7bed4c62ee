"""A digest for each entry and receipt, the ends of streams, and an id of the database."""

import secrets

import sqlalchemy as sa
from alembic import op

from core.journal import chain, linked_rows
from core.journal.tables import ENTRIES, HEADS, ORIGIN, RECEIPTS, Row

revision = "v0002"
down_revision = "v0001"

_AT_ONCE = 1_000


def upgrade() -> None:
    bind, id_ = op.get_bind(), secrets.token_hex(16)
    for table in ("entries", "receipts"):
        op.add_column(table, sa.Column("digest", sa.Text, nullable=False, server_default=""))
    HEADS.create(bind)
    ORIGIN.create(bind)
    bind.execute(sa.insert(ORIGIN).values(id=id_))
    last, ends = 0, dict[str, Row]()
    some = sa.select(ENTRIES).order_by(ENTRIES.c.sequence).limit(_AT_ONCE)
    while rows := bind.execute(some.where(ENTRIES.c.sequence > last)).mappings().all():
        last = rows[-1]["sequence"]
        new = list(chain.linked(rows, {stream: row["digest"] for stream, row in ends.items()}))
        ends |= {row["stream"]: row for row in new}
        given = [{"number": row["sequence"], "sum": row["digest"]} for row in new]
        at = ENTRIES.c.sequence == sa.bindparam("number")
        bind.execute(sa.update(ENTRIES).where(at).values(digest=sa.bindparam("sum")), given)
    linked_rows.set_heads(bind, ends.values())
    before = id_
    for row in bind.execute(sa.select(RECEIPTS).order_by(RECEIPTS.c.number)).mappings().all():
        before = chain.receipt_digest(before, row)
        bind.execute(sa.update(RECEIPTS).where(RECEIPTS.c.number == row["number"]).values(digest=before))
    # A server of an older version that still runs is refused, and stores nothing without a digest.
    if bind.dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER entries_linked BEFORE INSERT ON entries WHEN NEW.digest = ''"
            " BEGIN SELECT RAISE(ABORT, 'a newer version of Headline Lab made this database'); END"
        )
    else:
        op.alter_column("entries", "digest", server_default=None)
