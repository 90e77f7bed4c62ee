# %% [markdown]
# # The pair table of the HLGD paper, on the excerpt that ships
#
# Laban et al. (2021), table 2, give the F1 of systems that say whether two headlines report the same event.
# Here three systems of that table answer the pairs of the International Space Station timeline.

# %%
from headline_lab import as_frame
from headline_lab.bench import run_task

run = run_task(
    {
        "title": "Same event? ISS excerpt of HLGD",
        "unit": "pairs",
        "data": "iss",
        "metrics": ["f1", "precision", "recall"],
        "slices": ["common words"],
        "systems": [
            {"name": "Levenshtein", "method": "levenshtein"},
            {"name": "Date alone", "method": "time_only"},
            {"name": "Electra, fine-tuned, with time", "method": "finetuned_time"},
        ],
    }
)
run

# %% [markdown]
# Stars compare with the first system (paired bootstrap over gold groups, Holm's correction). The same as
# LaTeX, and every figure with its interval and signature as a frame:

# %%
print(run.as_latex())
figures = as_frame(run.filed())
figures.query("part == '' and measure == 'f1'")[["system", "value", "low", "high", "p_holm"]]
