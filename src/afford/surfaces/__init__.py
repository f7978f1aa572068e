"""The surfaces: each turns what arrives on one wire into invocations, and outcomes into what leaves on it."""
