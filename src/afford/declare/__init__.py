"""What authors write: decorators and values that record facts, and nothing else.

Nothing here derives, checks or decides; `catalog` does. Declarations are frozen once recorded.
"""
