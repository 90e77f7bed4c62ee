"""Correlation clustering: the groups that agree best with links and denials, found or bounded."""
