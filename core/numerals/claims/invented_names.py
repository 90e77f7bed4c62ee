"""Names of a headline that its article lacks."""

from core.numerals.claims.words import article_words, words_of
from core.numerals.question import ReadArticle
from core.text.german_nouns import is_common_noun

LONGEST_PREFIX = 5  # words that begin with so many letters alike are forms of one word


def invented_in(headline: str, article: ReadArticle) -> tuple[str, ...]:
    """Names of a headline that the article has in no form: words with a capital that not most words have."""
    words = [word for word in words_of(headline, article.language) if word.content]
    if not words or not article.sentences:
        return ()
    german = article.language == "de"
    names = [word for word in words if word.text[0].isupper() and not (german and is_common_noun(word.text))]
    if len(names) > len(words) / 2:
        return ()
    known = article_words(article)
    reach = LONGEST_PREFIX - german  # Hessen, hessisch
    beginnings = {form[:reach] for form in known.forms}
    return tuple(
        word.text
        for word in names
        if word.start > 0
        and not (german and headline[: word.start].rstrip()[-1] in ":-")
        and word.form not in known.forms
        and word.form[:reach] not in beginnings
    )
