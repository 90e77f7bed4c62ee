"""Everything that people do, in one store to which entries are only appended."""
