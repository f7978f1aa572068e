"""Configuration files of the assistants that people use: where each is, what it holds, and how to change one entry."""
