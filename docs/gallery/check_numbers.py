# %% [markdown]
# # Is each number right?
#
# Each number of a headline is joined to its place in the article, or said to be wrong.

# %%
from headline_lab import as_latex, check_numerals, compare_headlines, fill_numeral, write_headlines

article = (
    "Three people died and 40 were hurt when a bus left the road near Graz on Monday, police said. "
    "The bus carried 52 passengers."
)
check_numerals(article, ["Three Killed in Bus Crash Near Graz", "4 Dead, 40 Hurt as Bus Crashes"])

# %%
fill_numeral(article, "____ Hurt as Bus Leaves Road")

# %% [markdown]
# Systems beside each other, one of them tested against the other:

# %%
articles = [article, "The firm cut 1,200 jobs, a tenth of its staff. Shares rose 3 %."]
systems = {
    "first sentence": write_headlines(articles, system="first_sentence"),
    "by hand": ["Three Killed in Bus Crash", "Firm Cuts 1,200 Jobs"],
}
people = ["3 Die as Bus Leaves Road", "Firm Cuts 1,200 Jobs, a Tenth of Staff"]
table = compare_headlines(systems, articles, references=people, metrics=["rouge"], against="first sentence")
table

# %%
print(as_latex(table, columns=4))
