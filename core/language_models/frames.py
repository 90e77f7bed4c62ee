"""Prompts: what a model reads around an article before it writes the headline."""

from __future__ import annotations

from typing import Any, Final

from core.errors import InputError
from core.language_models.language_model import Frame

INSTRUCTION: Final = "Write the headline of this news article."
"""What a model that was tuned to follow instructions is asked."""

PROMPTS: Final = ("chat", "plain", "start")
"""The formats of `headline_frame`."""

_ARTICLE: Final = "\x00"


def headline_frame(tokenizer: Any, prompt: str, start: str) -> Frame:
    """Article first, headline next.

    Args:
        tokenizer: Of transformers.
        prompt: "chat": the model's own chat template, the user's turn holding `INSTRUCTION` and the
            article, the reply holding the headline. "plain": the article, a line "Headline:" and the
            headline, for models that were not tuned. "start": article, start token, headline, end token,
            for generators tuned as in HLGD.
        start: The token that begins a text.

    Raises:
        InputError: The model has no chat template, or the prompt has another name.
    """
    if prompt not in PROMPTS:
        raise InputError(f"prompt cannot be {prompt!r}.", hint=f"Give one of {', '.join(PROMPTS)}.")
    end = tokenizer.eos_token or "\n"
    if prompt == "plain":
        return Frame(start, "\n\nHeadline:", "\n")
    if prompt == "start":
        return Frame("", start, end)
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(
            "This language model has no chat template.", hint="Set prompt to plain (or to start)."
        )
    turns = [{"role": "user", "content": f"{INSTRUCTION}\n\n{_ARTICLE}"}]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    before, _, after = text.partition(_ARTICLE)
    return Frame(before, after, end)


def line_frame(start: str) -> Frame:
    """A line, and the line after it, at the beginning of a text."""
    return Frame(start, "\n", "\n")
