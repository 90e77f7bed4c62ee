# %% [markdown]
# # Your own headlines: groups, a card, and how well they match yours
#
# A frame has a row a headline. The columns `published` and `publisher` may be missing.

# %%
import pandas as pd

from headline_lab import contradictions, event_card, group_headlines
from headline_lab.bench import agreement

headlines = pd.DataFrame(
    [
        ("Flood kills 12 in Lindau", "2024-05-01 08:00", "Morgenpost", 1, 1),
        ("At least 12 dead as flood hits Lindau", "2024-05-01 09:30", "Wire", 1, 1),
        ("Lindau flood: toll rises to 14", "2024-05-01 15:00", "Gazette", 1, 2),
        ("Central bank cuts rates to 3.5 %", "2024-05-01 14:00", "Wire", 2, 3),
        ("Rates fall to 3.5 % after central bank move", "2024-05-01 16:00", "Gazette", 2, 3),
        ("Museum reopens after five years", "2024-05-02 10:00", "Morgenpost", 3, 4),
    ],
    columns=["headline", "published", "publisher", "annot_1_group", "annot_2_group"],
)
groups = group_headlines(headlines)
groups[["headline", "group"]]

# %% [markdown]
# What stands for an event, what each outlet states, and when:

# %%
event_card(headlines, headline="Lindau")

# %% [markdown]
# How far the two people of this table agree, and where the pair model contradicts itself:

# %%
agreement(headlines)

# %%
contradictions(headlines, scorer="levenshtein")["triangles"]
