"""The command line. May use everything; nothing but `__main__` and the console script imports it."""
