"""What a file of the corpus is."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """One file of the corpus.

    Attributes:
        name: As it is uploaded or written.
        made: Its bytes, or what makes them where they are many.
        says: Words of the sentence that refuses it.
        headlines: For a file that loads, how many headlines; None where it must be refused.
        megabytes: Value of HEADLINE_LAB_FILE_MEGABYTES and _UNPACKED_MEGABYTES while it is given.
    """

    name: str
    made: bytes | Callable[[], bytes]
    says: str = ""
    headlines: int | None = None
    megabytes: int | None = None

    @property
    def content(self) -> bytes:
        """Its bytes."""
        return self.made if isinstance(self.made, bytes) else self.made()
