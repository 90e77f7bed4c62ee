# %% [markdown]
# # How hard the first sentence is to beat
#
# Malykh and Kalaidin (2019): in headline generation the first sentence is a strong baseline. Here it stands
# beside the same sentence shortened by rules, on articles of NumHG with people's headlines.

# %%
from headline_lab import compare_headlines, write_headlines
from headline_lab.bench import run_task

run = run_task(
    {
        "title": "The first sentence",
        "unit": "headlines",
        "data": "sample:articles",
        "metrics": ["rouge", "bleu"],
        "systems": [
            {"name": "First sentence", "method": "first_sentence"},
            {"name": "Shortened by rules", "method": "compressed_sentence"},
        ],
    }
)
run

# %% [markdown]
# The same two on a text of one's own:

# %%
article = [
    "VIENNA (AP) — A storm that began on Monday killed three people in Graz, the mayor said on Tuesday."
]
systems = {name: write_headlines(article, system=name) for name in ("first_sentence", "compressed_sentence")}
compare_headlines(systems, article, references=["Storm Kills Three in Graz"], metrics=["rouge"])
