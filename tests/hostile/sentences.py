"""What one clear sentence is."""

import re

from components.frame.markdown import SEAM

LONGEST = {"message": 300, "hint": 600}  # characters; a hint may list what there is to choose from
INNARDS = re.compile(
    r"Traceback|NoneType|codec can.t|object at 0x|<class |site-packages|\b[A-Z][a-z]\w*(?:Error|Exception)\b"
    r"|\bnp\.|\bdtype\b|\[Errno|\bFile \""
)
"""Words of Python that mean nothing to whoever gave the file."""


def faults(message, hint):
    """What keeps a message from being one clear sentence with one on what to do; [] where it is."""
    found = []
    for what, text in (("message", message), ("hint", hint)):
        if not text.strip():
            found.append(f"there is no {what}")
        elif not re.search(r"[.!?…][”\")\]]?$", text.strip()):
            found.append(f"the {what} does not end as a sentence: {text!r}")
        if len(text) > LONGEST[what]:
            found.append(f"the {what} has {len(text)} characters: {text!r}")
        if INNARDS.search(text):
            found.append(f"the {what} speaks of the program's innards: {text!r}")
        if not text.isprintable():
            found.append(f"the {what} holds what cannot be printed: {text!r}")
    return found


def faults_of_stderr(text):
    """What keeps the last two lines on stderr from being a message and a hint."""
    lines = text.strip().split("\n")
    if "Traceback" in text:
        return [text]
    if lines[-1].startswith("Error: "):  # an option's value, refused by its type
        return [] if lines[0].startswith("Usage: ") else [text]
    if len(lines) < 2:
        return [f"there are no two lines: {text!r}"]
    return faults(lines[-2], lines[-1])


def faults_of_page(app):
    """What is wrong with the errors that a page shows."""
    found = [f"a traceback: {one.value}" for one in app.exception]
    for error in app.error:
        if "Something went wrong" in error.value:
            found.append(error.value)
            continue
        message, _, hint = error.value.partition("  \n")
        bare = [re.sub(r"\\(.)", r"\1", part.replace(SEAM, "")).strip("*") for part in (message, hint)]
        found += faults(bare[0], bare[1])
    return found
