"""Where a pair model contradicts itself, and what repairs it.

Public: `checks.check` (Check, Material, checks), `repairs` (Repairer, repairs), `studies.study` (study).
Inside: certificate, clustering, score_matrix."""
