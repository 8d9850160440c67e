"""The executable forms of a rule: a protocol, and one module for each engine."""
