"""Everything that people do, in one store to which entries are only appended.

Public: `entries` (NewEntry), `journal` (the_journal). Inside: chain, database."""
