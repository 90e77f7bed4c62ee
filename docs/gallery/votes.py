# %% [markdown]
# # What people say of headlines, and how far they agree
#
# Cafagna et al. (2019) ask three judges of each headline whether it is attractive and whether it suits the
# article, and give Krippendorff's alpha for each question. A frame has a row a vote.

# %%
import pandas as pd

from headline_lab import as_latex
from headline_lab.bench import power, vote_agreement

answers = {"h1": "yes yes no", "h2": "no no no", "h3": "yes yes yes", "h4": "no yes no", "h5": "yes yes yes"}
votes = pd.DataFrame(
    [(item, judge, said) for item, row in answers.items() for judge, said in enumerate(row.split())],
    columns=["item", "worker", "label"],
)
agreed = vote_agreement(votes)
agreed

# %%
print(as_latex(agreed))

# %% [markdown]
# How many headlines and judges a study needs to see a difference of a tenth of the scale:

# %%
power(0.1)
