"""Inference package of Headline Lab: no Streamlit, no printing, no globals."""

__version__ = "0.1.0"
