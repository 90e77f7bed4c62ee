"""Headlines that arrive one after another: each joins a group or opens one, and groups merge and split later.

`arrival` is a headline as it came, `changes` what happened to the groups, `book` the groups so far,
`window` how alike a new headline is to the recent ones, `stream` decides, `log` keeps everything in a file.
"""
