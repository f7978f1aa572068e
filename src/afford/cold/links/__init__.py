"""The wires of a cold run; each module is loaded when its wire is spoken, since each brings a client of its own."""
