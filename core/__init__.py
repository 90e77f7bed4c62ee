"""Inference package of Headline Lab: no Streamlit, no printing."""

__version__ = "0.1.0"
