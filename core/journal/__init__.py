"""Everything that people do, in one store to which entries are only appended.

`entry` says what an entry is, `journal` appends and reads, `tables` is how a database holds it, `database`
opens SQLite or PostgreSQL, `schema` makes and upgrades the tables, `failures` says in words what went wrong,
`backup` writes everything into a file and brings it back, `forget` removes what somebody wants removed.
What somebody thinks now is computed from entries by whoever appended them.
"""
