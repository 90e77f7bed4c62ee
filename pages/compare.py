"""Compare: which system writes the better headline, and where do they differ?"""

from components.compare import state
from components.compare.article import article_page
from components.compare.browse import browse_bar, rows_of
from components.compare.cards import cards
from components.compare.chooser import chooser, summary
from components.compare.duel import differences
from components.compare.measured import compared, measures_of
from components.compare.opened import open_scene
from components.compare.table import scores_table
from components.page import page, signature
from components.page_state import show

with page(__file__, "Compare", "Which system writes the better headline, and where do they differ?"):
    state.write_address()
    scene = open_scene()
    chooser(scene)
    comparison = compared(scene) if scene.outputs else None
    summary(scene, comparison)
    shown = show(state.SHOWN, state.now().shown, lambda word: state.put(shown=word), key="compare-shown")
    if shown == state.HEADLINES:
        measures = measures_of(scene, comparison)
        rows = rows_of(scene, measures)
        if state.now().article in scene.articles.ids:
            article_page(scene, rows, comparison)
        else:
            browse_bar(scene, measures)
            cards(scene, rows, comparison)
    elif comparison is not None and shown == state.SCORES:
        scores_table(scene, comparison)
    elif comparison is not None:
        differences(scene, comparison)
    if comparison is not None:
        signature(f"{scene.opened.title} {scene.opened.fingerprint} · {comparison.fingerprint}")
