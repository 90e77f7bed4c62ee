"""What every page is drawn with: state, words, widgets, pictures, progress."""
