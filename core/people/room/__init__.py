"""A class in one room: a teacher opens a task, people join with phones, vote, see the answers, vote again."""
