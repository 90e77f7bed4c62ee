"""Components of our own, written in HTML, CSS and JavaScript."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def mounted(
    module: str, name: str, html: str, *, style: str = "", isolate_styles: bool = True,
    before: tuple[str, ...] = (),
) -> ComponentRenderer:  # fmt: skip
    """Registers a component of NAME.js and NAME.css, or that of a `style`; one for the page isolates none.

    What `before` names comes first: scripts, and style sheets where there are such.
    """
    files = Path(module).with_name(name)
    scripts = [files.with_name(f"{script}.js").read_text(encoding="utf-8") for script in (*before, name)]
    shared = filter(Path.is_file, (files.with_name(f"{sheet}.css") for sheet in before))
    sheets = [*shared, files.with_name(f"{style or name}.css")]
    code = {
        "css": "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets),
        "js": "\n".join(scripts),
    }
    known = f"headline_lab_{name}"
    return st.components.v2.component(known, html=html, **code, isolate_styles=isolate_styles)
