"""The pieces of ``adopt``: reading a model, what its actuators say, and which bodies are which."""
