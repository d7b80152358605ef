"""The table in the terminal (textual): start screen, table, results."""
