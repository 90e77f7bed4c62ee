"""Inference package of Headline Lab: no Streamlit, no printing, no globals."""
