"""Scored pairs to groups: the methods by kind, quality, granularity, questions, links and numbers of groups.

Public: `grouper` (Grouper, GroupingInput, groupers). Inside: communities, connected_components, density."""
