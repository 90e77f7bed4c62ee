"""Timelines of dated headlines: the type, its readers and writers, validation, duplicates, samples."""
