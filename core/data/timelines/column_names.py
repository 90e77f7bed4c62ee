"""Which column of a table holds which field: a set of fields is a mapping to the names that each goes by.

Names are compared by their key: lower case, words joined by "_", and without the prefixes that
crowdsourcing platforms put before them (see `key`). Here are those of a timeline's columns, in English,
Russian, Italian, German, French and Spanish, the best name first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from core.data.timelines.raw import listing
from core.data.timelines.timeline import Field
from core.errors import InputError

F = TypeVar("F", bound=str)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES: dict[Field, tuple[str, ...]] = {
    Field.HEADLINE: _words(
        "headline headlines title headline_text news_title article_title article_headline head subject "
        "заголовок заголовки название titolo titoli titel schlagzeile schlagzeilen überschrift titre titres "
        "titulo título titular titulares"
    ),
    Field.PUBLISHED: _words(
        "published published_at publication_date date_of_publication publication_time published_date "
        "publish_date pub_date pubdate date datetime date_time timestamp date_published "
        "story_date created_at day time дата "
        "дата_публикации дата_и_время время опубликовано data_pubblicazione data_di_pubblicazione pubblicato "
        "дата_выхода datum veröffentlicht veröffentlicht_am veröffentlichungsdatum erscheinungsdatum "
        "zeitpunkt uhrzeit date_de_publication date_de_parution publié publié_le parution fecha "
        "fecha_de_publicación fecha_de_publicacion publicado data ora giorno heure hora tag"
    ),
    Field.PUBLISHER: _words(
        "publisher source outlet news_source source_name media newspaper site domain hostname издание "
        "источник издатель сми газета editore fonte testata giornale quelle medium zeitung herausgeber "
        "nachrichtenquelle editeur éditeur journal média fuente medio periódico periodico diario editor"
    ),
    Field.URL: _words(
        "url link href article_url web_url uri ссылка адрес адрес_url indirizzo collegamento "
        "adresse lien enlace dirección"
    ),
    Field.AUTHORS: _words(
        "authors author byline автор авторы autore autori autor autoren auteur auteurs autores"
    ),
    Field.BODY: _words(
        "body content article article_text full_text text news текст текст_статьи содержание testo corpo "
        "contenuto articolo inhalt artikel texte contenu texto contenido"
    ),
    Field.LANGUAGE: _words("language lang язык lingua sprache langue idioma"),
    Field.GOLD: _words(
        "gold_group global_group gold_label gold group_input group group_id gold_cluster cluster cluster_id "
        "story story_id event event_id subtopic claim_id claimid группа кластер сюжет событие "
        "gruppo evento storia"
    ),
}
WEAK: frozenset[str] = frozenset(
    _words(
        "data ora giorno day time время head subject news article text текст testo media site event storia "
        "titel uhrzeit heure hora tag medium journal medio editor texte texto artikel inhalt"
    )
)
"""Names that often mean something else; the column's content must agree."""

LONGEST_NAME = 200
"""Characters; nothing longer names a column."""

_ANNOTATOR = re.compile(r"annot(?:ator)?_?\d{1,2}(?:_group)?")
_PREFIX = re.compile(r"^(?:input|output|golden)[_:]+")
_CAMEL = re.compile(r"(?<=[a-zа-я0-9])(?=[A-ZА-Я])")


def key(name: str) -> str:
    """The form in which column names are compared: "INPUT:First Title" is "first_title"."""
    words = re.sub(r"[\W_]+", "_", _CAMEL.sub("_", name.strip()[:LONGEST_NAME])).strip("_").casefold()
    return _PREFIX.sub("", words)


def by_key(names: Iterable[object]) -> dict[str, str]:
    """The columns by their key, and by their name in lower case; of several with one key the first."""
    columns: dict[str, str] = {}
    for name in map(str, names):
        columns.setdefault(key(name), name)
        columns.setdefault(name.strip().casefold(), name)
    return columns


def find(
    columns: Iterable[object],
    fields: Mapping[F, Sequence[str]],
    *,
    agrees: Callable[[F, str, str], bool] = lambda field, spelling, column: True,
) -> dict[F, str]:
    """The column of each field that has one: the best of its names that a column goes by; each is used once.

    `agrees` is asked of a field, the name in `fields` and the column, which counts only where it says so.
    """
    free = list(map(str, columns))
    found: dict[F, str] = {}
    for field, spellings in fields.items():
        keys = by_key(free)
        for spelling in spellings:
            if spelling in keys and agrees(field, spelling, keys[spelling]):
                found[field] = keys[spelling]
                free.remove(keys[spelling])
                break
    return found


def require(found: Mapping[F, object], wanted: Mapping[F, str], columns: Iterable[object], file: str) -> None:
    """Raises InputError where a field has no column.

    Args:
        found: The columns by field.
        wanted: What each field that is needed holds, as "the articles".
        columns: All that the table has.
        file: Its name.
    """
    for field, what in wanted.items():
        if not found.get(field):
            raise InputError(
                f"{file[:80]} has no column with {what}; it should be called {field}.",
                hint=f"It has {listing(columns)}; rename the one that holds {what}.",
            )


def is_annotator(name: str) -> bool:
    """Whether a column holds one annotator's groups, such as "annot_3_group"."""
    return _ANNOTATOR.fullmatch(key(name)) is not None


def is_known(name: str) -> bool:
    """Whether a name is one of the known column names, so that a row of such names is a header."""
    wanted = key(name)
    return is_annotator(name) or any(wanted in names for names in NAMES.values())
