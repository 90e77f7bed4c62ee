"""Archives: months of news, up to millions of headlines, grouped and mapped in a folder on disk.

Public: `build` (ArchiveSettings, build), `opened` (OpenArchive, open_archive). Inside: cells, comparing,
reading."""
