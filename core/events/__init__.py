"""The main job: prepare a timeline, group it, and give each event its card.

Public: `grouping` (Grouping, Prepared, Settings, prepare, regroup). Inside: figures, named, origins,
pictures, report."""
