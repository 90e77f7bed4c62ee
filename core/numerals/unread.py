"""Headlines and articles whose numbers are not read, and what is said of them."""

from typing import Final

from core.data.articles.article_files import READ_CHARACTERS
from core.text.numerals import languages

_TELLING: Final = 4  # letters of the shortest word that tells a headline's language
NOT_READ: Final = "numbers that could not be read"  # because the program failed


def why_unread(headline: str, article: str) -> str:
    """Which of the two is in a language whose numbers are not read, in a few words; "" for neither."""
    article = article[:READ_CHARACTERS]
    if language := languages.unread_language(article):
        return f"an article in {language}"
    language = languages.unread_language(headline)
    if not language:
        doubtful = languages.is_of_doubtful_language(headline) and languages.is_of_doubtful_language(article)
        return "an article in a language that cannot be told" if doubtful else ""
    words = [word.casefold() for word in headline.split() if len(word) >= _TELLING]
    known = set(article.casefold().split())
    return f"a headline in {language}" if 2 * sum(word in known for word in words) < len(words) else ""


def refusal(why: str) -> str:
    if why == NOT_READ:
        return "Its numbers, or those of its article, could not be read. Check them yourself."
    return f"This is {why}; numbers are read in {languages.LANGUAGE_NAMES}."
