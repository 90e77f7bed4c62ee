# %% [markdown]
# # Clusterings beside each other, as the Dialogue shared task compares them
#
# Gusev and Smurov (2021) compare ways to cluster news around one embedding. Here four
# methods group the International Space Station timeline, whose groups people drew.

# %%
from headline_lab.bench import run_task

task = {
    "title": "Clusterings of the ISS excerpt of HLGD",
    "unit": "groups",
    "data": "sample:iss",
    "scorer": "event_similarity",
    "metrics": ["ami", "pair_f1"],
    "systems": [
        {"name": "Average linkage", "method": "average_linkage"},
        {"name": "DBSCAN", "method": "dbscan"},
        {"name": "HDBSCAN", "method": "hdbscan"},
        {"name": "Louvain", "method": "louvain"},
    ],
}
run = run_task(task)
run

# %%
print(run.as_markdown())
