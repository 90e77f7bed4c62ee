"""Everything that draws or keeps state in Streamlit."""
