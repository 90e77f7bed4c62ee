"""The server and its sessions: knows no page."""
