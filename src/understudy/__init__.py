"""Understudy turns motion capture into physics: give it a clip, and a simulated character performs it."""

__version__ = "0.1.0"
