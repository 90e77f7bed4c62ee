"""Several systems on a few articles at once: language models of one's own next to those of this computer."""

from dataclasses import asdict
from typing import Final

import streamlit as st

from components.frame.markdown import WORDS, plain
from components.frame.widgets import button
from components.headlines.compare.opened import Scene, keep_file
from components.opened.recipes import say_what_leaves
from components.opened.views import compare as state
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.generators.endpoint import EndpointHeadlines
from core.models.endpoints.addresses import endpoints
from core.models.weights import is_installed

FEW: Final = 20  # articles
_OF_EACH: Final = 3  # models by address, and writers of this computer, that are chosen at first
_MOST: Final = 8  # systems


def side_by_side(scene: Scene) -> None:
    writers = WORDS["few"]["writers"].items()
    local = {name: each[0] for name, each in writers if is_installed(headline_generators.parse(name).check)}
    models = (EndpointHeadlines(address=each.address, model=each.model) for each in endpoints() if each.model)
    asked = {headline_generators.signature(each): each.model for each in models if is_installed(each.check)}
    first = [*list(asked)[:_OF_EACH], *list(local)[:_OF_EACH]]
    titles = {**asked, **local}
    systems, few = st.columns([4, 1])
    look = {"format_func": titles.__getitem__, "max_selections": _MOST, "key": f"side-systems-{len(asked)}"}
    chosen = systems.multiselect("Systems", list(titles), first, **look)
    most = min(FEW, len(scene.articles))
    count = int(few.number_input("Articles", 1, len(scene.articles), most, key=f"side-count-{most}"))
    recipes = [headline_generators.parse(name) for name in chosen]
    say_what_leaves(*recipes)
    for recipe in recipes:
        if isinstance(recipe, EndpointHeadlines):
            read = [text[: recipe.article_characters] for text in scene.articles.texts[:count]]
            st.caption(plain(f"{recipe.model}: {recipe.cost_of(read, recipe.headline_tokens)}"))
    label = f"Write {len(chosen)} × {count} headlines"
    button(label, "side-write", _order, scene, chosen, count, icon="view_column", disabled=not chosen)


def _order(scene: Scene, chosen: list[str], count: int) -> None:
    """Opens the first articles by themselves, with an order for each system."""
    name = keep_file(f"{count} of {scene.opened.title}", scene.articles.at(list(range(count))), [])
    opened = (*(each for each in state.now().opened if each != name), name)
    orders = tuple((name, system, asdict(GenerationOptions())) for system in chosen)
    state.open_articles(name)
    state.put(opened=opened, orders=(*state.now().orders, *orders))
