"""Scored pairs to groups: the methods by kind, and quality, granularity, links and numbers of groups.

Public: `grouper` (Grouper, GroupingInput, groupers). Inside: communities, density."""
