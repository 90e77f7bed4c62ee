"""Headlines that arrive one after another: each joins or opens a group, and groups merge and split later.

Public: `follow` (follow), `stream` (Stream). Inside: fetch."""
