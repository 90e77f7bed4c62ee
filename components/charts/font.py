"""The face of the pages, for pictures: found without loading Streamlit."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def font() -> bytes:
    """The face as Streamlit sends it, WOFF2; b"" where this Streamlit has none."""
    streamlit = find_spec("streamlit")
    if streamlit is None or streamlit.origin is None:
        return b""
    media = Path(streamlit.origin).parent / "static" / "static" / "media"
    file = next(media.glob("SourceSansVF-Upright.*.woff2"), None)
    return b"" if file is None else file.read_bytes()
