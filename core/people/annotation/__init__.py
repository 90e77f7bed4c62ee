"""What annotators do: group a timeline, vote on pairs, choose the better headline; all from their entries."""
