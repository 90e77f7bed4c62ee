"""What the consistency lab starts from, on the page and by the command."""

from __future__ import annotations

from typing import Final

SCORER: Final = "finetuned_time.v1"
"""The pair model that is tested where nobody says which: the system that the paper tests."""
