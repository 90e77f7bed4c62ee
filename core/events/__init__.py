"""The main job: prepare a timeline, group it, and give each event its card.

Public: `grouping` (Grouping, Prepared, Settings, prepare, regroup). Inside: agencies,
event_names, origins, pictures, places, report."""
