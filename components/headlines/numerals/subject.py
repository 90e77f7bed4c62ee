"""The article and the headline that are looked at."""

import streamlit as st

from components.frame.controlled import controlled
from components.frame.markdown import plain, shorten
from components.frame.widgets import button_to, notice
from components.headlines.compare.opened import Scene, article_names, placed
from components.headlines.numerals.checking import check_together
from components.opened.views import compare
from components.opened.views import numerals as state
from core.numerals.verdict import CheckedHeadline


def article_choice(scene: Scene) -> int:
    articles = scene.articles
    current = compare.now().article
    row = articles.ids.index(current) if current in articles.ids else 0
    names = article_names(articles)
    if names is None:
        bound = controlled("numerals-number", row + 1, lambda to: state.open_article(articles.ids[to - 1]))
        st.number_input(f"Article, of {len(articles):,}", 1, len(articles), **bound)
    else:
        bound = controlled("numerals-article", row, lambda to: state.open_article(articles.ids[to]))
        st.selectbox("Article", range(len(articles)), format_func=names.__getitem__, **bound)
    return row


def headline_choice(scene: Scene, row: int) -> tuple[str, CheckedHeadline | None]:
    """The choice of a headline of the article: who wrote it, as it may be shown, and its check once known."""
    # The original headline and those of the systems, the empty ones left out.
    headlines = [(state.PEOPLE, "Original headline", line) for line in scene.articles.references[row][:1]]
    for place, name in placed(scene, scene.articles.ids[row]):
        headlines.append((scene.prints[place], name, scene.outputs[place].headlines[row]))
    headlines = [entry for entry in headlines if entry[2].strip()]
    if not headlines:
        notice("no_headline", said="This article has no headline yet.")
        return "", None
    keys, names, lines = zip(*headlines, strict=True)
    current = state.now().system
    at = keys.index(current) if current in keys else 0
    words = [f"{name} · {shorten(line, 100)}" for name, line in zip(names, lines, strict=True)]
    bound = controlled("numerals-headline", at, lambda to: state.open_headline(keys[to]))
    st.selectbox("Headline", range(len(words)), format_func=words.__getitem__, **bound)
    checked = check_together(lines, scene.articles.texts[row])
    return names[at], None if checked is None else checked[at]


def to_compare(scene: Scene, row: int) -> None:
    article = scene.articles.ids[row]
    look = {"icon": "compare", "type": "tertiary"}
    look["help"] = f"All headlines of “{plain(shorten(article, 60))}” side by side."
    label = "This article on the Compare page"
    button_to("compare", label, "numerals-compare", compare.open_article, article, **look)
