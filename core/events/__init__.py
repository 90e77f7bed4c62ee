"""The main job: prepare a timeline, group it, and give each event its card."""
