"""The compiled players of Merchants of Europe, a folder for each."""
